@testable import Domain
import CopilotTestKit
import Foundation
import Testing

/// The odometer, distances, nights, countries and fuel.
@Suite struct TravelNumbersTests {
    @Test func theOdometer_isLogged_andUndone() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("the odometer reads eighty four thousand two hundred and ten")
        #expect(reply.text == "Odometer logged: 84210 kilometres.")
        #expect(
            try await bench.say("the odometer reads 84,300").text.hasSuffix(
                "That's 90 kilometres since the reading from today."))
        #expect(try await bench.undo(reply) == true)
    }

    @Test func theSpokenUnit_wins_elseTheOwners() async throws {
        let bench = try VanBench()
        _ = try await bench.ask("the odometer reads 1000", bench.with(unit: .miles))
        #expect(try await bench.stores.trips.readings().last?.metres == 1_609_344)
        _ = try await bench.ask("the odometer reads 2000 kilometres", bench.with(unit: .miles))
        #expect(try await bench.stores.trips.readings().last?.metres == 2_000_000)
    }

    @Test func aDistance_isToldInTheUnitThatWasAskedFor_elseInTheOwners() async throws {
        let bench = try VanBench()
        try await bench.reading(1_000, on: VanBench.date(2026, 11, 17))
        try await bench.reading(1_400, on: VanBench.date(2026, 11, 19))
        #expect(try await bench.say("how far have we driven this week").text == "400 kilometres this week.")
        #expect(try await bench.say("how many miles did we do this week").text == "249 miles this week.")
    }

    @Test func aLowerReading_isRefused_aJumpIsAskedAbout_nothingIsWritten() async throws {
        let bench = try VanBench()
        try await bench.reading(84_210, on: VanBench.date(2026, 11, 20))
        let lower = try await bench.say("the odometer reads 8,421 kilometres")
        #expect(
            lower.text
                == "That's less than the last reading, 84210 kilometres from yesterday. I've left it as it is.")
        let jump = try await bench.say("the odometer reads 88,000 kilometres")
        #expect(
            jump.text == "The last reading was 84210 kilometres, from yesterday. Is it really 88000 kilometres now?")
        #expect(try await bench.stores.trips.readings().count == 1)
        guard case .confirmation(let command, _)? = jump.question else {
            Issue.record("it does not ask")
            return
        }
        _ = try await bench.act(command.confirmed)
        #expect(try await bench.stores.trips.readings().last?.metres == 88_000_000)
        #expect(
            try await bench.say("the odometer reads 9 million kilometres").text == "No odometer reads as much as that.")
        #expect(try await bench.say("log the odometer").text == "What does the odometer read?")
    }

    @Test func distance_isTheOdometers_elseTheReceivers_elseUnknown() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("how far have we driven this week").text
                == "I can't tell how far you drove this week: it takes two odometer readings, or a position receiver.")
        #expect(try await bench.say("how far have we driven").text == "No trip is under way.")
        try await bench.stores.trips.addDriven(metres: 4_260, at: VanBench.date(2026, 11, 20))
        try await bench.stores.trips.addDriven(metres: 1_000, at: VanBench.date(2026, 10, 20))
        #expect(try await bench.say("how far have we driven this week").text == "4.3 kilometres this week.")
        try await bench.reading(1_000, on: VanBench.date(2026, 11, 17))
        try await bench.reading(1_400, on: VanBench.date(2026, 11, 19))
        // 400 by the odometer, and what the receiver counted after the last reading.
        #expect(try await bench.say("how far have we driven this week").text == "404 kilometres this week.")
        #expect(try await bench.say("how far did we drive last month").text == "1 kilometre last month.")
    }

    @Test func distanceOfATrip_beginsWithTheReadingOfItsEve() async throws {
        let bench = try VanBench()
        try await bench.trip("Spain", from: VanBench.date(2026, 11, 10, 9), to: VanBench.date(2026, 11, 18))
        try await bench.reading(500, on: VanBench.date(2026, 10, 1))
        try await bench.reading(1_000, on: VanBench.date(2026, 11, 9, 18))
        try await bench.reading(2_600, on: VanBench.date(2026, 11, 17))
        #expect(
            try await bench.say("how many miles was the spain trip").text == "994 miles on the trip to Spain.")
        #expect(
            try await bench.ask("how far was the last trip", bench.with(unit: .miles)).text
                == "994 miles on the trip to Spain.")
    }

    @Test func nightsOfAPeriod_countOnlyThoseInIt() async throws {
        let bench = try VanBench()
        try await bench.trip("Wales", from: VanBench.date(2026, 10, 29), to: VanBench.date(2026, 11, 3))
        #expect(try await bench.say("how many nights were we away this month").text == "2 nights away this month.")
        #expect(try await bench.say("how many nights did we spend away in total").text == "5 nights away in total.")
    }

    @Test func countries_comeFromDestinationsRegionsAndStops() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("how many countries have we visited").text == "I don't know of any country in total.")
        try await bench.trip("Andalusia", from: VanBench.date(2026, 3, 1), to: VanBench.date(2026, 3, 20))
        let lyon = Position(latitude: 45.75, longitude: 4.85, time: VanBench.now)
        try await bench.stores.trips.addStop(Stop(position: lyon, country: "FR", date: VanBench.date(2026, 3, 3)))
        try await bench.trip("Norway", from: VanBench.date(2025, 3, 1), to: VanBench.date(2025, 3, 20))
        #expect(
            try await bench.say("which countries have we been to this year").text
                == "2 countries this year: Spain and France.")
        #expect(try await bench.say("how many countries have we visited").text.hasPrefix("3 countries in total"))
    }

    @Test func theStatistics_tellNightsDistanceMoneyAndCountries() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("trip summary").text == "No trips have been logged yet.")
        try await bench.trip("France", from: VanBench.date(2026, 11, 1), to: VanBench.date(2026, 11, 5))
        #expect(
            try await bench.say("trip summary").text
                == "4 nights on the trip to France. I don't know how far: the odometer wasn't read. "
                + "No expenses were logged. 1 country: France.")
        try await bench.entry(.expense, 20_000, category: "fuel", on: VanBench.date(2026, 11, 2))
        try await bench.reading(100, on: VanBench.date(2026, 11, 1))
        try await bench.reading(900, on: VanBench.date(2026, 11, 4))
        #expect(
            try await bench.say("summarise the last trip").text
                == "4 nights on the trip to France. 800 kilometres driven. £200.00 spent. That's £50.00 a night. "
                + "And £25.00 per 100 kilometres. 1 country: France.")
    }

    @Test func fuelUse_takesLitresAndOdometer_andSaysWhatIsMissing() async throws {
        let bench = try VanBench()
        func fill(_ litres: Int64, _ day: Int) async throws {
            _ = try await bench.stores.ledger.add(
                LedgerEntry(
                    kind: .expense, amount: Money(minorUnits: 5_000, currency: "GBP"), category: "fuel",
                    millilitres: litres * 1_000, date: VanBench.date(2026, 11, day)))
        }
        #expect(try await bench.say("what's our fuel consumption").text.hasPrefix("I can't tell: no fuel"))
        try await fill(60, 1)
        #expect(try await bench.say("what's our fuel consumption").text.hasPrefix("I can't tell yet: it takes two"))
        try await fill(50, 8)
        #expect(try await bench.say("how many miles to the gallon").text.hasPrefix("I know the litres but not"))
        try await bench.reading(10_000, on: VanBench.date(2026, 11, 1, 13))
        try await bench.reading(10_500, on: VanBench.date(2026, 11, 8, 11))
        #expect(
            try await bench.say("what's our fuel consumption").text
                == "10.0 litres per 100 kilometres, or 28 miles to the gallon, over 500 kilometres and 2 fills.")
    }

    @Test func whereWeAre_isTold_asFarAsItIsKnown() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("where are we").text == "I don't know: there's no position, and no trip is under way.")
        _ = try await bench.say("start a trip to spain")
        #expect(
            try await bench.say("where are we").text == "I have no position. You're on a trip to Spain, since today.")
        let girona = Position(latitude: 41.98, longitude: 2.82, time: VanBench.now)
        let yesterday = VanBench.date(2026, 11, 20, 10, 30)
        try await bench.stores.trips.addStop(Stop(position: girona, country: "ES", date: yesterday))
        #expect(
            try await bench.say("where are we").text
                == "I have no position just now. 24 hours ago you were close to Girona, in Spain. 41.980 north, 2.820 east."
        )
        let reply = try await bench.ask("where are we", bench.with(FakeReceiver(42.80, 2.89)))
        #expect(reply.text.hasPrefix("You're "))
        #expect(reply.text.contains(", in France. 42.800 north, 2.890 east."))
    }
}
