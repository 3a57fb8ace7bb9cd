import Foundation
import GRDB

/// Reads a database on a disk where nothing can be written: the index that SQLite keeps next to the log needs room of
/// its own, and without it the ordinary way of opening fails.
enum ReadOnlyDatabase {
    /// Whether the database may be whole although it could not be opened for writing.
    static func isWorthTrying(after error: StoreError) -> Bool {
        switch error.reason {
        case .diskFull, .notWritable, .unreachable, .busy, .failed: true
        case .damaged, .foreign, .tooNew, .invalidValue: false
        }
    }

    /// Opens the database for reading only, with what is in its log. Nothing is written, not even in its folder.
    /// - Throws: `StoreError` or `DatabaseError` where it is not a complete database of this version.
    static func open(_ file: String) throws -> any DatabaseWriter {
        guard try FileCheck.inspect(file, forWriting: false) == .ours else {
            throw StoreError(call: "open", file: file, reason: .unreachable, problem: "there is nothing to read")
        }
        // A pending restore takes precedence.
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
            // The log is read. Its index is kept in memory (https://www.sqlite.org/wal.html, section 8), and the locks,
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

/// Tells a first start from a database that has gone: SQLite would make an empty one in either case.
public enum MissingDatabase {
    /// Rejects a database that is missing or empty although there is a backup of it, or its log.
    /// - Throws: `StoreError` with reason `damaged`. Nothing is changed.
    public static func refuse(_ file: String, besides folders: [BackupFolder]) throws {
        guard !Restore(file: file).isDecided, let state = absence(of: file) else { return }
        let backup = folders.lazy.flatMap { $0.all() }.first
        let sign: String
        if let backup {
            sign = "there is a backup of it, such as \(backup.path)"
        } else if size(file + "-wal") ?? 0 > 0 {
            // SQLite would delete it.
            sign = "its log \(file)-wal is not"
        } else {
            return
        }
        throw StoreError(
            call: "open", file: file, reason: .damaged, problem: "the database is \(state) although \(sign)",
            remedy:
                "Run `vanorb restore` to bring back the newest good backup, or `vanorb restore empty` to begin with an "
                + "empty database.")
    }

    /// “missing” or “empty”; nil where there is something in the file.
    static func absence(of file: String) -> String? {
        guard let size = size(file) else { return access(file, F_OK) != 0 && errno == ENOENT ? "missing" : nil }
        return size == 0 ? "empty" : nil
    }

    private static func size(_ file: String) -> Int? {
        try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    }
}
