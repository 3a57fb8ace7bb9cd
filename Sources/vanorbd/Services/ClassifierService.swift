import Domain
import Language
import Foundation
import IntentEncoder
import IntentLinear
import Logging
import Setup
import Threads

/// Keeps the classifier up to date with the owner's phrasebooks: the shipped model does not know them, so one that
/// does is trained on the board, in the background, whenever they have changed. It is stored in the data folder with a
/// hash of what it was made from.
actor ClassifierService {
    private let executor = QueueExecutor(label: "vanorb.classifier", qos: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let settings: Settings
    private let books: Phrasebooks
    private let health: Health
    private let isCheck: Bool
    private let logger: Logger
    /// The model of n-grams in use.
    private var model: IntentModel?
    /// Loaded once; nil until then, and where it failed.
    private var encoder: Result<MiniLM, any Error>?

    /// - Parameter isCheck: nothing is loaded behind what `load` reports.
    init(settings: Settings, books: Phrasebooks, health: Health, isCheck: Bool, logger: Logger) {
        self.settings = settings
        self.books = books
        self.health = health
        self.isCheck = isCheck
        self.logger = logger
    }

    private var customFiles: [String] { Phrasebooks.customFiles(in: settings.phrases) }
    private var ownModel: String { settings.data + "/intents.model" }

    /// The model to begin with: the own one where it fits the phrasebooks, else the shipped one; nil for strict
    /// routing.
    func load() -> IntentModel? {
        model = loaded()
        reportEncoder()
        return model
    }

    private func loaded() -> IntentModel? {
        if isOwnWanted, isOwnCurrent, let model = try? IntentModel(contentsOf: ownModel) {
            health.report("classifier", .ok, ownModel)
            return model
        }
        do {
            let model = try IntentModel(contentsOf: settings.classifier)
            health.report("classifier", .ok, settings.classifier)
            return model
        } catch {
            logger.warning("no classifier, routing is strict: \(error)")
            health.report(
                "classifier", .warning, "\(error); only exact phrases are understood",
                advice: "Train the model: vanorb-lab train --output \(settings.classifier)")
            return nil
        }
    }

    /// Trains the own model where the phrasebooks ask for one that is not there.
    /// - Returns: the new model; nil where there is nothing to do, or it failed, which is reported.
    func refresh() -> IntentModel? {
        guard isOwnWanted, !isOwnCurrent else { return nil }
        let started = ContinuousClock.now
        do {
            let model = try IntentTraining.model(books: books)
            try model.save(to: ownModel)
            try Data(sum.utf8).write(to: URL(filePath: ownModel + ".sum"), options: .atomic)
            self.model = model
            logger.info("learnt the owner's own commands in \(started.duration(to: .now))")
            health.report("classifier", .ok, ownModel)
            return model
        } catch {
            logger.error("the owner's own commands were not learnt: \(error)")
            health.report(
                "classifier", .warning, "can’t train on your own commands: \(error)",
                advice: "Free memory, make \(settings.data) writable, then restart: sudo systemctl restart vanorb")
            return nil
        }
    }

    // MARK: the semantic hint

    private static let part = "semantic encoder"

    /// The model in use with the semantic hint beside it, which takes some seconds: longer where the owner's own
    /// commands are new to it.
    /// - Returns: nil where there is none, which is reported; the n-grams then decide alone.
    func withHint() -> SemanticClassifier? {
        guard let model, isEncoderThere else { return nil }
        do {
            let encoder = self.encoder ?? Result { try MiniLM(folder: settings.encoder) }
            self.encoder = encoder
            let classifier = try combined(model, encoder.get())
            health.report(Self.part, .ok, "ready")
            return classifier
        } catch {
            logger.error("semantic encoder not used: \(error)")
            let cause =
                error is EncoderError
                ? "Download its files again (deploy/encoder)"
                : "Make \(IntentTraining.hintPath(of: settings.classifier)) again (vanorb-lab train --encoder)"
            health.report(
                Self.part, .warning, "unusable, the n-grams decide alone: \(error)",
                advice: "\(cause), then restart: sudo systemctl restart vanorb")
            return nil
        }
    }

    private func combined(_ model: IntentModel, _ encoder: MiniLM) throws -> SemanticClassifier {
        let shippedPath = IntentTraining.hintPath(of: settings.classifier)
        let ownPath = IntentTraining.hintPath(of: ownModel)
        guard isOwnWanted, isOwnCurrent else {
            return try SemanticClassifier(
                model: model, hint: SemanticHint(contentsOf: shippedPath), encoder: encoder, path: shippedPath)
        }
        if let own = try? SemanticHint(contentsOf: ownPath),
            let classifier = try? SemanticClassifier(model: model, hint: own, encoder: encoder, path: ownPath)
        {
            return classifier
        }
        let shipped = try SemanticHint(contentsOf: shippedPath)
        try shipped.check(encoder, path: shippedPath)
        let hint = try IntentTraining.hint(extending: shipped, to: model, books: books, encoder: encoder)
        try hint.save(to: ownPath)
        return try SemanticClassifier(model: model, hint: hint, encoder: encoder, path: ownPath)
    }

    private var isEncoderThere: Bool { FileManager.default.fileExists(atPath: settings.encoder) }

    /// It is optional: only a folder that lacks a file is a fault.
    private func reportEncoder() {
        guard isEncoderThere else {
            return health.report(
                Self.part, .ok,
                "not installed, the n-grams decide alone: there is no \(settings.encoder). "
                    + "Get it with deploy/encoder")
        }
        if let file = MiniLM.missing(in: settings.encoder) {
            return health.report(
                Self.part, .warning, "unusable, the n-grams decide alone: there is no \(settings.encoder)/\(file)",
                advice: "Download its files again: deploy/encoder")
        }
        guard !isCheck else { return }
        health.report(Self.part, .ok, "being checked; the n-grams decide alone meanwhile")
    }

    /// Only valid phrasebooks are worth training on.
    private var isOwnWanted: Bool { books.books.contains { $0.handler == HandlerName.custom } }

    private var isOwnCurrent: Bool { (try? String(contentsOfFile: ownModel + ".sum", encoding: .utf8)) == sum }

    /// What the own model is made from: the release with its language, and the owner's files.
    private var sum: String {
        let shipped = (try? Data(contentsOf: URL(filePath: settings.classifier))) ?? Data()
        let files = customFiles.map { (try? Data(contentsOf: URL(filePath: $0))) ?? Data() }
        // With the lengths, so that bytes moved from one file to the next change the hash.
        var hash = StableHash()
        for data in [Data(books.language.utf8), shipped] + files {
            hash.add("\(data.count):".utf8)
            hash.add(data)
        }
        return String(hash.value, radix: 16)
    }
}
