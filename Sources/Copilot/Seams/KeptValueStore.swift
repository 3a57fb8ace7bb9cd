/// Small facts that survive a restart: the mode, muting, whether the introduction was heard, medical notes.
public protocol KeptValueStore: Sendable {
    /// The value kept under `key`, or nil.
    func value(_ key: String) async throws -> String?
    /// Keeps `value` under `key`; nil forgets it.
    func set(_ key: String, to value: String?) async throws
}

/// The stores that the handlers work on; each a small seam of its own.
public struct Stores: Sendable {
    /// Money.
    public let ledger: any LedgerStore
    /// What may be spent.
    public let budgets: any BudgetStore
    /// What foreign money is worth.
    public let rates: any RateStore
    /// Things and places.
    public let manifest: any ManifestStore
    /// Tasks.
    public let checklist: any ChecklistStore
    /// Trips.
    public let trips: any TripStore
    /// Small facts.
    public let kept: any KeptValueStore
    /// How to take changes back.
    public let journal: any ChangeJournal

    /// The stores of one appliance.
    public init(
        ledger: any LedgerStore, budgets: any BudgetStore, rates: any RateStore, manifest: any ManifestStore,
        checklist: any ChecklistStore, trips: any TripStore, kept: any KeptValueStore, journal: any ChangeJournal
    ) {
        self.ledger = ledger
        self.budgets = budgets
        self.rates = rates
        self.manifest = manifest
        self.checklist = checklist
        self.trips = trips
        self.kept = kept
        self.journal = journal
    }
}
