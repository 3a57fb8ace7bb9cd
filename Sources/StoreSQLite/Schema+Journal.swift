import GRDB

/// The journal that takes changes back: for each change the statements that restore what was before.
extension Schema {
    static let journal = """
        CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            description TEXT NOT NULL
        ) STRICT;
        CREATE TABLE change_step (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            change_id INTEGER REFERENCES change (id) ON DELETE CASCADE,
            sql TEXT NOT NULL
        ) STRICT;
        CREATE INDEX change_step_by_change ON change_step (change_id, id);
        """

    /// Tables that the journal leaves alone: its own, and what is no entry of the owner's.
    private static let unjournalled: Set<String> = [
        "change", "change_step", "kept_value", "grdb_migrations", "driven", "stop",
    ]

    /// Lets every insert, update and delete of the owner's tables write the statement that takes it back, in the same
    /// transaction (the method of https://www.sqlite.org/undoredo.html). The triggers are temporary, made anew at each
    /// opening, so that they always fit the tables of the day. Only the connection that writes needs them.
    static func startJournal(_ database: Database) throws {
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for table in tables where !unjournalled.contains(table) {
            for sql in try triggers(on: table, database) { try database.execute(sql: sql) }
        }
    }

    private static func triggers(on table: String, _ database: Database) throws -> [String] {
        let columns = try database.columns(in: table).map(\.name)
        let keys = try database.primaryKey(table).columns
        func row(_ age: String) -> String {
            keys.map { "'\($0) IS ' || quote(\(age).\($0))" }.joined(separator: " || ' AND ' || ")
        }
        func trigger(_ event: String, _ undo: String) -> String {
            """
            CREATE TEMP TRIGGER journal_\(table)_\(event) AFTER \(event) ON main.\(table) BEGIN
                INSERT INTO change_step (sql) VALUES (\(undo));
            END
            """
        }
        let before = columns.map { "'\($0) = ' || quote(old.\($0))" }.joined(separator: " || ', ' || ")
        let values = columns.map { "quote(old.\($0))" }.joined(separator: " || ', ' || ")
        return [
            trigger("INSERT", "'DELETE FROM \(table) WHERE ' || \(row("new"))"),
            trigger("UPDATE", "'UPDATE \(table) SET ' || \(before) || ' WHERE ' || \(row("new"))"),
            trigger(
                "DELETE",
                "'INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (' || \(values) || ')'"),
        ]
    }
}
