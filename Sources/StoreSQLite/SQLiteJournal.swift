import Domain
import Foundation
import GRDB

/// The journal in SQLite; the triggers of `Schema.startJournal` write it.
struct SQLiteJournal: ChangeJournal {
    let connection: Connection
    /// How many changes can be taken back.
    static let limit = 50
    /// How many statements the journal holds at most, so that a few imports of ten thousand items do not stay in the
    /// file for good. The last change is kept whatever its size.
    static let stepLimit = 25_000

    func seal(_ description: String) async throws -> Int64? {
        // The change itself is on the disk; the next opening repairs what a power cut takes of its name.
        try await connection.writeLightly("journal.seal") { try Self.seal(description, $0) }
    }

    /// Ends the change under way within the caller's transaction.
    static func seal(_ description: String, _ database: Database) throws -> Int64? {
        let isOpen = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM change_step WHERE change_id IS NULL)")
        guard isOpen == true else { return nil }
        try database.execute(sql: "INSERT INTO change (description, steps) VALUES (?, 0)", arguments: [description])
        let id = database.lastInsertedRowID
        try database.execute(sql: "UPDATE change_step SET change_id = ? WHERE change_id IS NULL", arguments: [id])
        try database.execute(
            sql: "UPDATE change SET steps = ? WHERE id = ?", arguments: [database.changesCount, id])
        try deleteOldest(database)
        return id
    }

    /// Takes down rows that were inserted in silence as a change of its own, a statement for each run of numbers.
    /// - Returns: the change's number.
    static func record(
        _ description: String, inserted spans: [(first: Int64, last: Int64)], into table: String, _ database: Database
    ) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO change (description, steps) VALUES (?, ?)", arguments: [description, spans.count])
        let id = database.lastInsertedRowID
        let insert = try database.cachedStatement(sql: "INSERT INTO change_step (change_id, sql) VALUES (?, ?)")
        for span in spans {
            let count = span.last - span.first + 1
            try insert.execute(arguments: [
                id,
                "DELETE FROM \(Schema.quoted(table)) WHERE id BETWEEN \(span.first) AND \(span.last)\(rows)\(count)",
            ])
        }
        try deleteOldest(database)
        return id
    }

    /// Behind it a statement says how many rows it changes, where that is not one.
    private static let rows = " -- rows: "

    private static func rows(of step: String) -> Int {
        guard let mark = step.range(of: rows, options: .backwards) else { return 1 }
        return Int(step[mark.upperBound...]) ?? 1
    }

    private static func deleteOldest(_ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM change WHERE id IN (
                    SELECT id FROM (
                        SELECT id, SUM(steps) OVER (ORDER BY id DESC) AS steps_since,
                            ROW_NUMBER() OVER (ORDER BY id DESC) AS place
                        FROM change
                    ) WHERE place > ? OR (place > 1 AND steps_since > ?)
                )
                """, arguments: [limit, stepLimit])
    }

    func changes(limit: Int) async throws -> [JournalledChange] {
        try await connection.read("journal.changes") { database in
            try Row.fetchAll(
                database, sql: "SELECT id, description FROM change ORDER BY id DESC LIMIT ?", arguments: [max(0, limit)]
            ).map { JournalledChange(id: $0[0], description: $0[1]) }
        }
    }

    func revert(_ id: Int64) async throws -> Bool {
        do {
            return try await connection.write("journal.revert") { try Self.revert(id, $0) }
        } catch is RowChanged {
            try await delete(id)
            return false
        } catch let error as StoreError where error.reason == .invalidValue {
            // A constraint prevents it: another row has the number, or refers to a row that would be deleted.
            try await delete(id)
            return false
        }
    }

    /// A row was changed since.
    private struct RowChanged: Error {}

    private static func revert(_ id: Int64, _ database: Database) throws -> Bool {
        let steps = try String.fetchCursor(
            database, sql: "SELECT sql FROM change_step WHERE change_id = ? ORDER BY id DESC", arguments: [id])
        // What was there before was consistent; on the way to it a child may come back before its parent.
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        let count = try Schema.silently(database) {
            var count = 0
            while let step = try steps.next() {
                try database.execute(sql: step)
                guard database.changesCount == rows(of: step) else { throw RowChanged() }
                count += 1
            }
            return count
        }
        guard count > 0 else { return false }
        try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [id])
        // A row may have been deleted while other dates were corrected.
        _ = try SQLiteTimes.applyShifts(database)
        return true
    }

    /// Deletes all changes: what was written stays and can no longer be undone.
    func deleteAll() async throws {
        try await connection.write("journal.forgetAll") { database in
            try database.execute(sql: "DELETE FROM change_step; DELETE FROM change")
        }
    }

    private func delete(_ id: Int64) async throws {
        try await connection.write("journal.forget") { database in
            try database.execute(sql: "DELETE FROM change WHERE id = ?", arguments: [id])
        }
    }
}
