@testable import Domain
@testable import Handlers
import CopilotTestKit
import Foundation
import Testing

/// Beginning and ending trips.
@Suite struct TravelTripTests {
    @Test func aTrip_isStarted_counted_andEnded() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("end the trip").text == "No trip is under way.")
        #expect(try await bench.say("start a trip").text == "Where to?")
        #expect(try await bench.say("start a trip to spain").text == "Started a trip to Spain.")
        let later = try VanBench(stores: bench.stores, now: VanBench.date(2026, 11, 24, 8))
        #expect(try await later.say("how many nights so far").text == "3 nights so far, on the trip to Spain.")
        #expect(try await later.say("which trip are we on").text == "You're on a trip to Spain, 3 nights so far.")
        let ended = try await later.say("end the trip")
        #expect(ended.text == "Ended the trip to Spain after 3 nights.")
        #expect(try await later.say("how many nights so far").text == "3 nights on the trip to Spain.")
        #expect(try await later.undo(ended) == true)
        #expect(try await later.stores.trips.current()?.destination == "Spain")
    }

    @Test func startingATrip_whileOneRuns_asks_andThenReplacesIt() async throws {
        let bench = try VanBench()
        _ = try await bench.say("we're off to the highlands")
        let reply = try await bench.say("start a trip to spain")
        #expect(
            reply.text == "The trip to the Highlands is still under way. Shall I end it and start one to Spain?")
        #expect(try await bench.stores.trips.trips().count == 1)
        guard case .confirmation(let command, _)? = reply.question else {
            Issue.record("it does not ask")
            return
        }
        let done = try await bench.act(command.confirmed)
        #expect(done.text == "Ended the trip to the Highlands, and started one to Spain.")
        #expect(try await bench.stores.trips.current()?.destination == "Spain")
        #expect(try await bench.undo(done) == true)
        #expect(try await bench.stores.trips.current()?.destination == "the Highlands")
        #expect(try await bench.stores.trips.trips().count == 1)
    }

    @Test func aDestinationThatNobodyKnows_isTakenAsSaid() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("start a trip to little snoring").text == "Started a trip to Little Snoring.")
    }

    @Test func aDestinationThatIsNone_isRefused_andNothingWritten() async throws {
        let bench = try VanBench()
        let long = String(repeating: "very ", count: 20) + "far"
        for place in [long, "!!"] {
            let slots = ["place": SlotValue(text: place)]
            let reply = try await bench.act(Command(handler: "travel", intent: "start_trip", slots: slots))
            #expect(reply.text == "That doesn't sound like a place. Where is the trip to?")
            guard case .slot("destination", let command)? = reply.question else {
                Issue.record("it does not ask")
                continue
            }
            #expect(command.slots.isEmpty)
        }
        #expect(try await bench.stores.trips.trips().isEmpty)
    }

    @Test func aTripStartsOnTheDayThatWasSaid_andNeverOneToCome() async throws {
        let bench = try VanBench()
        for text in ["start a trip to spain tomorrow", "we're off to scotland on the third of december 2026"] {
            let reply = try await bench.say(text)
            #expect(reply.text == "That's still to come. Tell me when you set off.")
            #expect(reply.outcome == .failed)
        }
        #expect(try await bench.stores.trips.trips().isEmpty)
        #expect(
            try await bench.say("start a trip to little snoring yesterday").text
                == "Started a trip to Little Snoring, from yesterday.")
        #expect(try await bench.say("how many nights so far").text == "1 night so far, on the trip to Little Snoring.")
        _ = try await bench.say("end the trip")
        #expect(
            try await bench.say("start a trip to spain yesterday").text
                == "You were still on the trip to Little Snoring then, so I started none.")
        #expect(try await bench.stores.trips.trips().count == 1)
    }

    @Test func backHome_theTripIsTheLastOne() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("how many nights").text == "No trip is under way.")
        _ = try await bench.say("start a trip to spain")
        #expect(try await bench.say("how many nights").text == "No nights away yet on the trip to Spain.")
        let later = try VanBench(stores: bench.stores, now: VanBench.now.addingTimeInterval(3_600))
        try await later.entry(.expense, 5_000)
        _ = try await later.say("end the trip")
        let cost = "The trip to Spain cost £50.00, with no nights away."
        #expect(try await later.say("how long was the trip").text == "No nights away on the trip to Spain.")
        #expect(try await later.say("what did the trip cost").text == cost)
        #expect(try await later.say("what did the trip to wales cost").text == "I don't know of a trip to Wales.")
        #expect(try await later.say("what did the wales trip cost").text == "I don't know of a trip to Wales.")
        #expect(try await later.say("how many nights did we spend in wales").text == "I don't know of a trip to Wales.")
        #expect(
            try await later.say("how many nights did we spend in spain").text == "No nights away on the trip to Spain.")
        _ = try await later.say("start a trip to portugal")
        #expect(try await later.say("what did the last trip cost").text == cost)
    }

    @Test func aTripWithTheOdometer_logsBoth_orNeither() async throws {
        let bench = try VanBench()
        try await bench.reading(84_000, on: VanBench.date(2026, 11, 1))
        let refused = try await bench.say("start a trip to france at 83,000 kilometres")
        #expect(refused.outcome == .failed)
        #expect(try await bench.stores.trips.trips().isEmpty)
        let reply = try await bench.say("start a trip to france at 84,210 kilometres")
        #expect(reply.text == "Started a trip to France.")
        #expect(try await bench.stores.trips.readings().last?.metres == 84_210_000)
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.trips.readings().count == 1)
        #expect(try await bench.stores.trips.current() == nil)
    }

    @Test func nights_areThoseOfTheCalendar_alsoAcrossTheClockChange() async throws {
        let store = try VanBench()
        try await store.trip("Kent", from: VanBench.date(2026, 10, 24, 23, 50), to: nil)
        let bench = try VanBench(stores: store.stores, now: VanBench.date(2026, 10, 26, 0, 10))
        #expect(try await bench.say("how many nights so far").text == "2 nights so far, on the trip to Kent.")
    }

    @Test func aClockThatRanBack_makesNoNegativeNights() async throws {
        let bench = try VanBench()
        try await bench.trip("Kent", from: VanBench.date(2026, 12, 24), to: nil)
        #expect(try await bench.say("end the trip").text == "Ended the trip to Kent after 0 nights.")
    }

    @Test func tripsMade_areListed_alsoByPeriod() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("where have we been").text == "No trips have been logged yet.")
        try await bench.trip("Wales", from: VanBench.date(2025, 6, 1), to: VanBench.date(2025, 6, 8))
        #expect(try await bench.say("which trips have we made this year").text == "No trips this year.")
        _ = try await bench.say("start a trip to the netherlands")
        #expect(try await bench.say("where have we been").text == "2 trips: the Netherlands and Wales.")
        #expect(try await bench.say("which trips did we make last year").text == "1 trip: Wales.")
        #expect(try await bench.say("which trips did we make tomorrow").text == "That's still to come.")
    }

    @Test func withTheStoreLost_itFails_andSaysNothingOfSuccess() async throws {
        let bench = try VanBench(stores: LostStore(reason: "damaged").stores)
        for intent in TravelHandler.intents where intent != "log_odometer" {
            await #expect(throws: StoreLost.self) {
                let slots = ["destination": SlotValue(text: "spain")]
                _ = try await TravelHandler.act(
                    on: Command(handler: "travel", intent: intent, slots: slots), in: bench.context)
            }
        }
    }
}
