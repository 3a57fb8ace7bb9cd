import Foundation
import GRDB
import Synchronization

/// Replaces the database by a backup, atomically even at a power cut.
///
/// A verified copy is placed next to the database and renamed to mark it as decided; the next program that opens the
/// database completes the exchange first. The replaced database is kept next to it, with its write-ahead log, and never
/// removed.
public struct Restore: Sendable {
    /// The database's path.
    public let file: String

    /// A restore of the database at `file`.
    public init(file: String) { self.file = file }

    private var incoming: String { file + ".incoming" }
    private var decided: String { file + ".restored" }
    /// True from the decision for a backup until it has the database's place.
    var isDecided: Bool { access(decided, F_OK) == 0 }
    private var folder: String { URL(fileURLWithPath: file).deletingLastPathComponent().path }

    /// What a backup has, and what a restore would lose.
    public struct Outlook: Sendable, Equatable {
        /// The backup's path, its date and its size in bytes.
        public let path: String, date: Date, bytes: Int64
        /// How many rows of the present database are not in the backup, by table; nil where it cannot be read.
        public let missing: [String: Int]?
    }

    /// Reads the backup whole, and compares the present database with it.
    /// - Throws: `StoreError` where the backup is damaged, another program's, or a newer program's.
    public func outlook(of backup: String) async throws -> Outlook {
        let file = file
        return try await QuietThread.run("vanorb restore") {
            do { try BackupFolder.verify(backup) } catch let error as StoreError {
                throw StoreError(
                    call: "restore", code: error.code, file: backup, reason: error.reason,
                    problem: "this cannot be restored: \(error.problem)",
                    remedy: error.reason == .tooNew
                        ? error.remedy : "Choose another; “vanorb backup list” shows them.")
            }
            let facts = try? FileManager.default.attributesOfItem(atPath: backup)
            return Outlook(
                path: backup, date: BackupFolder.date(named: backup) ?? facts?[.modificationDate] as? Date ?? Date(),
                bytes: Int64(facts?[.size] as? Int ?? 0), missing: try? Self.missing(from: backup, in: file))
        }
    }

    /// Copies the verified backup next to the database and marks it as decided. The database is not changed.
    /// - Throws: `StoreError`; nothing is decided then.
    public func prepare(_ backup: String) async throws {
        let (incoming, decided, folder) = (incoming, decided, folder)
        try await alone {
            for ending in ["", "-journal", "-wal", "-shm"] { unlink(incoming + ending) }
            do {
                try BackupFolder.verify(backup)
                var configuration = SQLiteStore.configuration
                configuration.readonly = true
                let source = try DatabaseQueue(path: backup, configuration: configuration)
                try SQLiteStore.copy(source, to: incoming)
                try source.close()
                try BackupFolder.verify(incoming)
                try FileCopy.belong(incoming, to: folder)
                try FileCopy.flush(incoming)
                guard rename(incoming, decided) == 0 else { throw FileCopy.failure("rename", incoming) }
                try FileCopy.flush(folder)
            } catch {
                unlink(incoming)
                guard let error = error as? DatabaseError else { throw error }
                throw StoreError(error, call: "restore", file: incoming)
            }
        }
    }

    /// Places an empty database next to the present one and marks it as decided. The database is not changed.
    /// - Throws: `StoreError`; nothing is decided then.
    public func prepareEmpty() async throws {
        let (incoming, decided, folder) = (incoming, decided, folder)
        try await alone {
            func tidy() { for ending in ["", "-journal", "-wal", "-shm"] { unlink(incoming + ending) } }
            tidy()
            do {
                let queue = try DatabaseQueue(path: incoming, configuration: SQLiteStore.configuration)
                try queue.writeWithoutTransaction {
                    try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                }
                try Schema.migrator.migrate(queue)
                try queue.close()
                try BackupFolder.verify(incoming)
                try FileCopy.belong(incoming, to: folder)
                try FileCopy.flush(incoming)
                guard rename(incoming, decided) == 0 else { throw FileCopy.failure("rename", incoming) }
                try FileCopy.flush(folder)
            } catch {
                tidy()
                guard let error = error as? DatabaseError else { throw error }
                throw StoreError(error, call: "restore", file: incoming)
            }
        }
    }

    /// The databases for which a restore is being prepared. Another program has no part in it: only one has the claim
    /// to the data.
    private static let underWay = Mutex<Set<String>>([])

    /// Runs `body` on a thread of its own while no other restore of this database is prepared: all use one file.
    /// - Throws: `StoreError` where one is.
    private func alone(_ body: @escaping @Sendable () throws -> Void) async throws {
        guard Self.underWay.withLock({ $0.insert(file).inserted }) else {
            throw StoreError(
                call: "restore", file: file, reason: .busy, problem: "another restore is being prepared",
                remedy: "Wait for its end; then look whether this one is still wanted.")
        }
        defer { Self.underWay.withLock { _ = $0.remove(file) } }
        try await QuietThread.run("vanorb restore", body)
    }

    /// Finishes an exchange that was decided, also one that a power cut has stopped. To be called before the database
    /// is opened, and by one program only.
    /// - Returns: where the replaced database is kept; nil where nothing was decided.
    /// - Throws: `StoreError`; to be tried again.
    public func finish() throws -> String? {
        var facts = stat()
        guard stat(decided, &facts) == 0 else { return nil }
        // The same name each time it is tried.
        let date = Date(timeIntervalSince1970: Double(facts.st_mtim.tv_sec))
        let kept = "\(file).replaced-\(BackupFolder.stamp(date))"
        for ending in ["", "-wal"] where access(file + ending, F_OK) == 0 && access(kept + ending, F_OK) != 0 {
            // A second name for the same file; where the disk knows no such thing, a copy.
            if link(file + ending, kept + ending) != 0 { try FileCopy.copy(file + ending, to: kept + ending) }
        }
        try FileCopy.flush(folder)
        // A log next to another database would be taken for that database's.
        for ending in ["-wal", "-shm"] { unlink(file + ending) }
        try FileCopy.flush(folder)
        guard rename(decided, file) == 0 else { throw FileCopy.failure("rename", decided) }
        try FileCopy.flush(folder)
        return kept
    }

    /// The rows of the owner's tables that are in `present` and not in `backup`, as they are.
    private static func missing(from backup: String, in present: String) throws -> [String: Int] {
        if let absence = MissingDatabase.absence(of: present) {
            throw StoreError(call: "restore", file: present, reason: .damaged, problem: "it is \(absence)")
        }
        var configuration = SQLiteStore.configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: backup, configuration: configuration)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { database in
            // Opened as its neighbour is: for reading only.
            try database.execute(sql: "ATTACH DATABASE ? AS present", arguments: [present])
            var counts: [String: Int] = [:]
            for table in try Schema.ownersTables(database) {
                let columns = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM main.pragma_table_info(?1)
                        WHERE name IN (SELECT name FROM pragma_table_info(?1, 'present'))
                        """, arguments: [table]
                ).map(Schema.quoted).joined(separator: ", ")
                guard !columns.isEmpty else { continue }
                let name = Schema.quoted(table)
                counts[table] = try Int.fetchOne(
                    database,
                    sql: """
                        SELECT COUNT(*) FROM (
                            SELECT \(columns) FROM present.\(name) EXCEPT SELECT \(columns) FROM main.\(name))
                        """)
            }
            return counts.filter { $0.value > 0 }
        }
    }
}
