import Foundation

/// Tells a first start from a database that has gone: SQLite would make an empty one in either case.
public enum MissingDatabase {
    /// Refuses a database that is missing or empty although there is a backup of it, or a log that belongs to it.
    /// - Throws: `StoreError` with reason `damaged`. Nothing is changed.
    public static func refuse(_ file: String, besides folders: [BackupFolder]) throws {
        guard !Restore(file: file).isDecided, let state = absence(of: file) else { return }
        let backup = folders.lazy.flatMap { $0.all() }.first
        let sign: String
        if let backup {
            sign = "there is a backup of it, such as \(backup.path)"
        } else if size(file + "-wal") ?? 0 > 0 {
            // SQLite would take it away.
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
