import Domain
import GRDB

/// What is read of the manifest. Only `items()` and `itemNames()` pass over the whole table.
extension SQLiteManifest {
    private static let columns = "id, name, quantity, unit_grams, place, category, notes"

    func items() async throws -> [Item] {
        try await connection.read("manifest.items") { database in
            // One pass over all aliases: a query for each item would be ten thousand queries.
            let aliases = try Self.aliases(database, sql: "SELECT item_id, alias FROM item_alias")
            return try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM item ORDER BY name, id").map {
                Self.item($0, aliases)
            }
        }
    }

    func items(ids: [Int64]) async throws -> [Item] {
        try await connection.read("manifest.items(ids:)") { database in
            try Self.items(database, condition: "id IN (\(Self.marks(ids)))", arguments: StatementArguments(ids))
        }
    }

    func items(_ query: ItemQuery, limit: Int) async throws -> [Item] {
        let (condition, arguments) = Self.condition(query)
        return try await connection.read("manifest.items(_:limit:)") { database in
            // A negative LIMIT means "all" to SQLite.
            try Self.items(database, condition: condition, limit: max(0, limit), arguments: arguments)
        }
    }

    func itemNames() async throws -> [ItemName] {
        try await connection.read("manifest.itemNames") { database in
            var names: [ItemName] = []
            for sql in ["SELECT id, name FROM item", "SELECT item_id, alias FROM item_alias"] {
                let rows = try Row.fetchCursor(database, sql: sql)
                while let row = try rows.next() { names.append(ItemName(id: row[0], name: row[1])) }
            }
            return names
        }
    }

    func totals(_ query: ItemQuery) async throws -> ItemTotals {
        let (condition, arguments) = Self.condition(query)
        return try await connection.read("manifest.totals") { database in
            // TOTAL instead of SUM, which fails where the integers overflow.
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*), TOTAL(quantity), TOTAL(1.0 * quantity * unit_grams),
                        COUNT(*) - COUNT(unit_grams)
                    FROM item WHERE \(condition)
                    """,
                arguments: arguments)
            return ItemTotals(
                items: row?[0] ?? 0, pieces: Self.whole(row?[1]), grams: Self.whole(row?[2]),
                unweighed: row?[3] ?? 0)
        }
    }

    /// Beyond 10¹⁵ no van carries anything, and the integer must not overflow.
    private static func whole(_ value: Double?) -> Int { Int(min(value ?? 0, 1e15)) }

    private static func condition(_ query: ItemQuery) -> (String, StatementArguments) {
        var parts = ["quantity > 0"], arguments = StatementArguments()
        if let place = query.place {
            parts.append("place = ?")
            arguments += [place]
        }
        if let category = query.category {
            parts.append("category = ?")
            arguments += [category]
        }
        return (parts.joined(separator: " AND "), arguments)
    }

    private static func items(
        _ database: Database, condition: String, limit: Int? = nil, arguments: StatementArguments
    ) throws -> [Item] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT \(columns) FROM item WHERE \(condition) ORDER BY name, id
                \(limit.map { "LIMIT \($0)" } ?? "")
                """,
            arguments: arguments)
        let ids: [Int64] = rows.map { $0[0] }
        let aliases = try aliases(
            database, sql: "SELECT item_id, alias FROM item_alias WHERE item_id IN (\(marks(ids)))",
            arguments: StatementArguments(ids))
        return rows.map { item($0, aliases) }
    }

    private static func aliases(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws -> [Int64: [String]] {
        var aliases: [Int64: [String]] = [:]
        let rows = try Row.fetchCursor(database, sql: sql + " ORDER BY item_id, position", arguments: arguments)
        while let row = try rows.next() { aliases[row[0], default: []].append(row[1]) }
        return aliases
    }

    private static func item(_ row: Row, _ aliases: [Int64: [String]]) -> Item {
        let id: Int64 = row[0]
        return Item(
            id: id, name: row[1], quantity: row[2], unitGrams: row[3], place: row[4], aliases: aliases[id] ?? [],
            category: row[5], notes: row[6])
    }

    private static func marks(_ ids: [Int64]) -> String { ids.map { _ in "?" }.joined(separator: ", ") }
}
