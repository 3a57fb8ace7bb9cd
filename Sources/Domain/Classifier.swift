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

    /// What it can say at once, where nothing depends on it but the trace.
    var quick: any IntentClassifier { get }
}

extension IntentClassifier {
    /// Itself.
    public var quick: any IntentClassifier { self }
}

/// Turns a sentence into a vector of length 1. Sentences of like meaning point in like directions.
public protocol SentenceEncoder: Sendable {
    /// What its vectors depend on: those of another encoder mean something else.
    var identity: String { get }
    /// Numbers in a vector.
    var width: Int { get }
    /// The vector of a sentence; nil for one without words, and for one that is too long to be a command.
    func encode(_ text: String) -> [Float]?
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
