import Foundation

/// Why nothing can be read or written.
public struct StoreLost: Error, Sendable, CustomStringConvertible {
    /// What is wrong with the store.
    public let description: String
}

/// Stands in for a store that cannot be opened: every call fails with the reason, so that the appliance stays up, says
/// so, and still answers emergencies.
public struct LostStore: LedgerStore, BudgetStore, RateStore, ManifestStore, VehicleStore, ChecklistStore, TripStore,
    KeptValueStore, ChangeJournal, TimeStore, OwnerWordStore
{
    package let reason: StoreLost

    /// A store lost for `reason`.
    public init(reason: String) { self.reason = StoreLost(description: reason) }

    /// The stores of an appliance whose database is lost.
    public var stores: Stores {
        Stores(
            finance: FinanceStores(
                ledger: self, budgets: self, rates: self),
            load: LoadStores(
                manifest: self, vehicle: self),
            checklist: self, trips: self,
            owner: OwnerStores(
                kept: self, words: self, stars: self),
            history: HistoryStores(
                journal: self, times: self))
    }

    /// Fails.
    public func add(_ entry: LedgerEntry) async throws -> LedgerEntry { throw reason }
    /// Fails.
    public func remove(id: Int64) async throws -> Bool { throw reason }
    /// Fails.
    public func entry(id: Int64) async throws -> LedgerEntry? { throw reason }
    /// Fails.
    public func last() async throws -> LedgerEntry? { throw reason }
    /// Fails.
    public func entries(limit: Int) async throws -> [LedgerEntry] { throw reason }
    /// Fails.
    public func entries(_ query: LedgerQuery, limit: Int) async throws -> [LedgerEntry] { throw reason }
    /// Fails.
    public func totals(_ query: LedgerQuery) async throws -> [Money] { throw reason }
    /// Fails.
    public func update(_ entry: LedgerEntry) async throws -> Bool { throw reason }
    /// Fails.
    public func largest(_ query: LedgerQuery) async throws -> [LedgerEntry] { throw reason }
    /// Fails.
    public func latest(at merchant: String) async throws -> LedgerEntry? { throw reason }
    /// Fails.
    public func balances(account: String?) async throws -> [Money] { throw reason }
    /// Fails.
    public func accounts() async throws -> [String] { throw reason }
    /// Fails.
    public func budgets() async throws -> [Budget] { throw reason }
    /// Fails.
    public func setBudget(_ budget: Budget) async throws { throw reason }
    /// Fails.
    public func removeBudget(category: String?) async throws -> Bool { throw reason }
    /// Fails.
    public func rates() async throws -> [ExchangeRate] { throw reason }
    /// Fails.
    public func setRate(_ rate: ExchangeRate) async throws { throw reason }
    /// Fails.
    public func removeRate(currency: String) async throws -> Bool { throw reason }
    /// Fails.
    public func firstDate() async throws -> Date? { throw reason }
    /// Fails.
    public func balances() async throws -> [Money] { throw reason }
    /// Fails.
    public func spent(category: String?, in period: DateInterval?) async throws -> [Money] { throw reason }
    /// Fails.
    public func items() async throws -> [Item] { throw reason }
    /// Fails.
    public func places() async throws -> [String] { throw reason }
    /// Fails.
    public func add(_ item: Item) async throws -> Item { throw reason }
    /// Fails.
    public func add(all items: [Item]) async throws { throw reason }
    /// Fails.
    public func update(_ item: Item) async throws -> Bool { throw reason }
    /// Fails.
    public func items(ids: [Int64]) async throws -> [Item] { throw reason }
    /// Fails.
    public func items(_ query: ItemQuery, limit: Int) async throws -> [Item] { throw reason }
    /// Fails.
    public func itemNames() async throws -> [ItemName] { throw reason }
    /// Fails.
    public func totals(_ query: ItemQuery) async throws -> ItemTotals { throw reason }
    /// Fails.
    public func change(_ items: [Item], removing ids: [Int64]) async throws -> Bool { throw reason }
    /// Fails.
    public func moveAll(from place: String, to destination: String) async throws -> Int { throw reason }
    /// Fails.
    public func removeAll(in place: String) async throws -> Int { throw reason }
    /// Fails.
    public func vehicle() async throws -> Vehicle { throw reason }
    /// Fails.
    public func setMasses(unladenGrams: Int?, permittedGrams: Int?) async throws { throw reason }
    /// Fails.
    public func set(_ tank: Tank) async throws { throw reason }
    /// Fails.
    public func removeTank(named name: String) async throws -> Bool { throw reason }
    /// Fails.
    public func set(_ occupant: Occupant) async throws { throw reason }
    /// Fails.
    public func removeOccupant(named name: String) async throws -> Bool { throw reason }
    /// Fails.
    public func setAllDone(_ isDone: Bool, list: String) async throws -> Int { throw reason }
    /// Fails.
    public func add(all tasks: [ChecklistTask], making lists: [String]) async throws { throw reason }
    /// Fails.
    public func removeAll(list: String, onlyDone: Bool) async throws -> Int { throw reason }
    /// Fails.
    public func make(list: String) async throws -> Bool { throw reason }
    /// Fails.
    public func remove(list: String) async throws -> Bool { throw reason }
    /// Fails.
    public func lists() async throws -> [String] { throw reason }
    /// Fails.
    public func tasks(list: String?) async throws -> [ChecklistTask] { throw reason }
    /// Fails.
    public func add(_ task: ChecklistTask) async throws -> ChecklistTask { throw reason }
    /// Fails.
    public func setDone(_ isDone: Bool, id: Int64) async throws -> Bool { throw reason }
    /// Fails.
    public func current() async throws -> Trip? { throw reason }
    /// Fails.
    public func trips() async throws -> [Trip] { throw reason }
    /// Fails.
    public func start(_ trip: Trip) async throws -> Trip { throw reason }
    /// Fails.
    public func add(all trips: [Trip]) async throws { throw reason }
    /// Fails.
    public func setEnd(_ end: Date?, id: Int64) async throws -> Bool { throw reason }
    /// Fails.
    public func value(_ key: String) async throws -> String? { throw reason }
    /// Fails.
    public func set(_ key: String, to value: String?) async throws { throw reason }
    /// Fails.
    public func seal(_ description: String) async throws -> Int64? { throw reason }
    /// Fails.
    public func changes(limit: Int) async throws -> [JournalledChange] { throw reason }
    /// Fails.
    public func revert(_ id: Int64) async throws -> Bool { throw reason }
    /// Fails.
    public func uncertain() async throws -> UncertainEntries { throw reason }
    /// Fails.
    public func repair() async throws -> Int { throw reason }
    /// Fails.
    public func settle(_ way: TimeSettlement) async throws -> Int { throw reason }
}

/// What the lost store answers about trips.
extension LostStore {
    /// Fails.
    public func start(_ trip: Trip, insteadOfCurrent: Bool, at reading: OdometerReading?) async throws -> Trip {
        throw reason
    }
    /// Fails.
    public func setEnd(_ end: Date?, id: Int64, at reading: OdometerReading?) async throws -> Bool { throw reason }
    /// Fails.
    public func readings() async throws -> [OdometerReading] { throw reason }
    /// Fails.
    public func add(_ reading: OdometerReading) async throws -> OdometerReading { throw reason }
    /// Fails.
    public func replaceCurrent(with trip: Trip) async throws -> Trip { throw reason }
    /// Fails.
    public func addDriven(metres: Int64, at date: Date) async throws { throw reason }
    /// Fails.
    public func driven(in period: DateInterval?) async throws -> Int64? { throw reason }
    /// Fails.
    public func addStop(_ stop: Stop) async throws { throw reason }
    /// Fails.
    public func stops(in period: DateInterval?) async throws -> [Stop] { throw reason }
    /// Fails.
    public func lastStop() async throws -> Stop? { throw reason }
}

/// The owner's pronunciations, lost.
extension LostStore {
    /// Fails.
    public func ownerWords(language: String) async throws -> [String: [OwnerPronunciation]] { throw reason }
    /// Fails.
    public func setOwnerWord(_ word: String, language: String, to pronunciations: [OwnerPronunciation]) async throws {
        throw reason
    }
    /// Fails.
    public func removeOwnerWord(_ word: String, language: String) async throws -> Bool { throw reason }
}

/// The owner's stars, lost.
extension LostStore: StarStore {
    /// Fails.
    public func stars() async throws -> Set<String> { throw reason }
    /// Fails.
    public func setStar(_ isStarred: Bool, on thing: String) async throws -> Bool { throw reason }
}
