import Copilot
import GRDB

/// The manifest in SQLite.
struct SQLiteManifest: ManifestStore {
    let connection: Connection

    func items() async throws -> [Item] {
        try await connection.read("manifest.items") { database in
            var aliases: [Int64: [String]] = [:]
            // One pass over all aliases: a query for each item would be ten thousand queries.
            let rows = try Row.fetchCursor(
                database, sql: "SELECT item_id, alias FROM item_alias ORDER BY item_id, position")
            while let row = try rows.next() { aliases[row[0], default: []].append(row[1]) }
            return try Row.fetchAll(
                database, sql: "SELECT id, name, quantity, unit_grams, place FROM item ORDER BY name, id"
            ).map { row in
                let id: Int64 = row[0]
                return Item(
                    id: id, name: row[1], quantity: row[2], unitGrams: row[3], place: row[4],
                    aliases: aliases[id] ?? [])
            }
        }
    }

    func places() async throws -> [String] {
        try await connection.read("manifest.places") { database in
            try String.fetchAll(database, sql: "SELECT name FROM place ORDER BY name")
        }
    }

    func add(_ item: Item) async throws -> Item {
        try check(item, "manifest.add")
        return try await connection.write("manifest.add") { try insert(item, $0) }
    }

    func add(all items: [Item]) async throws {
        for item in items { try check(item, "manifest.add(all:)") }
        try await connection.write("manifest.add(all:)") { database in
            for item in items { _ = try insert(item, database) }
        }
    }

    func update(_ item: Item) async throws -> Bool {
        try check(item, "manifest.update")
        return try await connection.write("manifest.update") { database in
            let known = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM item WHERE id = ?)", arguments: [item.id])
            guard known == true else { return false }
            try name(item.place, database)
            try database.execute(
                sql: "UPDATE item SET name = ?, quantity = ?, unit_grams = ?, place = ? WHERE id = ?",
                arguments: [item.name, item.quantity, item.unitGrams, item.place, item.id])
            try database.execute(sql: "DELETE FROM item_alias WHERE item_id = ?", arguments: [item.id])
            try insertAliases(of: item, id: item.id, database)
            return true
        }
    }

    func remove(id: Int64) async throws -> Bool {
        try await connection.write("manifest.remove") { try $0.delete("item", id: id) }
    }

    /// The rules that SQLite checks as well, in words that name the item.
    private func check(_ item: Item, _ call: String) throws {
        if item.name.allSatisfy(\.isWhitespace) { throw connection.refused(call, "an item needs a name") }
        if item.quantity < 0 { throw connection.refused(call, "the quantity of \(item.name) is below zero") }
        if let grams = item.unitGrams, grams < 0 {
            throw connection.refused(call, "the weight of \(item.name) is below zero")
        }
    }

    @Sendable private func insert(_ item: Item, _ database: Database) throws -> Item {
        try name(item.place, database)
        var stored = item
        stored.id = try database.insert(
            "item", id: item.id,
            ["name": item.name, "quantity": item.quantity, "unit_grams": item.unitGrams, "place": item.place])
        try insertAliases(of: item, id: stored.id, database)
        return stored
    }

    @Sendable private func insertAliases(of item: Item, id: Int64, _ database: Database) throws {
        for (position, alias) in item.aliases.enumerated() {
            try database.execute(
                sql: "INSERT INTO item_alias (item_id, position, alias) VALUES (?, ?, ?)",
                arguments: [id, position, alias])
        }
    }

    @Sendable private func name(_ place: String?, _ database: Database) throws {
        guard let place else { return }
        try database.execute(sql: "INSERT INTO place (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [place])
    }
}
