import Domain
import GRDB

/// Budgets in SQLite; the one for everything has the empty category.
struct SQLiteBudgets: BudgetStore {
    let connection: Connection

    func budgets() async throws -> [Budget] {
        try await connection.read("budgets.budgets") { database in
            try Row.fetchAll(database, sql: "SELECT * FROM budget ORDER BY category").map { row in
                let category: String = row["category"]
                return Budget(
                    category: category.isEmpty ? nil : category,
                    amount: Money(minorUnits: row["minor_units"], currency: row["currency"]))
            }
        }
    }

    func setBudget(_ budget: Budget) async throws {
        guard budget.amount.minorUnits > 0 else {
            throw connection.refused("budgets.set", "a budget must be greater than zero")
        }
        try await connection.write("budgets.set") { database in
            try database.execute(
                sql: """
                    INSERT INTO budget (category, minor_units, currency) VALUES (?, ?, ?)
                    ON CONFLICT (category) DO UPDATE
                    SET minor_units = excluded.minor_units, currency = excluded.currency
                    """,
                arguments: [budget.category ?? "", budget.amount.minorUnits, budget.amount.currency])
        }
    }

    func removeBudget(category: String?) async throws -> Bool {
        try await connection.write("budgets.remove") { database in
            try database.execute(sql: "DELETE FROM budget WHERE category = ?", arguments: [category ?? ""])
            return database.changesCount > 0
        }
    }
}

/// The owner's exchange rates in SQLite.
struct SQLiteRates: RateStore {
    let connection: Connection

    func rates() async throws -> [ExchangeRate] {
        try await connection.read("rates.rates") { database in
            try Row.fetchAll(database, sql: "SELECT * FROM exchange_rate ORDER BY currency").map {
                ExchangeRate(currency: $0["currency"], millionths: $0["millionths"])
            }
        }
    }

    func setRate(_ rate: ExchangeRate) async throws {
        guard ExchangeRate.range.contains(rate.millionths) else {
            throw connection.refused("rates.set", "a rate must lie between 0.000001 and 1,000,000")
        }
        try await connection.write("rates.set") { database in
            try database.execute(
                sql: """
                    INSERT INTO exchange_rate (currency, millionths) VALUES (?, ?)
                    ON CONFLICT (currency) DO UPDATE SET millionths = excluded.millionths
                    """, arguments: [rate.currency, rate.millionths])
        }
    }

    func removeRate(currency: String) async throws -> Bool {
        try await connection.write("rates.remove") { database in
            try database.execute(sql: "DELETE FROM exchange_rate WHERE currency = ?", arguments: [currency])
            return database.changesCount > 0
        }
    }
}
