import Domain
import Foundation
import GRDB

/// What repairs entries of an unset clock.
extension Schema {
    /// For each date that was taken from a clock not known to be right: in which run of the kernel, how long after its
    /// start, and what the clock showed. All in milliseconds.
    static let time = """
        CREATE TABLE uncertain_date (
            table_name TEXT NOT NULL,
            row_id INTEGER NOT NULL,
            column_name TEXT NOT NULL,
            boot TEXT NOT NULL,
            since_boot_ms INTEGER NOT NULL,
            clock_ms INTEGER NOT NULL,
            shift_ms INTEGER,
            PRIMARY KEY (table_name, row_id, column_name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ledger_entry_uncertain ON ledger_entry (id) WHERE time_uncertain = 1;
        """
    // shift_ms is known once the clock is; a row that was removed in between is shifted when an undo restores it.

    /// A table with dates: whole milliseconds in columns whose names end in `_ms`, in rows numbered by `id`.
    struct DatedTable {
        let name: String
        let columns: [String]
        /// Whether it has a flag, `time_uncertain`, for uncertain rows.
        let isFlagged: Bool
    }

    static func datedTables(_ database: Database) throws -> [DatedTable] {
        try ownersTables(database).compactMap { table in
            let columns = try database.columns(in: table).map(\.name)
            let dates = columns.filter { $0.hasSuffix("_ms") }
            guard !dates.isEmpty, try database.primaryKey(table).columns == ["id"] else { return nil }
            return DatedTable(name: table, columns: dates, isFlagged: columns.contains("time_uncertain"))
        }
    }

    /// Dates of a table without a flag are the clock's when they lie this near to it: “we left on Monday” does, what is
    /// imported from a file does not. Eight days, in milliseconds.
    private static let reach = 8 * 86_400_000

    /// Creates the triggers that mark dates of a clock that is not known to be right, whichever store writes them.
    static func startMarking(_ database: Database, clock: @escaping @Sendable () -> ClockReading) throws {
        func add(_ name: String, _ value: @escaping @Sendable (ClockReading) -> any DatabaseValueConvertible) {
            // Not deterministic: the clock advances.
            database.add(function: DatabaseFunction(name, argumentCount: 0, pure: false) { _ in value(clock()) })
        }
        add("clock_is_certain") { $0.isCertain }
        add("clock_boot") { $0.boot }
        add("clock_since_boot_ms") { Int64($0.sinceBoot.milliseconds) }
        add("clock_ms") { Moment.clamped($0.wall) }
        for table in try datedTables(database) {
            for column in table.columns { try mark(column, of: table, database) }
            if table.isFlagged { try unmark(table, database) }
        }
    }

    private static func mark(_ column: String, of table: DatedTable, _ database: Database) throws {
        let new = "new.\(quoted(column))"
        let isClocks = table.isFlagged ? "new.time_uncertain = 1" : "abs(\(new) - clock_ms()) < \(reach)"
        let isHeard = "NOT EXISTS (SELECT 1 FROM silence)"
        let place = "table_name = '\(table.name)' AND row_id = new.id AND column_name = '\(column)'"
        let insert = """
            INSERT INTO uncertain_date (table_name, row_id, column_name, boot, since_boot_ms, clock_ms)
            SELECT '\(table.name)', new.id, '\(column)', clock_boot(), clock_since_boot_ms(), clock_ms()
            """
        // A flagged row is included even where the clock became certain during its command.
        let isNow = table.isFlagged ? isClocks : "\(isClocks) AND NOT clock_is_certain()"
        try database.execute(
            sql: """
                CREATE TEMP TRIGGER \(quoted("time_\(table.name)_\(column)_insert"))
                AFTER INSERT ON main.\(quoted(table.name)) WHEN \(new) IS NOT NULL AND \(isHeard) AND \(isNow) BEGIN
                    DELETE FROM uncertain_date WHERE \(place);
                    \(insert);
                END
                """)
        try database.execute(
            sql: """
                CREATE TEMP TRIGGER \(quoted("time_\(table.name)_\(column)_update"))
                AFTER UPDATE OF \(quoted(column)) ON main.\(quoted(table.name))
                WHEN \(new) IS NOT old.\(quoted(column)) AND \(isHeard) BEGIN
                    DELETE FROM uncertain_date WHERE \(place);
                    \(insert) WHERE \(new) IS NOT NULL AND \(isClocks) AND NOT clock_is_certain();
                END
                """)
    }

    /// A row whose flag is taken away has a date that is known.
    private static func unmark(_ table: DatedTable, _ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TEMP TRIGGER \(quoted("time_\(table.name)_certain"))
                AFTER UPDATE OF time_uncertain ON main.\(quoted(table.name))
                WHEN new.time_uncertain = 0 AND NOT EXISTS (SELECT 1 FROM silence) BEGIN
                    DELETE FROM uncertain_date WHERE table_name = '\(table.name)' AND row_id = new.id;
                END
                """)
    }

    /// Marks flagged rows that have no mark: those of a version that kept none, and those that an undo brought back.
    static func markForgotten(_ database: Database) throws {
        for table in try datedTables(database) where table.isFlagged {
            for column in table.columns {
                try database.execute(
                    sql: """
                        INSERT INTO uncertain_date (table_name, row_id, column_name, boot, since_boot_ms, clock_ms)
                        SELECT '\(table.name)', id, '\(column)', '', 0, \(quoted(column)) FROM \(quoted(table.name))
                        WHERE time_uncertain = 1 AND \(quoted(column)) IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM uncertain_date
                            WHERE table_name = '\(table.name)' AND row_id = \(quoted(table.name)).id
                                AND column_name = '\(column)')
                        """)
            }
        }
    }
}
