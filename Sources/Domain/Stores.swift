/// Single facts that survive a restart: the mode, muting, whether the introduction was heard, medical notes.
public protocol KeptValueStore: Sendable {
    /// The value kept under `key`, or nil.
    func value(_ key: String) async throws -> String?
    /// Keeps `value` under `key`; nil deletes it.
    func set(_ key: String, to value: String?) async throws
}

/// The stores of money.
public struct FinanceStores: Sendable {
    /// What was spent and received.
    public let ledger: any LedgerStore
    /// What may be spent.
    public let budgets: any BudgetStore
    /// Exchange rates.
    public let rates: any RateStore

    /// The stores of one database.
    public init(ledger: any LedgerStore, budgets: any BudgetStore, rates: any RateStore) {
        self.ledger = ledger
        self.budgets = budgets
        self.rates = rates
    }
}

/// The stores of what the vehicle carries.
public struct LoadStores: Sendable {
    /// Things and places.
    public let manifest: any ManifestStore
    /// Masses, tanks and occupants.
    public let vehicle: any VehicleStore

    /// The stores of one database.
    public init(manifest: any ManifestStore, vehicle: any VehicleStore) {
        self.manifest = manifest
        self.vehicle = vehicle
    }
}

/// The stores of the owner's preferences.
public struct OwnerStores: Sendable {
    /// Single facts.
    public let kept: any KeptValueStore
    /// Pronunciations.
    public let words: any OwnerWordStore
    /// Starred rows.
    public let stars: any StarStore

    /// The stores of one database.
    public init(kept: any KeptValueStore, words: any OwnerWordStore, stars: any StarStore) {
        self.kept = kept
        self.words = words
        self.stars = stars
    }
}

/// The stores of when and how rows were changed.
public struct HistoryStores: Sendable {
    /// How to undo changes.
    public let journal: any ChangeJournal
    /// Dates of a clock that was not known to be right.
    public let times: any TimeStore

    /// The stores of one database.
    public init(journal: any ChangeJournal, times: any TimeStore = CertainTimes()) {
        self.journal = journal
        self.times = times
    }
}

/// All stores, in groups that are used together.
public struct Stores: Sendable {
    /// Money.
    public let finance: FinanceStores
    /// What the vehicle carries.
    public let load: LoadStores
    /// Tasks.
    public let checklist: any ChecklistStore
    /// Trips.
    public let trips: any TripStore
    /// The owner's preferences.
    public let owner: OwnerStores
    /// How to undo changes, and dates of an unset clock.
    public let history: HistoryStores

    /// The stores of one appliance.
    public init(
        finance: FinanceStores, load: LoadStores, checklist: any ChecklistStore, trips: any TripStore,
        owner: OwnerStores, history: HistoryStores
    ) {
        self.finance = finance
        self.load = load
        self.checklist = checklist
        self.trips = trips
        self.owner = owner
        self.history = history
    }

    /// What was spent and received.
    public var ledger: any LedgerStore { finance.ledger }
    /// What may be spent.
    public var budgets: any BudgetStore { finance.budgets }
    /// Exchange rates.
    public var rates: any RateStore { finance.rates }
    /// Things and places.
    public var manifest: any ManifestStore { load.manifest }
    /// Masses, tanks and occupants.
    public var vehicle: any VehicleStore { load.vehicle }
    /// Single facts.
    public var kept: any KeptValueStore { owner.kept }
    /// Pronunciations.
    public var words: any OwnerWordStore { owner.words }
    /// Starred rows.
    public var stars: any StarStore { owner.stars }
    /// How to undo changes.
    public var journal: any ChangeJournal { history.journal }
    /// Dates of an unset clock.
    public var times: any TimeStore { history.times }
}
