import Domain
import Foundation
import Testing

@testable import IntentLinear

@Suite struct IntentTrainingTests {
    private let fast = TrainingOptions(bits: 12, heldOutShare: 0)

    /// Compares our probabilities with those of liblinear's own `predict_probability` over the same weights.
    private func expectAgreement(_ sentences: [TrainingSentence]) throws {
        let features = Features(bits: 14)
        let corpus = try Corpus(sentences, features: features)
        let columns = corpus.columns
        func row(_ buckets: [UInt32]) -> [Int32] { buckets.compactMap { columns.indexOfBucket[$0] } }
        let library = try LinearModel(
            rows: corpus.sentences.map { row($0.buckets) }, classes: corpus.sentences.map(\.intent),
            featureCount: columns.buckets.count, cost: 10, tolerance: 0.01
        )
        let weights = Weights(library, buckets: columns.buckets, intents: corpus.intents)
        let ours = IntentModel(features: features, weights: weights, temperature: 1, quality: .none)
        let placeOfBucket = Dictionary(uniqueKeysWithValues: weights.buckets.enumerated().map { ($1, $0) })
        var largest = 0.0
        for sentence in corpus.sentences.prefix(50) {
            let theirs = library.probabilities(row(sentence.buckets)) { feature, column in
                guard feature < columns.buckets.count else { return weights.biases[column] }
                return placeOfBucket[columns.buckets[feature]].map { weights.weight($0, column) } ?? 0
            }
            let mine = Calibration.probabilities(ours.decisions(sentence.buckets), temperature: 1)
            #expect(theirs.count == mine.count)
            for (one, other) in zip(theirs, mine) { largest = max(largest, abs(one - other)) }
        }
        #expect(largest < 1e-9)
    }

    @Test func prediction_equalsLiblinears() throws {
        try expectAgreement(SyntheticCorpus.sentences(perIntent: 20))
    }

    @Test func predictionOfTwoIntents_equalsLiblinears() throws {
        let two = SyntheticCorpus.sentences(perIntent: 20).filter { ["van.open", "van.close"].contains($0.intent) }
        try expectAgreement(two)
    }

    @Test func roundingTheWeights_hardlyMovesThem() throws {
        let exact = (0..<300).map { sin(Double($0)) * Double($0 % 3 + 1) }
        let weights = Weights(labels: ["a", "b", "c"], buckets: (0..<100).map { $0 }, exact: exact, biases: [0, 0, 0])
        for (index, weight) in exact.enumerated() {
            #expect(abs(weights.weight(index / 3, index % 3) - weight) <= 3 / 65_534 + 1e-12)
        }
    }

    @Test func sameSentences_giveTheSameModel() throws {
        let sentences = SyntheticCorpus.sentences(perIntent: 10)
        let one = try IntentTrainer.train(sentences: sentences, options: fast)
        #expect(try IntentTrainer.train(sentences: sentences, options: fast) == one)
    }

    @Test(arguments: [0, 1])
    func tooFewIntents_areRefused(_ count: Int) throws {
        let sentences =
            Array(repeating: TrainingSentence(text: "open the blind", intent: "van.open"), count: count * 5)
            + [TrainingSentence(text: "  ", intent: "van.close")]
        #expect(throws: LinearError.self) { try IntentTrainer.train(sentences: sentences, options: fast) }
    }

    @Test(arguments: [
        TrainingOptions(bits: 7), TrainingOptions(bits: 25), TrainingOptions(cost: 0), TrainingOptions(cost: -1),
        TrainingOptions(cost: .nan), TrainingOptions(tolerance: 0), TrainingOptions(tolerance: .infinity),
        TrainingOptions(heldOutShare: 1), TrainingOptions(heldOutShare: .nan),
    ])
    func impossibleOptions_areRefused(_ options: TrainingOptions) {
        #expect(throws: LinearError.self) {
            try IntentTrainer.train(sentences: SyntheticCorpus.sentences(perIntent: 3), options: options)
        }
    }

    @Test func intentWithOneSentence_isKept() throws {
        let sentences =
            SyntheticCorpus.sentences(perIntent: 10) + [TrainingSentence(text: "sing a song", intent: "x.sing")]
        let model = try IntentTrainer.train(sentences: sentences, options: TrainingOptions(bits: 12))
        #expect(model.classify("sing a song", count: 1).first?.intent == "x.sing")
    }

    @Test func calibrationSentences_setTheTemperature() throws {
        let sentences = SyntheticCorpus.sentences(perIntent: 20)
        let right = try IntentTrainer.train(sentences: sentences, options: fast, calibration: sentences)
        // The same sentences under wrong names: nothing it believes can be relied on.
        let names = right.intents
        let wrong = sentences.map { sentence in
            let next = names[((names.firstIndex(of: sentence.intent) ?? 0) + 1) % names.count]
            return TrainingSentence(text: sentence.text, intent: next)
        }
        let unsure = try IntentTrainer.train(sentences: sentences, options: fast, calibration: wrong)
        #expect(right.temperature < 1)
        #expect(unsure.temperature > 1)
        #expect(right.quality.accuracy > 0.95)
        #expect(unsure.quality.accuracy < 0.05)
    }

    @Test func calibrationError_isTheGapBetweenConfidenceAndTruth() {
        let honest = (0..<100).map { (confidence: 0.8, isRight: $0 < 80) }
        #expect(Calibration.expectedError(honest) < 1e-9)
        let boastful = (0..<100).map { (confidence: 0.95, isRight: $0 < 50) }
        #expect(abs(Calibration.expectedError(boastful) - 0.45) < 1e-9)
    }

    @Test func liblinear_printsNothing() async throws {
        // Its progress would land among what a command line prints.
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            _ = try IntentTrainer.train(sentences: SyntheticCorpus.sentences(perIntent: 3))
        }
        let printed = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        // Its lines begin with "iter" and "cg".
        #expect(!printed.contains("iter ") && !printed.contains("cg "), "\(printed.prefix(200))")
    }
}
