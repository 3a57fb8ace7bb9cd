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
    /// Masses, tanks and occupants.
    public let vehicle: any VehicleStore
    /// Tasks.
    public let checklist: any ChecklistStore
    /// Trips.
    public let trips: any TripStore
    /// Small facts.
    public let kept: any KeptValueStore
    /// How to take changes back.
    public let journal: any ChangeJournal
    /// Dates of a clock that was not known to be right.
    public let times: any TimeStore
    /// How the owner says words.
    public let words: any OwnerWordStore
    /// What the owner has marked to be found again.
    public let stars: any StarStore

    /// The stores of one appliance.
    public init(
        ledger: any LedgerStore, budgets: any BudgetStore, rates: any RateStore, manifest: any ManifestStore,
        vehicle: any VehicleStore, checklist: any ChecklistStore, trips: any TripStore, kept: any KeptValueStore,
        journal: any ChangeJournal, times: any TimeStore = CertainTimes(), words: any OwnerWordStore,
        stars: any StarStore
    ) {
        self.ledger = ledger
        self.budgets = budgets
        self.rates = rates
        self.manifest = manifest
        self.vehicle = vehicle
        self.checklist = checklist
        self.trips = trips
        self.kept = kept
        self.journal = journal
        self.times = times
        self.words = words
        self.stars = stars
    }
}
