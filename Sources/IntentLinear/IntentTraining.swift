import Copilot

/// Makes the classifier of a language from all that its folder and the owner's phrasebooks hold.
public enum IntentTraining {
    /// Draws from each template, as measured best on the calibration sentences. Repeating the sentences of people beside
    /// them made training three times as long and half a percent better.
    public static let perPhrase = 6

    /// What it is made of, in the form that the classifier sees: sentences drawn from templates, sentences of people,
    /// and those for calibration.
    public static func sentences(
        books: Phrasebooks, perPhrase: Int = perPhrase, seed: UInt64 = 1
    ) -> [(kind: String, sentences: [TrainingSentence])] {
        var text = TrainingText(books: books, seed: seed)
        return [
            ("template", text.sentences(perPhrase: perPhrase)), ("people", text.normalised(books.training)),
            ("calibration", text.normalised(books.calibration)),
        ]
    }

    /// Trains on the phrasebooks and the sentences of people, and calibrates on those kept for it. Blocks for seconds;
    /// the same books give the same model.
    /// - Throws: `LinearError`.
    public static func model(books: Phrasebooks, perPhrase: Int = perPhrase, seed: UInt64 = 1) throws -> IntentModel {
        let all = sentences(books: books, perPhrase: perPhrase, seed: seed).map(\.sentences)
        return try IntentTrainer.train(
            sentences: all[0] + all[1],
            calibration: all[2].isEmpty ? nil : all[2])
    }
}
