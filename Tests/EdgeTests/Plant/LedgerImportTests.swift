import Domain
import TableExchange
import Foundation
import GRDB
import Logging
import Testing

@testable import StoreSQLite

/// Rows of a table on their way into the ledger.
@Suite struct LedgerImportTests {
    private func row(
        _ line: Int, _ pence: Int64, id: Int64 = 0, note: String? = nil, copy: Int = 1, span: Int64 = 1_000
    )
        -> LedgerTableRow
    {
        var entry = StoreContract.expense(pence, "fuel")
        entry.id = id
        entry.note = note
        return LedgerTableRow(line: line, entry: entry, span: span, copy: copy)
    }

    @discardableResult
    private func bring(_ rows: [LedgerTableRow], into store: SQLiteStore) async throws -> (
        staged: StagedRows, done: (added: Int, change: Int64)?
    ) {
        try await store.beginLedgerImport()
        let staged = try await store.stage(rows)
        let done = try await store.commitLedgerImport("an import")
        await store.endLedgerImport()
        return (staged, done)
    }

    @Test func rows_areStored_countedInTheTotals_andOneChangeOfTheJournal() async throws {
        let store = try SQLiteStore.inMemory(), stores = store.stores
        let own = try await stores.ledger.add(StoreContract.expense(100, "fuel"))
        _ = try await stores.journal.seal("mine")
        let before = try await stores.ledger.balances()
        let rows = [row(2, 200), row(3, 300, id: 70), row(4, 400), row(5, 500, id: 71), row(6, 600, id: 90)]
        let (staged, done) = try await bring(rows, into: store)
        #expect(staged == StagedRows() && done?.added == 5)
        #expect(try await stores.ledger.entries(limit: 100).map(\.id).sorted() == [own.id, 70, 71, 90, 91, 92])
        #expect(try await stores.ledger.balances().first?.minorUnits == -2_100)
        #expect(try await store.stores.journal.changes(limit: 9).map(\.description) == ["an import", "mine"])
        let steps = try await store.connection.read("steps") {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM change_step WHERE change_id = ?", arguments: [done?.change])
        }
        #expect(steps == 3, "two runs of numbers of the file’s, and one of new numbers")

        let change = try #require(done?.change)
        #expect(try await stores.journal.revert(change))
        #expect(try await stores.ledger.entries(limit: 100) == [own])
        #expect(try await stores.ledger.balances() == before)
        #expect(try await stores.journal.changes(limit: 9).map(\.description) == ["mine"])
    }

    @Test func importOfWhichARowWasRemoved_isNotTakenBack() async throws {
        let store = try SQLiteStore.inMemory()
        let done = try await bring([row(2, 200), row(3, 300)], into: store).done
        let first = try #require(try await store.stores.ledger.entries(limit: 9).first)
        #expect(try await store.stores.ledger.remove(id: first.id))
        #expect(try await !store.stores.journal.revert(try #require(done?.change)))
        #expect(try await store.stores.ledger.entries(limit: 9).count == 1)
    }

    @Test func rowsThatAreThere_arePassedOver_asManyAsThereAre() async throws {
        let store = try SQLiteStore.inMemory()
        let coffees = [row(2, 250, copy: 1), row(3, 250, copy: 2)]
        #expect(try await bring(coffees, into: store).done?.added == 2)
        let again = try await bring(coffees + [row(4, 250, copy: 3), row(5, 9)], into: store)
        #expect(again.staged.present == [2, 3] && again.done?.added == 2)
        #expect(try await bring(coffees, into: store).done == nil)
        #expect(try await store.ledgerCount() == 4)
    }

    @Test func dateWithoutItsTime_isThatOfTheEntryOfThatDay() async throws {
        let store = try SQLiteStore.inMemory()
        try await bring([row(2, 250)], into: store)
        var day = row(2, 250, span: 86_400_000)
        day.entry.date = day.entry.date.addingTimeInterval(-3_600)
        #expect(try await bring([day], into: store).staged.present == [2])
        day.span = 60_000
        #expect(try await bring([day], into: store).staged.present == [])
    }

    @Test func numberOfAnotherEntry_isTold_andOfTheSameOne_isPresent() async throws {
        let store = try SQLiteStore.inMemory()
        let own = try await store.stores.ledger.add(StoreContract.expense(100, "fuel"))
        let staged = try await bring(
            [row(2, 100, id: own.id), row(3, 101, id: own.id)].prefix(1).map { $0 }, into: store
        )
        .staged
        #expect(staged.present == [2])
        try await store.beginLedgerImport()
        let other = try await store.stage([row(3, 101, id: own.id)])
        #expect(other.taken.map(\.line) == [3] && other.taken.map(\.entry) == [own])
        await store.endLedgerImport()
    }

    @Test func failureInTheLastMoment_leavesEverythingAsItWas() async throws {
        let store = try SQLiteStore.inMemory()
        let own = try await store.stores.ledger.add(StoreContract.expense(100, "fuel"))
        try await store.beginLedgerImport()
        // The same number twice in a file, and an amount that the table does not admit.
        _ = try await store.stage([row(2, 5, id: 70), row(3, 6, id: 70)])
        await #expect(throws: StoreError.self) { _ = try await store.commitLedgerImport("an import") }
        try await store.beginLedgerImport()
        _ = try await store.stage([row(2, 5), row(3, -6)])
        await #expect(throws: StoreError.self) { _ = try await store.commitLedgerImport("an import") }
        await store.endLedgerImport()
        #expect(try await store.stores.ledger.entries(limit: 9) == [own])
        #expect(try await store.stores.journal.seal("mine") != nil, "the journal hears again")
    }

    @Test func uncertainTime_isMarkedAsSuch() async throws {
        let store = try SQLiteStore.inMemory()
        var uncertain = row(2, 5)
        uncertain.entry.timeUncertain = true
        try await bring([uncertain, row(3, 6)], into: store)
        #expect(try await store.stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 1))
    }

    @Test func writesOfOthers_haveTheirTurnBetweenTwoLots() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.beginLedgerImport()
        _ = try await store.stage([row(2, 5)])
        let own = try await store.stores.ledger.add(StoreContract.expense(100, "fuel"))
        #expect(try await store.stores.journal.seal("mine") != nil)
        _ = try await store.stage([row(3, 6)])
        #expect(try await store.ledgerCount() == 1, "what lies ready is not in the ledger")
        #expect(try await store.commitLedgerImport("an import")?.added == 2)
        #expect(try await store.stores.ledger.entries(limit: 9).map(\.id).contains(own.id))
    }

    @Test func pages_holdEveryEntryOnce_inOrder() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.fill(StoreLoad(entries: 501, items: 0, tasks: 0, trips: 0), now: StoreContract.date)
        var seen: [LedgerEntry] = []
        while case let page = try await store.ledgerPage(after: seen.last, limit: 100), !page.isEmpty { seen += page }
        #expect(Set(seen.map(\.id)).count == 501)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.date <= $1.date })
    }
}
