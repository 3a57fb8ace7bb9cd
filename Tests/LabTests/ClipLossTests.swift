import Domain
import Language
import Testing

@testable import vanorb_lab

/// Where a command was lost is found from what was heard, and from the recording.
@Suite struct ClipLossTests {
    private static let index = Result {
        try PhraseIndex(
            books: Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot)),
            names: OwnerNames())
    }
    private static let said = "log fifty pounds for diesel"
    private static let label = SpeechLabel(
        wanted: .command(intent: "finance.log_expense", slots: ["money": "fifty pounds"]), text: said)

    /// A second of a tone between half a second of silence and another.
    private static let speech: [Int16] =
        Array(repeating: 0, count: 8_000) + (0..<16_000).map { $0 % 2 == 0 ? 8_000 : -8_000 }
        + Array(repeating: 0, count: 8_000)

    private func loss(_ change: (inout HeardTurn) -> Void) throws -> ClipLoss? {
        let index = try Self.index.get()
        var turn = HeardTurn(transcript: "log fifteen pounds for diesel", speech: [0.5, 1.5])
        change(&turn)
        let clip = HeardClip(name: "a.wav", label: Self.label, turn: turn, normaliser: index.books.normaliser)
        return LossJudge(index, nil).loss(of: clip, in: Self.speech)
    }

    private func line(_ text: String, _ note: String = "") -> String {
        "moonshine\(note): “\(text)” (log-likelihood ratio 0.10, acoustic score -0.30, score -1.00)"
    }

    @Test func whatWasNotHeardAtAll_isNotHeard() throws { #expect(try loss { $0.speech = [] } == .notHeard) }

    @Test func aRightTranscriptWithoutACommand_wasNotBelieved() throws {
        #expect(try loss { $0.transcript = Self.said } == .notBelieved)
    }

    @Test func theConstrainedRecognisersBest_wasOverturned_andASentenceBelowItOutranked() throws {
        #expect(try loss { $0.hearing = [line(Self.said), line("log fifteen pounds for diesel")] } == .overturned)
        #expect(try loss { $0.hearing = [line("log fifteen pounds for diesel"), line(Self.said)] } == .outranked)
        #expect(try loss { $0.hearing = [line(Self.said, ", rescored")] } == .misheard)
    }

    @Test func speechThatTheRecognisersDidNotGet_wasCut() throws {
        #expect(try loss { $0.speech = [1.2, 1.5] } == .begunLate)
        #expect(try loss { $0.speech = [0.5, 0.8] } == .endCut)
        // What is kept around it has the rest.
        #expect(try loss { $0.speech = [0.8, 1.2] } == .misheard)
    }

    @Test func rightWordsWithAnotherCommand_wereMatchedWrongly() throws {
        let other = Command(handler: "van", intent: "turn_on", slots: [:])
        #expect(
            try loss {
                $0.transcript = Self.said
                $0.commands = [other]
            } == .matchedWrongly)
    }

    @Test func whatIsRight_isNotLost() throws {
        let value = SlotValue(text: "fifty pounds", content: .money(minorUnits: 5_000, currency: "GBP"))
        let right = Command(handler: "finance", intent: "log_expense", slots: ["money": value])
        #expect(try loss { $0.commands = [right] } == nil)
    }

    @Test func theExtentOfSpeech_leavesOutSilence() {
        #expect(SoundExtent(of: Self.speech) == SoundExtent(of: Self.speech + Array(repeating: 3, count: 4_000)))
        #expect(SoundExtent(of: Self.speech)?.start == 0.5)
        #expect(SoundExtent(of: [0, 0, 0]) == nil)
    }
}
