@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// The trips, changed from the keyboard.
@Suite struct TypedTripsTests {
    private let bench: VanBench
    private let talk: Talk
    private let trips: TypedTrips

    init() async throws {
        bench = try VanBench()
        talk = try await Talk(bench, hears: .patient)
        trips = TypedTrips(talk.conversation)
    }

    @Test func aTrip_isStartedOnADay_withAReading_andSummedUp() async throws {
        let started = try await trips.start(
            "the lake district", on: "18 November", odometer: "50,000 miles", isConfirmed: false)
        #expect(started.outcome == .done && !started.effects.isEmpty, "\(started)")
        try await bench.entry(.expense, 6_000, on: VanBench.date(2026, 11, 20))
        let facts = try #require(try await trips.all(limit: 10).first)
        #expect(facts.trip.destination == "the Lake District" && facts.trip.end == nil)
        #expect(facts.nights == 3 && facts.spent == [Money(minorUnits: 6_000, currency: "GBP")])
        #expect(facts.perNight == [Money(minorUnits: 2_000, currency: "GBP")])
        #expect(try await bench.stores.trips.readings().map(\.metres) == [80_467_200])
        #expect(try await trips.end(odometer: "50100 miles", isConfirmed: false).outcome == .done)
        #expect(try await trips.find("the lake district").end != nil)
    }

    @Test func aTripUnderWay_isReplacedWithAYesOnly() async throws {
        _ = try await trips.start("Wales", on: nil, odometer: nil, isConfirmed: false)
        #expect(try await trips.start("Spain", on: nil, odometer: nil, isConfirmed: false).effects.isEmpty)
        #expect(try await bench.stores.trips.current()?.destination == "Wales")
        #expect(try await trips.start("Spain", on: nil, odometer: nil, isConfirmed: true).outcome == .done)
        #expect(try await bench.stores.trips.current()?.destination == "Spain")
    }

    @Test(arguments: ["nonsense", "", "31st of february tomorrow", "2026-5"])
    func aBadDate_isRefused_andStartsNoTrip(date: String) async throws {
        await #expect(throws: TypedRefusal.self) {
            try await trips.start("Wales", on: date, odometer: nil, isConfirmed: true)
        }
        #expect(try await bench.stores.trips.trips().isEmpty)
    }

    @Test(arguments: ["lots", "12 litres", "", "5 6 7 km of road"])
    func aBadReading_isRefused(reading: String) async throws {
        await #expect(throws: TypedRefusal.self) { try await trips.note(odometer: reading, isConfirmed: true) }
        #expect(try await bench.stores.trips.readings().isEmpty)
    }

    @Test func aTrip_isDeletedWithAYes_andComesBack() async throws {
        _ = try await trips.start("Wales", on: nil, odometer: nil, isConfirmed: false)
        let trip = try await trips.find(nil)
        #expect(try await trips.delete(trip.id, isConfirmed: false).effects.isEmpty)
        #expect(try await trips.delete(trip.id, isConfirmed: true).outcome == .done)
        await #expect(throws: TypedRefusal.self) { try await trips.find("\(trip.id)") }
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await trips.find("\(trip.id)") == trip)
        await #expect(throws: TypedRefusal.self) { try await trips.delete(999, isConfirmed: true) }
    }
}
