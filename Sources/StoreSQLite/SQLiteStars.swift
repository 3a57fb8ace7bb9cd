import Domain
import GRDB

/// The owner's stars in SQLite, a row for each.
struct SQLiteStars: StarStore {
    let connection: Connection

    func stars() async throws -> Set<String> {
        try await connection.read("stars.all") { database in
            Set(try String.fetchAll(database, sql: "SELECT kind || ':' || thing FROM star"))
        }
    }

    func setStar(_ isStarred: Bool, on thing: String) async throws -> Bool {
        let parts = thing.split(separator: ":", maxSplits: 1).map(String.init)
        guard Starrable.includes(thing), parts.count == 2 else {
            throw connection.refused("stars.set", "“\(thing)” can't have a star")
        }
        let sql =
            isStarred
            ? "INSERT OR IGNORE INTO star (kind, thing) VALUES (?, ?)" : "DELETE FROM star WHERE kind = ? AND thing = ?"
        return try await connection.write("stars.set") { database in
            try database.execute(sql: sql, arguments: [parts[0], parts[1]])
            return database.changesCount > 0
        }
    }
}
