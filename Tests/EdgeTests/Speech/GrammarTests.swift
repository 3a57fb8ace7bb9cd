import Copilot
import Foundation
import Testing

@testable import SpeechPocketSphinx

/// What a vocabulary's grammar lets be said.
@Suite struct GrammarTests {
    /// Follows the words through a grammar.
    private func accepts(_ text: String, _ grammar: CompactGrammar) -> Bool {
        func silently(_ states: Set<Int32>) -> Set<Int32> {
            var found = states, open = Array(states)
            while let state = open.popLast() {
                for arc in grammar.arcs where arc.from == state && arc.word < 0 && !found.contains(arc.to) {
                    found.insert(arc.to)
                    open.append(arc.to)
                }
            }
            return found
        }
        var states = silently([grammar.start])
        for word in text.split(separator: " ") {
            let next = grammar.arcs.filter {
                states.contains($0.from) && $0.word >= 0 && grammar.words[Int($0.word)] == word
            }
            states = silently(Set(next.map(\.to)))
        }
        return states.contains(grammar.end)
    }

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
