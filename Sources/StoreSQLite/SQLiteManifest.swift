import Domain
import GRDB

/// The manifest in SQLite.
struct SQLiteManifest: ManifestStore {
    let connection: Connection

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
        return try await connection.write("manifest.update") { try overwrite(item, $0) }
    }

    func change(_ items: [Item], removing ids: [Int64]) async throws -> Bool {
        for item in items { try check(item, "manifest.change") }
        struct Missing: Error {}
        do {
            try await connection.write("manifest.change") { database in
                for item in items {
                    if item.id == 0 {
                        _ = try insert(item, database)
                    } else if try !overwrite(item, database) {
                        // Thrown, so that the transaction is rolled back.
                        throw Missing()
                    }
                }
                for id in ids where try !database.delete("item", id: id) { throw Missing() }
            }
            return true
        } catch is Missing { return false }
    }

    func moveAll(from place: String, to destination: String) async throws -> Int {
        try await connection.write("manifest.moveAll") { database in
            try name(destination, database)
            try database.execute(sql: "UPDATE item SET place = ? WHERE place = ?", arguments: [destination, place])
            return database.changesCount
        }
    }

    func removeAll(in place: String) async throws -> Int {
        try await connection.write("manifest.removeAll") { database in
            try database.execute(sql: "DELETE FROM item WHERE place = ?", arguments: [place])
            return database.changesCount
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

    @Sendable private func overwrite(_ item: Item, _ database: Database) throws -> Bool {
        let known = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM item WHERE id = ?)", arguments: [item.id])
        guard known == true else { return false }
        try name(item.place, database)
        try database.execute(
            sql: """
                UPDATE item SET name = ?, quantity = ?, unit_grams = ?, place = ?, category = ?, notes = ? WHERE id = ?
                """,
            arguments: [
                item.name, item.quantity, item.unitGrams, item.place, item.category, item.notes, item.id,
            ])
        try database.execute(sql: "DELETE FROM item_alias WHERE item_id = ?", arguments: [item.id])
        try insertAliases(of: item, id: item.id, database)
        return true
    }

    @Sendable private func insert(_ item: Item, _ database: Database) throws -> Item {
        try name(item.place, database)
        var stored = item
        stored.id = try database.insert(
            "item", id: item.id,
            [
                "name": item.name, "quantity": item.quantity, "unit_grams": item.unitGrams, "place": item.place,
                "category": item.category, "notes": item.notes,
            ])
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
