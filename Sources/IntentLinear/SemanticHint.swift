import Domain
import Foundation
import IntegerMatrices

/// What an encoder's vectors say of intents: a logistic regression over them, and the training sentences that are
/// nearest. Immutable, so that any number of tasks may use it at once.
public struct SemanticHint: Sendable, Equatable {
    /// A distance of `softness` between cosines makes a class e times as likely. (Measured on crowd sentences.)
    private static let softness = 0.05
    /// Of so many intents that n-grams and regression take for likeliest the neighbours are looked for: all sentences
    /// are six megabytes, which took a third of the time of a routing.
    private static let considered = 24
    /// Less probable than this is no intent taken for.
    private static let smallest = 1e-12

    /// What it was made for: the encoder, and the model of n-grams.
    let encoder: String, partner: UInt64
    /// The intents, in the partner's order.
    let labels: [String]
    /// The regression: a row and a bias for each intent, and its temperature.
    let head: IntegerMatrix, biases: [Double]
    var headTemperature: Double
    /// The training sentences.
    let neighbours: Neighbours
    /// Divides the sum of the logarithms.
    var temperature: Double
    /// Added to that sum for what is not for the van: three estimates that agree on a topic are surer than they should
    /// be that something was asked for.
    var caution: Double

    /// Training sentences whose vectors it holds.
    public var sentenceCount: Int { neighbours.vectors.count }

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
        let prior = probabilities.indices.map {
            log(max(probabilities[$0], Self.smallest)) + log(max(regression[$0], Self.smallest))
        }
        let likely = prior.indices.sorted { (prior[$0], $1) > (prior[$1], $0) }.prefix(Self.considered)
        let shares = Calibration.shares(likely.map { neighbours.likeness(vector, to: $0) }, temperature: Self.softness)
        var scores = prior.map { $0 + log(Self.smallest) }
        for (intent, share) in zip(likely, shares) { scores[intent] = prior[intent] + log(max(share, Self.smallest)) }
        if let chatter = labels.firstIndex(of: Self.chatter) { scores[chatter] += caution }
        return scores
    }

    /// - Parameter path: the hint's file, for the error.
    /// - Throws: `IntentModelFileError` where the hint was made for another encoder.
    public func check(_ encoder: any SentenceEncoder, path: String) throws(IntentModelFileError) {
        guard self.encoder == encoder.identity, neighbours.vectors.width == encoder.width else {
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
