import Foundation
import GRDB

/// Checking and copying while the database is in use.
extension SQLiteStore {
    /// Reads the whole database and checks it: SQLite's quick check, then the references between tables. Its time
    /// grows with the file, so it has a call of its own. From damage on every call of the stores fails.
    /// - Throws: `StoreError` with the first damage found: with reason `damaged`, or `failed` for a row that refers
    ///   to a missing one, which does not stop the appliance.
    public func checkIntegrity() async throws {
        let file = connection.file
        try await connection.read("checkIntegrity") { database in
            try DamageCheck.requireWhole(database, file)
            if let finding = try DamageCheck.danglingReference(database) {
                throw StoreError(call: "foreign_key_check", file: file, reason: .failed, problem: finding)
            }
        }
    }

    /// Reads a whole database that is not open, without changing it.
    /// - Throws: `StoreError` with the damage.
    public static func examine(_ file: String) async throws {
        try await QuietThread.run("vanorb check") { try BackupFolder.verify(file) }
    }

    /// Copies the database as it is now to a new file at `path` while it stays in use (SQLite's online backup). The
    /// copy is one file, without a write-ahead log, and is on the disk when the call returns.
    /// - Throws: `StoreError` naming the file that could not be read or written; `.damaged` when the database is.
    public func backUp(to path: String) async throws {
        try connection.condition.admit()
        let source = try connection.writer
        do {
            // It copies page by page and waits for the disk: not on a thread that others' tasks need.
            try await QuietThread.run("vanorb backup") { try Self.copy(source, to: path) }
        } catch let error as DatabaseError {
            throw StoreError(error, call: "backUp", file: path)
        }
    }

    /// Pages that are copied at a time.
    private static let step: CInt = 64

    static func copy(_ source: any DatabaseReader, to path: String) throws {
        let target = try DatabaseQueue(path: path)
        let size = try target.writeWithoutTransaction { database in
            // A truncated copy is discarded, so that it needs no journal; and its way to the disk is watched
            // here.
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
            return try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4_096
        }
        let writer = ThrottledWriter(path: path)
        try source.backup(to: target, pagesPerStep: step) { _ in writer.wrote(Int(step) * size) }
        try target.close()
        let whole = try DatabaseQueue(path: path)
        try whole.writeWithoutTransaction { database in
            // The copy's header says WAL like the original's; a single file is easier to keep and to copy.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try whole.close()
        writer.flush()
    }
}
