import Copilot
import Foundation
import GRDB

/// The ledger in SQLite.
struct SQLiteLedger: LedgerStore {
    let connection: Connection

    func add(_ entry: LedgerEntry) async throws -> LedgerEntry {
        guard let date = Moment.milliseconds(entry.date) else {
            throw connection.refused("ledger.add", "the date lies outside the years 1 to 9999")
        }
        guard entry.amount.minorUnits > 0 else {
            throw connection.refused("ledger.add", "the amount must be greater than zero")
        }
        return try await connection.write("ledger.add") { database in
            var stored = entry
            // Undo puts an entry back under its old number, so that "the last one" stays the last one.
            stored.id = try database.insert(
                "ledger_entry", id: entry.id,
                [
                    "kind": entry.kind.rawValue, "minor_units": entry.amount.minorUnits,
                    "currency": entry.amount.currency, "category": entry.category, "merchant": entry.merchant,
                    "note": entry.note, "account": entry.account, "millilitres": entry.millilitres, "date_ms": date,
                    "time_uncertain": entry.timeUncertain ? 1 : 0,
                ])
            stored.date = Moment.date(date)
            return stored
        }
    }

    func remove(id: Int64) async throws -> Bool {
        try await connection.write("ledger.remove") { try $0.delete("ledger_entry", id: id) }
    }

    func last() async throws -> LedgerEntry? {
        try await connection.read("ledger.last") { database in
            try Row.fetchOne(database, sql: "SELECT * FROM ledger_entry ORDER BY id DESC LIMIT 1").map(entry)
        }
    }

    func entries(limit: Int) async throws -> [LedgerEntry] {
        try await connection.read("ledger.entries") { database in
            // A negative LIMIT means "all" to SQLite.
            try Row.fetchAll(
                database, sql: "SELECT * FROM ledger_entry ORDER BY date_ms DESC, id DESC LIMIT ?",
                arguments: [max(0, limit)]
            ).map(entry)
        }
    }

    func entries(_ query: LedgerQuery, limit: Int) async throws -> [LedgerEntry] {
        let (condition, arguments) = Self.condition(query)
        return try await connection.read("ledger.entries") { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM ledger_entry WHERE \(condition) ORDER BY date_ms DESC, id DESC LIMIT ?",
                arguments: arguments + [max(0, limit)]
            ).map(entry)
        }
    }

    func totals(_ query: LedgerQuery) async throws -> [Money] {
        let (condition, arguments) = Self.condition(query)
        return try await connection.read("ledger.totals") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT currency, SUM(minor_units) AS total FROM ledger_entry WHERE \(condition)
                    GROUP BY currency ORDER BY currency
                    """, arguments: arguments
            ).map(money)
        }
    }

    /// The period's start belongs to it and its end does not, so that neighbouring months share no entry.
    private static func condition(_ query: LedgerQuery) -> (sql: String, arguments: StatementArguments) {
        var conditions = ["1"], arguments = StatementArguments()
        func add(_ condition: String, _ value: String?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        add("kind = ?", query.kind?.rawValue)
        add("category = ?", query.category)
        add("merchant = ? COLLATE NOCASE", query.merchant)
        add("account = ?", query.account)
        if let period = query.period {
            conditions.append("date_ms >= ? AND date_ms < ?")
            arguments += [Moment.clamped(period.start), Moment.clamped(period.end)]
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    func firstDate() async throws -> Date? {
        try await connection.read("ledger.firstDate") { database in
            try Int64.fetchOne(database, sql: "SELECT MIN(date_ms) FROM ledger_entry").map(Moment.date)
        }
    }

    func balances() async throws -> [Money] {
        try await connection.read("ledger.balances") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT currency, SUM(CASE kind WHEN 'income' THEN minor_units ELSE -minor_units END) AS total
                    FROM ledger_entry GROUP BY currency ORDER BY currency
                    """
            ).map(money)
        }
    }

    func spent(category: String?, in period: DateInterval?) async throws -> [Money] {
        try await totals(LedgerQuery(kind: .expense, category: category, period: period))
    }

    @Sendable private func money(_ row: Row) -> Money {
        Money(minorUnits: row["total"], currency: row["currency"])
    }

    @Sendable private func entry(_ row: Row) -> LedgerEntry {
        LedgerEntry(
            id: row["id"], kind: row["kind"] == "income" ? .income : .expense,
            amount: Money(minorUnits: row["minor_units"], currency: row["currency"]), category: row["category"],
            merchant: row["merchant"], note: row["note"], account: row["account"], millilitres: row["millilitres"],
            date: Moment.date(row["date_ms"]),
            timeUncertain: row["time_uncertain"] == 1)
    }
}
