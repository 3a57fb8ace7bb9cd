import Foundation
import Testing

@testable import vanorb_lab

@Suite struct SpeechLabelsTests {
    private func labels(_ text: String) throws -> [String: SpeechLabel] {
        try SpeechLabels(Data(text.utf8), file: "labels.json").labels
    }

    @Test func everyKindOfLabel_isRead() throws {
        let labels = try labels(
            """
            {"a.wav": {"intent": "orderDrink", "slots": {"size": "large", "count": 2, "mass": 2.5}},
             "b.flac": {"text": "two teas"}, "c.wav": {"intent": null},
             "d.wav": {"intent": "stop", "text": "stop it"}}
            """)
        #expect(
            labels["a.wav"]
                == SpeechLabel(
                    wanted: .command(intent: "orderDrink", slots: ["size": "large", "count": "2", "mass": "2.5"])))
        #expect(labels["b.flac"] == SpeechLabel(wanted: .words, text: "two teas"))
        #expect(labels["c.wav"] == SpeechLabel(wanted: .nothing))
        #expect(labels["d.wav"] == SpeechLabel(wanted: .command(intent: "stop", slots: [:]), text: "stop it"))
    }

    @Test(arguments: [
        ("{\"a.wav\": {}}", "a.wav"), ("{\"a.wav\": 7}", "a.wav"), ("{\"a.wav\": {\"intent\": 3}}", "a.wav: intent"),
        ("{\"a.wav\": {\"intent\": \"x\", \"slots\": {\"y\": [1]}}}", "a.wav: slots: y"), ("{", "labels.json"),
        ("[]", "labels.json"), ("{}", "no labels"),
    ])
    func labelsThatDoNotParse_areRefused_withFileAndPlace(text: String, place: String) {
        do {
            _ = try labels(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect("\(error)".contains("labels.json"))
            #expect("\(error)".contains(place))
        }
    }

    @Test func aMissingFile_isNamed() {
        #expect(throws: LabelsError.self) { try SpeechLabels(contentsOf: "/nowhere/labels.json") }
    }
}
