import Configuration
import Domain

/// Reads the words of tables from the language's `tables.yaml`.
extension TableWords {
    /// - Throws: `ConfigurationError` where a table or a column is missing or unknown, or a name has two meanings.
    init(_ root: ConfigurationNode) throws {
        let nodes = try root.entries(allowed: Self.keys.keys.sorted() + ["yes", "no", "units", "dates"])
        func words(_ node: ConfigurationNode?) throws -> [String] {
            try (node?.strings() ?? []).map { $0.lowercased() }
        }
        func needed(_ key: String, _ nodes: [String: ConfigurationNode], in node: ConfigurationNode) throws -> [String]
        {
            let found = try words(nodes[key])
            guard !found.isEmpty else { throw node.error("“\(key)” is missing: at least one word is expected") }
            return found
        }
        let values = ["types", "expense", "income", "completed", "undone"]
        var tables: [String: Columns] = [:], ledger: [String: ConfigurationNode] = [:], ledgerNode = root
        for (table, keys) in Self.keys {
            guard let node = nodes[table] else { throw root.error("“\(table)” is missing") }
            let entry = try node.entries(allowed: ["columns", "lesser"] + (table == "ledger" ? values : []))
            if table == "ledger" { (ledger, ledgerNode) = (entry, node) }
            tables[table] = Columns(
                names: try Self.names(entry["columns"] ?? node, keys, areAllNeeded: true),
                lesser: try entry["lesser"].map { try Self.names($0, keys, areAllNeeded: false) } ?? [:])
        }
        let units = try nodes["units"]?.entries(allowed: ["kilograms", "grams", "litres"]) ?? [:]
        self.init(
            tables: tables,
            ledger: Ledger(
                expense: try needed("expense", ledger, in: ledgerNode),
                income: try needed("income", ledger, in: ledgerNode), types: Set(try words(ledger["types"])),
                completed: Set(try words(ledger["completed"])), undone: Set(try words(ledger["undone"]))),
            ticks: Ticks(yes: try needed("yes", nodes, in: root), no: try needed("no", nodes, in: root)),
            units: Units(
                kilograms: Set(try words(units["kilograms"])), grams: Set(try words(units["grams"])),
                litres: Set(try words(units["litres"]))),
            dates: try Dates(nodes["dates"]))
    }

    private static func names(
        _ node: ConfigurationNode, _ keys: [String], areAllNeeded: Bool
    ) throws -> [String: [String]] {
        var names: [String: [String]] = [:], taken: [String: String] = [:]
        for (key, value) in try node.entries(allowed: keys).sorted(by: { $0.key < $1.key }) {
            names[key] = try value.strings()
            for name in try value.strings() {
                if let other = taken.updateValue(key, forKey: name.lowercased()) {
                    throw value.error("“\(name)” stands under \(other) already")
                }
            }
        }
        if areAllNeeded, let missing = keys.first(where: { names[$0]?.isEmpty != false }) {
            throw node.error("“\(missing)” is missing: at least one name is expected")
        }
        return names
    }
}

extension TableWords.Dates {
    fileprivate init(_ node: ConfigurationNode?) throws {
        let nodes = try node?.entries(allowed: ["months", "day_endings", "before_noon", "after_noon"]) ?? [:]
        func words(_ key: String) throws -> [String] { try (nodes[key]?.strings() ?? []).map { $0.lowercased() } }
        let months = try (nodes["months"]?.entries() ?? []).map { name, value in
            let number = try value.int()
            guard (1...12).contains(number) else { throw value.error("a month's number must be 1 to 12") }
            return (name.lowercased(), number)
        }
        self.init(
            months: months, dayEndings: try words("day_endings"), beforeNoon: Set(try words("before_noon")),
            afterNoon: Set(try words("after_noon")))
    }
}
