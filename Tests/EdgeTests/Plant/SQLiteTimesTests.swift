import Domain
import Foundation
import GRDB
import Logging
import Synchronization
import SystemTestKit
import Testing

@testable import StoreSQLite

/// A board whose clock is set by the test: it starts in 1970, as a board without a clock chip does.
final class UnsetClock: Sendable {
    private let state: Mutex<ClockReading>

    init(boot: String = "boot 1", wall: Date = Date(timeIntervalSince1970: 100)) {
        state = Mutex(ClockReading(boot: boot, sinceBoot: .seconds(100), wall: wall, isCertain: false))
    }

    var reading: ClockReading { state.withLock { $0 } }

    /// Time goes by.
    func pass(_ seconds: Int) {
        state.withLock { state in
            state.sinceBoot += .seconds(seconds)
            state.wall += Double(seconds)
        }
    }

    /// Somebody sets the clock.
    func set(to wall: Date, isCertain: Bool = true) {
        state.withLock { state in
            state.wall = wall
            state.isCertain = isCertain
        }
    }

    /// The board is switched off and on again, and starts with what its clock shows then.
    func restart(boot: String, wall: Date) {
        state.withLock { $0 = ClockReading(boot: boot, sinceBoot: .seconds(10), wall: wall, isCertain: false) }
    }
}

/// Entries of a board that does not know the time.
@Suite struct SQLiteTimesTests {
    private let clock = UnsetClock()
    private let folder = try? TemporaryFolder()
    private static let noon = Date(timeIntervalSince1970: 1_795_000_000)

    private func store() throws -> SQLiteStore { try SQLiteStore.inMemory(clock: { [clock] in clock.reading }) }

    private func entry(_ note: String, at date: Date, isUncertain: Bool) -> LedgerEntry {
        LedgerEntry(
            kind: .expense, amount: Money(minorUnits: 100, currency: "GBP"), note: note, date: date,
            timeUncertain: isUncertain)
    }

    private func dates(_ store: SQLiteStore) async throws -> [String: Date] {
        let entries = try await store.stores.ledger.entries(limit: 99)
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.note ?? "", $0.date) })
    }

    @Test func entriesOfThisBoot_areRepairedToTheSecond_whenTheClockIsSet() async throws {
        let store = try store(), stores = store.stores
        _ = try await stores.ledger.add(entry("now", at: clock.reading.wall, isUncertain: true))
        clock.pass(600)
        let yesterday = clock.reading.wall.addingTimeInterval(-86_400)
        _ = try await stores.ledger.add(entry("yesterday", at: yesterday, isUncertain: true))
        let trip = try await stores.trips.start(Trip(destination: "Spain", start: clock.reading.wall))
        clock.pass(300)
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 3, older: 0))
        #expect(try await stores.times.repair() == 0, "the clock is not known yet")

        clock.set(to: Self.noon)
        #expect(try await stores.times.repair() == 3)
        let dates = try await dates(store)
        #expect(dates["now"] == Self.noon.addingTimeInterval(-900))
        #expect(dates["yesterday"] == Self.noon.addingTimeInterval(-300 - 86_400))
        #expect(try await stores.trips.trips() == [Trip(id: trip.id, destination: "Spain", start: Self.noon - 300)])
        #expect(try await stores.ledger.entries(limit: 9).allSatisfy { !$0.timeUncertain })
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 0))
        #expect(try await stores.times.repair() == 0, "once is enough")
    }

    @Test func clockThatJumpsMoreThanOnce_isAllowedFor_entryByEntry() async throws {
        let store = try store()
        _ = try await store.stores.ledger.add(entry("1970", at: clock.reading.wall, isUncertain: true))
        clock.set(to: Self.noon - 50_000, isCertain: false)
        _ = try await store.stores.ledger.add(entry("saved", at: clock.reading.wall, isUncertain: true))
        clock.pass(60)
        clock.set(to: Self.noon)
        #expect(try await store.stores.times.repair() == 2)
        let dates = try await dates(store)
        #expect(dates["1970"] == Self.noon - 60 && dates["saved"] == Self.noon - 60)
    }

    @Test func commandUnderWayAsTheClockIsSet_isNotForgotten() async throws {
        let store = try store()
        let before = clock.reading.wall
        clock.set(to: Self.noon)
        // Its date and its mark were made before, its row after.
        _ = try await store.stores.ledger.add(entry("late", at: before, isUncertain: true))
        #expect(try await store.stores.times.uncertain().thisBoot == 1)
        #expect(try await store.stores.times.repair() == 1)
        #expect(try await store.stores.ledger.last()?.timeUncertain == false)
    }

    @Test func whatHasATimeOfItsOwn_isLeftAlone() async throws {
        let store = try store(), stores = store.stores
        let old = Date(timeIntervalSince1970: 1_700_000_000)
        _ = try await stores.ledger.add(entry("import", at: old, isUncertain: false))
        _ = try await stores.trips.start(Trip(destination: "Wales", start: old, end: old + 86_400))
        clock.set(to: Self.noon)
        #expect(try await stores.times.repair() == 0)
        #expect(try await stores.trips.trips().map(\.start) == [old])
        let now = try await stores.ledger.add(entry("now", at: Self.noon, isUncertain: false))
        _ = try await stores.trips.start(Trip(destination: "Spain", start: Self.noon))
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 0))
        #expect(try await stores.ledger.last() == now)
    }

    @Test func endOfATrip_isRepaired_andItsStartIsNot() async throws {
        let store = try store(), stores = store.stores
        let start = Self.noon - 9 * 86_400
        let trip = try await stores.trips.start(Trip(destination: "Spain", start: start))
        _ = try await stores.trips.setEnd(clock.reading.wall, id: trip.id)
        clock.set(to: Self.noon)
        #expect(try await stores.times.repair() == 1)
        #expect(
            try await stores.trips.trips().first
                == Trip(id: trip.id, destination: "Spain", start: start, end: Self.noon))
    }

    @Test func entriesOfOlderBoots_waitForTheOwner() async throws {
        let store = try store(), stores = store.stores
        _ = try await stores.ledger.add(entry("then", at: clock.reading.wall, isUncertain: true))
        _ = try await stores.ledger.add(entry("the day before", at: clock.reading.wall - 86_400, isUncertain: true))
        clock.restart(boot: "boot 2", wall: Date(timeIntervalSince1970: 30))
        _ = try await stores.ledger.add(entry("now", at: clock.reading.wall, isUncertain: true))
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 1, older: 2))
        clock.set(to: Self.noon)
        #expect(try await stores.times.repair() == 1)
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 2))
        #expect(try await stores.times.settle(.today) == 2)
        let dates = try await dates(store)
        #expect(dates["then"] == Self.noon && dates["the day before"] == Self.noon - 86_400)
        #expect(dates["now"] == Self.noon)
        #expect(try await stores.times.settle(.today) == 0)
    }

    @Test func ownerWhoLeavesThem_isNotAskedAgain() async throws {
        let store = try store(), stores = store.stores
        let then = try await stores.ledger.add(entry("then", at: clock.reading.wall, isUncertain: true))
        clock.restart(boot: "boot 2", wall: Self.noon)
        #expect(try await stores.times.settle(.asTheyAre) == 1)
        #expect(try await stores.ledger.last()?.date == then.date)
        #expect(try await stores.ledger.last()?.timeUncertain == false)
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 0))
    }

    @Test func unknownBoot_isNeverTakenForThisOne() async throws {
        clock.restart(boot: "", wall: Date(timeIntervalSince1970: 5))
        let store = try store()
        _ = try await store.stores.ledger.add(entry("then", at: clock.reading.wall, isUncertain: true))
        clock.set(to: Self.noon)
        #expect(try await store.stores.times.repair() == 0)
        #expect(try await store.stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 1))
    }

    @Test func repair_isNoChangeOfTheOwners_andSurvivesTheirUndo() async throws {
        let store = try store(), stores = store.stores
        let trip = try await stores.trips.start(Trip(destination: "Spain", start: clock.reading.wall))
        _ = try await stores.journal.seal("the start")
        _ = try await stores.trips.setEnd(clock.reading.wall, id: trip.id)
        let end = try #require(try await stores.journal.seal("the end"))
        let gone = try await stores.ledger.add(entry("gone", at: clock.reading.wall, isUncertain: true))
        _ = try await stores.journal.seal("an entry")
        _ = try await stores.ledger.remove(id: gone.id)
        let removal = try #require(try await stores.journal.seal("a removal"))
        clock.set(to: Self.noon)
        #expect(try await stores.times.repair() == 1)
        #expect(try await stores.journal.seal("a repair") == nil)

        #expect(try await stores.journal.revert(removal))
        #expect(try await stores.ledger.last() == entry("gone", at: Self.noon, isUncertain: false).numbered(gone.id))
        #expect(try await stores.journal.revert(end))
        #expect(try await stores.trips.current() == Trip(id: trip.id, destination: "Spain", start: Self.noon))
    }

    @Test func dateThatTheOwnerCorrects_isNotMovedAgain() async throws {
        let store = try store(), stores = store.stores
        let made = try await stores.ledger.add(entry("x", at: clock.reading.wall, isUncertain: true))
        try await store.connection.write("test") { database in
            try database.execute(
                sql: "UPDATE ledger_entry SET date_ms = 1790000000000, time_uncertain = 0 WHERE id = ?",
                arguments: [made.id])
        }
        clock.set(to: Self.noon)
        #expect(try await stores.times.repair() == 0)
        #expect(try await stores.ledger.last()?.date == Date(timeIntervalSince1970: 1_790_000_000))
    }

    @Test func marks_surviveARestartOfTheProgram_inTheSameBoot() async throws {
        let path = try #require(folder).file("vanorb.db")
        func open() throws -> SQLiteStore {
            try SQLiteStore.open(path: path, logger: Logger(label: "test"), clock: { [clock] in clock.reading })
        }
        let first = try open()
        _ = try await first.stores.ledger.add(entry("now", at: clock.reading.wall, isUncertain: true))
        try first.close()
        clock.pass(60)
        clock.set(to: Self.noon)
        let again = try open()
        #expect(try await again.stores.times.repair() == 1)
        #expect(try await again.stores.ledger.last()?.date == Self.noon - 60)
    }

    @Test func everyDateOfTheOwnersTables_isMarked() async throws {
        let tables = try await store().connection.writer.read { try Schema.datedTables($0) }
        let found = Set(tables.flatMap { table in table.columns.map { "\(table.name).\($0)" } })
        #expect(found.isSuperset(of: ["ledger_entry.date_ms", "trip.start_ms", "trip.end_ms"]))
        #expect(tables.filter(\.isFlagged).map(\.name).contains("ledger_entry"))
    }
}

extension LedgerEntry {
    /// The entry under a number.
    fileprivate func numbered(_ id: Int64) -> LedgerEntry {
        var entry = self
        entry.id = id
        return entry
    }
}
