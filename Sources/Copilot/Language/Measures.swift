/// The currencies, units and calendar words of a language, from its `measures.yaml`.
public struct Measures: Sendable {
    struct Unit: Sendable {
        let words: [[String]]
        /// Canonical value = said value × factor + offset.
        let factor: Double
        let offset: Double
    }
    struct Currency: Sendable {
        let code: String
        let major: Set<String>
        let minor: Set<String>
    }

    let currencies: [Currency]
    /// Notes that are words of their own: a fiver, a tenner.
    let notes: [String: (amount: Int, currency: String)]
    let units: [SlotKind: [Unit]]
    let periods: [(template: Template, period: Period)]

    private static let measureKinds: [SlotKind] = [.percent, .temperature, .mass, .volume, .distance, .duration]

    init(_ root: ConfigurationNode, normaliser: Normaliser) throws {
        let keys = ["currencies", "notes", "periods"] + Self.measureKinds.map(\.rawValue)
        let nodes = try root.entries(allowed: keys)
        currencies =
            try nodes["currencies"]?.entries().map { code, node in
                let entry = try node.entries(allowed: ["major", "minor"])
                return Currency(
                    code: code, major: Set(try entry["major"]?.strings() ?? []),
                    minor: Set(try entry["minor"]?.strings() ?? []))
            } ?? []
        notes = try Dictionary(
            uniqueKeysWithValues: nodes["notes"]?.entries().map { word, node in
                let entry = try node.entries(allowed: ["amount", "currency"])
                guard let amount = try entry["amount"]?.int(), let currency = try entry["currency"]?.string() else {
                    throw node.error("expected {amount: …, currency: …}")
                }
                return (word, (amount, currency))
            } ?? [])
        var units: [SlotKind: [Unit]] = [:]
        for kind in Self.measureKinds {
            units[kind] = try nodes[kind.rawValue]?.elements().map { node in
                let entry = try node.entries(allowed: ["words", "factor", "offset"])
                guard let words = try entry["words"]?.strings() else { throw node.error("“words” is missing") }
                return Unit(
                    words: words.map(normaliser.canonicalWords).sorted { $0.count > $1.count },
                    factor: try entry["factor"]?.double() ?? 1, offset: try entry["offset"]?.double() ?? 0)
            }
        }
        self.units = units
        periods =
            try nodes["periods"]?.elements().map { node in
                let entry = try node.entries(allowed: ["say", "unit", "offset"])
                guard let say = entry["say"], let unitNode = entry["unit"] else {
                    throw node.error("expected {say: …, unit: …, offset: …}")
                }
                guard let unit = Period.Unit(rawValue: try unitNode.string()) else {
                    throw unitNode.error(
                        "expected one of \(Period.Unit.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                do {
                    return (
                        try TemplateParser.parse(say.string()),
                        Period(unit: unit, offset: try entry["offset"]?.int() ?? 0)
                    )
                } catch let error as TemplateError { throw say.error(error.description) }
            } ?? []
    }

    // MARK: reading

    /// An amount of money that begins at `start`: “twelve pounds forty five”, “fifty pence”, “a fiver”, “fifty”.
    func money(in words: [String], at start: Int, numbers: NumberWords) -> [(end: Int, content: SlotValue.Content)] {
        guard start < words.count else { return [] }
        var index = start
        if numbers.ones.contains(words[index]), index + 1 < words.count, notes[words[index + 1]] != nil { index += 1 }
        if let note = notes[words[index]] {
            return [(index + 1, money(Double(note.amount), note.currency))]
        }
        if let (end, count) = numbers.cardinal(in: words, at: index), end < words.count, let note = notes[words[end]] {
            return [(end + 1, money(Double(count * note.amount), note.currency))]
        }
        guard let (end, value) = numbers.number(in: words, at: index) else { return [] }
        if end < words.count {
            if let currency = currencies.first(where: { $0.major.contains(words[end]) }) {
                var found: [(Int, SlotValue.Content)] = []
                var next = end + 1
                if next < words.count, words[next] == numbers.and { next += 1 }
                if value >= 0, let (last, minor) = numbers.underHundred(in: words, at: next) {
                    let isNamed = last < words.count && currency.minor.contains(words[last])
                    // “pounds and five” needs its “pence”; “twelve pounds forty five” does not.
                    if isNamed || next == end + 1 {
                        found.append((isNamed ? last + 1 : last, money(value + Double(minor) / 100, currency.code)))
                    }
                }
                return found + [(end + 1, money(value, currency.code))]
            }
            if let currency = currencies.first(where: { $0.minor.contains(words[end]) }) {
                return [(end + 1, money(value / 100, currency.code))]
            }
        }
        // “twelve forty five” is a price where no unit follows.
        var found: [(Int, SlotValue.Content)] = []
        if value >= 1, value < 1000, value == value.rounded(),
            let (last, minor) = numbers.underHundred(in: words, at: end),
            minor >= 10, numbers.tens[words[end]] != nil || minor < 20
        {
            let isUnit = last < words.count && currencies.contains { $0.major.contains(words[last]) }
            if isUnit, let currency = currencies.first(where: { $0.major.contains(words[last]) }) {
                return [(last + 1, money(value + Double(minor) / 100, currency.code))]
            }
            found.append((last, money(value + Double(minor) / 100, nil)))
        }
        return found + [(end, money(value, nil))]
    }

    private func money(_ value: Double, _ currency: String?) -> SlotValue.Content {
        let scale = (0..<Money.exponent(of: currency ?? "GBP")).reduce(1.0) { product, _ in product * 10 }
        let minor = (value * scale).rounded()
        // Beyond this no ledger makes sense, and the integer must not overflow.
        return .money(minorUnits: Int64(min(max(minor, -1e15), 1e15)), currency: currency)
    }

    /// A measure of `kind`; where `allowsBare`, the number alone is one too.
    func measure(
        _ kind: SlotKind, in words: [String], at start: Int, numbers: NumberWords, allowsBare: Bool
    ) -> [(end: Int, content: SlotValue.Content)] {
        guard let (end, value) = numbers.number(in: words, at: start) else { return [] }
        // The longest wins: “degrees fahrenheit” begins with “degrees”, which are Celsius.
        let said = (units[kind] ?? []).flatMap { unit in unit.words.map { (unit, $0) } }
            .filter { words[end...].starts(with: $1) }.max { $0.1.count < $1.1.count }
        if let (unit, unitWords) = said {
            return [(end + unitWords.count, .measure(value * unit.factor + unit.offset))]
        }
        return allowsBare ? [(end, .measure(value))] : []
    }
}
