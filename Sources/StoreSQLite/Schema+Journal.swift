import GRDB

/// The journal for undo: for each change the statements that restore the previous rows.
extension Schema {
    static let journal = """
        CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            description TEXT NOT NULL,
            steps INTEGER NOT NULL CHECK (steps >= 0)
        ) STRICT;
        CREATE TABLE change_step (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            change_id INTEGER REFERENCES change (id) ON DELETE CASCADE,
            sql TEXT NOT NULL
        ) STRICT;
        CREATE INDEX change_step_by_change ON change_step (change_id, id);
        """

    /// Tables that the journal ignores: its own, and what is not an entry of the owner's.
    private static let unjournalled: Set<String> = [
        "change", "change_step", "kept_value", "uncertain_date", "ledger_total", "driven", "stop", "grdb_migrations",
    ]

    /// The owner's tables.
    static func ownersTables(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).filter { !unjournalled.contains($0) }
    }

    /// Makes every insert, update and delete of the owner's tables write the statement that undoes it, in the same
    /// transaction (the method of https://www.sqlite.org/undoredo.html). The triggers are temporary, created again at
    /// each opening, so that they always match the tables. Only the connection that writes needs them.
    static func startJournal(_ database: Database) throws {
        // So that a row which REPLACE puts aside is journalled as the deletion that it is.
        try database.execute(sql: "PRAGMA recursive_triggers = ON")
        // A row in it disables all triggers; it exists only within its transaction.
        try database.execute(sql: "CREATE TEMP TABLE silence (reason TEXT NOT NULL)")
        for table in try ownersTables(database) {
            for sql in try triggers(on: table, database) { try database.execute(sql: sql) }
        }
    }

    /// Does `work` without a word to the journal and without marking dates as uncertain.
    static func silently<Value>(_ database: Database, _ work: () throws -> Value) throws -> Value {
        try database.execute(sql: "INSERT INTO silence (reason) VALUES ('by the store')")
        // Where the body throws, the transaction is rolled back with the row.
        let value = try work()
        try database.execute(sql: "DELETE FROM silence")
        return value
    }

    private static func triggers(on table: String, _ database: Database) throws -> [String] {
        let keys = try database.primaryKey(table).columns
        var columns = try database.columns(in: table).map(\.name)
        // A table without a primary key is identified by its rowid, which must be restored, too.
        columns += keys.filter { !columns.contains($0) }
        func isSame(_ age: String) -> String {
            keys.map { "'\(quoted($0)) IS ' || quote(\(age).\(quoted($0)))" }.joined(separator: " || ' AND ' || ")
        }
        func trigger(_ event: String, when condition: String = "", _ undo: String) -> String {
            """
            CREATE TEMP TRIGGER \(quoted("journal_\(table)_\(event)")) AFTER \(event) ON main.\(quoted(table))
            WHEN NOT EXISTS (SELECT 1 FROM silence) \(condition) BEGIN
                INSERT INTO change_step (sql) VALUES (\(undo));
            END
            """
        }
        // The quoted text distinguishes values that SQLite takes for equal: 1 and 1.0, or a and A in a column that does
        // not care for case.
        let differs = columns.map { "quote(old.\(quoted($0))) <> quote(new.\(quoted($0)))" }
        // Only changed columns are restored, so that a date that was corrected in between stays correct.
        let before = zip(columns, differs).map { column, isChanged in
            "CASE WHEN \(isChanged) THEN ', \(quoted(column)) = ' || quote(old.\(quoted(column))) ELSE '' END"
        }.joined(separator: " || ")
        let values = columns.map { "quote(old.\(quoted($0)))" }.joined(separator: " || ', ' || ")
        let names = columns.map(quoted).joined(separator: ", ")
        return [
            trigger("INSERT", "'DELETE FROM \(quoted(table)) WHERE ' || \(isSame("new"))"),
            trigger(
                "UPDATE", when: "AND (\(differs.joined(separator: " OR ")))",
                "'UPDATE \(quoted(table)) SET ' || substr(\(before), 3) || ' WHERE ' || \(isSame("new"))"),
            trigger("DELETE", "'INSERT INTO \(quoted(table)) (\(names)) VALUES (' || \(values) || ')'"),
        ]
    }

    /// A table's or column's name, quoted for SQL.
    static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
