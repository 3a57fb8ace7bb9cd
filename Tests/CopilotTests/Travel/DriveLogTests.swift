@testable import Domain
@testable import Handlers
import CopilotTestKit
import Foundation
import Testing

/// What the receiver tells is written down, seldom and without loss.
@Suite struct DriveLogTests {
    private static func log(_ receiver: FakeReceiver, _ bench: VanBench) -> DriveLog {
        DriveLog(source: receiver, trips: bench.stores.trips, places: .few, logger: .silent, now: { VanBench.now })
    }

    @Test func distance_isWrittenAfter500Metres_orAMinute() async throws {
        let bench = try VanBench(), receiver = FakeReceiver()
        let log = Self.log(receiver, bench)
        receiver.drive(metres: 100, to: 45.75, 4.85)
        for _ in 0..<3 { await log.look() }
        #expect(try await bench.stores.trips.driven(in: nil) == nil)
        await log.look()
        #expect(try await bench.stores.trips.driven(in: nil) == 100)
        receiver.drive(metres: 600.7, to: 45.76, 4.85)
        await log.look()
        #expect(try await bench.stores.trips.driven(in: nil) == 700)
        receiver.drive(metres: 0.4, to: 45.76, 4.85)
        for _ in 0..<4 { await log.look() }
        #expect(try await bench.stores.trips.driven(in: nil) == 701)
    }

    @Test func theEnd_writesWhatIsLeft_andARestartAddsToIt() async throws {
        let bench = try VanBench(), receiver = FakeReceiver(), clock = ManualClock()
        let log = Self.log(receiver, bench)
        let running = Task { await log.run(clock: clock) }
        try await clock.sleeperRegistered(for: DriveLog.pause)
        receiver.drive(metres: 120, to: 45.75, 4.85)
        running.cancel()
        await running.value
        #expect(try await bench.stores.trips.driven(in: nil) == 120)
        let again = FakeReceiver()
        again.drive(metres: 600, to: 45.75, 4.85)
        await Self.log(again, bench).look()
        #expect(try await bench.stores.trips.driven(in: nil) == 720)
    }

    @Test func standing20Minutes_andCrossingABorder_areStops() async throws {
        let bench = try VanBench(), receiver = FakeReceiver()
        let log = Self.log(receiver, bench)
        receiver.drive(metres: 0, to: 45.75, 4.85)
        await log.look()
        #expect(try await bench.stores.trips.stops(in: nil).map(\.country) == ["FR"])
        receiver.drive(metres: 50_000, to: 46.2, 4.9)
        await log.look()
        #expect(try await bench.stores.trips.stops(in: nil).count == 1)
        for _ in 0..<81 { await log.look() }
        #expect(try await bench.stores.trips.stops(in: nil).count == 2)
        receiver.drive(metres: 200_000, to: 47.0, 8.0)
        await log.look()
        #expect(try await bench.stores.trips.lastStop()?.country == "CH")
        #expect(
            try await bench.say("which countries have we visited").text
                == "2 countries in total: France and Switzerland.")
    }

    @Test func atABorder_theVanIsStillInTheCountryItCameFrom() async throws {
        let bench = try VanBench(), receiver = FakeReceiver()
        let log = Self.log(receiver, bench)
        receiver.drive(metres: 0, to: 42.70, 2.90)
        await log.look()
        // Le Perthus: nearer to Figueres in Spain than to Perpignan.
        receiver.drive(metres: 30_000, to: 42.464, 2.863)
        for _ in 0..<82 { await log.look() }
        #expect(try await bench.stores.trips.stops(in: nil).map(\.country) == ["FR", "FR"])
        receiver.drive(metres: 30_000, to: 42.20, 2.96)
        await log.look()
        #expect(try await bench.stores.trips.lastStop()?.country == "ES")
    }

    @Test func withoutTowns_stopsHaveNoCountry() async throws {
        let bench = try VanBench(), receiver = FakeReceiver()
        let log = DriveLog(
            source: receiver, trips: bench.stores.trips, places: nil, logger: .silent, now: { VanBench.now })
        receiver.drive(metres: 0, to: 45.75, 4.85)
        for _ in 0..<81 { await log.look() }
        #expect(try await bench.stores.trips.stops(in: nil).map(\.country) == [nil])
    }

    @Test func whatTheReceiverWrites_isNotUndone() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("start a trip to spain")
        try await bench.stores.trips.addDriven(metres: 5_000, at: VanBench.now)
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.trips.driven(in: nil) == 5_000)
    }

    @Test func aLostStore_endsNothing_andTheMetresWait() async throws {
        let bench = try VanBench(stores: LostStore(reason: "damaged").stores), receiver = FakeReceiver()
        let log = Self.log(receiver, bench)
        receiver.drive(metres: 900, to: 45.75, 4.85)
        await log.look()
        await log.look()
    }
}
