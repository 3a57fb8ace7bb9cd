import Domain
import Foundation
import IntegerMatrices

/// What an encoder's vectors say of intents: a logistic regression over them, and the training sentences that are
/// nearest. Immutable, so that any number of tasks may use it at once.
public struct SemanticHint: Sendable, Equatable {
    /// A class is as near as its three nearest sentences, by these weights; a distance of `softness` between cosines
    /// makes a class e times as likely. (Measured on crowd sentences.)
    private static let nearest: [Float] = [0.6, 0.25, 0.15], softness = 0.05
    /// Less probable than this is no intent taken for.
    private static let smallest = 1e-12

    /// What it was made for: the encoder, and the model of n-grams.
    let encoder: String, partner: UInt64
    /// The intents, in the partner's order.
    let labels: [String]
    /// The regression: a row and a bias for each intent, and its temperature.
    let head: IntegerMatrix, biases: [Double]
    var headTemperature: Double
    /// The vectors of the training sentences, and the number of each one's intent.
    let sentences: IntegerMatrix, classes: [UInt16]
    /// Divides the sum of the logarithms.
    var temperature: Double
    /// Added to that sum for what is not for the van: three estimates that agree on a topic are surer than they should
    /// be that something was asked for.
    var caution: Double

    /// Training sentences whose vectors it holds.
    public var sentenceCount: Int { sentences.count }

    /// The decision value of each intent by the regression.
    func decisions(_ vector: [Float]) -> [Double] {
        zip(head.products(with: vector), biases).map { Double($0) + $1 }
    }

    /// The label of what is not for the van.
    private static let chatter = "none"

    /// The logarithms of each intent's probability by the n-grams, the regression and the neighbours, added up, and the
    /// caution.
    func scores(_ vector: [Float], _ probabilities: [Double]) -> [Double] {
        let regression = Calibration.probabilities(decisions(vector), temperature: headTemperature)
        let neighbours = Calibration.shares(likenesses(vector), temperature: Self.softness)
        return probabilities.indices.map { intent in
            [probabilities[intent], regression[intent], neighbours[intent]].reduce(
                labels[intent] == Self.chatter ? caution : 0
            ) { $0 + log(max($1, Self.smallest)) }
        }
    }

    /// How near each intent's nearest sentences are, -1…1.
    private func likenesses(_ vector: [Float]) -> [Double] {
        let depth = Self.nearest.count
        var best = [Float](repeating: -1, count: labels.count * depth)
        var counts = [Int](repeating: 0, count: labels.count)
        for (cosine, intent) in zip(sentences.products(with: vector), classes) {
            let start = Int(intent) * depth
            counts[Int(intent)] += 1
            var place = depth
            while place > 0, cosine > best[start + place - 1] { place -= 1 }
            guard place < depth else { continue }
            for lower in stride(from: depth - 1, to: place, by: -1) { best[start + lower] = best[start + lower - 1] }
            best[start + place] = cosine
        }
        return labels.indices.map { intent in
            guard counts[intent] > 0 else { return -1 }
            var sum: Float = 0, weight: Float = 0
            for place in 0..<min(depth, counts[intent]) {
                sum += best[intent * depth + place] * Self.nearest[place]
                weight += Self.nearest[place]
            }
            return Double(sum / weight)
        }
    }

    /// - Parameter path: the hint's file, for the error.
    /// - Throws: `IntentModelFileError` where the hint was made for another encoder.
    public func check(_ encoder: any SentenceEncoder, path: String) throws(IntentModelFileError) {
        guard self.encoder == encoder.identity, sentences.width == encoder.width else {
            throw IntentModelFileError(path: path, reason: .foreign, detail: "it was made for another encoder")
        }
    }

    /// The scores with another caution.
    func scores(_ scores: [Double], caution: Double) -> [Double] {
        labels.firstIndex(of: Self.chatter).map { chatter in
            var result = scores
            result[chatter] += caution - self.caution
            return result
        } ?? scores
    }
}

/// The n-grams' hint and the encoder's as one. What the encoder cannot take – no words, or far too many – the n-grams
/// judge alone.
public struct SemanticClassifier: IntentClassifier {
    private let model: IntentModel
    private let hint: SemanticHint
    private let encoder: any SentenceEncoder

    /// The n-grams alone: the encoder takes three quarters of the time.
    public var quick: any IntentClassifier { model }

    /// - Parameter path: the hint's file, for the error.
    /// - Throws: `IntentModelFileError` where the hint was made for another encoder or model.
    public init(
        model: IntentModel, hint: SemanticHint, encoder: any SentenceEncoder, path: String
    ) throws(IntentModelFileError) {
        try hint.check(encoder, path: path)
        guard hint.partner == model.signature, hint.labels == model.intents else {
            throw IntentModelFileError(path: path, reason: .foreign, detail: "it was made for another intent model")
        }
        (self.model, self.hint, self.encoder) = (model, hint, encoder)
    }

    /// The likeliest intents, best first, at most `count` of them; none for a text without words.
    public func classify(_ text: String, count: Int) -> [IntentGuess] {
        guard let probabilities = model.probabilities(text) else { return [] }
        guard let vector = encoder.encode(text) else {
            return IntentModel.guesses(probabilities, model.intents, count: count)
        }
        let shares = Calibration.shares(hint.scores(vector, probabilities), temperature: hint.temperature)
        return IntentModel.guesses(shares, model.intents, count: count)
    }
}
