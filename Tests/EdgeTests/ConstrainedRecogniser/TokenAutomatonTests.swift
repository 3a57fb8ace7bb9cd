import Domain
import Testing

@testable import SpeechMoonshine
import OnnxRuntime

/// What the model may write is exactly what the vocabulary has, however it is spelt.
@Suite(.enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing)) struct TokenAutomatonTests {
    private let tokeniser: Tokeniser
    private var automaton: TokenAutomaton

    init() throws {
        tokeniser = try ConstrainedRecogniser.tokeniser()
        automaton = try TokenAutomaton(ConstrainedRecogniser.vocabulary, tokeniser)
    }

    private func tokens(_ text: String) -> [Int32] {
        tokeniser.encode("▁" + text.replacing(" ", with: "▁"))
    }

    @Test(arguments: [
        "Where is the tow rope?", "where is the first-aid kit", "Log diesel for £50.", "log diesel for £12.45",
        "Water is done.", "Log diesel for fifty pounds.", "Log diesel, for 50 pounds", "Log diesel for 1,250 pounds.",
        "Check the tire pressure.", "Check the tyre pressure!", "Add a task to oil the hinges of the door.",
    ])
    mutating func command_inAnyOfTheModelsSpellings_isAccepted(_ text: String) {
        let isAccepted = automaton.accepts(tokens(text), from: automaton.commands)
        #expect(isAccepted)
    }

    @Test(arguments: [
        "Where is the", "Where is the kettle?", "Log diesel for", "Log diesel for £", "and last month", "tow rope",
        "The chrome bumper is done", "Very good.", "The second one", "£50", "Where is the tow rope..",
        "Where is the tow rope first aid kit", "Could you check the tyre pressure?", "",
    ])
    mutating func whatIsNoCommand_isNotAccepted(_ text: String) {
        let isAccepted = automaton.accepts(tokens(text), from: automaton.commands)
        #expect(!isAccepted)
    }

    @Test(arguments: [
        "Could you check the tyre pressure?", "And last month.", "Where is the tow rope and log diesel for £50.",
    ])
    mutating func politenessAndTwoCommands_areAcceptedAmongEverything(_ text: String) {
        let isAccepted = automaton.accepts(tokens(text), from: automaton.everything)
        #expect(isAccepted)
    }

    @Test(arguments: ["Very good.", "The second one.", "£50", "Fifty pounds.", "Where is the tow rope?"])
    mutating func answersAndCommands_areAccepted_whereSomethingWasAsked(_ text: String) {
        let isAccepted = automaton.accepts(tokens(text), from: automaton.answers)
        #expect(isAccepted)
    }

    /// Items in a class of their own, and a sentence for them.
    private func vocabulary(_ items: [String], sentence: String = "where is the") -> Vocabulary {
        Vocabulary(
            language: "en", sentences: [.init(pattern: .sequence([words(sentence), .wordClass(0)]), weight: 1)],
            classes: [.init(name: "item", values: items.map { words($0) })])
    }

    @Test func itemThatComes_isAccepted_andOneThatGoes_isNot_withoutANewNet() throws {
        var automaton = try TokenAutomaton(vocabulary(["tow rope", "kettle"]), tokeniser)
        let before = automaton.accepts(tokens("Where is the kettle?"), from: automaton.commands)
        #expect(before)
        let isUpdated = automaton.update(to: vocabulary(["tow rope", "saffron samovar"]))
        #expect(isUpdated)
        for (text, expected) in [
            ("Where is the tow rope?", true), ("Where is the saffron samovar?", true), ("Where is the kettle?", false),
        ] {
            let isAccepted = automaton.accepts(tokens(text), from: automaton.commands)
            #expect(isAccepted == expected, "\(text)")
        }
    }

    @Test func changeOfMoreThanNames_wantsANewNet() throws {
        var automaton = try TokenAutomaton(vocabulary(["tow rope"]), tokeniser)
        let withOtherSentence = automaton.update(to: vocabulary(["tow rope"], sentence: "find the"))
        #expect(!withOtherSentence)
        let withNothing = automaton.update(to: vocabulary([]))
        #expect(!withNothing)
    }

    @Test func netThatChangesAgainAndAgain_isMadeAnewInTheEnd() throws {
        var automaton = try TokenAutomaton(vocabulary(["tow rope"]), tokeniser)
        let isAnew = (0..<200).contains { !automaton.update(to: vocabulary(["box \($0) of \($0 * 7)"])) }
        #expect(isAnew)
    }

    @Test mutating func numberOfStates_growsWithNames_notWithNamesTimesSentences() throws {
        func states(sentences: Int, names: Int) throws -> Int {
            let list = (0..<names).map { words("thing \($0) box") }
            let vocabulary = Vocabulary(
                language: "en",
                sentences: (0..<sentences).map {
                    .init(pattern: .sequence([words("command \($0)"), .wordClass(0)]), weight: 1)
                }, classes: [.init(name: "item", values: list)])
            return SentenceNet(vocabulary, tokeniser).nodes.count
        }
        let few = try states(sentences: 2, names: 1_000), many = try states(sentences: 40, names: 1_000)
        #expect(many - few < 40 * 12)
    }

    @Test func tokensOfAText_sayTheText() {
        #expect(tokeniser.text(tokens("Log diesel for £12.45, please.")) == "Log diesel for £12.45, please.")
        // In no token: written byte by byte.
        #expect(tokeniser.text(tokens("the 🏕 awning")) == "the 🏕 awning")
    }

    @Test func truncatedTable_isRefused() {
        #expect(throws: OnnxError.self) { try Tokeniser([3, 97, 98]) }
        #expect(throws: OnnxError.self) { try Tokeniser([]) }
    }
}
