import Foundation
import GRDB

/// Looks for damage before anything is written, over a connection that cannot write: a damaged file is evidence, and
/// may still be rescued from while it is not used.
enum DamageCheck {
    /// Files up to this size, in bytes, are read whole before the appliance starts; it takes a few milliseconds each
    /// megabyte on a board. Larger ones are read in the background.
    static let promptLimit = 4_000_000

    /// What was found of a file that is not damaged.
    struct Finding: Equatable {
        /// It was read whole.
        var isWhole: Bool
        /// The version of its tables, where that is older.
        var olderVersion: String?
    }

    /// Checks an existing file of ours.
    /// - Throws: `StoreError` when it is damaged or a newer program's; `DatabaseError` when it cannot be read at all.
    static func inspect(_ path: String) throws -> Finding {
        var configuration = SQLiteStore.configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try inspect(queue, path)
    }

    /// Checks a file of ours that is open for reading.
    /// - Throws: `StoreError` when it is damaged or a newer program's; `DatabaseError` when it cannot be read at all.
    static func inspect(_ queue: DatabaseQueue, _ path: String) throws -> Finding {
        let version = try queue.read { database in
            let applied = try Schema.migrator.appliedIdentifiers(database)
            try refuseNewer(applied, path)
            return Schema.migrator.migrations.last(where: applied.contains)
        }
        let isCurrent = version == Schema.migrator.migrations.last
        let isSmall = size(path) + size(path + "-wal") <= promptLimit
        // Migrations write, so the database must be intact, whatever its size.
        guard isSmall || !isCurrent else { return Finding(isWhole: false) }
        try queue.read { database in
            try requireWhole(database, path)
            // The migrator's own error would not help.
            if !isCurrent, let finding = try danglingReference(database) {
                throw damage("foreign_key_check", path, finding)
            }
        }
        // Without any version it was made this moment, and the power went.
        return Finding(isWhole: true, olderVersion: isCurrent ? nil : version)
    }

    /// Reads the whole database by SQLite's quick check.
    /// - Throws: `StoreError` with reason `damaged` with the first damage found.
    static func requireWhole(_ database: Database, _ path: String) throws {
        let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
        guard findings == ["ok"] else {
            throw damage("quick_check", path, findings.joined(separator: "; "))
        }
    }

    /// The first row that refers to one which is not there, in words; nil when there is none. Not fatal: every
    /// row can be read.
    static func danglingReference(_ database: Database) throws -> String? {
        try Row.fetchOne(database, sql: "PRAGMA foreign_key_check").map { row in
            "a row of \(row["table"] as String? ?? "a table") leads nowhere"
        }
    }

    /// - Throws: `StoreError` with reason `tooNew` that names the versions.
    static func refuseNewer(_ applied: Set<String>, _ path: String) throws {
        let known = Schema.migrator.migrations
        let unknown = applied.subtracting(known).sorted()
        guard unknown.isEmpty else {
            throw StoreError(
                call: "open", file: path, reason: .tooNew,
                problem: "a newer VanOrb made this database (version \(unknown.joined(separator: ", ")); "
                    + "this one knows \(known.joined(separator: ", ")))")
        }
    }

    private static func damage(_ call: String, _ path: String, _ finding: String) -> StoreError {
        StoreError(
            call: call, code: ResultCode.SQLITE_CORRUPT.rawValue, file: path, reason: .damaged,
            problem: "the database is damaged: \(finding)")
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}
