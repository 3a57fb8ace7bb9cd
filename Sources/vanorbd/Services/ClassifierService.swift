import Domain
import Language
import Foundation
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
    private let logger: Logger

    init(settings: Settings, books: Phrasebooks, health: Health, logger: Logger) {
        self.settings = settings
        self.books = books
        self.health = health
        self.logger = logger
    }

    private var customFiles: [String] { Phrasebooks.customFiles(in: settings.phrases) }
    private var ownModel: String { settings.data + "/intents.model" }

    /// The model to begin with: the own one where it fits the phrasebooks, else the shipped one; nil for strict
    /// routing.
    func load() -> IntentModel? {
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
