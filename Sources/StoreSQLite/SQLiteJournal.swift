import Copilot
import GRDB

/// The journal in SQLite; the triggers of `Schema.startJournal` write it.
struct SQLiteJournal: ChangeJournal {
    let connection: Connection
    /// How many changes can be taken back.
    static let limit = 50

    func seal(_ description: String) async throws -> Int64? {
        try await connection.write("journal.seal") { database in
            let isOpen = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM change_step WHERE change_id IS NULL)")
            guard isOpen == true else { return nil }
            try database.execute(sql: "INSERT INTO change (description) VALUES (?)", arguments: [description])
            let id = database.lastInsertedRowID
            try database.execute(sql: "UPDATE change_step SET change_id = ? WHERE change_id IS NULL", arguments: [id])
            try database.execute(
                sql: "DELETE FROM change WHERE id NOT IN (SELECT id FROM change ORDER BY id DESC LIMIT ?)",
                arguments: [Self.limit])
            return id
        }
    }

    func changes(limit: Int) async throws -> [JournalledChange] {
        try await connection.read("journal.changes") { database in
            try Row.fetchAll(
                database, sql: "SELECT id, description FROM change ORDER BY id DESC LIMIT ?", arguments: [max(0, limit)]
            ).map { JournalledChange(id: $0[0], description: $0[1]) }
        }
    }

    func revert(_ id: Int64) async throws -> Bool {
        try await connection.write("journal.revert") { database in
            let steps = try String.fetchAll(
                database, sql: "SELECT sql FROM change_step WHERE change_id = ? ORDER BY id DESC", arguments: [id])
            guard !steps.isEmpty else { return false }
            // What was there before was consistent; on the way to it a child may come back before its parent.
            try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            for step in steps { try database.execute(sql: step) }
            try database.execute(sql: "DELETE FROM change_step WHERE change_id IS NULL")
            try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [id])
            return true
        }
    }
}
