import Domain
import Language

/// Makes the classifier of a language from all that its folder and the owner's phrasebooks hold.
public enum IntentTraining {
    /// Draws from each template. On the calibration sentences one draw did as well as three (.960 and .948 right) in
    /// half the time: the sentences of people teach more. The owner's own commands have only their templates.
    public static let perPhrase = 1, perCustomPhrase = 12

    /// What it is made of, in the form that the classifier sees: sentences drawn from templates, sentences of people,
    /// and those for calibration.
    /// - Throws: `ConfigurationError` for a file of sentences.
    public static func sentences(
        books: Phrasebooks, perPhrase: Int = perPhrase, seed: UInt64 = 1
    ) throws -> [(kind: String, sentences: [TrainingSentence])] {
        var text = TrainingText(books: books, seed: seed)
        // Sentences of people for phrasebooks that are left out have no intent.
        func known(_ sentences: [TrainingSentence]) -> [TrainingSentence] {
            sentences.filter { sentence in
                let parts = sentence.intent.split(separator: ".", maxSplits: 1).map(String.init)
                return parts.count < 2 || books.intent(parts[0], parts[1]) != nil
            }
        }
        return [
            ("template", text.sentences(perPhrase: perPhrase, perCustomPhrase: perCustomPhrase)),
            ("people", text.normalised(known(try books.training()))),
            ("calibration", text.normalised(known(try books.calibration()))),
        ]
    }

    /// Trains on the phrasebooks and the sentences of people, and calibrates on those kept for it. Blocks for seconds;
    /// the same books give the same model.
    /// - Throws: `LinearError`, or `ConfigurationError` for a file of sentences.
    public static func model(books: Phrasebooks, perPhrase: Int = perPhrase, seed: UInt64 = 1) throws -> IntentModel {
        let all = try sentences(books: books, perPhrase: perPhrase, seed: seed).map(\.sentences)
        return try IntentTrainer.train(
            sentences: all[0] + all[1],
            calibration: all[2].isEmpty ? nil : all[2])
    }

    /// The semantic hint beside `model`, which was made of the same books.
    /// - Throws: `LinearError`, or `ConfigurationError` for a file of sentences.
    public static func hint(
        model: IntentModel, books: Phrasebooks, encoder: any SentenceEncoder, perPhrase: Int = perPhrase,
        seed: UInt64 = 1
    ) throws -> SemanticHint {
        let all = try sentences(books: books, perPhrase: perPhrase, seed: seed).map(\.sentences)
        return try SemanticTrainer.train(
            model: model, sentences: all[0] + all[1], calibration: all[2], encoder: encoder)
    }

    /// The hint of the release, with the owner's own commands.
    /// - Throws: `LinearError`, or `ConfigurationError` for a file of sentences.
    public static func hint(
        extending shipped: SemanticHint, to model: IntentModel, books: Phrasebooks, encoder: any SentenceEncoder
    ) throws -> SemanticHint {
        let drawn = try sentences(books: books)[0].sentences
        return try SemanticTrainer.extend(shipped, to: model, sentences: drawn, encoder: encoder)
    }

    /// Where the hint of a model lies: beside it.
    public static func hintPath(of model: String) -> String { model + ".hint" }
}
