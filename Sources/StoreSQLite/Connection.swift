import GRDB

/// The one door to the database: every read and write of the stores passes here, and every error leaves as a
/// `StoreError` that names the call and the file.
struct Connection: Sendable {
    let slot: DatabaseSlot
    /// The file's path, or `memory`.
    let file: String
    /// Remembers what earlier calls ran into.
    let condition: StoreGuard

    /// The database for reading; writers use `slot`.
    /// - Throws: `StoreError`, why it cannot be read.
    var writer: any DatabaseWriter { get throws { try slot.forReading() } }

    /// Reads in its own snapshot; any number of reads may run at the same time.
    func read<Value: Sendable>(
        _ call: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try condition.admit()
        do {
            return try await writer.read(body)
        } catch {
            throw translated(error, call)
        }
    }

    /// Writes in one transaction, which is committed and flushed to the disk when the call returns.
    func write<Value: Sendable>(
        _ call: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try condition.admit()
        do {
            let value = try await slot.forWriting().write(body)
            condition.wrote()
            return value
        } catch {
            throw translated(error, call)
        }
    }

    /// Works on temporary tables, on the connection that writes. They are in the system's temporary folder, and their
    /// failures say nothing about the database.
    func stage<Value: Sendable>(
        _ call: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try condition.admit()
        do {
            return try await slot.forWriting().writeWithoutTransaction { database in
                var value: Value?
                // Deferred: it takes no lock on the database while it only reads.
                try database.inTransaction(.deferred) {
                    value = try body(database)
                    return .commit
                }
                guard let value else { throw refused(call, "nothing was written") }
                return value
            }
        } catch let error as DatabaseError {
            throw StoreError(error, call: call, file: "the folder for temporary files")
        }
    }

    /// Writes in one transaction without waiting for the disk: at a power cut it may be lost, with nothing that was
    /// written before it. For what only adds to a change that is safe already.
    func writeLightly<Value: Sendable>(
        _ call: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try condition.admit()
        do {
            return try await slot.forWriting().writeWithoutTransaction { database in
                // In WAL mode NORMAL leaves out the flush and nothing else (https://www.sqlite.org/pragma.html).
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                let outcome = Result {
                    var value: Value?
                    try database.inTransaction {
                        value = try body(database)
                        return .commit
                    }
                    return value
                }
                try database.execute(sql: "PRAGMA synchronous = FULL")
                guard let value = try outcome.get() else { throw refused(call, "nothing was written") }
                return value
            }
        } catch {
            throw translated(error, call)
        }
    }

    /// The same error with call and file; errors that are not SQLite's (a cancelled task) stay what they are.
    func translated(_ error: any Error, _ call: String) -> any Error {
        let known = (error as? DatabaseError).map { StoreError($0, call: call, file: file) } ?? error
        if let known = known as? StoreError { condition.met(known) }
        return known
    }

    /// A value that the caller gave breaks a rule which SQLite would only name by its column.
    func refused(_ call: String, _ problem: String) -> StoreError {
        StoreError(call: call, file: file, reason: .invalidValue, problem: problem)
    }
}
