import Domain
import Foundation
import GRDB

/// Rows of a table that are staged next to the ledger.
public struct StagedRows: Sendable, Equatable {
    /// Lines whose entry the ledger already has.
    public var present: [Int] = []
    /// Lines that have the number of another entry, with that entry.
    public var taken: [(line: Int, entry: LedgerEntry)] = []

    /// Equal where lines and entries are.
    public static func == (one: StagedRows, other: StagedRows) -> Bool {
        one.present == other.present && one.taken.map(\.line) == other.taken.map(\.line)
            && one.taken.map(\.entry) == other.taken.map(\.entry)
    }
}

/// Imports a ledger of any length, all or nothing, without holding up others for longer than need be.
///
/// Rows are staged in a temporary table, some hundred at a time, and compared with the ledger there; between two
/// lots every other write has its turn. In the end one statement moves them, in one transaction: it runs within SQLite
/// from beginning to end, so that its time does not depend on the order of the rows.
extension SQLiteStore {
    /// Makes room for the rows of an import. What another left is dropped.
    /// - Throws: `StoreError`.
    public func beginLedgerImport() async throws {
        try await connection.stage("import.begin") { database in
            try database.execute(
                sql: """
                    DROP TABLE IF EXISTS staged_entry;
                    CREATE TEMP TABLE staged_entry (
                        line INTEGER PRIMARY KEY, number INTEGER, kind TEXT, minor_units INTEGER, currency TEXT,
                        category TEXT, merchant TEXT, note TEXT, account TEXT, millilitres INTEGER, date_ms INTEGER,
                        time_uncertain INTEGER, span INTEGER, copy INTEGER, is_present INTEGER)
                    """)
        }
    }

    /// Drops the rows of an import.
    public func endLedgerImport() async {
        try? await connection.stage("import.end") { try $0.execute(sql: "DROP TABLE IF EXISTS staged_entry") }
    }

    /// Stages rows and finds out which of them the ledger already has.
    /// - Throws: `StoreError`.
    public func stage(_ rows: [LedgerTableRow]) async throws -> StagedRows {
        guard let first = rows.first, let last = rows.last else { return StagedRows() }
        return try await connection.stage("import.stage") { database in
            let insert = try database.cachedStatement(
                sql: "INSERT INTO staged_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")
            for row in rows {
                let entry = row.entry
                let values: [(any DatabaseValueConvertible)?] = [
                    row.line, entry.id > 0 ? entry.id : nil, entry.kind.rawValue, entry.amount.minorUnits,
                    entry.amount.currency, entry.category, entry.merchant, entry.note, entry.account,
                    entry.millilitres, Moment.clamped(entry.date), entry.timeUncertain ? 1 : 0, row.span, row.copy,
                ]
                try insert.execute(arguments: StatementArguments(values))
            }
            let lines: StatementArguments = [first.line, last.line]
            try database.execute(sql: Self.recognising, arguments: lines)
            let present = try Int.fetchAll(
                database,
                sql: "SELECT line FROM staged_entry WHERE line BETWEEN ? AND ? AND is_present = 1 ORDER BY line",
                arguments: lines)
            let taken = try Row.fetchAll(
                database,
                sql: """
                    SELECT staged_entry.line AS staged_line, ledger_entry.* FROM staged_entry
                    JOIN main.ledger_entry ON ledger_entry.id = staged_entry.number
                    WHERE line BETWEEN ? AND ? AND is_present = 0 ORDER BY line
                    """, arguments: lines)
            return StagedRows(present: present, taken: taken.map { ($0["staged_line"], SQLiteLedger.entry($0)) })
        }
    }

    /// A row and an entry are equal. Names of shops are compared without case, as everywhere.
    private static let isSame = """
        ledger_entry.kind = staged_entry.kind AND ledger_entry.minor_units = staged_entry.minor_units
            AND ledger_entry.currency = staged_entry.currency AND ledger_entry.category IS staged_entry.category
            AND ledger_entry.merchant IS staged_entry.merchant AND ledger_entry.note IS staged_entry.note
            AND ledger_entry.account IS staged_entry.account AND ledger_entry.millilitres IS staged_entry.millilitres
            AND ledger_entry.date_ms >= staged_entry.date_ms
            AND ledger_entry.date_ms < staged_entry.date_ms + staged_entry.span
        """

    /// A numbered row exists where the entry of its number is equal. Of rows without a number as many are there
    /// as the ledger has entries of their content: two equal rows of a file are two entries.
    private static let recognising = """
        UPDATE staged_entry SET is_present = CASE WHEN number IS NULL THEN copy <= (
                SELECT COUNT(*) FROM main.ledger_entry WHERE \(isSame))
            ELSE EXISTS (SELECT 1 FROM main.ledger_entry WHERE ledger_entry.id = staged_entry.number AND \(isSame)) END
        WHERE line BETWEEN ? AND ?
        """

    /// Moves what is new into the ledger, in one transaction that is on the disk when the call returns. The journal
    /// records it as one change, in a few statements.
    /// - Returns: how many entries were added, and the change's number; nil where there was nothing to add.
    /// - Throws: `StoreError`; nothing is added then.
    public func commitLedgerImport(_ description: String) async throws -> (added: Int, change: Int64)? {
        try await connection.write("import.commit") { database in
            let isAny = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM staged_entry WHERE is_present = 0)")
            guard isAny == true else { return nil }
            // The ledger has seven trees, and each row touches all of them: with the standard 2 MB their pages go to
            // the disk and back, and others wait twice as long.
            try database.execute(sql: "PRAGMA cache_size = -65536")
            defer { try? database.execute(sql: "PRAGMA cache_size = -2000; PRAGMA shrink_memory") }
            let columns = """
                kind, minor_units, currency, category, merchant, note, account, millilitres, date_ms, time_uncertain
                """
            var added = 0, spans: [(first: Int64, last: Int64)] = []
            try Schema.silently(database) {
                // Numbered ones first, so that no new number collides with theirs.
                let numbered = "FROM staged_entry WHERE is_present = 0 AND number IS NOT NULL"
                try database.execute(
                    sql:
                        "INSERT INTO ledger_entry (id, \(columns)) SELECT number, \(columns) \(numbered) ORDER BY number"
                )
                if database.changesCount > 0 {
                    added += database.changesCount
                    spans = try Row.fetchAll(
                        database,
                        sql: """
                            SELECT MIN(number), MAX(number) FROM (
                                SELECT number, number - ROW_NUMBER() OVER (ORDER BY number) AS island \(numbered))
                            GROUP BY island ORDER BY 1
                            """
                    ).map { ($0[0], $0[1]) }
                }
                try database.execute(
                    sql: """
                        INSERT INTO ledger_entry (\(columns)) SELECT \(columns) FROM staged_entry
                        WHERE is_present = 0 AND number IS NULL ORDER BY line
                        """)
                let count = database.changesCount
                if count > 0 {
                    added += count
                    let last = database.lastInsertedRowID
                    spans.append((last - Int64(count) + 1, last))
                }
            }
            try Schema.markForgotten(database)
            return (added, try SQLiteJournal.record(description, inserted: spans, into: "ledger_entry", database))
        }
    }

    /// How many entries there are, and those behind the one of this date and number, oldest first: a page of an export.
    /// - Throws: `StoreError`.
    public func ledgerPage(after last: LedgerEntry?, limit: Int) async throws -> [LedgerEntry] {
        try await connection.read("export.ledger") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM ledger_entry WHERE (date_ms, id) > (?, ?) ORDER BY date_ms, id LIMIT ?
                    """,
                arguments: [last.map { Moment.clamped($0.date) } ?? Int64.min, last?.id ?? 0, limit]
            ).map(SQLiteLedger.entry)
        }
    }

    /// How many entries the ledger has.
    /// - Throws: `StoreError`.
    public func ledgerCount() async throws -> Int {
        try await connection.read("export.count") { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ledger_entry") ?? 0
        }
    }
}
