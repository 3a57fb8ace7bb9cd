import Domain
import Synchronization

/// The templates of all phrasebooks, compiled: the part of a `PhraseIndex` that no name of the owner's changes, and that
/// takes nearly all of the time.
struct CompiledPhrases: Sendable {
    /// What a tag of an automaton stands for.
    struct Intent: Sendable {
        let handler: String
        let intent: String
    }

    let table: WordTable
    let phrases: PhraseAutomaton
    let keywords: PhraseAutomaton
    let intents: [Intent]
    let slots: [CompiledSlot]
    let slotNumbers: [String: [String: Int]]
    let cues: AnalysisCues
    /// The words of all templates of an intent, and their singulars, by the intent's full name.
    let ownWords: [String: Set<String>]

    /// Compiles `books`.
    init(_ books: Phrasebooks) {
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

        (slots, slotNumbers) = Self.slots(of: books, table: &table, canonical: canonical)
        var phrases = PhraseAutomatonBuilder(canonical: canonical)
        var keywords = PhraseAutomatonBuilder(canonical: canonical)
        var intents: [Intent] = [], ownWords: [String: Set<String>] = [:]
        for book in books.books {
            let numbers = slotNumbers[book.file] ?? [:]
            for intent in book.intents {
                for phrase in intent.phrases {
                    phrases.add(phrase, tag: intents.count, table: &table) { numbers[$0] }
                }
                for keyword in intent.keywords {
                    keywords.add(keyword, tag: intents.count, table: &table) { numbers[$0] }
                }
                intents.append(Intent(handler: book.handler, intent: intent.name))
                let name = "\(book.handler).\(intent.name)"
                let own = intent.words.union(PhrasebookIntent.words(of: intent.keywords))
                    .union(books.peoplesWords[name] ?? []).flatMap(canonical)
                ownWords[name, default: []].formUnion(own + own.map(table.stem))
            }
        }
        let analysisNumbers = slotNumbers[books.analysis.file]
        cues = AnalysisCues(books.analysis, table: &table, canonical: canonical) { analysisNumbers?[$0] }
        let droppable = Set(books.rules.droppable.map(table.lookup))
        self.phrases = phrases.finished(droppable: droppable)
        self.keywords = keywords.finished(droppable: droppable)
        (self.table, self.intents, self.ownWords) = (table, intents, ownWords)
    }

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

/// Works out of phrasebooks, on first use, what takes its time, and keeps the result.
final class CompiledOnce: Sendable {
    private let phrases = Mutex<CompiledPhrases?>(nil)
    private let openings = Mutex<Set<String>?>(nil)

    func phrases(of books: Phrasebooks) -> CompiledPhrases {
        phrases.withLock { known in
            if let known { return known }
            let compiled = CompiledPhrases(books)
            known = compiled
            return compiled
        }
    }

    func openings(of books: Phrasebooks) -> Set<String> {
        openings.withLock { known in
            let found = known ?? books.findOpenings()
            known = found
            return found
        }
    }
}
