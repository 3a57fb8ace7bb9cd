import Copilot

/// Makes the classifier of a language from all that its folder and the owner's phrasebooks hold.
public enum IntentTraining {
    /// Sentences drawn from each template, and how often a sentence of a person counts beside one.
    public struct Weights: Sendable {
        /// Draws from each template.
        public var perPhrase = 6
        /// How often each sentence of a person is repeated.
        public var people = 3
        /// The weights as measured best on the calibration sentences.
        public init() {}
    }

    /// What it is made of, in the form that the classifier sees: sentences drawn from templates, sentences of people,
    /// and those for calibration.
    public static func sentences(
        books: Phrasebooks, weights: Weights = Weights(), seed: UInt64 = 1
    ) -> [(kind: String, sentences: [TrainingSentence])] {
        var text = TrainingText(books: books, seed: seed)
        return [
            ("template", text.sentences(perPhrase: weights.perPhrase)), ("people", text.normalised(books.training)),
            ("calibration", text.normalised(books.calibration)),
        ]
    }

    /// Trains on the phrasebooks and the sentences of people, and calibrates on those kept for it. Blocks for seconds;
    /// the same books give the same model.
    /// - Throws: `LinearError`.
    public static func model(books: Phrasebooks, weights: Weights = Weights(), seed: UInt64 = 1) throws -> IntentModel {
        let all = sentences(books: books, weights: weights, seed: seed).map(\.sentences)
        return try IntentTrainer.train(
            sentences: all[0] + (0..<weights.people).flatMap { _ in all[1] },
            calibration: all[2].isEmpty ? nil : all[2])
    }
}
