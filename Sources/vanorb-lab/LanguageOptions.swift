import Domain
import Configuration
import Language
import Devices
import Handlers
import Dialogue
import ArgumentParser
import Foundation
import IntentEncoder
import IntentLinear
import Logging
import StoreSQLite

/// Which language, whose phrasebooks and names, and which classifier a measurement uses.
struct LanguageOptions: ParsableArguments {
    @Option(help: "The language.")
    var language = "en"
    @Option(help: "A folder of custom phrasebooks.")
    var phrases: String?
    @Option(help: "The owner's devices, a YAML file.")
    var devices: String?
    @Option(help: "The owner's data folder (the setting paths.data), for items, tasks and trips.")
    var data: String?
    @Option(help: "The owner's names, a YAML file: item, device, place … → list; each replaces its kind's.")
    var names: String?
    @Option(help: "Add made-up names until there are this many items, and a tenth as many devices.")
    var crowd = 0
    @Option(help: "What made-up names consist of: words or syllables.")
    var crowdNames = MadeUpNames.words
    @Option(help: "The classifier's model; trained first by default.")
    var classifier: String?
    @Option(help: "The folder of the sentence encoder: use the semantic hint, too, beside the model or made first.")
    var encoder: String?
    @Flag(help: "Route strictly, without a classifier.")
    var strict = false

    func books() throws -> Phrasebooks {
        let books = try Phrasebooks(
            folder: LanguageFolder(language: language, root: LanguageFolder.shippedRoot),
            customFiles: phrases.map { Phrasebooks.customFiles(in: $0) } ?? [])
        for problem in books.problems { Notes.say("left out: \(problem)") }
        return books
    }

    /// A single custom phrasebook instead of all others.
    /// - Throws: `ConfigurationError` with file and line.
    func books(replacedBy phrasebook: String) throws -> Phrasebooks {
        let books = try Phrasebooks(
            folder: LanguageFolder(language: language, root: LanguageFolder.shippedRoot), customFiles: [phrasebook],
            replacingBuiltIn: true)
        if let problem = books.problems.first { throw problem }
        guard books.phraseCount > 0 else {
            throw ConfigurationError(
                file: phrasebook, line: nil, message: "it has no phrases in the language “\(language)”")
        }
        return books
    }

    /// The phrasebooks, unless others are given, with the names of this van.
    func index(_ given: Phrasebooks? = nil) async throws -> PhraseIndex {
        let books = try given ?? books()
        let logger = Logger(label: "vanorb-lab")
        let devices = try devices.map { try DeviceFile.devices(ConfigurationNode(contentsOf: $0)) } ?? []
        let path = data.map { $0 + "/vanorb.sqlite" }
        let store = try path.map { try SQLiteStore.open(path: $0, logger: logger) } ?? SQLiteStore.inMemory()
        let van = Van(VanFile(devices: devices), bus: nil, logger: logger)
        let context = HandlerContext(
            stores: store.stores, van: van, bus: nil, environment: HandlerEnvironment(books: books))
        var names = try await OwnerNamesReader.names(context)
        let listed = try listedNames()
        // Without the owner's files it has typical devices and items.
        for kind in SlotKind.allCases where kind.isOwners {
            let isDevices = [.device, .area, .scene, .option].contains(kind)
            let isGiven = isDevices ? self.devices != nil : data != nil
            if let list = listed[kind] {
                names[kind] = list
            } else if !isGiven {
                let known = Set(names[kind].map(\.name))
                names[kind] += books.samples(of: kind).filter { !known.contains($0.name) }
            }
        }
        fill(&names)
        return PhraseIndex(books: books, names: names)
    }

    /// The model, loaded or made.
    func classifier(_ books: Phrasebooks) async throws -> (any IntentClassifier)? {
        if strict { return nil }
        let model = try classifier.map { try IntentModel(contentsOf: $0) } ?? IntentTraining.model(books: books)
        guard let encoder = try encoder.map({ try MiniLM(folder: $0) }) else { return model }
        let path = classifier.map(IntentTraining.hintPath) ?? ""
        let hint =
            try classifier == nil
            ? IntentTraining.hint(model: model, books: books, encoder: encoder) : SemanticHint(contentsOf: path)
        return try SemanticClassifier(model: model, hint: hint, encoder: encoder, path: path)
    }

    /// The names of `--names` by their kind.
    private func listedNames() throws -> [SlotKind: [OwnerName]] {
        var result: [SlotKind: [OwnerName]] = [:]
        guard let file = names else { return result }
        for (key, node) in try ConfigurationNode(contentsOf: file).entries() {
            guard let kind = SlotKind(rawValue: key), kind.isOwners else {
                let kinds = SlotKind.allCases.filter(\.isOwners).map(\.rawValue)
                throw node.error("no kind of name; expected one of: \(kinds.joined(separator: ", "))")
            }
            result[kind] = try node.strings().map { OwnerName(name: $0) }
        }
        return result
    }

    /// Tops the names up with made-up ones.
    private func fill(_ names: inout OwnerNames) {
        func top(_ kind: SlotKind, to count: Int, with made: ArraySlice<String>) {
            let known = Set(names[kind].flatMap { [$0.name] + $0.aliases })
            for (place, name) in zip(made.indices, made)
            where names[kind].count < count && !known.contains(name) {
                names[kind].append(OwnerName(name: name, id: "\(kind.rawValue)-\(place)"))
            }
        }
        top(.item, to: crowd, with: crowdNames.items(crowd))
        top(.device, to: crowd / 10, with: crowdNames.devices(crowd / 10))
    }
}
