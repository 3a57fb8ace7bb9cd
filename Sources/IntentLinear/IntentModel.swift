import Domain
import Foundation

/// A trained classifier of intents. Immutable, so that any number of tasks may use it at once.
public struct IntentModel: IntentClassifier, Equatable {
    /// What its training measured on sentences that it had not seen.
    public struct Quality: Sendable, Equatable {
        /// Sentences held out.
        public var heldOut: Int
        /// The share of them that were right, 0…1.
        public var accuracy: Double
        /// The expected calibration error before the temperature, 0…1.
        public var calibrationErrorBefore: Double
        /// The expected calibration error with the temperature, 0…1, each half judged at the other half's.
        public var calibrationError: Double
    }

    let features: Features
    let weights: Weights
    /// Divides the decision values before they become probabilities; 1 leaves them as liblinear has them.
    public let temperature: Double
    /// What its training measured.
    public let quality: Quality
    /// The row of each bucket, or -1.
    private let rowOfBucket: [Int32]

    init(features: Features, weights: Weights, temperature: Double, quality: Quality) {
        self.features = features
        self.weights = weights
        self.temperature = temperature
        self.quality = quality
        var rowOfBucket = [Int32](repeating: -1, count: 1 << features.bits)
        for (row, bucket) in weights.buckets.enumerated() { rowOfBucket[Int(bucket)] = Int32(row) }
        self.rowOfBucket = rowOfBucket
    }

    /// The intents that it distinguishes.
    public var intents: [String] { weights.labels }

    /// Features that have weights.
    public var featureCount: Int { weights.buckets.count }

    /// Tells this model from others: what was made for it fits no other.
    var signature: UInt64 {
        var hash = StableHash()
        for label in weights.labels { hash.add("\(label)\n".utf8) }
        for number in weights.biases + weights.scales + [temperature] {
            hash.add("\(String(number.bitPattern, radix: 16)) ".utf8)
        }
        return hash.value
    }

    /// The likeliest intents, best first, at most `count` of them; none for a text without words.
    public func classify(_ text: String, count: Int) -> [IntentGuess] {
        probabilities(text).map { Self.guesses($0, weights.labels, count: count) } ?? []
    }

    /// The probability of each intent; nil for a text without words.
    func probabilities(_ text: String) -> [Double]? {
        let buckets = features.buckets(of: text)
        guard !buckets.isEmpty else { return nil }
        return Calibration.probabilities(decisions(buckets), temperature: temperature)
    }

    /// The likeliest intents, best first; among equals the first.
    static func guesses(_ probabilities: [Double], _ labels: [String], count: Int) -> [IntentGuess] {
        probabilities.indices
            .sorted { (probabilities[$0], $1) > (probabilities[$1], $0) }
            .prefix(max(0, count))
            .map { IntentGuess(intent: labels[$0], probability: probabilities[$0]) }
    }

    /// The decision value of each intent: the weights of the sentence's features at 1/√n each, and the bias.
    func decisions(_ buckets: [UInt32]) -> [Double] {
        let width = weights.labels.count
        // The weights have 16 bits and a sentence far fewer than 2^32 features, so that 64 bits hold any sum exactly.
        var sums = [Int64](repeating: 0, count: width)
        weights.rows.withUnsafeBufferPointer { rows in
            sums.withUnsafeMutableBufferPointer { sums in
                for bucket in buckets {
                    let row = Int(rowOfBucket[Int(bucket)])
                    guard row >= 0 else { continue }
                    let start = row * width
                    for column in 0..<width { sums[column] += Int64(rows[start + column]) }
                }
            }
        }
        let value = 1 / Double(buckets.count).squareRoot()
        return (0..<width).map { Double(sums[$0]) * weights.scales[$0] * value + weights.biases[$0] }
    }
}
