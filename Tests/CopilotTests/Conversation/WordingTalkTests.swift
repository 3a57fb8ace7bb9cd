@testable import Domain
@testable import Language
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// What is said and what is shown of one reply: words for the ear, figures for the eye.
@Suite struct WordingTalkTests {
    private static let logged = (shown: "Logged £309.08 for diesel.", said: "Logged 309 pounds 08 for diesel.")

    private func logged(_ talk: Talk) async throws -> TurnTrace {
        let trace = await talk.conversation.say("log £309.08 for diesel")
        _ = try await talk.history(1)
        return trace
    }

    @Test func money_isShownInFigures_andSaidInWords() async throws {
        let talk = try await Talk(VanBench())
        let trace = try await logged(talk)
        #expect(trace.reply == Self.logged.shown)
        #expect(trace.answer.spoken == Self.logged.said)
        #expect(talk.speaker.sentences == [Self.logged.said])
    }

    @Test func watchersAndHistory_getWhatIsShown() async throws {
        let talk = try await Talk(VanBench())
        _ = try await logged(talk)
        #expect(talk.events.entries.map(\.brief).contains("reply \(Self.logged.shown)"))
        #expect(try await talk.history(1).assistant == Self.logged.shown)
    }

    @Test func anAmount_isRevealedAsAWhole_withItsFirstWord() async throws {
        let talk = try await Talk(VanBench())
        _ = try await logged(talk)
        let shown = Array(Self.logged.shown)
        let words = talk.events.entries.compactMap { event -> String? in
            guard case .word(let text, let start, let end) = event else { return nil }
            return "\(text)|\(String(shown[start..<end]))"
        }
        #expect(words.first == "Logged|Logged")
        #expect(words[1...3].allSatisfy { $0.hasSuffix("|£309.08") }, "\(words)")
        #expect(words[1...3].first == "309|£309.08")
        #expect(Array(words.suffix(2)) == ["for|for", "diesel.|diesel."])
    }

    @Test func repeating_saysTheWordsAgain_andShowsTheFigures() async throws {
        let talk = try await Talk(VanBench())
        _ = try await logged(talk)
        let second = await talk.conversation.say("say that again")
        _ = try await talk.history(2)
        #expect(second.reply == Self.logged.shown)
        #expect(talk.speaker.sentences == [Self.logged.said, Self.logged.said])
    }

    @Test func aTurnOfTheHistory_isSpokenAgainInWords() async throws {
        let talk = try await Talk(VanBench())
        _ = try await logged(talk)
        try await talk.reached(.ready)
        #expect(try await talk.conversation.services.speakAgain(turn: 1) == Self.logged.shown)
        #expect(talk.speaker.sentences == [Self.logged.said, Self.logged.said])
    }

    @Test func undo_namesTheAmountInBothForms() async throws {
        let talk = try await Talk(VanBench())
        _ = try await logged(talk)
        let trace = await talk.conversation.say("undo that")
        #expect(trace.reply == "Undone: £309.08 for diesel.")
        #expect(trace.answer.spoken.hasPrefix("Undone: 309 pounds"))
        #expect(trace.effects.first == "undone: £309.08 for diesel")
    }

    @Test(arguments: [
        ("what's the emergency number", "The emergency number here is 999.", "The emergency number here is 9 9 9."),
        (
            "what's the emergency number in brazil",
            "I don't know the number for brazil. From a mobile, 112 works nearly everywhere.",
            "I don't know the number for brazil. From a mobile, 1 1 2 works nearly everywhere."
        ),
    ])
    func numbersToCall_areSaidDigitByDigit_andShownAsTheyAreDialled(
        text: String, shown: String, said: String
    ) async throws {
        let trace = try await Talk(VanBench()).conversation.say(text)
        #expect(trace.reply == shown)
        #expect(trace.answer.spoken == said)
    }

    @Test func aPosition_isReadOutDigitByDigit_andShownInFigures() async throws {
        let bench = try VanBench()
        let reply = try await bench.ask("call an ambulance", bench.with(FakeReceiver(45.75, 4.85))).wording
        #expect(reply.written.contains("latitude 45.7500 north, longitude 4.8500 east"))
        #expect(reply.spoken.contains("latitude 4 5 point 7 5 0 0 north"))
    }

    @Test func theLanguagesDataSayHowAmountsAreShown() async throws {
        let books = try Phrasebooks(folder: LanguageFolder(language: "de", root: TestLanguages.root))
        let talk = try await Talk(VanBench(books: books))
        let trace = await talk.conversation.say("Notiere 1250,50 € für Diesel")
        #expect(trace.answer.written == "1.250,50 € für diesel notiert.")
        #expect(trace.answer.spoken == "1250 Euro 50 für diesel notiert.")
    }
}
