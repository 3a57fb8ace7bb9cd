import Domain

/// Draws sentences from the phrasebooks for the classifier to learn from. The same seed draws the same sentences.
public struct TrainingText {
    private let index: PhraseIndex
    private let seed: UInt64
    private var random: SeededGenerator
    /// True while articles are to stand as people place them.
    private var isSaid = false

    /// Training text from `books`; names that the owner lacks come from the language's samples.
    public init(books: Phrasebooks, names: OwnerNames = OwnerNames(), seed: UInt64 = 1) {
        var all = names
        for kind in SlotKind.allCases where kind.isOwners {
            let known = Set(all[kind].map(\.name))
            all[kind] += books.sampleNames[kind].filter { !known.contains($0.name) }
        }
        index = PhraseIndex(books: books, names: all)
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// Sentences of every intent, `perPhrase` draws of each template, in the form that the classifier sees.
    ///
    /// Each template is drawn from by a sequence of its own, so that a new phrase changes nothing of what is drawn from
    /// the others.
    /// - Parameter paraphrases: whether to draw also from the templates that match nothing by themselves.
    public mutating func sentences(perPhrase: Int, perCustomPhrase: Int? = nil, paraphrases: Bool = true)
        -> [TrainingSentence]
    {
        var result: [TrainingSentence] = []
        for book in index.books.books {
            for intent in book.intents {
                let label = "\(book.handler).\(intent.name)"
                var seen = Set<String>()
                for phrase in intent.phrases + (paraphrases ? intent.paraphrases : []) {
                    random = SeededGenerator(
                        seed: StableHash.of(label, seed: seed ^ phrase.stableHash))
                    for _ in 0..<(book.handler == HandlerName.custom ? perCustomPhrase ?? perPhrase : perPhrase) {
                        guard let words = draw(phrase, book) else { break }
                        let text = normalised(words.joined(separator: " "))
                        if !text.isEmpty, seen.insert(text).inserted {
                            result.append(TrainingSentence(text: text, intent: label))
                        }
                    }
                }
            }
        }
        return result
    }

    /// Sentences of people in the form that the classifier sees.
    public func normalised(_ sentences: [TrainingSentence]) -> [TrainingSentence] {
        sentences.map { TrainingSentence(text: normalised($0.text), intent: $0.intent) }
    }

    private func normalised(_ text: String) -> String {
        let normaliser = index.books.normaliser
        return PhraseMatcher(normaliser.withoutFillers(normaliser.normalise(text)), in: index).classifierText()
    }

    /// One expansion of a template, as a person would say it: a name brings no article of its own behind the template's
    /// (“the the pump”) or behind another name (“all bedroom the vents”).
    /// - Returns: the words; nil for a slot without values, and where two articles still stand side by side.
    public mutating func drawSaid(_ template: Template, _ book: Phrasebook) -> [String]? {
        isSaid = true
        defer { isSaid = false }
        guard let words = draw(template, book) else { return nil }
        let articles = index.books.rules.articles
        let isDoubled = zip(words, words.dropFirst()).contains { articles.contains($0) && articles.contains($1) }
        return isDoubled ? nil : words
    }

    /// True where the last word that was drawn ends a slot's value: no article stands behind it.
    private var isBehindName = false

    /// One expansion of a template, as it is written; for listings.
    public mutating func draw(_ template: Template, _ book: Phrasebook) -> [String]? {
        switch template {
        case .word(let word):
            isBehindName = false
            return [word]
        case .sequence(let parts):
            var words: [String] = []
            for part in parts {
                let wasBehindName = isBehindName && !words.isEmpty
                guard var drawn = draw(part, book) else { return nil }
                let articles = index.books.rules.articles
                let isMarked = wasBehindName || words.last.map(articles.contains) ?? false
                if isSaid, isMarked, drawn.count > 1, articles.contains(drawn[0]) { drawn.removeFirst() }
                words += drawn
            }
            return words
        case .choice(let parts): return parts.randomElement(using: &random).flatMap { draw($0, book) }
        case .optional(let part): return Bool.random(using: &random) ? draw(part, book) : []
        case .slot(let list, _):
            let drawn = book.slots[list].flatMap { draw($0, book) }
            isBehindName = true
            return drawn
        case .rule: return nil
        }
    }

    private mutating func draw(_ slot: SlotDefinition, _ book: Phrasebook) -> [String]? {
        let numbers = index.books.normaliser.numbers
        switch slot {
        case .list(let values): return values.randomElement(using: &random).flatMap { draw($0.template, book) }
        case .template(let template): return draw(template, book)
        case .kind(let kind, let bare):
            func number(_ range: ClosedRange<Int>) -> [String] {
                numbers.words(for: .random(in: range, using: &random))
            }
            switch kind {
            case .number: return number(1...60)
            case .money:
                let currency = index.books.measures.currencies.first?.major.sorted() ?? []
                return number(1...200) + (currency.randomElement(using: &random).map { [$0] } ?? [])
            case .percent, .temperature, .mass, .volume, .distance, .duration:
                if bare, Bool.random(using: &random) { return number(1...100) }
                let units = (index.books.measures.units[kind] ?? []).flatMap(\.words)
                return number(1...100) + (units.randomElement(using: &random) ?? [])
            case .date, .period:
                return index.books.measures.periods.randomElement(using: &random).flatMap { draw($0.template, book) }
            case .word: return nil
            case .text:
                let kinds: [SlotKind] = [.item, .task]
                guard let kind = kinds.randomElement(using: &random) else { return nil }
                return index.names[kind].randomElement(using: &random).map {
                    $0.name.split(separator: " ").map(String.init)
                }
            default:
                guard let name = index.allNames[kind].randomElement(using: &random) else { return nil }
                let words = name.name.split(separator: " ").map(String.init)
                let articles = index.books.words.articles.common
                guard Bool.random(using: &random) else { return words }
                return (articles.count > 1 ? articles.randomElement(using: &random) : articles.first).map {
                    [$0] + words
                } ?? words
            }
        }
    }
}

/// A small random number generator whose sequence a seed decides (SplitMix64, Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator that starts at `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
