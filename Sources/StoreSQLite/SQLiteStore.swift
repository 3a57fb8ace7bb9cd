import Copilot
import Foundation
import GRDB
import Logging

/// The appliance's database: one SQLite file in WAL mode with full synchronisation, or a database in memory.
///
/// A write that has returned survives a power cut. Dates are stored as integer milliseconds since 1970 in UTC, amounts
/// as integer minor units.
public final class SQLiteStore: Sendable {
    /// The seam stores that work on this database.
    public let stores: Stores
    /// The file's path, or `memory`.
    public let file: String
    let connection: Connection

    private init(_ connection: Connection) {
        self.connection = connection
        file = connection.file
        stores = Stores(
            ledger: SQLiteLedger(connection: connection), budgets: SQLiteBudgets(connection: connection),
            rates: SQLiteRates(connection: connection), manifest: SQLiteManifest(connection: connection),
            checklist: SQLiteChecklist(connection: connection), trips: SQLiteTrips(connection: connection),
            kept: SQLiteKeptValues(connection: connection), journal: SQLiteJournal(connection: connection))
    }

    /// Opens the database at `path`, makes it if there is none, and brings an older one up to date.
    ///
    /// It looks at the file's header only; `checkIntegrity` reads it all.
    /// - Throws: `StoreError` when the folder is missing or not writable, the disk is full, or the file is damaged,
    ///   another program's, or a newer program's. The file is left as it was.
    public static func open(path: String, logger: Logger) throws -> SQLiteStore {
        do {
            if try FileCheck.inspect(path) == .new { try mark(path) }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try refuseNewer(pool, path)
            try pool.writeWithoutTransaction { database in
                // GRDB turns a pool to NORMAL, which may lose the last commits at a power cut. Only the writer's
                // connection commits, and it stays open as long as the pool.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            try Schema.migrator.migrate(pool)
            try pool.writeWithoutTransaction(Schema.startJournal)
            logger.debug("store open", metadata: ["file": "\(path)", "sqlite": "\(Self.libraryVersion(pool))"])
            return SQLiteStore(Connection(writer: pool, file: path))
        } catch let error as DatabaseError {
            throw StoreError(error, call: "open", file: path)
        }
    }

    /// Opens an empty database that lives in memory and ends with this object.
    /// - Throws: `StoreError` when there is no memory for it.
    public static func inMemory() throws -> SQLiteStore {
        do {
            let queue = try DatabaseQueue(configuration: configuration)
            try Schema.migrator.migrate(queue)
            try queue.writeWithoutTransaction(Schema.startJournal)
            return SQLiteStore(Connection(writer: queue, file: "memory"))
        } catch let error as DatabaseError {
            throw StoreError(error, call: "open", file: "memory")
        }
    }

    /// Reads the whole database and checks it: SQLite's quick check, then the references between tables. Its time
    /// grows with the file, so it has a call of its own.
    /// - Throws: `StoreError` with reason `damaged` that says what was found first.
    public func checkIntegrity() async throws {
        let file = connection.file
        try await connection.read("checkIntegrity") { database in
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
            guard findings == ["ok"] else {
                throw StoreError(
                    call: "quick_check", code: ResultCode.SQLITE_CORRUPT.rawValue, file: file, reason: .damaged,
                    problem: "the database is damaged: \(findings.joined(separator: "; "))")
            }
            if let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
                throw StoreError(
                    call: "foreign_key_check", code: ResultCode.SQLITE_CORRUPT.rawValue, file: file, reason: .damaged,
                    problem: "the database is damaged: a row of \(row["table"] as String? ?? "a table") leads nowhere")
            }
        }
    }

    /// Copies the database as it is now to a new file at `path` while it stays in use (SQLite's online backup).
    /// - Throws: `StoreError` naming the file that could not be read or written.
    public func backUp(to path: String) async throws {
        let source = connection.writer
        do {
            let target = try DatabaseQueue(path: path)
            try source.backup(to: target)
            try target.close()
        } catch let error as DatabaseError {
            throw StoreError(error, call: "backUp", file: path)
        }
    }

    /// Writes the journal back into the file and closes it. Later calls of the stores fail.
    public func close() throws {
        do {
            // The connection that closes last would do it, but that may be a reader, which cannot.
            if let pool = connection.writer as? DatabasePool {
                _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            }
            try connection.writer.close()
        } catch let error as DatabaseError {
            throw StoreError(error, call: "close", file: file)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // `vanorb` and a backup may hold the file for a moment; a reply can wait that long.
        configuration.busyMode = .timeout(2)
        configuration.label = "vanorb.store"
        return configuration
    }

    /// Marks a new file as ours before it turns to WAL, so that the mark is in the header and not in a journal.
    private static func mark(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        }
        try queue.close()
    }

    private static func refuseNewer(_ pool: DatabasePool, _ path: String) throws {
        let known = Schema.migrator.migrations
        let unknown = try pool.read { try Schema.migrator.appliedIdentifiers($0) }.subtracting(known).sorted()
        guard unknown.isEmpty else {
            throw StoreError(
                call: "open", file: path, reason: .tooNew,
                problem: "a newer VanOrb made this database (version \(unknown.joined(separator: ", ")); "
                    + "this one knows \(known.joined(separator: ", ")))")
        }
    }

    private static func libraryVersion(_ pool: DatabasePool) -> String {
        (try? pool.read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }).flatMap { $0 } ?? "unknown"
    }
}
