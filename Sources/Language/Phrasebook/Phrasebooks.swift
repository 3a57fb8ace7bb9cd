import Domain
import Configuration
import Foundation

/// The handlers in the order in which they are asked.
public enum HandlerName {
    /// The devices.
    package static let van = "van"
    /// What the van is set to: drive, camp, night, away.
    package static let modes = "modes"
    /// What the conversation itself acts on.
    package static let session = "session"
    /// The intent of a bare name.
    package static let selectIntent = "select"
    /// Routing order: the first exact answer wins. `session` understands what holds in every state.
    public static let order = [
        emergency, van, modes, "finance", "manifest", "checklist", "travel", session, custom,
    ]
    /// The name of the handler whose keywords count by themselves.
    package static let emergency = "emergency"
    /// The name under which the owner's own commands act.
    public static let custom = "custom"
}

/// Everything that is data about a language, loaded and checked: the one source for recognising, matching, training,
/// hints and help.
public struct Phrasebooks: Sendable {
    /// The language's folder name.
    public let language: String
    /// The built-in handlers' phrasebooks in routing order, then the custom ones.
    public let books: [Phrasebook]
    /// Brings text into the form that templates have.
    public let normaliser: Normaliser
    package let measures: Measures
    package let rules: MatchingRules
    /// How tables name their columns, and what their cells say.
    public let tables: TableWords
    /// How words change and sound.
    package let words: WordRules
    /// Sample names for training, where the owner has none.
    package let sampleNames: OwnerNames
    /// Sentences of people that the classifier learns from, `none` among them.
    public func training() throws -> [TrainingSentence] {
        try LabelledFile.sentences(folder, "training") + LabelledFile.sentences(folder, "spoken")
    }
    /// Sentences of people on which its probabilities are calibrated; it does not learn from them.
    public func calibration() throws -> [TrainingSentence] { try LabelledFile.sentences(folder, "calibration") }
    private let folder: LanguageFolder
    /// The words in which people put an intent, by its full name, from the sentences that the classifier learns from.
    let peoplesWords: [String: Set<String>]
    /// What tells how an utterance is meant.
    let analysis: AnalysisRules
    /// The replies.
    public let replies: Replies
    /// The words that move a walk-through or a reading on.
    package let steps: Steps
    /// The words that tie an utterance to the one before, or one of its halves to the other.
    package let talk: ConversationWords
    /// Files of custom commands that were left out, each with its reason.
    public let problems: [ConfigurationError]
    /// How replies are spoken.
    public let speaking: SpeakingRules
    private let once = CompiledOnce()

    /// The templates, compiled with the first use.
    var compiled: CompiledPhrases { once.phrases(of: self) }

    /// How commands begin whose free text is kept: a partial transcript that begins so is likely to go on with it.
    package var openings: Set<String> { once.openings(of: self) }

    /// Loads a language and the owner's custom phrasebooks.
    /// - Parameter customFiles: files of custom commands. A broken one is left out and told of in `problems`, so that
    ///   a slip of the owner's never silences the rest.
    /// - Parameter replacingBuiltIn: true to have only the custom commands, for measuring a grammar by itself.
    /// - Throws: `ConfigurationError` where a built-in file is at fault.
    public init(folder: LanguageFolder, customFiles: [String] = [], replacingBuiltIn: Bool = false) throws {
        language = folder.language
        normaliser = try Normaliser(folder)
        tables = try TableWords(folder.file("tables.yaml"))
        words = try WordRules(folder.file("words.yaml"))
        rules = try MatchingRules(folder.file("matching.yaml"), numbers: normaliser.numbers, words: words)
        measures = try Measures(folder.file("measures.yaml"), normaliser: normaliser)
        replies = try Replies(folder)
        speaking = try SpeakingRules(folder)
        analysis = try folder.hasFile("analysis.yaml") ? AnalysisRules(folder.file("analysis.yaml")) : .none
        steps = try Steps(folder.file("steps.yaml"), normaliser: normaliser)
        self.folder = folder
        peoplesWords = Self.peoplesWords(in: try LabelledFile.sentences(folder, "training"))
        talk = try ConversationWords(folder, normaliser: normaliser)
        var names = OwnerNames()
        for (kindName, node) in try folder.file("names.yaml").entries() {
            guard let kind = SlotKind(rawValue: kindName), kind.isOwners else { throw node.error("no kind of name") }
            names[kind] = try node.strings().map { OwnerName(name: $0) }
        }
        sampleNames = names

        let reader = PhrasebookReader(common: try CommonPhrases(folder.file("common.yaml")))
        var books: [Phrasebook] = []
        if !replacingBuiltIn {
            for handler in HandlerName.order where handler != HandlerName.custom {
                let root = try folder.file("\(handler).yaml")
                books.append(try reader.phrasebook(root, handler: handler, isCustom: false))
            }
        }
        let custom = CustomPhrasebooks(customFiles, language: folder.language, common: reader.common)
        self.books = books + custom.books
        self.problems = custom.problems
    }

    /// A word belongs to an intent where people said it at least twice for that, and more often than in talk that is
    /// not for the van: “juice” to turning on, and “yesterday” to nothing.
    private static func peoplesWords(in sentences: [TrainingSentence]) -> [String: Set<String>] {
        var counts: [String: [String: Int]] = [:]
        for sentence in sentences {
            for word in Set(Normaliser.words(in: sentence.text)) {
                counts[sentence.intent, default: [:]][word, default: 0] += 1
            }
        }
        let talk = counts.removeValue(forKey: "none") ?? [:]
        return counts.mapValues { words in Set(words.filter { $1 >= 2 && $1 > talk[$0] ?? 0 }.keys) }
    }

    /// The intent of this name.
    public func intent(_ handler: String, _ name: String) -> PhrasebookIntent? {
        for book in books where book.handler == handler {
            if let intent = book.intents.first(where: { $0.name == name }) { return intent }
        }
        return nil
    }

    /// Whether an act on devices names none of them by these slots.
    func isUnaimed(_ handler: String, _ name: String, _ slots: [String: SlotValue]) -> Bool {
        slots.values.allSatisfy(\.names.isEmpty) && isAct(handler, name, on: .device)
    }

    /// Whether an intent does something with the owner's things of a kind.
    private func isAct(_ handler: String, _ name: String, on kind: SlotKind) -> Bool {
        books.contains { book in
            guard book.handler == handler, let intent = book.intents.first(where: { $0.name == name }) else {
                return false
            }
            return intent.isAct
                && intent.slots.contains { slot in
                    if case .kind(kind, _) = book.slots[slot.list] { true } else { false }
                }
        }
    }

    /// The values that a slot of a handler can take, in the order of the phrasebook, each once; none where it is no
    /// list.
    package func values(of slot: String, _ handler: String) -> [String] {
        var found: [String] = []
        for case .list(let choices)? in books.filter({ $0.handler == handler }).map({ $0.slots[slot] }) {
            for case let value? in choices.map(\.value) where !found.contains(value) { found.append(value) }
        }
        return found
    }

    /// Names that vans have, for training and for measuring where the owner has none.
    public func samples(of kind: SlotKind) -> [OwnerName] { sampleNames[kind] }

    /// The number of phrase templates.
    public var phraseCount: Int { books.reduce(0) { $0 + $1.intents.reduce(0) { $0 + $1.phrases.count } } }

    /// The custom phrasebooks in a folder, sorted by name; none where the folder does not exist.
    public static func customFiles(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map { "\(folder)/\($0)" }
    }
}

extension Phrasebooks {
    /// What the words of a slot's list stand for: `petrol` for `fuel`, and each value for itself.
    public func values(of list: String, in handler: String) -> [String: String] {
        guard let book = books.first(where: { $0.handler == handler }), case .list(let values)? = book.slots[list]
        else { return [:] }
        var known: [String: String] = [:]
        for (template, value) in values {
            for text in template.texts { known[text, default: value ?? text] = value ?? text }
        }
        // A value means itself, whatever else it is a word for.
        for (_, value) in values { if let value { known[value.lowercased()] = value } }
        return known
    }
}

extension Template {
    /// All texts that it stands for, where it holds no slots; for short templates.
    fileprivate var texts: [String] {
        switch self {
        case .word(let word): [word]
        case .choice(let parts): parts.flatMap(\.texts)
        case .optional(let part): [""] + part.texts
        case .sequence(let parts):
            parts.reduce([""]) { all, part in
                all.flatMap { text in part.texts.map { text.isEmpty || $0.isEmpty ? text + $0 : "\(text) \($0)" } }
            }
        case .slot, .rule: []
        }
    }
}

extension Phrasebooks {
    /// The sentences to show in help.
    public var examples: [String] { books.flatMap { $0.intents.flatMap(\.examples) } }

    /// The sentences to show as hints: the language's own first, in their order.
    public var hints: [String] {
        let known = Set(talk.hints.map { $0.lowercased() })
        return talk.hints + examples.filter { !known.contains($0.lowercased()) }
    }
}
