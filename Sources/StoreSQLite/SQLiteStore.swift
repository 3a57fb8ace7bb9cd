import Domain
import Foundation
import GRDB
import Logging

/// The appliance's database: one SQLite file in WAL mode with full synchronisation, or a database in memory.
///
/// A write that has returned survives a power cut. Dates are stored as integer milliseconds since 1970 in UTC, amounts
/// as integer minor units.
public final class SQLiteStore: Sendable {
    /// The stores of this database.
    public let stores: Stores
    /// The file's path, or `memory`.
    public let file: String
    let connection: Connection

    /// True when the whole file was read and found good before anything was written; a large file is only spot-checked,
    /// and `checkIntegrity` should follow in the background.
    public var isChecked: Bool { connection.slot.opened?.isChecked ?? false }
    /// The copy from before a migration, when this start has migrated the database.
    public var former: String? { connection.slot.opened?.former }
    /// The database that a restore has replaced at this start.
    public var replaced: String? { connection.slot.opened?.replaced }
    /// Why nothing can be written; nil where it can. It may be read all the same.
    public var obstacle: StoreError? { connection.slot.obstacle }
    /// False where it could not be written from the start.
    public var wasOpenAtOnce: Bool { connection.slot.wasOpenAtOnce }
    /// True where it can be read at least.
    public var isReadable: Bool { connection.slot.isReadable }

    private init(_ connection: Connection, clock: @escaping @Sendable () -> ClockReading) {
        self.connection = connection
        file = connection.file
        stores = Stores(
            finance: FinanceStores(
                ledger: SQLiteLedger(connection: connection), budgets: SQLiteBudgets(connection: connection),
                rates: SQLiteRates(connection: connection)),
            load: LoadStores(
                manifest: SQLiteManifest(connection: connection), vehicle: SQLiteVehicle(connection: connection)),
            checklist: SQLiteChecklist(connection: connection), trips: SQLiteTrips(connection: connection),
            owner: OwnerStores(
                kept: SQLiteKeptValues(connection: connection), words: SQLiteWords(connection: connection),
                stars: SQLiteStars(connection: connection)),
            history: HistoryStores(
                journal: SQLiteJournal(connection: connection), times: SQLiteTimes(connection: connection, clock: clock)
            ))
    }

    /// Opens the database at `path`, creates it if it is missing, and migrates an older one, of which it
    /// keeps a copy: the program that wrote it rejects a newer one.
    /// - Parameters:
    ///   - clock: has the boot of a date, and whether the date is certain.
    ///   - onCondition: called when the database fails, works again, or is found damaged; from any thread.
    /// - Throws: `StoreError` when the folder is missing or not writable, the disk is full, or the file is damaged,
    ///   another program's, or a newer program's. The file is left as it was.
    public static func open(
        path: String, logger: Logger, clock: @escaping @Sendable () -> ClockReading = { .right },
        onCondition: @escaping @Sendable (StoreCondition) -> Void = { _ in }
    ) throws -> SQLiteStore {
        let opened = try opened(path, logger, clock)
        return SQLiteStore(
            Connection(
                slot: DatabaseSlot(opened, file: path), file: path, condition: StoreGuard(onChange: onCondition)),
            clock: clock)
    }

    /// Opens the database at `path` as `open` does, finishing a restore that was decided. Where it cannot be written
    /// for a reason that may go, such as a full disk, it can only be read, if that; each write and `recover` try again,
    /// and `onCondition` is called when it works.
    /// - Parameter backups: where backups of it are: with any, a file that is missing or empty is damaged.
    /// - Throws: `StoreError` when the file is damaged, another program's, or a newer program's. It is left as it was.
    public static func openAsFarAsPossible(
        path: String, backups: [BackupFolder] = [], logger: Logger,
        clock: @escaping @Sendable () -> ClockReading, onCondition: @escaping @Sendable (StoreCondition) -> Void
    ) throws -> SQLiteStore {
        let reopen: @Sendable () throws -> DatabaseSlot.Opened = {
            try MissingDatabase.refuse(path, besides: backups)
            let replaced = try Restore(file: path).finish()
            var opened = try opened(path, logger, clock)
            opened.replaced = replaced
            return opened
        }
        let slot: DatabaseSlot, condition: StoreGuard
        do {
            slot = DatabaseSlot(try reopen(), file: path)
            condition = StoreGuard(onChange: onCondition)
        } catch let error as StoreError where ReadOnlyDatabase.isWorthTrying(after: error) {
            // SQLite reports many full disks as I/O errors.
            let isVague = error.reason == .failed || error.reason == .unreachable
            let cause = isVague ? DatabaseSlot.hindrance(path) ?? error : error
            let guardian = StoreGuard(.failing(cause), onChange: onCondition)
            slot = DatabaseSlot(file: path, error: cause, reopen: reopen) { guardian.wrote() }
            condition = guardian
        }
        return SQLiteStore(Connection(slot: slot, file: path, condition: condition), clock: clock)
    }

    /// Opens the database for writing where that was not possible before.
    /// - Throws: `StoreError`, why it still does not work.
    public func recover() async throws {
        guard connection.slot.obstacle != nil else { return }
        try connection.condition.admit()
        let slot = connection.slot
        do { try await QuietThread.run("vanorb recover") { _ = try slot.forWriting() } } catch {
            throw connection.translated(error, "open")
        }
    }

    private static func opened(
        _ path: String, _ logger: Logger, _ clock: @escaping @Sendable () -> ClockReading
    ) throws -> DatabaseSlot.Opened {
        do {
            var isChecked = true, former: String?
            switch try FileCheck.inspect(path) {
            case .new: try mark(path)
            case .ours:
                let finding = try DamageCheck.inspect(path)
                isChecked = finding.isWhole
                if let version = finding.olderVersion { former = try PreMigrationBackup.keep(path, version) }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            do {
                try pool.writeWithoutTransaction { database in
                    // GRDB turns a pool to NORMAL, which may lose the last commits at a power cut. Only the writer's
                    // connection commits, and it stays open with the pool.
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                }
                try prepare(pool, clock)
            } catch {
                // A second try must not meet the first one's handles.
                try? pool.close()
                throw error
            }
            logger.debug("store open", metadata: ["file": "\(path)", "sqlite": "\(Self.libraryVersion(pool))"])
            return DatabaseSlot.Opened(writer: pool, isChecked: isChecked, former: former)
        } catch let error as DatabaseError {
            throw StoreError(error, call: "open", file: path)
        }
    }

    /// Migrates the tables and creates the temporary triggers.
    private static func prepare(_ writer: any DatabaseWriter, _ clock: @escaping @Sendable () -> ClockReading) throws {
        try Schema.migrator.migrate(writer)
        try writer.writeWithoutTransaction { database in
            try Schema.startJournal(database)
            try Schema.startMarking(database, clock: clock)
            try database.inTransaction {
                // The appliance was stopped between a change and its name: it can be taken back all the same.
                _ = try SQLiteJournal.seal("", database)
                try Schema.markForgotten(database)
                return .commit
            }
        }
    }

    /// Opens an empty database that lives in memory and ends with this object.
    /// - Throws: `StoreError` when there is no memory for it.
    public static func inMemory(
        clock: @escaping @Sendable () -> ClockReading = { .right }
    ) throws -> SQLiteStore {
        do {
            let queue = try DatabaseQueue(configuration: configuration)
            try prepare(queue, clock)
            let slot = DatabaseSlot(DatabaseSlot.Opened(writer: queue), file: "memory")
            return SQLiteStore(
                Connection(slot: slot, file: "memory", condition: StoreGuard { _ in }), clock: clock)
        } catch let error as DatabaseError {
            throw StoreError(error, call: "open", file: "memory")
        }
    }

    /// Makes what was written so far permanent: it can no longer be undone.
    /// - Throws: `StoreError` where the file cannot be written.
    public func forgetChanges() async throws { try await SQLiteJournal(connection: connection).deleteAll() }

    /// Returns when the writer has finished its queue; nothing is written.
    public func answer() async { try? await connection.slot.opened?.writer.writeWithoutTransaction { _ in } }

    /// Writes the journal back into the file and closes it. Later calls of the stores fail. A damaged
    /// file is left as it is, which also means that it stays open until the process ends.
    public func close() throws {
        guard !connection.condition.isLost else { return }
        do {
            // The connection that closes last would do it, but that may be a reader, which cannot.
            if let pool = connection.slot.opened?.writer as? DatabasePool {
                _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            }
            if connection.slot.isReadable { try connection.writer.close() }
        } catch let error as DatabaseError {
            throw StoreError(error, call: "close", file: file)
        }
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // `vanorb` and a backup may lock the file for a moment; a reply can wait that long.
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

    private static func libraryVersion(_ pool: DatabasePool) -> String {
        (try? pool.read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }).flatMap { $0 } ?? "unknown"
    }
}
