import Domain

/// A slot list, ready to search.
package enum CompiledSlot: Sendable {
    case list(PhraseAutomaton, values: [String?])
    case names(SlotKind)
    case number
    case money
    case measure(SlotKind, bare: Bool)
    case period
    case text
    case word
}

/// All phrasebooks with the owner's names, compiled for matching. Made anew in the background when either changes.
public struct PhraseIndex: Sendable {
    struct Phrase: Sendable {
        let handler: String
        let intent: String
    }

    /// The phrasebooks that it was made from.
    public let books: Phrasebooks
    /// The owner's names that it was made from.
    public let names: OwnerNames
    /// Those, and what is made from them: the other ways in which tasks are spoken of.
    package let allNames: OwnerNames
    package let table: WordTable
    package let phrases: PhraseAutomaton
    let phraseList: [Phrase]
    package let keywords: PhraseAutomaton
    let keywordList: [Phrase]
    package let slots: [CompiledSlot]
    /// Slot numbers by phrasebook file and list name.
    let slotNumbers: [String: [String: Int]]
    let nameAutomata: [SlotKind: PhraseAutomaton]
    let cues: AnalysisCues
    /// The words of all templates of an intent, and their singulars, by the intent's full name.
    private let ownWords: [String: Set<String>]

    /// Compiles `books` with `names`.
    public init(books: Phrasebooks, names: OwnerNames) {
        self.books = books
        self.names = names
        let names = books.words.tasks.adding(to: names, books.normaliser)
        allNames = names
        var table = WordTable(books.words)
        let normaliser = books.normaliser
        // A template's word may be several of an utterance's: “wi-fi”, “front/back”.
        var known: [String: [String]] = [:]
        // Thousands of templates are made of some hundred words.
        let canonical = { (word: String) -> [String] in
            if let words = known[word] { return words }
            let words = normaliser.canonicalWords(word)
            known[word] = words
            return words
        }

        let compiled = Self.slots(of: books, table: &table, canonical: canonical)
        var phraseBuilder = PhraseAutomatonBuilder(canonical: canonical), phraseList: [Phrase] = []
        var ownWords: [String: Set<String>] = [:]
        var keywordBuilder = PhraseAutomatonBuilder(canonical: canonical), keywordList: [Phrase] = []
        for book in books.books {
            let numbers = compiled.numbers[book.file] ?? [:]
            for intent in book.intents {
                for phrase in intent.phrases {
                    phraseBuilder.add(phrase, tag: phraseList.count, table: &table) { numbers[$0] }
                }
                phraseList.append(Phrase(handler: book.handler, intent: intent.name))
                for keyword in intent.keywords {
                    keywordBuilder.add(keyword, tag: keywordList.count, table: &table) { numbers[$0] }
                }
                keywordList.append(Phrase(handler: book.handler, intent: intent.name))
                let people = books.peoplesWords["\(book.handler).\(intent.name)"] ?? []
                let own = intent.words.union(PhrasebookIntent.words(of: intent.keywords)).union(people).flatMap(
                    canonical)
                ownWords["\(book.handler).\(intent.name)", default: []].formUnion(own + own.map(table.stem))
            }
        }
        cues = AnalysisCues(books.analysis, table: &table, canonical: canonical) {
            compiled.numbers[books.analysis.file]?[$0]
        }
        nameAutomata = Self.automata(of: names, normaliser: normaliser, table: &table)

        let droppable = Set(books.rules.droppable.map(table.lookup))
        phrases = phraseBuilder.finished(droppable: droppable)
        keywords = keywordBuilder.finished(droppable: droppable)
        self.table = table
        self.ownWords = ownWords
        self.phraseList = phraseList
        self.keywordList = keywordList
        slots = compiled.slots
        slotNumbers = compiled.numbers
    }

    /// The words that an intent's own phrases, and people's sentences for it, account for.
    func ownWords(of handler: String, _ intent: String) -> Set<String> { ownWords["\(handler).\(intent)"] ?? [] }

    /// The slots of all phrasebooks, and their numbers by phrasebook file and list name.
    private static func slots(
        of books: Phrasebooks, table: inout WordTable, canonical: @escaping (String) -> [String]
    ) -> (slots: [CompiledSlot], numbers: [String: [String: Int]]) {
        var slots: [CompiledSlot] = [], numbers: [String: [String: Int]] = [:]
        var shared: [String: Int] = [:]
        let sources = books.books.map { ($0.file, $0.slots) } + [(books.analysis.file, books.analysis.slots)]
        for (file, definitions) in sources {
            for (name, definition) in definitions.sorted(by: { $0.key < $1.key }) {
                let slot = compile(definition, table: &table, canonical: canonical)
                // The many phrasebooks that use one kind of slot share its answers.
                if case .kind(let kind, let bare) = definition {
                    let key = "\(kind)-\(bare)"
                    numbers[file, default: [:]][name] = shared[key] ?? slots.count
                    if shared[key] == nil {
                        shared[key] = slots.count
                        slots.append(slot)
                    }
                } else {
                    numbers[file, default: [:]][name] = slots.count
                    slots.append(slot)
                }
            }
        }
        return (slots, numbers)
    }

    /// An automaton for each kind of the owner's names.
    private static func automata(
        of names: OwnerNames, normaliser: Normaliser, table: inout WordTable
    ) -> [SlotKind: PhraseAutomaton] {
        var automata: [SlotKind: PhraseAutomaton] = [:]
        for kind in SlotKind.allCases where kind.isOwners {
            var builder = PhraseAutomatonBuilder(isStemmed: true) { [$0] }
            for (index, name) in names[kind].enumerated() {
                for spelling in [name.name] + name.aliases {
                    let words = normaliser.canonicalWords(spelling).map(Template.word)
                    if !words.isEmpty { builder.add(.sequence(words), tag: index, table: &table) { _ in nil } }
                }
            }
            automata[kind] = builder.finished()
        }
        return automata
    }

    private static func compile(
        _ definition: SlotDefinition, table: inout WordTable, canonical: @escaping (String) -> [String]
    ) -> CompiledSlot {
        switch definition {
        case .list(let values):
            var builder = PhraseAutomatonBuilder(canonical: canonical)
            for (index, value) in values.enumerated() {
                builder.add(value.template, tag: index, table: &table) { _ in nil }
            }
            // A plain value counts as it is written, also where it was misheard.
            return .list(builder.finished(), values: values.map { $0.value ?? $0.template.plainText })
        case .template(let template):
            var builder = PhraseAutomatonBuilder(canonical: canonical)
            builder.add(template, tag: 0, table: &table) { _ in nil }
            return .list(builder.finished(), values: [nil])
        case .kind(let kind, let bare):
            switch kind {
            case .number: return .number
            case .money: return .money
            case .percent, .temperature, .mass, .volume, .distance, .duration: return .measure(kind, bare: bare)
            case .date, .period: return .period
            case .text: return .text
            case .word: return .word
            default: return .names(kind)
            }
        }
    }
}
