import Domain
import Foundation
import Testing

@testable import SpeechPocketSphinx

@Suite struct LanguageModelTests {
    private typealias Pattern = Vocabulary.Pattern

    private func counted(_ counts: ExpectedCounts) -> [String: Double] {
        let names = counts.words
        var result: [String: Double] = [:]
        for entry in counts.unigrams.entries { result[names[Int(entry.key)]] = entry.weight }
        for entry in counts.bigrams.entries {
            result[names[Int(NGramKey.history(entry.key))] + " " + names[Int(NGramKey.last(entry.key))]] = entry.weight
        }
        for entry in counts.trigrams.entries {
            let pair = NGramKey.history(entry.key)
            result[
                [NGramKey.history(pair), NGramKey.last(pair), NGramKey.last(entry.key)].map { names[Int($0)] }
                    .joined(separator: " ")] = entry.weight
        }
        return result
    }

    private func near(_ left: [String: Double], _ right: [String: Double]) -> Bool {
        Set(left.keys) == Set(right.keys)
            && left.allSatisfy { abs($0.value - (right[$0.key] ?? .infinity)) < 1e-12 }
    }

    @Test func tinyGrammar_isCountedAsByHand() throws {
        // Half of the weight: "a b" or "a c b"; the other half: "d".
        let vocabulary = Vocabulary(
            language: "en",
            sentences: [
                .init(pattern: .sequence([.word("a"), .optional(.word("c")), .word("b")]), weight: 2),
                .init(pattern: .word("d"), weight: 2),
            ], classes: [])
        let counts = counted(try #require(ExpectedCounts(vocabulary)))
        #expect(
            near(
                counts,
                [
                    "<s>": 1, "</s>": 1, "a": 0.5, "b": 0.5, "c": 0.25, "d": 0.5,
                    "<s> a": 0.5, "a b": 0.25, "a c": 0.25, "c b": 0.25, "b </s>": 0.5, "<s> d": 0.5, "d </s>": 0.5,
                    "<s> a b": 0.25, "<s> a c": 0.25, "a c b": 0.25, "a b </s>": 0.25, "c b </s>": 0.25,
                    "<s> d </s>": 0.5,
                ]))
    }

    @Test func sharedClass_countsAsIfWrittenOut() throws {
        let size: Pattern = .choice([.word("small"), words("very large"), .optional(.word("huge")), words("x y z w")])
        let thing: Pattern = .choice([.sequence([size, .word("cup")]), .word("mug"), words("glass of water")])
        func sentences(_ size: Pattern, _ thing: Pattern) -> [Vocabulary.Sentence] {
            [
                .init(pattern: .sequence([.word("get"), thing, .optional(.word("now"))]), weight: 3),
                .init(pattern: .sequence([size, size, .word("please")]), weight: 1),
                .init(pattern: thing, weight: 0.5),
            ]
        }
        let inline = Vocabulary(language: "en", sentences: sentences(size, thing), classes: [])
        let shared = Vocabulary(
            language: "en", sentences: sentences(.wordClass(0), .wordClass(1)),
            classes: [
                .init(name: "size", values: [size]),
                .init(
                    name: "thing",
                    values: [.sequence([.wordClass(0), .word("cup")]), .word("mug"), words("glass of water")]),
            ])
        #expect(
            near(counted(try #require(ExpectedCounts(inline))), counted(try #require(ExpectedCounts(shared)))))
    }

    @Test func templateOfManyExpansions_doesNotDrownOneOfFew() throws {
        let many: Pattern = .sequence((0..<4).map { place in .choice((0..<10).map { .word("w\(place)x\($0)") }) })
        let vocabulary = Vocabulary(
            language: "en",
            sentences: [.init(pattern: many, weight: 1), .init(pattern: words("stop now"), weight: 1)], classes: [])
        let counts = counted(try #require(ExpectedCounts(vocabulary)))
        #expect(abs((counts["<s> stop"] ?? 0) - 0.5) < 1e-12)
        #expect(abs((counts["<s> w0x3"] ?? 0) - 0.05) < 1e-12)
    }

    @Test func everyHistory_sharesOutProbabilityOne() throws {
        let model = LanguageModel(try #require(ExpectedCounts(VanVocabulary.vocabulary)))
        try expectSumsToOne(model)
    }

    /// Lists so long that their joint is not spread out: what is not counted goes to the shorter history.
    @Test func jointOfLongLists_keepsProbabilityOne_andStaysSmall() throws {
        let first = Vocabulary.WordClass(name: "first", values: (0..<400).map { words("a\($0) b\($0)") })
        let second = Vocabulary.WordClass(name: "second", values: (0..<400).map { words("c\($0) d\($0)") })
        let short = Vocabulary.WordClass(name: "short", values: (0..<100).map { words("c\($0) d\($0)") })
        let vocabulary = Vocabulary(
            language: "en",
            sentences: [
                .init(pattern: .sequence([.wordClass(0), .wordClass(1)]), weight: 1),
                .init(pattern: .sequence([.wordClass(0), .wordClass(2), .word("now")]), weight: 1),
                .init(pattern: .sequence([.wordClass(0), .word("now")]), weight: 1),
            ], classes: [first, second, short])
        let model = LanguageModel(try #require(ExpectedCounts(vocabulary)))
        #expect(model.trigrams.count < 100_000)
        try expectSumsToOne(model)
    }

    private func expectSumsToOne(_ model: LanguageModel) throws {
        let predicted = (1..<model.words.count).map(UInt64.init)
        var histories: [[UInt64]] = [[], [0]]
        let step = max(1, model.trigrams.count / 12)
        for index in stride(from: 0, to: model.trigrams.count, by: step) {
            let pair = NGramKey.history(model.trigrams[index].key)
            histories.append([NGramKey.history(pair), NGramKey.last(pair)])
            histories.append([NGramKey.last(pair)])
        }
        // A pair that no sentence holds.
        histories.append([2, 2])
        for history in histories {
            let sum = predicted.reduce(0) { $0 + model.probability(of: $1, after: history) }
            #expect(abs(sum - 1) < 1e-9, "after \(history.map { model.words[Int($0)] })")
        }
    }

    @Test func leftOutWord_takesItsAlternativeAndItsSentenceAlong() throws {
        let vocabulary = Vocabulary(
            language: "en",
            sentences: [
                .init(pattern: .sequence([.word("say"), .choice([.word("yes"), .word("zzz")])]), weight: 1),
                .init(pattern: words("zzz now"), weight: 1),
            ], classes: [])
        let counts = counted(try #require(ExpectedCounts(vocabulary, leavingOut: ["zzz"])))
        #expect(counts["say yes"] == 1)
        #expect(counts["now"] == nil)
        #expect(ExpectedCounts(vocabulary, leavingOut: ["zzz", "say"]) == nil)
    }

    // Unmerged, the sums of a van's vocabulary took most of a gigabyte.
    @Test func whatIsAddedAgainAndAgain_doesNotGrow() {
        var counts = SparseCounts(), most = 0
        for round in 0..<2_000 {
            var more = SparseCounts()
            for key in 0..<1_000 { more.add(UInt64(key), 0.5) }
            counts.add(more, scaledBy: round.isMultiple(of: 2) ? 1 : 3)
            counts.mergeIfLong()
            most = max(most, counts.entries.count)
        }
        counts.merge()
        #expect(most < 600_000)
        #expect(counts.entries.count == 1_000)
        #expect(counts.entries.allSatisfy { $0.weight == 2_000 })
    }

    @Test func whatIsHardlyEverSaid_isLeftToTheShorterHistory_andNoProbabilityIsLost() throws {
        let counts = try #require(
            ExpectedCounts(
                Vocabulary(
                    language: "en",
                    sentences: [
                        .init(pattern: words("log diesel now"), weight: 1),
                        .init(pattern: words("log a b"), weight: 1e-9),
                    ], classes: [])))
        #expect(counted(counts)["log a"] == nil)
        #expect(counted(counts)["log a b"] == nil)
        let model = LanguageModel(counts)
        let names = Dictionary(uniqueKeysWithValues: model.words.enumerated().map { ($1, UInt64($0)) })
        try expectSumsToOne(model)
        #expect(model.probability(of: try #require(names["a"]), after: [try #require(names["log"])]) > 0)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0])
    func sentenceOfSenselessWeight_isIgnored(weight: Double) throws {
        let vocabulary = Vocabulary(
            language: "en",
            sentences: [.init(pattern: .word("a"), weight: weight), .init(pattern: .word("b"), weight: 1)], classes: [])
        let counts = counted(try #require(ExpectedCounts(vocabulary)))
        #expect(counts["b"] == 1)
        #expect(counts["a"] == nil)
    }

    @Test func classThatRefersToItself_orToNothing_cannotBeSaid() {
        let vocabulary = Vocabulary(
            language: "en",
            sentences: [.init(pattern: .wordClass(0), weight: 1), .init(pattern: .wordClass(7), weight: 1)],
            classes: [.init(name: "loop", values: [.sequence([.word("a"), .wordClass(0)])])])
        #expect(ExpectedCounts(vocabulary) == nil)
    }

    @Test func sameVocabulary_givesTheSameText() throws {
        let texts = try (0..<3).map { _ in
            LanguageModel(try #require(ExpectedCounts(VanVocabulary.vocabulary))).arpaText()
        }
        #expect(texts[0] == texts[1])
        #expect(texts[1] == texts[2])
        let text = String(decoding: texts[0], as: UTF8.self)
        #expect(text.hasPrefix("\\data\\\nngram 1="))
        #expect(text.hasSuffix("\\end\\\n"))
        #expect(text.contains("\n-99.0000 <s> "))
    }
}
