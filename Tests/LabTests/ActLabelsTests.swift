import Testing

@testable import vanorb_lab

@Suite struct ActLabelsTests {
    private func labels(_ lines: String...) throws -> [ActLabel] {
        let text = (["# a remark", "", "said\tclass\texpect"] + lines).joined(separator: "\n")
        return try ActLabels.parse(text, file: "labels.tsv")
    }

    @Test func everyKindOfExpectation_isRead() throws {
        let labels = try labels(
            "never mind\tnegation\tnothing | act session.cancel", "lights off at ten\ttime\trefuse",
            "boiler off and fan on\tcommand\tact van.turn_off device=water_heater ; act van.turn_on device=fan | ask",
            "where is it\tquestion\tanswer manifest.find_item item=tin_opener")
        #expect(
            labels.map(\.expectations) == [
                [.nothing, .acts([WantedAct(intent: "session.cancel", slots: [:])])], [.refuse],
                [
                    .acts([
                        WantedAct(intent: "van.turn_off", slots: ["device": ["water heater"]]),
                        WantedAct(intent: "van.turn_on", slots: ["device": ["fan"]]),
                    ]), .ask,
                ],
                [.answer(WantedAct(intent: "manifest.find_item", slots: ["item": ["tin opener"]]))],
            ])
        #expect(labels.map(\.asksForNothing) == [true, true, false, false])
        #expect(labels.map(\.group) == ["negation", "time", "command", "question"])
    }

    @Test func aSlotGivenTwice_hasBothValues() throws {
        let label = try labels("all off but two\texception\tact van.turn_off except=router except=side_door")[0]
        #expect(
            label.expectations == [
                .acts([WantedAct(intent: "van.turn_off", slots: ["except": ["router", "side door"]])])
            ])
    }

    @Test(arguments: [
        "one\ttwo", "one\ttwo\t", "one\ttwo\tsomething", "one\ttwo\tact", "one\ttwo\tact turn_on",
        "one\ttwo\tact kitchen.turn_on", "one\ttwo\tact van.turn_on colour=red", "one\ttwo\tact van.turn_on device",
        "one\ttwo\tnothing |", "one\ttwo\tact van.open ; answer van.get_state",
    ])
    func aLineThatDoesNotParse_isRefused_withFileAndLine(line: String) {
        do {
            _ = try labels(line)
            Issue.record("\(line) was taken")
        } catch { #expect("\(error)".hasPrefix("labels.tsv:4: ")) }
    }

    @Test func aFileWithoutHeaderOrSentences_isRefused() {
        #expect(throws: LabelsError.self) { try ActLabels.parse("one\ttwo\tnothing\n", file: "labels.tsv") }
        #expect(throws: LabelsError.self) { try ActLabels.parse("said\tclass\texpect\n", file: "labels.tsv") }
        #expect(throws: LabelsError.self) { try ActLabels.read("/nowhere/labels.tsv") }
    }
}
