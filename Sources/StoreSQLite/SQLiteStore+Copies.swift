import Copilot
import Dispatch
import Foundation
import GRDB

/// Checking and copying while the database is in use.
extension SQLiteStore {
    /// Reads the whole database and checks it: SQLite's quick check, then the references between tables. Its time
    /// grows with the file, so it has a call of its own. From damage on every call of the stores fails.
    /// - Throws: `StoreError` that says what was found first: with reason `damaged`, or `failed` for a row that refers to
    ///   one which is not there, and with which all goes on.
    public func checkIntegrity() async throws {
        let file = connection.file
        try await connection.read("checkIntegrity") { database in
            try DamageCheck.requireWhole(database, file)
            if let finding = try DamageCheck.danglingReference(database) {
                throw StoreError(call: "foreign_key_check", file: file, reason: .failed, problem: finding)
            }
        }
    }

    /// Copies the database as it is now to a new file at `path` while it stays in use (SQLite's online backup). The
    /// copy is one file, without a write-ahead log beside it, and is on the disk when the call returns.
    /// - Throws: `StoreError` naming the file that could not be read or written; `.damaged` when the database is.
    public func backUp(to path: String) async throws {
        try connection.condition.admit()
        let source = connection.writer
        // It copies page by page and waits for the disk: not on a thread that others' tasks need.
        let outcome = await withCheckedContinuation { (done: CheckedContinuation<Result<Void, any Error>, Never>) in
            DispatchQueue.global(qos: .utility).async {
                done.resume(returning: Result { try Self.copy(source, to: path) })
            }
        }
        do { try outcome.get() } catch let error as DatabaseError {
            throw StoreError(error, call: "backUp", file: path)
        }
    }

    private static func copy(_ source: any DatabaseWriter, to path: String) throws {
        let target = try DatabaseQueue(path: path)
        try source.backup(to: target)
        try target.writeWithoutTransaction { database in
            // The copy's header says WAL like its original's; a file of one piece is easier to keep and to carry.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try target.close()
    }
}
