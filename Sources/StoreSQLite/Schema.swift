import GRDB
import Foundation

/// The database's shape, one migration a version. A migration that has been released is never changed again.
enum Schema {
    /// "VanO" in the file's header (https://www.sqlite.org/fileformat.html, offset 68) identifies our files.
    static let applicationID: Int32 = 0x5661_6E4F

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { try $0.execute(sql: version1) }
        migrator.registerMigration("v2") { try $0.execute(sql: journal) }
        migrator.registerMigration("v3") { try $0.execute(sql: finance) }
        migrator.registerMigration("v4") { try $0.execute(sql: manifest) }
        migrator.registerMigration("v5") { try $0.execute(sql: checklist) }
        migrator.registerMigration("v6") { try $0.execute(sql: travel) }
        migrator.registerMigration("v7") { try $0.execute(sql: time) }
        migrator.registerMigration("v8") { try $0.execute(sql: words) }
        migrator.registerMigration("v9") { try $0.execute(sql: stars) }
        return migrator
    }

    /// AUTOINCREMENT, so that the number of a removed row is never given to another: an undo that puts a row back
    /// under its old number must not find another row there.
    private static let version1 = """
        CREATE TABLE ledger_entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (kind IN ('expense', 'income')),
            minor_units INTEGER NOT NULL CHECK (minor_units BETWEEN 1 AND 1000000000000000),
            currency TEXT NOT NULL CHECK (length(currency) = 3 AND currency GLOB '[A-Z][A-Z][A-Z]'),
            category TEXT,
            merchant TEXT,
            note TEXT,
            date_ms INTEGER NOT NULL,
            time_uncertain INTEGER NOT NULL CHECK (time_uncertain IN (0, 1))
        ) STRICT;
        CREATE INDEX ledger_entry_by_date ON ledger_entry (date_ms, id);
        CREATE INDEX ledger_entry_sums ON ledger_entry (kind, category, date_ms, currency, minor_units);

        CREATE TABLE place (
            name TEXT PRIMARY KEY NOT NULL CHECK (length(trim(name)) > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE item (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(trim(name)) > 0),
            quantity INTEGER NOT NULL CHECK (quantity >= 0),
            unit_grams INTEGER CHECK (unit_grams >= 0),
            place TEXT REFERENCES place (name)
        ) STRICT;
        CREATE INDEX item_by_name ON item (name, id);
        CREATE INDEX item_by_place ON item (place);
        CREATE TABLE item_alias (
            item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            alias TEXT NOT NULL CHECK (length(trim(alias)) > 0),
            PRIMARY KEY (item_id, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE checklist (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (length(trim(name)) > 0)
        ) STRICT;
        CREATE TABLE checklist_task (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            checklist_id INTEGER NOT NULL REFERENCES checklist (id) ON DELETE CASCADE,
            text TEXT NOT NULL CHECK (length(trim(text)) > 0),
            is_done INTEGER NOT NULL CHECK (is_done IN (0, 1))
        ) STRICT;
        CREATE INDEX checklist_task_by_list ON checklist_task (checklist_id, id);

        CREATE TABLE trip (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            destination TEXT NOT NULL CHECK (length(trim(destination)) > 0),
            start_ms INTEGER NOT NULL,
            end_ms INTEGER
        ) STRICT;
        CREATE INDEX trip_by_start ON trip (start_ms, id);
        CREATE UNIQUE INDEX one_trip_under_way ON trip ((end_ms IS NULL)) WHERE end_ms IS NULL;

        CREATE TABLE kept_value (
            key TEXT PRIMARY KEY NOT NULL CHECK (length(key) > 0),
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    // No CHECK (end_ms >= start_ms): the board may have no clock, and a trip must end even when its clock runs back.
}

/// The database before a migration: the older program rejects the migrated one, and this one can be restored to go back
/// to it.
enum PreMigrationBackup {
    /// Copies the database into its own folder.
    /// - Parameter version: the one whose tables it has.
    /// - Returns: the copy's path.
    /// - Throws: `StoreError` or `DatabaseError` where there is no space for it; the database is unchanged.
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
