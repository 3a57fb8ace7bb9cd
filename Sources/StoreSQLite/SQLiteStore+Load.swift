import Foundation
import GRDB

/// How much a store is filled with to measure it.
public struct StoreLoad: Sendable, Equatable {
    /// Rows of the ledger; items, each with an alias; tasks; trips.
    public var entries: Int, items: Int, tasks: Int, trips: Int

    /// Ten years of a van in daily use.
    public static let tenYears = StoreLoad(entries: 100_000, items: 10_000, tasks: 2_000, trips: 300)

    /// A load.
    public init(entries: Int, items: Int, tasks: Int, trips: Int) {
        self.entries = entries
        self.items = items
        self.tasks = tasks
        self.trips = trips
    }
}

extension SQLiteStore {
    /// Fills an empty store with made-up rows in one transaction. The journal does not record it.
    /// - Parameter now: the newest entry's date; the others are before it, 52 minutes apart, so that `tenYears` fill
    ///   ten years.
    public func fill(_ load: StoreLoad, now: Date) async throws {
        let now = Moment.clamped(now)
        try await connection.write("fill") { database in
            try Schema.silently(database) {
                func insert(_ count: Int, _ sql: String, _ arguments: StatementArguments = []) throws {
                    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
                    if count > 0 { try database.execute(sql: "\(numbers) \(sql)", arguments: [count] + arguments) }
                }
                try insert(
                    load.entries,
                    """
                    INSERT INTO ledger_entry
                        (kind, minor_units, currency, category, merchant, note, date_ms, time_uncertain)
                    SELECT CASE WHEN i % 40 = 0 THEN 'income' ELSE 'expense' END, 100 + (i * 7919) % 20000,
                        CASE WHEN i % 10 = 0 THEN 'EUR' ELSE 'GBP' END,
                        CASE i % 5 WHEN 0 THEN 'fuel' WHEN 1 THEN 'groceries' WHEN 2 THEN 'camping' WHEN 3 THEN 'food'
                            ELSE 'parking' END,
                        'merchant ' || (i * 31 % 500), CASE WHEN i % 7 = 0 THEN 'note ' || i END,
                        ? - i * 3120000, 0
                    FROM n
                    """, [now])
                try insert(50, "INSERT INTO place (name) SELECT 'locker ' || i FROM n")
                try insert(
                    load.items,
                    """
                    INSERT INTO item (name, quantity, unit_grams, place)
                    SELECT 'thing ' || (i * 7919 % 100003), i % 6, CASE WHEN i % 9 > 0 THEN i END, 'locker ' || (1 + i % 50)
                    FROM n
                    """)
                try database.execute(
                    sql: "INSERT INTO item_alias (item_id, position, alias) SELECT id, 0, 'alias ' || id FROM item")
                try insert(20, "INSERT INTO checklist (name) SELECT 'list ' || i FROM n")
                try insert(
                    load.tasks,
                    """
                    INSERT INTO checklist_task (checklist_id, text, is_done)
                    SELECT (SELECT id FROM checklist WHERE name = 'list ' || (1 + n.i % 20)), 'task ' || n.i, n.i % 2
                    FROM n
                    """)
                try insert(
                    load.trips,
                    """
                    INSERT INTO trip (destination, start_ms, end_ms)
                    SELECT 'place ' || (i % 40), ? - i * 1036800000,
                        CASE WHEN i > 1 THEN ? - i * 1036800000 + 600000000 END
                    FROM n
                    """, [now, now])
            }
        }
    }
}
