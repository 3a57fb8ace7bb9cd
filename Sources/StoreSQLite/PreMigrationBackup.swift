import Foundation
import GRDB

/// The database as a former program left it, kept when it is brought up to date: that program refuses a newer one, and
/// whoever goes back to it has this one to restore.
enum PreMigrationBackup {
    /// Copies the database beside itself.
    /// - Parameter version: the one whose tables it has.
    /// - Returns: the copy's path.
    /// - Throws: `StoreError` or `DatabaseError` where there is no room for it; the database is as it was.
    static func keep(_ path: String, _ version: String) throws -> String {
        let kept = "\(path).of-\(version)", unfinished = kept + ".unfinished"
        func tidy() { for ending in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + ending) } }
        tidy()
        var configuration = SQLiteStore.configuration
        configuration.readonly = true
        do {
            let source = try DatabaseQueue(path: path, configuration: configuration)
            try SQLiteStore.copy(source, to: unfinished)
            try source.close()
            try BackupFolder.verify(unfinished)
            try FileCopy.flush(unfinished)
            // A copy of the same name is of an update that was not finished, or was taken back by a restore; the newest
            // counts.
            guard rename(unfinished, kept) == 0 else { throw FileCopy.failure("rename", kept) }
            try FileCopy.flush(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        } catch {
            tidy()
            throw error
        }
        return kept
    }
}
