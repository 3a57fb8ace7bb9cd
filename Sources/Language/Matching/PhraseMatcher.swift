import Domain

/// A command that the utterance may mean.
public struct PhraseMatch: Sendable, Equatable {
    /// The handler and the intent.
    public let handler: String, intent: String
    /// The filled slots.
    public let slots: [String: SlotValue]
    /// The error budget that was used; 0 is a perfect match.
    public let cost: Int
    /// Words that only a free-text slot took.
    public let freeWords: Int
    /// The tokens that slots took.
    var covered: Set<Int> = []
}

/// Matches one utterance against everything; keeps what it finds out about slots while it lives.
public final class PhraseMatcher {
    package let index: PhraseIndex
    package let text: SearchText
    private var cache: [Int: [SlotCandidate]] = [:]
    /// The cues that count everywhere, each with its places.
    private(set) lazy var cueHits = findCueHits()

    /// A matcher for one normalised utterance.
    public init(_ utterance: Utterance, in index: PhraseIndex) {
        self.index = index
        text = SearchText(
            utterance, table: index.table, rules: index.books.rules, bare: index.books.normaliser.withoutEnding)
    }

    /// The templates that match the whole utterance exactly.
    public func exactMatches() -> [PhraseMatch] { text.count > 0 ? matches(budget: 0, only: nil) : [] }

    /// The templates that match the whole utterance within the error budget for misheard words.
    /// - Parameter matters: whether an intent (`finance.balance`) matters; nil for all.
    public func nearMatches(_ matters: ((String) -> Bool)? = nil) -> [PhraseMatch] {
        let budget = index.books.rules.budget(for: text.count)
        guard text.count > 0, budget > 0 else { return [] }
        guard let matters else { return matches(budget: budget, only: nil) }
        let tags = index.intents.indices.filter {
            matters("\(index.intents[$0].handler).\(index.intents[$0].intent)")
        }
        return tags.isEmpty ? [] : matches(budget: budget, only: Set(tags))
    }

    private func matches(budget: Int, only: Set<Int>?) -> [PhraseMatch] {
        search.hits(in: index.phrases, from: 0, budget: budget, toEnd: true, only: only).map { hit in
            let phrase = index.intents[hit.tag]
            return PhraseMatch(
                handler: phrase.handler, intent: phrase.intent, slots: Captures.dictionary(hit.captures),
                cost: hit.cost, freeWords: hit.freeWords, covered: Captures.places(hit.captures))
        }
    }

    /// The intents whose keywords occur anywhere, with the slots found beside them.
    /// - Returns: the match, how many words its keyword has, and whether it is enough to act on: the intent requires
    ///   slots, and all were found. A word by itself is not, unless it is one of an emergency, where once too often is
    ///   better than once too seldom.
    func keywordMatches() -> [(match: PhraseMatch, length: Int, isStrict: Bool)] {
        var longest: [Int: (length: Int, hit: SearchHit)] = [:], places: [Int: Set<Int>] = [:]
        for start in 0..<text.count {
            for hit in search.hits(in: index.keywords, from: start, budget: 0, toEnd: false) {
                let length = hit.end - start
                places[hit.tag, default: []].formUnion(start..<hit.end)
                if length > longest[hit.tag]?.length ?? 0 { longest[hit.tag] = (length, hit) }
            }
        }
        return longest.map { tag, found in
            let phrase = index.intents[tag]
            let own = Captures.dictionary(found.hit.captures)
            let (slots, isComplete, taken) = looseSlots(handler: phrase.handler, intent: phrase.intent)
            let match = PhraseMatch(
                handler: phrase.handler, intent: phrase.intent, slots: own.merging(slots) { mine, _ in mine }, cost: 0,
                freeWords: 0, covered: taken.union(places[tag] ?? []))
            let isAlarm = phrase.handler == HandlerName.emergency
            let hasRequired = index.books.intent(phrase.handler, phrase.intent)?.requires.isEmpty == false
            return (match, found.length, isComplete && (hasRequired || isAlarm))
        }
    }

    /// The slots of an intent found anywhere in the utterance, the longest first and none overlapping.
    /// - Parameter namesUnknown: whether words that are left over may name a thing that nobody has noted, where a
    ///   required slot has a free one beside it (`item|thing`). Only for an utterance that means this intent for
    /// certain.
    /// - Returns: the slots, whether all required ones were found, and the tokens that they took.
    package func looseSlots(
        handler: String, intent name: String, namesUnknown: Bool = false, wordsMayMiss: Bool = false
    ) -> (slots: [String: SlotValue], isComplete: Bool, taken: Set<Int>) {
        guard
            let book = index.books.books.first(where: { book in
                book.handler == handler && book.intents.contains { $0.name == name }
            }), let intent = book.intents.first(where: { $0.name == name })
        else { return ([:], false, []) }
        var taken = Set<Int>(), found: [String: SlotValue] = [:]
        let slots = intent.slots
        var places = loosePlaces(of: intent, book)
        // Required slots choose first, then the longest.
        func rank(_ name: String) -> Int { intent.requires.contains { $0.contains(name) } ? 0 : 1 }
        places.sort {
            (rank($0.name), -$0.range.count, $0.range.lowerBound, $0.name)
                < (rank($1.name), -$1.range.count, $1.range.lowerBound, $1.name)
        }
        for place in places where found[place.name] == nil && taken.isDisjoint(with: place.range) {
            found[place.name] = place.value
            taken.formUnion(place.range)
        }
        // Where nothing known is named, the words that are left over name it: “any idea where the hammock is”.
        for group in intent.requires
        where namesUnknown && group.count > 1 && !group.contains(where: { found[$0] != nil }) {
            guard let slot = slots.first(where: { isText($0.list, book) && group.contains($0.name) }),
                let range = leftOver(besides: taken, and: intent.words)
            else { continue }
            found[slot.name] = SlotValue(text: text.utterance.surface(range))
            taken.formUnion(range)
        }
        // Two things named for one slot (“turn off the pump and the fridge”): acting on one of them would be half a
        // command, silently.
        let isTwofold =
            !intent.asks
            && places.contains { place in
                !place.value.names.isEmpty && taken.isDisjoint(with: place.range) && found[place.name] != place.value
            }
        let isComplete = intent.requires.allSatisfy { group in
            // What a certain command is about is asked for where it was not said.
            group.contains { found[$0] != nil } || namesUnknown && group.contains { isName($0, of: slots, book) }
                || wordsMayMiss && group.contains { isWordList($0, of: slots, book) }
        }
        let isElsewhere =
            !intent.asks && found["area"] == nil && (found["kinds"] ?? found["everything"]) != nil
            && slots.contains { $0.name == "area" } && namesUnknownPlace(besides: taken, and: intent.words)
        // “Leave the fridge on, everything else off” is about both.
        let isBoth = !intent.asks && found["device"] != nil && (found["everything"] ?? found["rest"]) != nil
        let isAmbiguous =
            isTwofold || isBoth || isElsewhere || isAnotherNumberSaid(besides: taken, found, intent.requires)
        return (found, isComplete && !isAmbiguous, taken)
    }

    /// All values of an intent's slots, wherever they stand.
    private func loosePlaces(
        of intent: PhrasebookIntent, _ book: Phrasebook
    ) -> [(name: String, range: Range<Int>, value: SlotValue)] {
        var places: [(name: String, range: Range<Int>, value: SlotValue)] = []
        for (list, name) in intent.slots {
            guard let number = index.slotNumbers[book.file]?[list] else { continue }
            // What is left out is said with words of its own; any other name nearby is a second thing to act on.
            if name.hasPrefix("except") { continue }
            guard isFoundLoosely(number, name, intent) else { continue }
            for start in 0..<text.count {
                for candidate in candidates(number, start, 0)
                where candidate.end > start && !isPronoun(start..<candidate.end, candidate.value) {
                    places.append((name, start..<candidate.end, candidate.value))
                }
            }
        }
        return places
    }

    /// “That last one” is no pound.
    private func isPronoun(_ range: Range<Int>, _ value: SlotValue) -> Bool {
        guard case .money(_, nil) = value.content, range.count == 1 else { return false }
        return index.books.analysis.meaningless.contains(text.words[range.lowerBound])
    }

    /// Free text would take anything, and a price any amount.
    private func isFoundLoosely(_ slot: Int, _ name: String, _ intent: PhrasebookIntent) -> Bool {
        switch index.slots[slot] {
        case .text, .word: false
        case .money: intent.requires.contains { $0.contains(name) }
        default: true
        }
    }

    /// Whether a number is left over that may be the one that was meant: an amount with its currency, one that runs
    /// into another, or one at the end, where no word says what it counts. “Fifty pounds on 31 2 2026” is not an
    /// expense of 2026 pounds.
    private func isAnotherNumberSaid(
        besides taken: Set<Int>, _ found: [String: SlotValue], _ required: [[String]]
    ) -> Bool {
        let numbers = index.books.normaliser.numbers
        let amounts = required.joined().compactMap { found[$0] }.filter(\.isAmount)
        guard !amounts.isEmpty else { return false }
        // A bare number has nothing to tell it from another.
        let isBare = amounts.contains { if case .number = $0.content { true } else { false } }
        var start = 0
        while start < text.count {
            guard !taken.contains(start), !numbers.ones.contains(text.words[start]),
                let (end, _) = numbers.number(in: text.words, at: start)
            else {
                start += 1
                continue
            }
            // A number word within a name is the name's.
            guard let past = (start..<end).first(where: taken.contains) else {
                let hasCurrency = index.books.measures.namesCurrency(in: text.words, at: start, numbers: numbers)
                let runsOn = end < text.count && taken.contains(end) && isNumberWord(end)
                if isBare || hasCurrency || runsOn || end == text.count { return true }
                start = end
                continue
            }
            if isNumberWord(past) { return true }
            start = past
        }
        return false
    }

    private func isNumberWord(_ position: Int) -> Bool {
        let numbers = index.books.normaliser.numbers, word = text.words[position]
        return numbers.allWords.contains(word) || numbers.ones.contains(word)
    }

    /// True when a place is named that nobody knows: “the lights in the attic” are not all the lights.
    private func namesUnknownPlace(besides taken: Set<Int>, and own: Set<String>) -> Bool {
        let rules = index.books.rules
        return (0..<text.count).contains { start in
            guard rules.within.contains(text.words[start]), !taken.contains(start) else { return false }
            let rest = (start + 1..<text.count).drop { rules.articles.contains(text.words[$0]) }
            guard let next = rest.first, !taken.contains(next) else { return false }
            let word = text.words[next]
            return !rules.grammar.contains(word) && !own.contains(word)
        }
    }

    private func isName(_ name: String, of slots: [(list: String, name: String)], _ book: Phrasebook) -> Bool {
        slots.contains { slot in
            guard slot.name == name, let number = index.slotNumbers[book.file]?[slot.list] else { return false }
            if case .names = index.slots[number] { return true }
            return false
        }
    }

    private func isWordList(_ name: String, of slots: [(list: String, name: String)], _ book: Phrasebook) -> Bool {
        slots.contains { slot in
            guard slot.name == name, let number = index.slotNumbers[book.file]?[slot.list],
                case .list(_, let values) = index.slots[number]
            else { return false }
            return values.allSatisfy { $0 == nil }
        }
    }

    private func isText(_ list: String, _ book: Phrasebook) -> Bool {
        guard let number = index.slotNumbers[book.file]?[list] else { return false }
        if case .text = index.slots[number] { return true }
        return false
    }

    /// The longest run of words that are no slot's, not the intent's own, and no words of everyday grammar; the last of
    /// equals, since English names the thing last.
    private func leftOver(besides taken: Set<Int>, and own: Set<String>) -> Range<Int>? {
        var longest: Range<Int>?, start: Int?
        for position in 0...text.count {
            let isContent =
                position < text.count && !taken.contains(position) && !own.contains(text.words[position])
                && !index.books.rules.grammar.contains(text.words[position])
            if isContent { start = start ?? position }
            if !isContent, let begin = start {
                if position - begin >= longest?.count ?? 0 { longest = begin..<position }
                start = nil
            }
        }
        return longest
    }

    /// The names of one kind that begin anywhere; used to find what a bare name or a follow-up is about.
    package func names(_ kind: SlotKind) -> [(range: Range<Int>, names: [OwnerName])] {
        (0..<text.count).flatMap { start in
            nameCandidates(kind, start, 0).map { (start..<$0.end, $0.value.names) }
        }
    }

    // MARK: slots

    var search: PhraseSearch {
        PhraseSearch(text: text, table: index.table, rules: index.books.rules) { [unowned self] slot, start, budget in
            candidates(slot, start, budget)
        }
    }

    package func candidates(_ slot: Int, _ start: Int, _ budget: Int) -> [SlotCandidate] {
        guard start < text.count else { return [] }
        let key = (slot * (Normaliser.tokenLimit + 1) + start) * 8 + min(budget, 7)
        if let known = cache[key] { return known }
        let found = find(slot, start, budget)
        cache[key] = found
        return found
    }

    private func find(_ slot: Int, _ start: Int, _ budget: Int) -> [SlotCandidate] {
        let books = index.books
        func candidate(_ end: Int, _ content: SlotValue.Content, cost: Int = 0, text value: String? = nil)
            -> SlotCandidate
        {
            let said = text.words[start..<end].joined(separator: " ")
            let slotValue = SlotValue(text: value ?? said, spoken: said, content: content)
            return SlotCandidate(end: end, value: slotValue, cost: cost, freeWords: 0)
        }
        switch index.slots[slot] {
        case .list(let automaton, let values):
            return search.hits(in: automaton, from: start, budget: budget, toEnd: false).map {
                candidate($0.end, .text, cost: $0.cost, text: values[$0.tag])
            }
        case .names(let kind):
            return nameCandidates(kind, start, budget)
        case .number:
            return books.normaliser.numbers.number(in: text.words, at: start).map {
                [candidate($0.end, .number($0.value))]
            }
                ?? []
        case .money:
            return books.measures.money(in: text.words, at: start, numbers: books.normaliser.numbers).map {
                candidate($0.end, $0.content)
            }
        case .measure(let kind, let bare):
            return books.measures.measure(
                kind, in: text.words, at: start, numbers: books.normaliser.numbers, allowsBare: bare
            ).map { candidate($0.end, $0.content) }
        case .period:
            return books.measures.periods(in: text.words, at: start).map { candidate($0.end, $0.content) }
        case .text:
            return (start + 1...text.count).map { end in
                SlotCandidate(
                    end: end, value: SlotValue(text: text.utterance.surface(start..<end)), cost: 0,
                    freeWords: end - start)
            }
        case .word:
            let word = text.words[start]
            guard !books.analysis.meaningless.contains(word), !books.rules.grammar.contains(word),
                !books.normaliser.numbers.allWords.contains(word)
            else { return [] }
            let value = SlotValue(text: text.utterance.surface(start..<start + 1))
            return [SlotCandidate(end: start + 1, value: value, cost: 0, freeWords: 1)]
        }
    }

    /// Names, with an article before them or without.
    private func nameCandidates(_ kind: SlotKind, _ start: Int, _ budget: Int) -> [SlotCandidate] {
        guard let automaton = index.nameAutomata[kind] else { return [] }
        let articles = index.books.rules.articles
        let hasArticle = articles.contains(text.words[start]) && start + 1 < text.count
        let starts = hasArticle ? [start, start + 1] : [start]
        var byEnd: [Int: (cost: Int, tags: Set<Int>)] = [:]
        for begin in starts {
            for hit in search.hits(in: automaton, from: begin, budget: budget, toEnd: false) {
                let known = byEnd[hit.end]
                if known == nil || hit.cost < known?.cost ?? 0 {
                    byEnd[hit.end] = (hit.cost, [hit.tag])
                } else if hit.cost == known?.cost {
                    byEnd[hit.end]?.tags.insert(hit.tag)
                }
            }
        }
        return byEnd.sorted { $0.key > $1.key }.map { end, found in
            let names = found.tags.sorted().map { index.allNames[kind][$0] }
            let text = names.count == 1 ? names[0].name : text.words[start..<end].joined(separator: " ")
            return SlotCandidate(
                end: end, value: SlotValue(text: text, content: .names(names)), cost: found.cost, freeWords: 0)
        }
    }
}
