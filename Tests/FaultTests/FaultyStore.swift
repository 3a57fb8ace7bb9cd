import Domain
import Foundation

extension Stores {
    /// The same stores, each call of which may fare ill.
    func faulty(_ plan: FaultPlan) -> Stores {
        Stores(
            finance: FinanceStores(
                ledger: FaultyLedger(real: ledger, plan: plan), budgets: FaultyBudgets(real: budgets, plan: plan),
                rates: FaultyRates(real: rates, plan: plan)),
            load: LoadStores(
                manifest: FaultyManifest(real: manifest, plan: plan), vehicle: FaultyVehicle(real: vehicle, plan: plan)),
            checklist: FaultyChecklist(real: checklist, plan: plan), trips: FaultyTrips(real: trips, plan: plan),
            owner: OwnerStores(
                kept: FaultyKeptValues(real: kept, plan: plan), words: FaultyWords(real: words, plan: plan),
                stars: FaultyStars(real: stars, plan: plan)),
            history: HistoryStores(
                journal: FaultyJournal(real: journal, plan: plan), times: FaultyTimes(real: times, plan: plan)))
    }
}

/// What the disk says.
private struct StoreTrouble: Error {}

extension FaultPlan {
    fileprivate func store<Value: Sendable>(
        _ name: String, _ body: () async throws -> Value
    ) async throws -> Value {
        try await call(.store, name, StoreTrouble(), body)
    }
}

private struct FaultyLedger: LedgerStore {
    let real: any LedgerStore
    let plan: FaultPlan

    func add(_ entry: LedgerEntry) async throws -> LedgerEntry {
        try await plan.store("ledger.add") { try await real.add(entry) }
    }
    func update(_ entry: LedgerEntry) async throws -> Bool {
        try await plan.store("ledger.update") { try await real.update(entry) }
    }
    func remove(id: Int64) async throws -> Bool {
        try await plan.store("ledger.remove") { try await real.remove(id: id) }
    }
    func entry(id: Int64) async throws -> LedgerEntry? {
        try await plan.store("ledger.entry") { try await real.entry(id: id) }
    }
    func last() async throws -> LedgerEntry? {
        try await plan.store("ledger.last") { try await real.last() }
    }
    func entries(limit: Int) async throws -> [LedgerEntry] {
        try await plan.store("ledger.entries") { try await real.entries(limit: limit) }
    }
    func entries(_ query: LedgerQuery, limit: Int) async throws -> [LedgerEntry] {
        try await plan.store("ledger.entries") { try await real.entries(query, limit: limit) }
    }
    func totals(_ query: LedgerQuery) async throws -> [Money] {
        try await plan.store("ledger.totals") { try await real.totals(query) }
    }
    func largest(_ query: LedgerQuery) async throws -> [LedgerEntry] {
        try await plan.store("ledger.largest") { try await real.largest(query) }
    }
    func latest(at merchant: String) async throws -> LedgerEntry? {
        try await plan.store("ledger.latest") { try await real.latest(at: merchant) }
    }
    func firstDate() async throws -> Date? {
        try await plan.store("ledger.firstDate") { try await real.firstDate() }
    }
    func balances() async throws -> [Money] {
        try await plan.store("ledger.balances") { try await real.balances() }
    }
    func balances(account: String?) async throws -> [Money] {
        try await plan.store("ledger.balances") { try await real.balances(account: account) }
    }
    func accounts() async throws -> [String] {
        try await plan.store("ledger.accounts") { try await real.accounts() }
    }
    func spent(category: String?, in period: DateInterval?) async throws -> [Money] {
        try await plan.store("ledger.spent") { try await real.spent(category: category, in: period) }
    }
}

private struct FaultyBudgets: BudgetStore {
    let real: any BudgetStore
    let plan: FaultPlan

    func budgets() async throws -> [Budget] {
        try await plan.store("budgets.budgets") { try await real.budgets() }
    }
    func setBudget(_ budget: Budget) async throws {
        try await plan.store("budgets.setBudget") { try await real.setBudget(budget) }
    }
    func removeBudget(category: String?) async throws -> Bool {
        try await plan.store("budgets.removeBudget") { try await real.removeBudget(category: category) }
    }
}

private struct FaultyRates: RateStore {
    let real: any RateStore
    let plan: FaultPlan

    func rates() async throws -> [ExchangeRate] {
        try await plan.store("rates.rates") { try await real.rates() }
    }
    func setRate(_ rate: ExchangeRate) async throws {
        try await plan.store("rates.setRate") { try await real.setRate(rate) }
    }
    func removeRate(currency: String) async throws -> Bool {
        try await plan.store("rates.removeRate") { try await real.removeRate(currency: currency) }
    }
}

private struct FaultyManifest: ManifestStore {
    let real: any ManifestStore
    let plan: FaultPlan

    func items() async throws -> [Item] {
        try await plan.store("manifest.items") { try await real.items() }
    }
    func items(ids: [Int64]) async throws -> [Item] {
        try await plan.store("manifest.items") { try await real.items(ids: ids) }
    }
    func items(_ query: ItemQuery, limit: Int) async throws -> [Item] {
        try await plan.store("manifest.items") { try await real.items(query, limit: limit) }
    }
    func itemNames() async throws -> [ItemName] {
        try await plan.store("manifest.itemNames") { try await real.itemNames() }
    }
    func totals(_ query: ItemQuery) async throws -> ItemTotals {
        try await plan.store("manifest.totals") { try await real.totals(query) }
    }
    func places() async throws -> [String] {
        try await plan.store("manifest.places") { try await real.places() }
    }
    func add(_ item: Item) async throws -> Item {
        try await plan.store("manifest.add") { try await real.add(item) }
    }
    func add(all items: [Item]) async throws {
        try await plan.store("manifest.add") { try await real.add(all: items) }
    }
    func update(_ item: Item) async throws -> Bool {
        try await plan.store("manifest.update") { try await real.update(item) }
    }
    func change(_ items: [Item], removing ids: [Int64]) async throws -> Bool {
        try await plan.store("manifest.change") { try await real.change(items, removing: ids) }
    }
    func moveAll(from place: String, to destination: String) async throws -> Int {
        try await plan.store("manifest.moveAll") { try await real.moveAll(from: place, to: destination) }
    }
    func removeAll(in place: String) async throws -> Int {
        try await plan.store("manifest.removeAll") { try await real.removeAll(in: place) }
    }
    func remove(id: Int64) async throws -> Bool {
        try await plan.store("manifest.remove") { try await real.remove(id: id) }
    }
}

private struct FaultyVehicle: VehicleStore {
    let real: any VehicleStore
    let plan: FaultPlan

    func vehicle() async throws -> Vehicle {
        try await plan.store("vehicle.vehicle") { try await real.vehicle() }
    }
    func setMasses(unladenGrams: Int?, permittedGrams: Int?) async throws {
        try await plan.store("vehicle.setMasses") {
            try await real.setMasses(unladenGrams: unladenGrams, permittedGrams: permittedGrams)
        }
    }
    func set(_ tank: Tank) async throws {
        try await plan.store("vehicle.set") { try await real.set(tank) }
    }
    func removeTank(named name: String) async throws -> Bool {
        try await plan.store("vehicle.removeTank") { try await real.removeTank(named: name) }
    }
    func set(_ occupant: Occupant) async throws {
        try await plan.store("vehicle.set") { try await real.set(occupant) }
    }
    func removeOccupant(named name: String) async throws -> Bool {
        try await plan.store("vehicle.removeOccupant") { try await real.removeOccupant(named: name) }
    }
}

private struct FaultyChecklist: ChecklistStore {
    let real: any ChecklistStore
    let plan: FaultPlan

    func lists() async throws -> [String] {
        try await plan.store("checklist.lists") { try await real.lists() }
    }
    func tasks(list: String?) async throws -> [ChecklistTask] {
        try await plan.store("checklist.tasks") { try await real.tasks(list: list) }
    }
    func add(_ task: ChecklistTask) async throws -> ChecklistTask {
        try await plan.store("checklist.add") { try await real.add(task) }
    }
    func setDone(_ isDone: Bool, id: Int64) async throws -> Bool {
        try await plan.store("checklist.setDone") { try await real.setDone(isDone, id: id) }
    }
    func setAllDone(_ isDone: Bool, list: String) async throws -> Int {
        try await plan.store("checklist.setAllDone") { try await real.setAllDone(isDone, list: list) }
    }
    func add(all tasks: [ChecklistTask], making lists: [String]) async throws {
        try await plan.store("checklist.add") { try await real.add(all: tasks, making: lists) }
    }
    func removeAll(list: String, onlyDone: Bool) async throws -> Int {
        try await plan.store("checklist.removeAll") { try await real.removeAll(list: list, onlyDone: onlyDone) }
    }
    func make(list: String) async throws -> Bool {
        try await plan.store("checklist.make") { try await real.make(list: list) }
    }
    func remove(list: String) async throws -> Bool {
        try await plan.store("checklist.remove") { try await real.remove(list: list) }
    }
    func remove(id: Int64) async throws -> Bool {
        try await plan.store("checklist.remove") { try await real.remove(id: id) }
    }
}

private struct FaultyTrips: TripStore {
    let real: any TripStore
    let plan: FaultPlan

    func current() async throws -> Trip? {
        try await plan.store("trips.current") { try await real.current() }
    }
    func trips() async throws -> [Trip] {
        try await plan.store("trips.trips") { try await real.trips() }
    }
    func start(_ trip: Trip) async throws -> Trip {
        try await plan.store("trips.start") { try await real.start(trip) }
    }
    func start(_ trip: Trip, insteadOfCurrent: Bool, at reading: OdometerReading?) async throws -> Trip {
        try await plan.store("trips.start") {
            try await real.start(trip, insteadOfCurrent: insteadOfCurrent, at: reading)
        }
    }
    func setEnd(_ end: Date?, id: Int64, at reading: OdometerReading?) async throws -> Bool {
        try await plan.store("trips.setEnd") { try await real.setEnd(end, id: id, at: reading) }
    }
    func add(all trips: [Trip]) async throws {
        try await plan.store("trips.add") { try await real.add(all: trips) }
    }
    func setEnd(_ end: Date?, id: Int64) async throws -> Bool {
        try await plan.store("trips.setEnd") { try await real.setEnd(end, id: id) }
    }
    func remove(id: Int64) async throws -> Bool {
        try await plan.store("trips.remove") { try await real.remove(id: id) }
    }
    func readings() async throws -> [OdometerReading] {
        try await plan.store("trips.readings") { try await real.readings() }
    }
    func add(_ reading: OdometerReading) async throws -> OdometerReading {
        try await plan.store("trips.add") { try await real.add(reading) }
    }
    func replaceCurrent(with trip: Trip) async throws -> Trip {
        try await plan.store("trips.replaceCurrent") { try await real.replaceCurrent(with: trip) }
    }
    func addDriven(metres: Int64, at date: Date) async throws {
        try await plan.store("trips.addDriven") { try await real.addDriven(metres: metres, at: date) }
    }
    func driven(in period: DateInterval?) async throws -> Int64? {
        try await plan.store("trips.driven") { try await real.driven(in: period) }
    }
    func addStop(_ stop: Stop) async throws {
        try await plan.store("trips.addStop") { try await real.addStop(stop) }
    }
    func stops(in period: DateInterval?) async throws -> [Stop] {
        try await plan.store("trips.stops") { try await real.stops(in: period) }
    }
    func lastStop() async throws -> Stop? {
        try await plan.store("trips.lastStop") { try await real.lastStop() }
    }
}

private struct FaultyKeptValues: KeptValueStore {
    let real: any KeptValueStore
    let plan: FaultPlan

    func value(_ key: String) async throws -> String? {
        try await plan.store("kept.value") { try await real.value(key) }
    }
    func set(_ key: String, to value: String?) async throws {
        try await plan.store("kept.set") { try await real.set(key, to: value) }
    }
}

private struct FaultyStars: StarStore {
    let real: any StarStore
    let plan: FaultPlan

    func stars() async throws -> Set<String> { try await plan.store("stars.all") { try await real.stars() } }
    func setStar(_ isStarred: Bool, on thing: String) async throws -> Bool {
        try await plan.store("stars.set") { try await real.setStar(isStarred, on: thing) }
    }
}

private struct FaultyJournal: ChangeJournal {
    let real: any ChangeJournal
    let plan: FaultPlan

    func seal(_ description: String) async throws -> Int64? {
        try await plan.store("journal.seal") { try await real.seal(description) }
    }
    func changes(limit: Int) async throws -> [JournalledChange] {
        try await plan.store("journal.changes") { try await real.changes(limit: limit) }
    }
    func revert(_ id: Int64) async throws -> Bool {
        try await plan.store("journal.revert") { try await real.revert(id) }
    }
}

private struct FaultyTimes: TimeStore {
    let real: any TimeStore
    let plan: FaultPlan

    func uncertain() async throws -> UncertainEntries {
        try await plan.store("times.uncertain") { try await real.uncertain() }
    }
    func repair() async throws -> Int {
        try await plan.store("times.repair") { try await real.repair() }
    }
    func settle(_ way: TimeSettlement) async throws -> Int {
        try await plan.store("times.settle") { try await real.settle(way) }
    }
}

private struct FaultyWords: OwnerWordStore {
    let real: any OwnerWordStore
    let plan: FaultPlan

    func ownerWords(language: String) async throws -> [String: [OwnerPronunciation]] {
        try await plan.store("words.ownerWords") { try await real.ownerWords(language: language) }
    }
    func setOwnerWord(_ word: String, language: String, to pronunciations: [OwnerPronunciation]) async throws {
        try await plan.store("words.setOwnerWord") {
            try await real.setOwnerWord(word, language: language, to: pronunciations)
        }
    }
    func removeOwnerWord(_ word: String, language: String) async throws -> Bool {
        try await plan.store("words.removeOwnerWord") { try await real.removeOwnerWord(word, language: language) }
    }
}
