import Domain
import GRDB

/// Budgets in SQLite; the one over everything stands under the empty category.
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
