import Domain
import Foundation
import Testing

@testable import SpeechPocketSphinx

/// What a vocabulary's grammar lets be said.
@Suite struct GrammarTests {
    private func kind(_ text: String, _ grammar: CompactGrammar, polite: [String] = []) -> SentenceCheck.Kind? {
        let polite = polite.map { $0.split(separator: " ").map(String.init) }
        return SentenceCheck(grammar, polite: polite).kind(of: text.split(separator: " ").map(String.init))
    }

    private func accepts(_ text: String, _ grammar: CompactGrammar) -> Bool { kind(text, grammar) == .command }

    private func grammar(_ vocabulary: Vocabulary, leavingOut words: Set<String> = []) throws -> CompactGrammar {
        CompactGrammar(try #require(Grammar(vocabulary, leavingOut: words)))
    }

    @Test(arguments: [
        ("log diesel for fifty pounds", true), ("log diesel fifty pounds", true),
        ("switch off water pump", true), ("turn on the bedroom lights", true), ("where is the toolbox", true),
        ("log diesel for the pounds", false), ("turn on the", false), ("where is the water pump", false), ("", false),
        ("how much money", false),
    ])
    func whatTheVocabularySays_isAccepted_andNothingElse(text: String, isSaid: Bool) throws {
        #expect(try accepts(text, grammar(VanVocabulary.vocabulary)) == isSaid)
    }

    @Test func branchesOfAState_haveTheirShareOfIt() throws {
        let grammar = try grammar(VanVocabulary.vocabulary)
        var shares: [Int32: Float] = [:]
        for arc in grammar.arcs { shares[arc.from, default: 0] += arc.share }
        #expect(shares.values.allSatisfy { abs($0 - 1) < 0.001 })
    }

    @Test func politeAndLeaningAndFreeText_areToldApart() throws {
        let sentences: [Vocabulary.Sentence] = [
            .init(pattern: words("turn it off"), weight: 1),
            .init(pattern: .sequence([words("add a task to"), .wordClass(0), .optional(words("now"))]), weight: 1),
            .init(pattern: .sequence([.wordClass(0), words("now")]), weight: 1),
            .init(pattern: words("and last month"), weight: 1, command: nil),
        ]
        let grammar = try grammar(
            Vocabulary(
                language: "en", sentences: sentences,
                classes: [.init(name: "text", values: [words("wash the van")], isOpen: true)]))
        let polite = ["please", "could you", "again"]
        let cases: [(String, SentenceCheck.Kind?)] = [
            ("turn it off", .command), ("could you please turn it off again", .polite), ("turn off it", nil),
            ("and last month", .leaning), ("add a task to wash the van", .command),
            ("add a task to paint every door", .open), ("please add a task to paint doors now", .open),
            ("add a task to", nil), ("please", nil), ("", nil),
            // Whatever is said is no free text unless a command has begun.
            ("paint every door now", nil),
        ]
        for (text, expected) in cases { #expect(kind(text, grammar, polite: polite) == expected, "\(text)") }
        #expect(CompactGrammar(Data(grammar.bytes))?.open == grammar.open)
    }

    @Test func aLongList_standsThereOnce_whereverItIsUsed() throws {
        let items = (0..<500).map { words("thing\($0) box\($0)") }
        func sized(_ uses: Int) throws -> Int {
            try grammar(
                Vocabulary(
                    language: "en",
                    sentences: (0..<uses).map {
                        .init(pattern: .sequence([.word("verb\($0)"), .wordClass(0), .word("end\($0)")]), weight: 1)
                    }, classes: [.init(name: "item", values: items)])
            ).arcs.count
        }
        #expect(try sized(20) - sized(1) < 200)
    }

    @Test func aWordWithoutPronunciation_takesOnlyWhatNeedsIt() throws {
        let grammar = try grammar(VanVocabulary.vocabulary, leavingOut: ["toolbox", "diesel"])
        #expect(!accepts("where is the toolbox", grammar))
        #expect(accepts("where is the tow rope", grammar))
        #expect(!grammar.words.contains("diesel"))
        #expect(Grammar(vocabulary(["diesel"]), leavingOut: ["diesel"]) == nil)
    }

    @Test func bytes_holdTheGrammar_andDamageIsNoGrammar() throws {
        let grammar = try grammar(VanVocabulary.vocabulary)
        let bytes = Data(grammar.bytes)
        let read = try #require(CompactGrammar(bytes))
        #expect(read.words == grammar.words)
        #expect(read.arcs.map(\.word) == grammar.arcs.map(\.word))
        #expect((read.start, read.end) == (grammar.start, grammar.end))
        for length in [0, 7, 20, bytes.count / 2, bytes.count - 1] {
            #expect(CompactGrammar(bytes.prefix(length)) == nil)
        }
    }

    @Test func aPartOfIt_saysWhatItsWordsSay() throws {
        let grammar = try grammar(VanVocabulary.vocabulary)
        let kept: Set<String> = ["turn", "on", "off", "the", "heater", "where", "log"]
        let part = GrammarPart(grammar) { kept.contains(grammar.words[Int($0)]) }
        // “Where” and “log” lead nowhere any more.
        #expect(
            Set(part.arcs.filter { $0.word >= 0 }.map { grammar.words[Int($0.word)] })
                == kept.subtracting(["where", "log"]))
        #expect(part.stateCount < grammar.stateCount)
        #expect(GrammarPart(grammar) { _ in false }.arcs.isEmpty)
    }
}

/// How well sounds fit words.
@Suite struct AcousticFitTests {
    private typealias Segment = AcousticFit.Segment

    @Test func soundsThatPhonesFitFarBetter_areForced() throws {
        let phones = [Segment(frames: 0..<50, score: -500, isWord: true)]
        let good = try #require(
            AcousticFit(grammar: [Segment(frames: 0..<50, score: -900, isWord: true)], phones: phones))
        let forced = try #require(
            AcousticFit(grammar: [Segment(frames: 0..<50, score: -2600, isWord: true)], phones: phones))
        #expect(good.margin == -8)
        #expect(!good.isForced)
        #expect(forced.isForced)
    }

    @Test func aWordThatIsTakenForSilence_isUnexplained() throws {
        let fit = try #require(
            AcousticFit(
                grammar: [
                    Segment(frames: 0..<40, score: -400, isWord: true),
                    Segment(frames: 40..<80, score: -1200, isWord: false),
                ],
                phones: [
                    Segment(frames: 0..<60, score: -600, isWord: true),
                    Segment(frames: 60..<80, score: -200, isWord: true),
                ]))
        #expect(fit.unexplained == -20)
        #expect(fit.isForced)
        #expect(AcousticFit(grammar: [Segment(frames: 0..<9, score: -9, isWord: false)], phones: []) == nil)
    }
}

/// The end of an utterance is worked on before it is certain.
@Suite(.serialized) struct ConclusionTests {
    private let folder = WorkFolder()

    @Test func speechAfterAPause_isHeardToTheEnd() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        let first = try SpokenSentence("turn on the"), second = try SpokenSentence("water pump")
        try await recogniser.begin()
        // Each has half a second of silence at its ends.
        for block in first.blocks { _ = try await recogniser.accept(block) }
        for block in second.blocks { _ = try await recogniser.accept(block) }
        for _ in 0..<50 { _ = try await recogniser.accept([Int16](repeating: 0, count: 512)) }
        #expect(try await recogniser.finish().first?.text == "turn on the water pump")
    }

    @Test func nothingIsLeftToDo_whenTheSilenceIsComplete() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        try await recogniser.begin()
        for block in try SpokenSentence("log diesel for fifty pounds").blocks { _ = try await recogniser.accept(block) }
        for _ in 0..<32 { _ = try await recogniser.accept([Int16](repeating: 0, count: 512)) }
        #expect(await recogniser.isConcluded)
        #expect(try await recogniser.finish().first?.text == "log diesel for fifty pounds")
        let (transcripts, _) = try await recogniser.hear(try SpokenSentence("turn on the water pump"))
        #expect(transcripts.first?.text == "turn on the water pump")
    }
}
