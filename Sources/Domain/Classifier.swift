/// One intent with its probability.
public struct IntentGuess: Sendable, Equatable, Codable {
    /// `handler.intent`, or `none` for what is not for the van.
    public let intent: String
    /// 0…1.
    public let probability: Double

    /// A guess.
    public init(intent: String, probability: Double) {
        self.intent = intent
        self.probability = probability
    }
}

/// Guesses the intent of a normalised utterance.
public protocol IntentClassifier: Sendable {
    /// The likeliest intents, best first, at most `count` of them.
    func classify(_ text: String, count: Int) -> [IntentGuess]
}

/// A sentence with its intent, as the classifier is trained on.
public struct TrainingSentence: Sendable, Equatable {
    /// The normalised text.
    public let text: String
    /// `handler.intent`, or `none`.
    public let intent: String

    /// A sentence of `intent`.
    public init(text: String, intent: String) {
        self.text = text
        self.intent = intent
    }
}
