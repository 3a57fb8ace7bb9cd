import Domain
import GRDB

/// Small facts in SQLite.
struct SQLiteKeptValues: KeptValueStore {
    let connection: Connection

    func value(_ key: String) async throws -> String? {
        try await connection.read("kept.value") { database in
            try String.fetchOne(database, sql: "SELECT value FROM kept_value WHERE key = ?", arguments: [key])
        }
    }

    func set(_ key: String, to value: String?) async throws {
        try await connection.write("kept.set") { database in
            guard let value else {
                return try database.execute(sql: "DELETE FROM kept_value WHERE key = ?", arguments: [key])
            }
            try database.execute(
                sql: """
                    INSERT INTO kept_value (key, value) VALUES (?, ?)
                    ON CONFLICT (key) DO UPDATE SET value = excluded.value
                    """,
                arguments: [key, value])
        }
    }
}
