@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import StoreSQLite
import Synchronization
import Testing

/// A board that learns the time while it is in use.
@Suite struct ClockMonitorTests {
    /// The board's clock, as the test wants it.
    private final class Kernel: Sendable {
        let state = Mutex(
            ClockReading(
                boot: "boot 1", sinceBoot: .seconds(100), wall: Date(timeIntervalSince1970: 100), isCertain: false))
        func set(_ change: (inout ClockReading) -> Void) { state.withLock { change(&$0) } }
        func know() {
            set { reading in
                reading.wall = VanBench.now
                reading.isCertain = true
            }
        }
        var clock: BoardClock { BoardClock { self.state.withLock { $0 } } }
    }

    private struct Board {
        let kernel = Kernel(), clock: BoardClock, stores: Stores, health = Health()
        var keeper: ClockMonitor { ClockMonitor(clock: clock, stores: stores, health: health, logger: .silent) }

        init() throws {
            let clock = kernel.clock
            self.clock = clock
            stores = try SQLiteStore.inMemory(clock: { clock.reading }).stores
        }

        /// The program, or the board, starts anew with what is stored.
        init(after other: Board, clock: BoardClock) {
            self.clock = clock
            stores = other.stores
        }

        func log(_ category: String) async throws {
            let reading = clock.reading
            _ = try await stores.ledger.add(
                LedgerEntry(
                    kind: .expense, amount: Money(minorUnits: 100, currency: "GBP"), category: category,
                    date: reading.wall, timeUncertain: !reading.isCertain))
        }
        var part: PartHealth? { health.all.first { $0.name == "clock" } }
    }

    @Test func clockOfAnUnsetBoard_isUncertain_andSaysWhatToDo() async throws {
        let board = try Board()
        await board.keeper.begin()
        #expect(!board.clock.isCertain)
        #expect(board.part?.state == .warning)
        #expect(board.part?.advice?.contains("rtc") == true)
        #expect(await board.keeper.look() == false)
    }

    @Test func clockThatIsSet_repairsWhatWasLogged_andIsKnownFromThenOn() async throws {
        let board = try Board()
        await board.keeper.begin()
        try await board.log("diesel")
        board.kernel.know()
        #expect(await board.keeper.look())
        #expect(board.part?.state == .ok)
        let entry = try #require(try await board.stores.ledger.last())
        #expect(entry.date == VanBench.now && !entry.timeUncertain)
        #expect(board.health.announcements.take().isEmpty)
        // Hours without a network: the kernel trusts the clock no longer, and it runs on all the same.
        board.kernel.set { $0.isCertain = false }
        #expect(board.clock.isCertain)
    }

    @Test func watch_looksAgainEveryFiveSeconds_untilTheClockIsKnown() async throws {
        let board = try Board(), time = ManualClock()
        try await board.log("diesel")
        let watching = Task { await board.keeper.run(clock: time) }
        try await time.sleeperRegistered(for: ClockMonitor.pause)
        time.advance(by: ClockMonitor.pause)
        try await time.sleeperRegistered(for: ClockMonitor.pause)
        board.kernel.know()
        time.advance(by: ClockMonitor.pause)
        // Once more, for a command that was under way.
        try await time.sleeperRegistered(for: ClockMonitor.pause)
        #expect(try await board.stores.ledger.last()?.date == VanBench.now)
        time.advance(by: ClockMonitor.pause)
        await watching.value
        #expect(time.sleeping.isEmpty)
    }

    @Test func watch_endsWithItsTask() async throws {
        let board = try Board(), time = ManualClock()
        let watching = Task { await board.keeper.run(clock: time) }
        try await time.sleeperRegistered(for: ClockMonitor.pause)
        watching.cancel()
        await watching.value
    }

    @Test func knownClock_isKnownAfterARestartOfTheProgram_butNotOfTheBoard() async throws {
        let board = try Board()
        board.kernel.know()
        #expect(await board.keeper.look())
        board.kernel.set { $0.isCertain = false }

        let program = Board(after: board, clock: board.kernel.clock)
        #expect(!program.clock.isCertain)
        await program.keeper.begin()
        #expect(program.clock.isCertain && program.part?.state == .ok)

        board.kernel.set { $0.boot = "boot 2" }
        let started = Board(after: board, clock: board.kernel.clock)
        await started.keeper.begin()
        #expect(!started.clock.isCertain)
    }

    @Test func clockChipWithAnEmptyBattery_isNotBelieved() throws {
        let board = try Board()
        board.kernel.set { $0.isCertain = true }
        #expect(!board.clock.isCertain, "it is not 1970")
        board.kernel.know()
        #expect(board.clock.isCertain)
    }

    @Test func entriesOfAnOlderBoot_areAskedAboutOnce() async throws {
        let board = try Board()
        try await board.log("diesel")
        try await board.log("food")
        board.kernel.set { $0.boot = "boot 2" }
        board.kernel.know()
        #expect(await board.keeper.look())
        #expect(await board.keeper.look())
        let bench = try VanBench(stores: board.stores)
        #expect(
            board.health.announcements.take().map { $0.text(in: bench.context) } == [
                "2 entries were made while the clock wasn't set. Shall I date them today?"
            ])
        #expect(board.health.announcements.take().isEmpty)
        #expect(try await board.stores.times.settle(.today) == 2)
        #expect(try await board.stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 0))
    }

    @Test func lostStore_endsTheWatch() async throws {
        let kernel = Kernel(), health = Health()
        let keeper = ClockMonitor(
            clock: kernel.clock, stores: LostStore(reason: "gone").stores, health: health, logger: .silent)
        await keeper.begin()
        kernel.know()
        #expect(await keeper.look())
        #expect(health.all.first { $0.name == "clock" }?.state == .ok)
    }

    @Test func announcementOfDamage_namesTheBackupsDay() throws {
        let bench = try VanBench()
        let damage = Announcement("d", replyKey: "store.damaged", dates: ["date": VanBench.date(2026, 11, 20)])
        #expect(
            damage.text(in: bench.context) == "My records are damaged, so I can't look anything up or write anything "
                + "down. The newest good backup is from 20 November.")
        let waiting = Announcements()
        waiting.add(damage)
        waiting.add(damage)
        #expect(waiting.take() == [damage])
        waiting.add(damage)
        #expect(waiting.take().isEmpty, "said once")
    }
}
