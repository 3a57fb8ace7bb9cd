import Domain
import Foundation
import Testing

@testable import IntentLinear

/// The semantic hint understands words that no training sentence has, and never replaces the n-grams by nonsense.
@Suite struct SemanticHintTests {
    /// Each word points in a direction of its own, and so do its synonyms.
    private struct Synonyms: SentenceEncoder {
        var identity = "synonyms"
        let width = 64
        private static let same = [
            "dosh": "money", "cash": "money", "lantern": "lights", "illuminate": "turn", "cupboard": "locker",
        ]

        func encode(_ text: String) -> [Float]? {
            let words = text.split(separator: " ").map(String.init)
            guard !words.isEmpty, words.count <= 40 else { return nil }
            var sums = [Float](repeating: 0, count: width)
            for word in words {
                var random = StableHash.of(Self.same[word] ?? word)
                for place in sums.indices {
                    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    sums[place] += Float(Int64(bitPattern: random) >> 40) / Float(1 << 23)
                }
            }
            let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return sums.map { $0 / length }
        }
    }

    private static let sentences = SyntheticCorpus.sentences(perIntent: 12)
    private static let model = Result {
        try IntentTrainer.train(
            sentences: sentences, options: TrainingOptions(bits: 12), calibration: Array(sentences.prefix(60)))
    }
    private static let hint = Result {
        try SemanticTrainer.train(
            model: model.get(), sentences: sentences, calibration: Array(sentences.prefix(60)), encoder: Synonyms())
    }

    private static func classifier() throws -> SemanticClassifier {
        try SemanticClassifier(model: model.get(), hint: hint.get(), encoder: Synonyms(), path: "test.hint")
    }

    private static func probability(_ guesses: [IntentGuess], _ intent: String) -> Double {
        guesses.first { $0.intent == intent }?.probability ?? 0
    }

    @Test func aSentenceOfOtherWords_isLikelierWhatItMeans_thanByTheNGrams() throws {
        let text = "how much dosh do i have", intent = "finance.balance"
        let alone = try Self.model.get().classify(text, count: 100),
            both = try Self.classifier().classify(text, count: 100)
        #expect(both.first?.intent == intent)
        #expect(Self.probability(both, intent) > Self.probability(alone, intent))
        #expect(abs(both.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
    }

    @Test func whatTheEncoderCannotTake_theNGramsJudgeAlone() throws {
        let long = Array(repeating: "lights", count: 1000).joined(separator: " ")
        for text in ["", "   ", long] {
            #expect(try Self.classifier().classify(text, count: 3) == Self.model.get().classify(text, count: 3))
        }
        #expect(try Self.classifier().classify("lights on", count: 0).isEmpty)
    }

    @Test func anotherEncoder_orAnotherModel_isRefused() throws {
        func reason(_ model: IntentModel, _ encoder: Synonyms) -> IntentModelFileError.Reason? {
            do {
                _ = try SemanticClassifier(model: model, hint: Self.hint.get(), encoder: encoder, path: "test.hint")
                return nil
            } catch { return (error as? IntentModelFileError)?.reason }
        }
        let other = try IntentTrainer.train(sentences: Self.sentences, options: TrainingOptions(bits: 12, cost: 1))
        #expect(reason(try Self.model.get(), Synonyms(identity: "another")) == .foreign)
        #expect(reason(other, Synonyms()) == .foreign)
        #expect(reason(try Self.model.get(), Synonyms()) == nil)
    }

    @Test func anOwnersIntent_isLearntFromItsSentencesAlone() throws {
        let own = ["open the pod bay", "let me into the pod bay", "pod bay please"].map {
            TrainingSentence(text: $0, intent: "custom.pod_bay")
        }
        let model = try IntentTrainer.train(
            sentences: Self.sentences + own, options: TrainingOptions(bits: 12),
            calibration: Array(Self.sentences.prefix(60)))
        let extended = try SemanticTrainer.extend(
            Self.hint.get(), to: model, sentences: Self.sentences + own, encoder: Synonyms())
        #expect(extended.sentenceCount == (try Self.hint.get().sentenceCount) + own.count)
        let classifier = try SemanticClassifier(model: model, hint: extended, encoder: Synonyms(), path: "own.hint")
        #expect(classifier.classify("the pod bay", count: 1).first?.intent == "custom.pod_bay")
        #expect(classifier.classify("turn on the kitchen lights", count: 1).first?.intent == "van.turn_on")
    }

    // MARK: the file

    private func withFile<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString.prefix(8)).hint"
        defer { unlink(path) }
        return try body(path)
    }

    private func bytes() throws -> [UInt8] {
        try withFile { path in
            try Self.hint.get().save(to: path)
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        }
    }

    private func reason(_ bytes: [UInt8]) -> IntentModelFileError.Reason? {
        do {
            _ = try SemanticHint(bytes: bytes, path: "test.hint")
            return nil
        } catch { return (error as? IntentModelFileError)?.reason }
    }

    @Test func savedHint_comesBackTheSame() throws {
        let loaded = try withFile { path in
            try Self.hint.get().save(to: path)
            return try SemanticHint(contentsOf: path)
        }
        #expect(loaded == (try Self.hint.get()))
    }

    @Test func everyTruncation_andEveryChangedByte_isRefused() throws {
        let whole = try bytes()
        for place in Array(0..<300) + Array(stride(from: 300, to: whole.count, by: 997)) + [whole.count - 1] {
            #expect(reason(Array(whole[..<place])) != nil, "cut to \(place)")
            var changed = whole
            changed[place] ^= 0x5A
            #expect(reason(changed) != nil, "changed at \(place)")
        }
        #expect(reason(whole) == nil)
        #expect(reason(Array("VanOrbIM".utf8) + whole.dropFirst(8)) == .notAModel)
    }
}
