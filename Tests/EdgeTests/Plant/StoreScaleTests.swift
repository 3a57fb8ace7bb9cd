import Foundation
import GRDB
import Testing

@testable import StoreSQLite

/// What must not become slow as the years go by. No absolute times: a plan, or a ratio between two sizes.
@Suite struct StoreScaleTests {
    private func filled(_ entries: Int) async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        try await store.fill(
            StoreLoad(entries: entries, items: entries / 10, tasks: 100, trips: 30), now: StoreContract.date)
        return store
    }

    @Test(arguments: [
        "SELECT * FROM ledger_entry ORDER BY id DESC LIMIT 1",
        "SELECT * FROM ledger_entry ORDER BY date_ms DESC, id DESC LIMIT 20",
        "SELECT MIN(date_ms) FROM ledger_entry",
        "SELECT * FROM ledger_entry WHERE 1 AND kind = 'expense' AND category = 'fuel' AND date_ms >= 1 AND date_ms < 2",
        "SELECT id FROM ledger_entry WHERE time_uncertain = 1",
        "SELECT * FROM trip WHERE end_ms IS NULL",
        "SELECT * FROM checklist_task WHERE checklist_id = 1",
        "SELECT sql FROM change_step WHERE change_id = 1 ORDER BY id DESC",
        "SELECT EXISTS (SELECT 1 FROM change_step WHERE change_id IS NULL)",
    ])
    func query_usesAnIndex_andSortsNothing(sql: String) async throws {
        let plan = try await SQLiteStore.inMemory().connection.writer.read {
            try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
        }
        // Reading all of an index in its order, up to the limit, is no scan of the table.
        for step in plan where step.hasPrefix("SCAN") && !step.contains("CONSTANT ROW") {
            #expect(step.contains("USING") || sql.contains("ORDER BY id DESC LIMIT"), "\(plan)")
        }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func commandsOfOneEntry_takeAsLongInALargeLedger() async throws {
        let small = try await filled(1_000), large = try await filled(50_000)
        let clock = ContinuousClock()
        func cost(_ store: SQLiteStore) async throws -> Duration {
            var best = Duration.seconds(60)
            for _ in 0..<5 {
                let time = try await clock.measure {
                    for _ in 0..<40 {
                        _ = try await store.stores.ledger.add(StoreContract.expense(5))
                        _ = try await store.stores.journal.seal("an entry")
                        _ = try await store.stores.ledger.last()
                        _ = try await store.stores.ledger.entries(limit: 20)
                        _ = try await store.stores.times.uncertain()
                    }
                }
                best = min(best, time)
            }
            return best
        }
        let (few, many) = (try await cost(small), try await cost(large))
        #expect(many < few * 5, "\(few) among 1,000 entries, \(many) among 50,000")
    }

    @Test func fillingIsReal() async throws {
        let store = try await filled(1_000), stores = store.stores
        #expect(try await stores.ledger.entries(limit: 5_000).count == 1_000)
        #expect(try await stores.manifest.items().count == 100)
        #expect(try await stores.manifest.items().allSatisfy { $0.aliases.count == 1 })
        #expect(try await stores.checklist.tasks(list: nil).count == 100)
        #expect(try await stores.trips.current() != nil)
        #expect(try await stores.journal.seal("nothing") == nil)
        try await store.checkIntegrity()
    }
}
