@testable import Domain
import Foundation
import Testing

@testable import StoreSQLite

/// A ledger of many years: no question reads it from end to end, and the running totals agree with the entries.
@Suite struct FinanceScaleTests {
    private static let start = VanBench.date(2025, 1, 1)

    private static let queries: [LedgerQuery] = {
        let period = DateInterval(start: VanBench.date(2025, 2, 3), end: VanBench.date(2025, 9, 17))
        let day = DateInterval(start: VanBench.date(2025, 2, 3, 0), duration: 86_400)
        return [
            LedgerQuery(kind: .expense), LedgerQuery(kind: .expense, category: "fuel"),
            LedgerQuery(kind: .expense, period: period), LedgerQuery(kind: .expense, period: day),
            LedgerQuery(kind: .expense, category: "fuel", period: period),
            LedgerQuery(kind: .expense, merchant: "lidl"),
            LedgerQuery(kind: .expense, merchant: "LIDL", period: period),
            LedgerQuery(kind: .expense, account: "card", period: period), LedgerQuery(kind: .income),
        ]
    }()

    /// Entries whose sums a test can reckon by itself.
    private func filled(_ store: SQLiteStore, count: Int) async throws -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        for number in 0..<count {
            entries.append(
                try await store.stores.ledger.add(
                    LedgerEntry(
                        kind: number % 11 == 0 ? .income : .expense,
                        amount: Money(minorUnits: Int64(number + 1), currency: number % 3 == 0 ? "EUR" : "GBP"),
                        category: ["fuel", "groceries", nil][number % 3], merchant: number % 2 == 0 ? "Lidl" : nil,
                        account: number % 5 == 0 ? "card" : nil,
                        date: Self.start.addingTimeInterval(Double(number) * 86_400 * 1.7))))
        }
        return entries
    }

    private func total(_ entries: [LedgerEntry], _ query: LedgerQuery) -> [Money] {
        let meant = entries.filter { entry in
            (query.kind == nil || entry.kind == query.kind)
                && (query.category == nil || entry.category == query.category)
                && (query.merchant == nil || entry.merchant?.lowercased() == query.merchant?.lowercased())
                && (query.account == nil || entry.account == query.account)
                && (query.period.map { $0.start <= entry.date && entry.date < $0.end } ?? true)
        }
        return Dictionary(grouping: meant, by: \.amount.currency).sorted { $0.key < $1.key }.map { currency, entries in
            Money(minorUnits: entries.reduce(0) { $0 + $1.amount.minorUnits }, currency: currency)
        }
    }

    @Test func totals_areTheEntriesOwn_alsoAfterChangesAndUndo() async throws {
        let store = try SQLiteStore.inMemory()
        let ledger = store.stores.ledger
        var entries = try await filled(store, count: 300)
        for query in Self.queries { #expect(try await ledger.totals(query) == total(entries, query)) }
        let before = entries
        _ = try await store.stores.journal.seal("before")
        for index in stride(from: 0, to: 300, by: 7) {
            entries[index].amount = Money(minorUnits: 5, currency: "CHF")
            entries[index].category = "tolls"
            entries[index].date = VanBench.date(2025, 3, 4)
            #expect(try await ledger.update(entries[index]))
        }
        #expect(try await ledger.remove(id: entries[3].id))
        entries.remove(at: 3)
        for query in Self.queries { #expect(try await ledger.totals(query) == total(entries, query)) }
        let change = try #require(try await store.stores.journal.seal("changed"))
        #expect(try await store.stores.journal.revert(change))
        for query in Self.queries { #expect(try await ledger.totals(query) == total(before, query)) }
    }

    @Test(arguments: queries)
    func noTotal_readsTheWholeLedger(query: LedgerQuery) async throws {
        let store = try SQLiteStore.inMemory()
        let ledger = try #require(store.stores.ledger as? SQLiteLedger)
        for plan in try await ledger.plans(query) {
            #expect(!plan.contains("SCAN ledger_entry"), "\(plan)")
            #expect(!plan.contains("ledger_entry") || plan.contains("INDEX"), "\(plan)")
        }
    }

    @Test func aBudgetAndARate_survive_andAreReplaced() async throws {
        let stores = try SQLiteStore.inMemory().stores
        try await stores.budgets.setBudget(Budget(category: nil, amount: Money(minorUnits: 1, currency: "GBP")))
        try await stores.budgets.setBudget(Budget(category: nil, amount: Money(minorUnits: 2, currency: "GBP")))
        #expect(try await stores.budgets.budgets().map(\.amount.minorUnits) == [2])
        try await stores.rates.setRate(ExchangeRate(currency: "EUR", millionths: 850_000))
        try await stores.rates.setRate(ExchangeRate(currency: "EUR", millionths: 860_000))
        #expect(try await stores.rates.rates() == [ExchangeRate(currency: "EUR", millionths: 860_000)])
        #expect(try await !stores.budgets.removeBudget(category: "fuel"))
    }

    @Test func accounts_areListed_andHaveBalances() async throws {
        let store = try SQLiteStore.inMemory()
        let entries = try await filled(store, count: 30)
        #expect(try await store.stores.ledger.accounts() == ["card"])
        let card = entries.filter { $0.account == "card" }
        let balances = try await store.stores.ledger.balances(account: "card")
        for balance in balances {
            let own = card.filter { $0.amount.currency == balance.currency }
            #expect(
                balance.minorUnits
                    == own.reduce(0) { $0 + ($1.kind == .income ? 1 : -1) * $1.amount.minorUnits })
        }
        #expect(try await store.stores.ledger.balances(account: "savings").isEmpty)
    }

    @Test func anEntryThatIsNotThere_isNotUpdated_norIsABadOne() async throws {
        let ledger = try SQLiteStore.inMemory().stores.ledger
        let entry = LedgerEntry(id: 7, kind: .expense, amount: Money(minorUnits: 1, currency: "GBP"), date: Self.start)
        #expect(try await !ledger.update(entry))
        await #expect(throws: StoreError.self) {
            var bad = entry
            bad.amount.minorUnits = 0
            _ = try await ledger.update(bad)
        }
    }
}
