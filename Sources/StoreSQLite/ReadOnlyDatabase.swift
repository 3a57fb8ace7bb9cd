import Foundation
import GRDB

/// Reads a database on a disk where nothing can be written: the index that SQLite keeps beside the log needs room of
/// its own, and without it the ordinary way of opening fails.
enum ReadOnlyDatabase {
    /// Whether the database may be whole although it could not be opened for writing.
    static func isWorthTrying(after error: StoreError) -> Bool {
        switch error.reason {
        case .diskFull, .notWritable, .unreachable, .busy, .failed: true
        case .damaged, .foreign, .tooNew, .invalidValue: false
        }
    }

    /// Opens the database for reading alone, with what is in its log. Nothing is written, not even beside it.
    /// - Throws: `StoreError` or `DatabaseError` where it is no whole database of this program's version.
    static func open(_ file: String) throws -> any DatabaseWriter {
        guard try FileCheck.inspect(file, forWriting: false) == .ours else {
            throw StoreError(call: "open", file: file, reason: .unreachable, problem: "there is nothing to read")
        }
        // A backup that is to take its place is the newer truth.
        guard !Restore(file: file).isDecided else {
            throw StoreError(call: "open", file: file, reason: .failed, problem: "a restore is not finished")
        }
        var configuration = SQLiteStore.configuration
        configuration.readonly = true
        let address = URL(fileURLWithPath: file).absoluteString, log = "\(file)-wal"
        let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        let query: String
        if (size ?? 0) == 0 {
            // https://www.sqlite.org/uri.html: neither a log nor its index is looked for.
            query = "immutable=1"
        } else {
            // The log counts. Its index is kept in memory (https://www.sqlite.org/wal.html, section 8), and the locks,
            // for which a file must be open for writing, are left out: `DataClaim` keeps others away.
            query = "vfs=unix-none"
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        }
        let queue = try DatabaseQueue(path: "\(address)?\(query)", configuration: configuration)
        do {
            guard try DamageCheck.inspect(queue, file).olderVersion == nil else {
                throw StoreError(
                    call: "open", file: file, reason: .failed,
                    problem: "an older VanOrb made it, and it cannot be brought up to date just now")
            }
        } catch {
            try? queue.close()
            throw error
        }
        return queue
    }
}
