import Domain
import Foundation
import GRDB

/// The ledger in SQLite.
struct SQLiteLedger: LedgerStore {
    let connection: Connection

    func add(_ entry: LedgerEntry) async throws -> LedgerEntry {
        let checked = try checked(entry, "ledger.add")
        return try await connection.write("ledger.add") { database in
            var stored = checked
            // Undo puts an entry back under its old number, so that "the last one" stays the last one.
            stored.id = try database.insert("ledger_entry", id: entry.id, Self.columns(checked))
            return stored
        }
    }

    func update(_ entry: LedgerEntry) async throws -> Bool {
        let checked = try checked(entry, "ledger.update")
        return try await connection.write("ledger.update") { database in
            let columns = Self.columns(checked)
            let assignments = columns.map { "\($0.key) = ?" }.joined(separator: ", ")
            try database.execute(
                sql: "UPDATE ledger_entry SET \(assignments) WHERE id = ?",
                arguments: StatementArguments(columns.map(\.value)) + [entry.id])
            return database.changesCount > 0
        }
    }

    func remove(id: Int64) async throws -> Bool {
        try await connection.write("ledger.remove") { try $0.delete("ledger_entry", id: id) }
    }

    func entry(id: Int64) async throws -> LedgerEntry? {
        try await connection.read("ledger.entry") { database in
            try Row.fetchOne(database, sql: "SELECT * FROM ledger_entry WHERE id = ?", arguments: [id]).map(Self.entry)
        }
    }

    func last() async throws -> LedgerEntry? {
        try await connection.read("ledger.last") { database in
            try Row.fetchOne(database, sql: "SELECT * FROM ledger_entry ORDER BY id DESC LIMIT 1").map(Self.entry)
        }
    }

    func entries(limit: Int) async throws -> [LedgerEntry] { try await entries(LedgerQuery(), limit: limit) }

    func entries(_ query: LedgerQuery, limit: Int) async throws -> [LedgerEntry] {
        let (condition, arguments) = Self.condition(query)
        return try await connection.read("ledger.entries") { database in
            // A negative LIMIT means "all" to SQLite.
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM ledger_entry WHERE \(condition) ORDER BY date_ms DESC, id DESC LIMIT ?",
                arguments: arguments + [max(0, limit)]
            ).map(Self.entry)
        }
    }

    func latest(at merchant: String) async throws -> LedgerEntry? {
        try await connection.read("ledger.latest") { database in
            // The index on merchants yields the one row of each currency; of those the newest.
            try currencies(database).compactMap { currency in
                try Row.fetchOne(
                    database,
                    sql: """
                        SELECT * FROM ledger_entry
                        WHERE merchant = ? COLLATE NOCASE AND kind = 'expense' AND currency = ?
                        ORDER BY date_ms DESC, id DESC LIMIT 1
                        """, arguments: [merchant, currency]
                ).map(Self.entry)
            }.max { ($0.date, $0.id) < ($1.date, $1.id) }
        }
    }

    func firstDate() async throws -> Date? {
        try await connection.read("ledger.firstDate") { database in
            try Int64.fetchOne(database, sql: "SELECT MIN(date_ms) FROM ledger_entry").map(Moment.date)
        }
    }

    func spent(category: String?, in period: DateInterval?) async throws -> [Money] {
        try await totals(LedgerQuery(kind: .expense, category: category, period: period))
    }

    /// The entry as it will be stored.
    private func checked(_ entry: LedgerEntry, _ call: String) throws -> LedgerEntry {
        guard let date = Moment.milliseconds(entry.date) else {
            throw connection.refused(call, "the date lies outside the years 1 to 9999")
        }
        guard entry.amount.minorUnits > 0 else {
            throw connection.refused(call, "the amount must be greater than zero")
        }
        var stored = entry
        stored.date = Moment.date(date)
        return stored
    }

    private static func columns(_ entry: LedgerEntry) -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "kind": entry.kind.rawValue, "minor_units": entry.amount.minorUnits,
            "currency": entry.amount.currency, "category": entry.category, "merchant": entry.merchant,
            "note": entry.note, "account": entry.account, "millilitres": entry.millilitres,
            "date_ms": Moment.clamped(entry.date), "time_uncertain": entry.timeUncertain ? 1 : 0,
        ]
    }

    static func entry(_ row: Row) -> LedgerEntry {
        LedgerEntry(
            id: row["id"], kind: row["kind"] == "income" ? .income : .expense,
            amount: Money(minorUnits: row["minor_units"], currency: row["currency"]), category: row["category"],
            merchant: row["merchant"], note: row["note"], account: row["account"], millilitres: row["millilitres"],
            date: Moment.date(row["date_ms"]),
            timeUncertain: row["time_uncertain"] == 1)
    }
}
