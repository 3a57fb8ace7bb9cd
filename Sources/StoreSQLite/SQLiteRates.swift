import Domain
import GRDB

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
