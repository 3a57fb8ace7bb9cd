import Domain
import Foundation
import GRDB

/// The ledger's sums. Whole 30-day buckets come from the running totals, the rest at a period's ends from the entries,
/// so that no query reads the whole ledger.
extension SQLiteLedger {
    func totals(_ query: LedgerQuery) async throws -> [Money] {
        let statements = Self.statements(totalling: query)
        return try await connection.read("ledger.totals") { database in
            var sums: [String: Int64] = [:]
            for (sql, arguments) in statements {
                for row in try Row.fetchAll(database, sql: sql, arguments: arguments) {
                    sums[row["currency"], default: 0] += row["total"] as Int64
                }
            }
            return sums.sorted { $0.key < $1.key }.map { Money(minorUnits: $0.value, currency: $0.key) }
        }
    }

    func balances() async throws -> [Money] { try await balances(account: nil) }

    func balances(account: String?) async throws -> [Money] {
        try await connection.read("ledger.balances") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT currency, SUM(CASE kind WHEN 'income' THEN minor_units ELSE -minor_units END) AS total
                    FROM ledger_total WHERE ?1 IS NULL OR account = ?1 GROUP BY currency ORDER BY currency
                    """, arguments: [account]
            ).map { Money(minorUnits: $0["total"], currency: $0["currency"]) }
        }
    }

    func accounts() async throws -> [String] {
        try await connection.read("ledger.accounts") { database in
            try String.fetchAll(
                database, sql: "SELECT DISTINCT account FROM ledger_total WHERE account <> '' ORDER BY account")
        }
    }

    func largest(_ query: LedgerQuery) async throws -> [LedgerEntry] {
        let (condition, arguments) = Self.condition(query)
        // A shop's own index is the way to its entries; the plus keeps SQLite from walking all entries by their size.
        let size = query.merchant == nil ? "minor_units" : "+minor_units"
        return try await connection.read("ledger.largest") { database in
            try currencies(database).compactMap { currency in
                try Row.fetchOne(
                    database,
                    sql: """
                        SELECT * FROM ledger_entry WHERE id = (
                            SELECT id FROM ledger_entry WHERE \(condition) AND currency = ?
                            ORDER BY \(size) DESC, date_ms DESC LIMIT 1)
                        """, arguments: arguments + [currency]
                ).map(Self.entry)
            }
        }
    }

    /// The currencies that occur; the running totals have few rows.
    func currencies(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT DISTINCT currency FROM ledger_total ORDER BY currency")
    }

    /// The statements whose sums make up the total of `query`; internal, so that a test can ask for their plans.
    static func statements(totalling query: LedgerQuery) -> [(sql: String, arguments: StatementArguments)] {
        func entries(_ query: LedgerQuery) -> (String, StatementArguments) {
            let (condition, arguments) = condition(query)
            return (
                "SELECT currency, SUM(minor_units) AS total FROM ledger_entry WHERE \(condition) GROUP BY currency",
                arguments
            )
        }
        // The running totals do not know shops.
        guard query.merchant == nil else { return [entries(query)] }
        guard let period = query.period else { return [buckets(query, nil)] }
        let start = Moment.clamped(period.start), end = Moment.clamped(period.end)
        let first = (start + Schema.bucketOrigin + Schema.bucketLength - 1) / Schema.bucketLength
        let last = (end + Schema.bucketOrigin) / Schema.bucketLength
        guard first < last else { return [entries(query)] }
        func part(_ from: Int64, _ to: Int64) -> [(String, StatementArguments)] {
            guard from < to else { return [] }
            var part = query
            part.period = DateInterval(start: Moment.date(from), end: Moment.date(to))
            return [entries(part)]
        }
        func moment(_ bucket: Int64) -> Int64 { bucket * Schema.bucketLength - Schema.bucketOrigin }
        return part(start, moment(first)) + [buckets(query, first..<last)] + part(moment(last), end)
    }

    private static func buckets(_ query: LedgerQuery, _ range: Range<Int64>?) -> (String, StatementArguments) {
        var conditions = ["1"], arguments = StatementArguments()
        for (column, value) in [
            ("kind", query.kind?.rawValue), ("category", query.category), ("account", query.account),
        ] {
            guard let value else { continue }
            conditions.append("\(column) = ?")
            arguments += [value]
        }
        if let range {
            conditions.append("bucket >= ? AND bucket < ?")
            arguments += [range.lowerBound, range.upperBound]
        }
        let condition = conditions.joined(separator: " AND ")
        return (
            "SELECT currency, SUM(minor_units) AS total FROM ledger_total WHERE \(condition) GROUP BY currency",
            arguments
        )
    }

    /// The period's start belongs to it and its end does not, so that neighbouring months share no entry.
    static func condition(_ query: LedgerQuery) -> (sql: String, arguments: StatementArguments) {
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
}

extension SQLiteLedger {
    /// SQLite's plan for the total of `query`; for tests, which check that an index is used.
    func plans(_ query: LedgerQuery) async throws -> [String] {
        let statements = Self.statements(totalling: query)
        return try await connection.read("ledger.plans") { database in
            try statements.flatMap { sql, arguments in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
                    .map { $0["detail"] as String }
            }
        }
    }
}
