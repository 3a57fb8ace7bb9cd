import Domain
import Configuration

/// The calendar's words of a language, from `calendar` in `measures.yaml`.
package struct CalendarWords: Sendable {
    /// Monday is 1.
    let weekdays: [String: Int]
    /// January is 1.
    let months: [String: Int]
    /// “first” to “thirty first”, in order, as words.
    let ordinals: [[String]]
    package let numbers: NumberWords

    package init(_ node: ConfigurationNode?, numbers: NumberWords) throws {
        self.numbers = numbers
        let nodes = try node?.entries(allowed: ["weekdays", "months", "ordinals"]) ?? [:]
        func table(_ key: String) throws -> [String: Int] {
            try Dictionary(uniqueKeysWithValues: nodes[key]?.entries().map { ($0.key, try $0.value.int()) } ?? [])
        }
        weekdays = try table("weekdays")
        months = try table("months")
        ordinals = try nodes["ordinals"]?.strings().map { $0.split(separator: " ").map(String.init) } ?? []
    }

    /// A day of the month: “third”, “twenty first”, “the 3rd”, which the normaliser has made “three”.
    package func day(in words: [String], at start: Int) -> [(end: Int, value: Int)] {
        let ordinal = ordinals.indices.filter { words[start...].starts(with: ordinals[$0]) }
            .max { ordinals[$0].count < ordinals[$1].count }
        if let ordinal { return [(start + ordinals[ordinal].count, ordinal + 1)] }
        guard let (end, value) = numbers.underHundred(in: words, at: start), (1...31).contains(value) else { return [] }
        return [(end, value)]
    }

    /// A year from 1990 to 2099: “two thousand and twenty five”, “twenty twenty five”.
    package func year(in words: [String], at start: Int) -> [(end: Int, value: Int)] {
        if let (end, value) = numbers.cardinal(in: words, at: start), (1990...2099).contains(value) {
            return [(end, value)]
        }
        guard let (middle, century) = numbers.underHundred(in: words, at: start),
            let (end, rest) = numbers.underHundred(in: words, at: middle),
            (1990...2099).contains(century * 100 + rest), rest >= 10
        else { return [] }
        return [(end, century * 100 + rest)]
    }

    /// Whole numbers that make sense as a count of days or months: “three”, “a”, “a couple”.
    package func count(in words: [String], at start: Int) -> [(end: Int, value: Int)] {
        if let (end, millionths) = numbers.exact(in: words, at: start), millionths > 0, millionths <= 5_000_000_000,
            millionths.isMultiple(of: 1_000_000)
        {
            return [(end, millionths / 1_000_000)]
        }
        return numbers.ones.contains(words[start]) ? [(start + 1, 1)] : []
    }
}

/// One way to say a day or a stretch of time, from `periods` in `measures.yaml`. Its template may have the slots `{n}`,
/// `{day}`, `{month}`, `{year}`, `{weekday}`, and, for stretches, `{from}` and `{to}`, which are phrases themselves.
package struct PeriodPhrase: Sendable {
    /// The phrase with its slots spelt out, for recognisers and training; samples stand for what is endless.
    package let template: Template
    private let pattern: Template
    /// The words that it can begin with, and whether it can begin with a slot: most phrases are ruled out at a glance.
    private let beginnings: (words: Set<String>, hasSlot: Bool)
    private let unit: Period.Unit
    private let offset: Int
    /// What a spoken number is multiplied by: -7 where weeks ago are counted in days.
    private let times: Int
    private let day: Int?

    package static func read(_ node: ConfigurationNode?, _ calendar: CalendarWords, _ normaliser: Normaliser) throws
        -> [Self]
    {
        try node?.elements().map { node in
            let entry = try node.entries(allowed: ["say", "unit", "offset", "times", "day"])
            guard let say = entry["say"], let unitNode = entry["unit"] else {
                throw node.error("expected {say: …, unit: …, offset: …}")
            }
            guard let unit = Period.Unit(rawValue: try unitNode.string()) else {
                throw unitNode.error("expected one of \(Period.Unit.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            do {
                let pattern = try TemplateParser.parse(say.string()), canonical = pattern.canonical(normaliser)
                for slot in pattern.slots where PeriodSlot(rawValue: slot.list) == nil {
                    throw say.error("there is no slot {\(slot.list)} in periods")
                }
                return PeriodPhrase(
                    template: pattern.spelt(calendar), pattern: canonical, beginnings: canonical.beginnings, unit: unit,
                    offset: try entry["offset"]?.int() ?? 0, times: try entry["times"]?.int() ?? 1,
                    day: try entry["day"]?.int())
            } catch let error as TemplateError { throw say.error(error.description) }
        } ?? []
    }

    /// The periods that this phrase means where it stands at `start`, with the index behind it.
    package func readings(_ words: [String], at start: Int, among all: [PeriodPhrase], _ calendar: CalendarWords)
        -> [(end: Int, period: Period)]
    {
        guard beginnings.hasSlot || beginnings.words.contains(words[start]) else { return [] }
        return walk(pattern, words, start, Found(), all, calendar).map { end, found in
            let year = unit == .yearNumber ? nil : found.year
            let count = found.count.map { $0 * times } ?? found.month ?? found.weekday ?? found.year ?? offset
            return (
                end,
                Period(
                    unit: unit, offset: count, day: found.day ?? day, year: year,
                    bounds: [found.from, found.to].compactMap { $0 })
            )
        }
    }

    private struct Found {
        var count: Int?, day: Int?, month: Int?, year: Int?, weekday: Int?
        var from: Period?, to: Period?
    }

    private func walk(
        _ template: Template, _ words: [String], _ start: Int, _ found: Found, _ all: [PeriodPhrase],
        _ calendar: CalendarWords
    ) -> [(Int, Found)] {
        switch template {
        case .word(let word): return start < words.count && words[start] == word ? [(start + 1, found)] : []
        case .sequence(let parts):
            return parts.reduce([(start, found)]) { ways, part in
                ways.flatMap { walk(part, words, $0.0, $0.1, all, calendar) }
            }
        case .choice(let parts): return parts.flatMap { walk($0, words, start, found, all, calendar) }
        case .optional(let part): return walk(part, words, start, found, all, calendar) + [(start, found)]
        case .rule: return []
        case .slot(let list, _):
            guard start < words.count, let slot = PeriodSlot(rawValue: list) else { return [] }
            func filled<Value>(_ path: WritableKeyPath<Found, Value?>, _ values: [(end: Int, value: Value)])
                -> [(Int, Found)]
            {
                values.map { end, value in
                    var next = found
                    next[keyPath: path] = value
                    return (end, next)
                }
            }
            func listed(_ table: [String: Int]) -> [(end: Int, value: Int)] {
                table[words[start]].map { [(start + 1, $0)] } ?? []
            }
            func nested() -> [(end: Int, value: Period)] {
                // One level is all that people say.
                all.filter { !$0.isStretch }.flatMap { phrase in
                    phrase.readings(words, at: start, among: [], calendar).map { ($0.end, $0.period) }
                }
            }
            return switch slot {
            case .n: filled(\.count, calendar.count(in: words, at: start))
            case .day: filled(\.day, calendar.day(in: words, at: start))
            case .month: filled(\.month, listed(calendar.months))
            case .year: filled(\.year, calendar.year(in: words, at: start))
            case .weekday: filled(\.weekday, listed(calendar.weekdays))
            case .from: filled(\.from, nested())
            case .to: filled(\.to, nested())
            }
        }
    }

    private var isStretch: Bool { pattern.slots.contains { $0.list == "from" || $0.list == "to" } }
}

private enum PeriodSlot: String { case n, day, month, year, weekday, from, to }

extension Measures {
    /// The days and stretches of time that begin at `start`.
    package func periods(in words: [String], at start: Int) -> [(end: Int, content: SlotValue.Content)] {
        periods.flatMap { $0.readings(words, at: start, among: periods, calendar) }
            .map { ($0.end, .period($0.period)) }
    }
}

extension Template {
    fileprivate var beginnings: (words: Set<String>, hasSlot: Bool) {
        var words = Set<String>(), hasSlot = false
        /// True when the template can be passed without a word.
        func visit(_ template: Template) -> Bool {
            switch template {
            case .word(let word):
                words.insert(word)
                return false
            case .sequence(let parts): return parts.allSatisfy(visit)
            case .choice(let parts): return parts.map(visit).contains(true)
            case .optional(let part): return visit(part) || true
            case .slot, .rule:
                hasSlot = true
                return false
            }
        }
        _ = visit(self)
        return (words, hasSlot)
    }

    /// The template with the words that the normaliser makes of its own.
    fileprivate func canonical(_ normaliser: Normaliser) -> Template {
        switch self {
        case .word(let word): .sequence(normaliser.canonicalWords(word).map(Template.word))
        case .sequence(let parts): .sequence(parts.map { $0.canonical(normaliser) })
        case .choice(let parts): .choice(parts.map { $0.canonical(normaliser) })
        case .optional(let part): .optional(part.canonical(normaliser))
        case .slot, .rule: self
        }
    }

    /// The template with a choice of words in the place of each slot.
    fileprivate func spelt(_ calendar: CalendarWords) -> Template {
        func words(_ lists: [[String]]) -> Template { .choice(lists.map { .sequence($0.map(Template.word)) }) }
        switch self {
        case .word, .rule: return self
        case .sequence(let parts): return .sequence(parts.map { $0.spelt(calendar) })
        case .choice(let parts): return .choice(parts.map { $0.spelt(calendar) })
        case .optional(let part): return .optional(part.spelt(calendar))
        case .slot(let list, _):
            let months = calendar.months.keys.sorted().map { [$0] }
            let weekdays = calendar.weekdays.keys.sorted().map { [$0] }
            return switch PeriodSlot(rawValue: list) {
            case .n: words([2, 3, 4, 5, 6, 7, 10, 12, 14, 30].map(calendar.numbers.words(for:)))
            case .day: words(calendar.ordinals)
            case .month: words(months)
            case .weekday: words(weekdays)
            case .year: words((24...28).map { (calendar.numbers.words(for: 20) + calendar.numbers.words(for: $0)) })
            case .from, .to, nil: words(months + weekdays)
            }
        }
    }
}
