import Foundation

/// Why nothing can be read or written.
public struct StoreLost: Error, Sendable, CustomStringConvertible {
    /// What is wrong with the store.
    public let description: String
}

/// Stands in for a store that cannot be opened: every call fails with the reason, so that the appliance stays up, says
/// so, and still answers emergencies.
public struct LostStore: LedgerStore, ManifestStore, ChecklistStore, TripStore, KeptValueStore, ChangeJournal {
    let reason: StoreLost

    /// A store lost for `reason`.
    public init(reason: String) { self.reason = StoreLost(description: reason) }

    /// The stores of an appliance whose database is lost.
    public var stores: Stores {
        Stores(ledger: self, manifest: self, checklist: self, trips: self, kept: self, journal: self)
    }

    /// Fails.
    public func add(_ entry: LedgerEntry) async throws -> LedgerEntry { throw reason }
    /// Fails.
    public func remove(id: Int64) async throws -> Bool { throw reason }
    /// Fails.
    public func last() async throws -> LedgerEntry? { throw reason }
    /// Fails.
    public func entries(limit: Int) async throws -> [LedgerEntry] { throw reason }
    /// Fails.
    public func entries(_ query: LedgerQuery, limit: Int) async throws -> [LedgerEntry] { throw reason }
    /// Fails.
    public func totals(_ query: LedgerQuery) async throws -> [Money] { throw reason }
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
}
