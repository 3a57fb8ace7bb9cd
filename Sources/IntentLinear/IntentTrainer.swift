import Domain

/// How a classifier is trained.
public struct TrainingOptions: Sendable, Equatable {
    /// Features are hashed into 2 to the power of this many buckets, 8…24.
    public var bits: Int
    /// How much a wrong sentence costs against large weights; liblinear's `C`, positive.
    public var cost: Double
    /// When to stop; liblinear's `eps`, positive. Smaller is slower and hardly better.
    public var tolerance: Double
    /// The share of each intent's sentences, 0..<1, that is held out to fit the temperature and measure quality. The
    /// model itself is then trained on all.
    public var heldOutShare: Double

    /// The options as measured best for phrasebooks of some thousand sentences.
    public init(bits: Int = 17, cost: Double = 32, tolerance: Double = 0.01, heldOutShare: Double = 0.2) {
        self.bits = bits
        self.cost = cost
        self.tolerance = tolerance
        self.heldOutShare = heldOutShare
    }
}

/// Trains classifiers by liblinear's L2-regularised logistic regression.
public enum IntentTrainer {
    /// Trains on `sentences`. Blocks for seconds: call it on a queue or thread of its own, never on Swift's shared
    /// pool. The same sentences in the same order give the same model.
    /// - Parameter calibration: sentences on which to fit the temperature and measure quality; nil holds some of
    ///   `sentences` out. Give some that were said by people, if there are any: sentences from the same templates as
    ///   the others make the classifier look surer than it should be.
    /// - Throws: `LinearError` when there are fewer than two intents, or an option is out of range.
    public static func train(
        sentences: [TrainingSentence], options: TrainingOptions = TrainingOptions(),
        calibration: [TrainingSentence]? = nil
    ) throws -> IntentModel {
        try check(options)
        let features = Features(bits: options.bits)
        let all = try Corpus(sentences, features: features)
        let (kept, heldOut) = calibration.map { (all, $0.compactMap(all.encode)) } ?? all.split(options.heldOutShare)
        let weights: Weights
        let judged: Weights
        if calibration == nil, !heldOut.isEmpty {
            judged = try fit(kept, options)
            weights = try fit(all, options)
        } else {
            weights = try fit(all, options)
            judged = weights
        }
        let judge = IntentModel(features: features, weights: judged, temperature: 1, quality: .none)
        let samples = heldOut.compactMap { sentence -> Calibration.Sample? in
            guard let right = judged.labels.firstIndex(of: all.intents[sentence.intent]) else { return nil }
            return (judge.decisions(sentence.buckets), right)
        }
        return IntentModel(
            features: features, weights: weights, temperature: Calibration.temperature(fitting: samples),
            quality: quality(samples)
        )
    }

    private static func check(_ options: TrainingOptions) throws(LinearError) {
        guard (8...24).contains(options.bits) else {
            throw LinearError(call: "train", message: "bits: 8 to 24 is expected, not \(options.bits)")
        }
        guard (0..<1).contains(options.heldOutShare) else {
            throw LinearError(call: "train", message: "heldOutShare: 0 to below 1 is expected")
        }
        guard options.cost.isFinite, options.tolerance.isFinite else {
            throw LinearError(call: "train", message: "cost and tolerance: finite numbers are expected")
        }
    }

    private static func fit(_ corpus: Corpus, _ options: TrainingOptions) throws(LinearError) -> Weights {
        let columns = corpus.columns
        let model = try LinearModel(
            rows: corpus.sentences.map { $0.buckets.compactMap { columns.indexOfBucket[$0] } },
            classes: corpus.sentences.map(\.intent), featureCount: columns.buckets.count, cost: options.cost,
            tolerance: options.tolerance
        )
        return Weights(model, buckets: columns.buckets, intents: corpus.intents)
    }

    /// The calibration error is measured crosswise: each half of the samples at the temperature fitted on the other, so
    /// that no sample judges a temperature that it helped to fit.
    private static func quality(_ samples: [Calibration.Sample]) -> IntentModel.Quality {
        let halves = [0, 1].map { half in
            samples.enumerated().filter { $0.offset % 2 == half }.map(\.element)
        }
        let crosswise = zip(halves, halves.reversed()).flatMap { half, other in
            Calibration.answers(half, temperature: Calibration.temperature(fitting: other))
        }
        let plain = Calibration.answers(samples, temperature: 1)
        return IntentModel.Quality(
            heldOut: samples.count,
            accuracy: Double(crosswise.count(where: \.isRight)) / Double(max(1, samples.count)),
            calibrationErrorBefore: Calibration.expectedError(plain),
            calibrationError: Calibration.expectedError(crosswise)
        )
    }
}

extension IntentModel.Quality {
    /// Nothing was measured.
    static let none = Self(heldOut: 0, accuracy: 0, calibrationErrorBefore: 0, calibrationError: 0)
}

extension Weights {
    /// The weights that liblinear found, for features that stand for `buckets` and classes that stand for `intents`.
    init(_ model: LinearModel, buckets: [UInt32], intents: [String]) {
        let width = model.classCount
        var exact: [Double] = []
        exact.reserveCapacity(buckets.count * width)
        for feature in buckets.indices {
            for column in 0..<width { exact.append(model.weight(feature: feature, column: column)) }
        }
        self.init(
            labels: model.classes.map { intents[$0] }, buckets: buckets, exact: exact,
            biases: (0..<width).map { model.bias(column: $0) }
        )
    }
}
