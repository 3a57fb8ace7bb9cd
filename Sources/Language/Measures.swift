import Domain
import Configuration

/// The currencies, units and calendar words of a language, from its `measures.yaml`.
public struct Measures: Sendable {
    package struct Unit: Sendable {
        package let words: [[String]]
        /// Canonical value = said value × factor + offset.
        package let factor: Double
        package let offset: Double
    }
    package struct Currency: Sendable {
        package let code: String
        package let major: Set<String>
        package let minor: Set<String>
    }

    package let currencies: [Currency]
    /// Notes that are words of their own: a fiver, a tenner.
    package let notes: [String: (amount: Int, currency: String)]
    package let units: [SlotKind: [Unit]]
    /// Words that make an amount no more than about right: “about fifty quid”, “fifty odd quid”. It is taken as said.
    let vague: Set<String>
    /// How days and stretches of time are said.
    package let periods: [PeriodPhrase]
    package let calendar: CalendarWords

    private static let measureKinds: [SlotKind] = [.percent, .temperature, .mass, .volume, .distance, .duration]

    package init(_ root: ConfigurationNode, normaliser: Normaliser) throws {
        let keys = ["currencies", "notes", "vague", "calendar", "periods"] + Self.measureKinds.map(\.rawValue)
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
        vague = Set(try nodes["vague"]?.strings() ?? [])
        calendar = try CalendarWords(nodes["calendar"], numbers: normaliser.numbers)
        periods = try PeriodPhrase.read(nodes["periods"], calendar, normaliser)
    }

    // MARK: reading

    /// A measure of `kind`; where `allowsBare`, the number alone is one too.
    package func measure(
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
