import Domain

/// Makes the recognisers' vocabulary of the phrasebooks and the owner's names, and rebuilds it when names change:
/// what has not changed is the very same then, so that recognisers see at a glance that it is.
public struct VocabularyBuilder: Sendable {
    /// The vocabulary as of the names taken over last.
    public private(set) var vocabulary: Vocabulary
    private var index: PhraseIndex
    private var classes: [Vocabulary.WordClass] = []
    private var classNumbers: [String: Int?] = [:]

    /// How many times likelier a command is said plainly than with a filler before it, and behind it.
    private static let plainness = 12
    /// How slowly phrases grow rarer in the order in which they are written: the first is said this many times as often
    /// as one that many places behind it plus one.
    private static let flatness = 3
    /// The handlers whose commands people want carried out later.
    private static let forLater: Set = [HandlerName.van, HandlerName.modes]
    /// Lists of no more values than these are no classes.
    private static let mostSpeltOut = 3

    /// The vocabulary of everything in `index`.
    public static func vocabulary(of index: PhraseIndex) -> Vocabulary { VocabularyBuilder(index).vocabulary }

    /// Makes the vocabulary of everything in `index`.
    public init(_ index: PhraseIndex) {
        self.index = index
        vocabulary = Vocabulary(language: index.books.language, sentences: [], classes: [])
        vocabulary = build()
    }

    /// Takes over other names of the owner.
    /// - Parameter index: made from the same phrasebooks.
    public mutating func update(to index: PhraseIndex) {
        let old = self.index.allNames
        self.index = index
        let changed = SlotKind.allCases.filter { $0.isOwners && index.allNames[$0] != old[$0] }
        var stays = changed.allSatisfy { renew("kind:\($0.rawValue)", namePatterns($0)) }
        if stays, changed.contains(where: Self.nameable.contains) {
            stays = renew("kind:\(SlotKind.text.rawValue)", freeTextPatterns())
        }
        guard stays else {
            self = VocabularyBuilder(index)
            return
        }
        let (unstressed, later) = (vocabulary.unstressed, vocabulary.later)
        vocabulary = Vocabulary(
            language: vocabulary.language, sentences: vocabulary.sentences, classes: classes, polite: vocabulary.polite,
            pronunciations: index.names.pronunciations, writing: vocabulary.writing, joins: vocabulary.joins,
            answers: vocabulary.answers)
        (vocabulary.unstressed, vocabulary.later) = (unstressed, later)
    }

    /// Gives the classes of a kind other values.
    /// - Returns: false where the sentences are others then: those that need a value are left out where there is none.
    private mutating func renew(_ key: String, _ values: [Vocabulary.Pattern]) -> Bool {
        for isBare in [false, true] {
            guard let known = classNumbers["\(key):\(isBare)"] else { continue }
            guard (known == nil) == values.isEmpty else { return false }
            guard let known else { continue }
            let old = classes[known]
            classes[known] = .init(name: old.name, values: values, isOpen: old.isOpen, written: old.written)
        }
        return true
    }

    private mutating func build() -> Vocabulary {
        var sentences: [Vocabulary.Sentence] = []
        let before = filler(index.books.normaliser.fillers.leading)
        let after = filler(index.books.normaliser.fillers.trailing)
        let later = laterPatterns()
        let behind = seldom(later)
        for book in index.books.books {
            for intent in book.intents {
                // An intent with many phrasings is said more often than one with few, but not in proportion: phrasings
                // are written for coverage, the commonest first.
                let shares = intent.phrases.indices.map { 1 / Double($0 + Self.flatness) }
                let whole = Double(intent.phrases.count).squareRoot() / shares.reduce(0, +)
                for (phrase, share) in zip(intent.phrases, shares) {
                    guard let pattern = pattern(phrase, book) else { continue }
                    let isShort = book.handler == HandlerName.session
                    let isForLater = Self.forLater.contains(book.handler) && intent.isAct
                    let spoken = [before, pattern] + (isForLater ? [behind] : []) + [after]
                    sentences.append(
                        .init(
                            pattern: isShort ? pattern : .sequence(spoken), weight: share * whole,
                            command: pattern, isAnswer: intent.answers))
                }
            }
        }
        sentences += followUps() + examples()
        // Before the classes are taken: answers have some of their own.
        let answers = answers()
        let fillers = index.books.normaliser.fillers
        var whole = Vocabulary(
            language: index.books.language, sentences: sentences, classes: classes,
            polite: fillers.leading + fillers.trailing,
            pronunciations: index.names.pronunciations, writing: index.books.normaliser.otherSpellings,
            joins: index.books.talk.joins, answers: answers)
        whole.unstressed = index.books.words.articles.unstressed
        whole.later = later
        return whole
    }

    /// What answers a question: words for what goes on over several turns, a choice by its place, a value or a name
    /// alone.
    private mutating func answers() -> [Vocabulary.Pattern] {
        let words = (index.books.steps.phrases + index.books.talk.choices).sorted()
        let measures: [SlotKind] = [.percent, .temperature, .mass, .volume, .distance, .duration]
        let others: [SlotKind] = [
            .money, .number, .date, .period, .device, .item, .area, .place, .task, .list, .mode, .category, .country,
            .trip, .text,
        ]
        return words.map { .sequence($0.split(separator: " ").map { .word(String($0)) }) }
            + measures.compactMap { kindClass($0, bare: true).map { .wordClass($0) } }
            + others.compactMap { kindClass($0, bare: false).map { .wordClass($0) } }
    }

    /// The examples as they stand: owners say what the hints tell them.
    private func examples() -> [Vocabulary.Sentence] {
        index.books.examples.compactMap { example in
            let words = index.books.normaliser.normalise(example).tokens.map(\.text)
            return words.isEmpty ? nil : .init(pattern: .sequence(words.map { .word($0) }), weight: 1)
        }
    }

    /// “and last month”, “make it sixty”: what leans on the utterance before it.
    private mutating func followUps() -> [Vocabulary.Sentence] {
        func frames(_ phrases: [ConversationWords.Words]) -> Vocabulary.Pattern {
            .choice(phrases.map { .sequence($0.map { .word($0) }) })
        }
        let talk = index.books.talk
        let kinds: [(frames: [ConversationWords.Words], kind: SlotKind, bare: Bool)] =
            [SlotKind.device, .item, .area, .period].map { (talk.leading, $0, false) }
            + [(talk.values, .percent, true), (talk.values, .temperature, true), (talk.values, .money, false)]
        return kinds.compactMap { kind in
            guard !kind.frames.isEmpty, let number = kindClass(kind.kind, bare: kind.bare) else { return nil }
            return .init(
                pattern: .sequence([frames(kind.frames), .wordClass(number)]), weight: 1, command: nil)
        }
    }

    private func filler(_ phrases: [[String]]) -> Vocabulary.Pattern {
        seldom(phrases.map { .sequence($0.map { .word($0) }) })
    }

    /// One of the patterns, or more likely nothing.
    private func seldom(_ patterns: [Vocabulary.Pattern]) -> Vocabulary.Pattern {
        guard !patterns.isEmpty else { return .sequence([]) }
        return .choice([.choice(patterns)] + Array(repeating: .sequence([]), count: Self.plainness))
    }

    /// “In ten minutes”, “if it rains”.
    private mutating func laterPatterns() -> [Vocabulary.Pattern] {
        let rules = index.books.analysis
        let book = Phrasebook(
            handler: "", language: index.books.language, file: rules.file, slots: rules.slots, intents: [])
        return rules.heard.compactMap { pattern($0, book) }
    }

    /// The pattern of a template; nil when a slot that it needs has no values.
    private mutating func pattern(_ template: Template, _ book: Phrasebook) -> Vocabulary.Pattern? {
        switch template {
        case .word(let word): return spoken(word)
        case .sequence(let parts):
            var patterns: [Vocabulary.Pattern] = []
            for part in parts {
                guard let pattern = pattern(part, book) else { return nil }
                patterns.append(pattern)
            }
            return .sequence(patterns)
        case .choice(let parts):
            let patterns = parts.compactMap { pattern($0, book) }
            return patterns.isEmpty ? nil : .choice(patterns)
        case .optional(let part): return pattern(part, book).map { .optional($0) } ?? .sequence([])
        case .slot(let list, _):
            guard let definition = book.slots[list] else { return nil }
            // A handful of words needs no class of its own: they are spelt out where they stand.
            if case .list(let values) = definition, values.count <= Self.mostSpeltOut {
                let patterns = values.compactMap { pattern($0.template, book) }
                return patterns.isEmpty ? nil : .choice(patterns)
            }
            return slotClass(list, definition, book).map { .wordClass($0) }
        case .rule: return nil
        }
    }

    /// A written word as it is spoken: contractions also in full, numerals in words.
    private func spoken(_ word: String) -> Vocabulary.Pattern {
        let canonical = index.books.normaliser.canonicalWords(word)
        if canonical == [word] { return .word(word) }
        let full = Vocabulary.Pattern.sequence(canonical.map { .word($0) })
        let isWord = word.allSatisfy { $0.isLetter || $0 == "'" }
        return isWord && canonical.count > 1 ? .choice([.word(word), full]) : full
    }

    private mutating func slotClass(_ list: String, _ definition: SlotDefinition, _ book: Phrasebook) -> Int? {
        if case .kind(let kind, let bare) = definition { return kindClass(kind, bare: bare) }
        let key = "\(book.file)#\(list)"
        if let known = classNumbers[key] { return known }
        let templates: [Template] =
            switch definition {
            case .list(let values): values.map(\.template)
            case .template(let template): [template]
            case .kind: []
            }
        return add(key, list, templates.compactMap { pattern($0, book) })
    }

    private mutating func add(
        _ key: String, _ name: String, _ values: [Vocabulary.Pattern], isOpen: Bool = false, written: [String] = []
    ) -> Int? {
        let number: Int? = values.isEmpty ? nil : classes.count
        if !values.isEmpty { classes.append(.init(name: name, values: values, isOpen: isOpen, written: written)) }
        classNumbers[key] = number
        return number
    }

    private mutating func kindClass(_ kind: SlotKind, bare: Bool) -> Int? {
        let key = "kind:\(kind.rawValue):\(bare)"
        if let known = classNumbers[key] { return known }
        let measures = index.books.measures
        switch kind {
        case .number: return add(key, "number", numberPatterns(), written: ["#", "#.#", "#.##"])
        case .money:
            guard let number = kindClass(.number, bare: false), let small = underHundredClass() else { return nil }
            return add(
                key, "money", moneyPatterns(number: .wordClass(number), small: .wordClass(small)),
                written: writtenMoney())
        case .percent, .temperature, .mass, .volume, .distance, .duration:
            guard let number = kindClass(.number, bare: false) else { return nil }
            let units = (measures.units[kind] ?? []).flatMap(\.words).map { words in
                Vocabulary.Pattern.sequence([.wordClass(number)] + words.map { .word($0) })
            }
            return add(
                key, kind.rawValue, units + (bare ? [.wordClass(number)] : []), written: writtenUnits(of: kind))
        case .date, .period:
            return add(key, kind.rawValue, measures.periods.compactMap { periodPattern($0.template) })
        case .text: return add(key, "text", freeTextPatterns(), isOpen: true)
        // Who is not known by name sounds like somebody who is: “Ross” like “he”.
        case .word: return nil
        default: return add(key, kind.rawValue, namePatterns(kind))
        }
    }

    private func periodPattern(_ template: Template) -> Vocabulary.Pattern? {
        switch template {
        case .word(let word): spoken(word)
        case .sequence(let parts): .sequence(parts.compactMap(periodPattern))
        case .choice(let parts): .choice(parts.compactMap(periodPattern))
        case .optional(let part): periodPattern(part).map { .optional($0) }
        case .slot, .rule: nil
        }
    }

    // MARK: names

    private func namePatterns(_ kind: SlotKind) -> [Vocabulary.Pattern] {
        var seen = Set<[String]>()
        let names = index.allNames[kind].flatMap { [$0.name] + $0.aliases }
            .map { index.books.normaliser.canonicalWords($0) }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
            .map { words in kind == .item ? inBothNumbers(words) : words.map { .word($0) } }
        guard !names.isEmpty else { return [] }
        let articles = index.books.words.articles
        let before = Self.choice(
            (articles.common.isEmpty ? [] : [Self.choice(articles.common.map { .word($0) })])
                + [Self.choice([.sequence([])] + articles.other.map { .word($0) })])
        let said = names.map { Vocabulary.Pattern.sequence([before, .sequence($0)]) }
        guard kind == .device else { return said }
        // “Turn that off again”: a device that was spoken of is said so about as often as by its name, once it was.
        let pronouns = index.books.talk.pronouns.filter { $0.count == 1 }.map {
            Vocabulary.Pattern.sequence($0.map { .word($0) })
        }
        let share = max(1, names.count / 20)
        return said + pronouns.flatMap { Array(repeating: $0, count: share) }
    }

    /// One of the patterns; the pattern itself where there is no choice.
    private static func choice(_ patterns: [Vocabulary.Pattern]) -> Vocabulary.Pattern {
        patterns.count == 1 ? patterns[0] : .choice(patterns)
    }

    /// A thing's name as it is, and less often with its last word in the other number: “how many camping chairs”.
    private func inBothNumbers(_ words: [String]) -> [Vocabulary.Pattern] {
        guard let last = words.last else { return [] }
        let rules = index.books.words, singular = rules.singular(last)
        let other = singular == last ? rules.plural(last) : singular
        let ending = Vocabulary.Pattern.choice([.word(last), .word(last), .word(other)])
        return words.dropLast().map { .word($0) } + [ending]
    }

    /// What is given names in free text.
    private static let nameable: [SlotKind] = [.item, .task, .place, .trip]

    /// What free text is likely to be: the owner's own names and the sample names, whole, and each of their words
    /// alone. Other combinations are left to the recogniser's backing off: all pairs and triples of these words would
    /// be most of the language model and say nothing.
    private func freeTextPatterns() -> [Vocabulary.Pattern] {
        var phrases = Set<[String]>()
        for kind in Self.nameable {
            for name in index.names[kind] + index.books.sampleNames[kind] {
                let words = index.books.normaliser.canonicalWords(name.name)
                phrases.insert(words)
                phrases.formUnion(words.map { [$0] })
            }
        }
        let article = Self.choice([.sequence([])] + index.books.words.articles.free.map { .word($0) })
        return phrases.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }.map { words in
            .sequence([article] + words.map { .word($0) })
        }
    }

    // MARK: numbers

    private mutating func underHundredClass() -> Int? {
        let key = "number:underHundred"
        if let known = classNumbers[key] { return known }
        let numbers = index.books.normaliser.numbers
        let all = (1...99).map { value in
            Vocabulary.Pattern.sequence(numbers.words(for: value).map { .word($0) })
        }
        return add(key, "underHundred", all, written: ["#"])
    }

    private mutating func numberPatterns() -> [Vocabulary.Pattern] {
        let numbers = index.books.normaliser.numbers
        guard let small = underHundredClass() else { return [] }
        let smallNumber = Vocabulary.Pattern.wordClass(small)
        let hundreds = numbers.hundred.sorted().prefix(1).map { Vocabulary.Pattern.word($0) }
        let digit = Vocabulary.Pattern.choice((1...9).map { .sequence(numbers.words(for: $0).map { .word($0) }) })
        let count = Vocabulary.Pattern.choice([.choice(numbers.ones.sorted().map { .word($0) }), digit])
        let rest = Vocabulary.Pattern.optional(.sequence([.optional(.word(numbers.and)), smallNumber]))
        let overHundred = Vocabulary.Pattern.sequence([count] + hundreds + [rest])
        let thousands = numbers.scales.filter { $0.value == 1000 }.keys.sorted().map { Vocabulary.Pattern.word($0) }
        let overThousand = Vocabulary.Pattern.sequence([
            .choice([count, smallNumber]), .choice(thousands), .optional(.choice([overHundred, rest])),
        ])
        let point = numbers.point.sorted().map { Vocabulary.Pattern.word($0) }
        let decimal = Vocabulary.Pattern.sequence([smallNumber] + point + [digit, .optional(digit)])
        let halves = Vocabulary.Pattern.sequence([
            smallNumber, .word(numbers.and), .choice(numbers.ones.sorted().map { .word($0) }),
            .choice(numbers.fractions.keys.sorted().map { .word($0) }),
        ])
        // Small numbers are said far more often than the others.
        return Array(repeating: smallNumber, count: 12) + [overHundred, overHundred, overThousand, decimal, halves]
    }

    // MARK: figures and signs

    private func writtenMoney() -> [String] {
        let signs = index.books.normaliser.signs, currencies = index.books.measures.currencies
        let majors = Set(currencies.flatMap(\.major)), minors = Set(currencies.flatMap(\.minor))
        return signs.before.filter { majors.contains($0.words[0]) }.flatMap { ["\($0.sign)#", "\($0.sign)#.##"] }
            + signs.behind.filter { $0.words.count == 1 && minors.contains($0.words[0]) }.map { "#\($0.sign)" }
    }

    private func writtenUnits(of kind: SlotKind) -> [String] {
        let units = (index.books.measures.units[kind] ?? []).flatMap(\.words)
        return index.books.normaliser.signs.behind.filter { units.contains($0.words) }.flatMap { sign, _ in
            // Signs are kept in lower case; “°C” is not written so.
            Set([sign, sign.uppercased()]).sorted().flatMap { ["#\($0)", "# \($0)", "#.#\($0)"] }
        }
    }

    private func moneyPatterns(number: Vocabulary.Pattern, small: Vocabulary.Pattern) -> [Vocabulary.Pattern] {
        var patterns: [Vocabulary.Pattern] = []
        for (position, currency) in index.books.measures.currencies.enumerated() {
            // The first currency of the list is the one at home.
            let weight = position == 0 ? 4 : 1
            for major in currency.major.sorted() {
                let plain = Vocabulary.Pattern.sequence([number, .word(major)])
                let withMinor = Vocabulary.Pattern.sequence([small, .word(major), small])
                patterns += Array(repeating: plain, count: weight) + [withMinor]
            }
            for minor in currency.minor.sorted() where minor.count > 1 {
                patterns.append(.sequence([small, .word(minor)]))
            }
        }
        for note in index.books.measures.notes.keys.sorted() {
            patterns.append(
                .sequence([.choice(index.books.normaliser.numbers.ones.sorted().map { .word($0) }), .word(note)]))
        }
        patterns.append(.sequence([small, small]))
        patterns.append(number)
        return patterns
    }
}
