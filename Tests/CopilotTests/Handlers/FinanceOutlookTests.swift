@testable import Domain
import Foundation
import Testing

/// Rates, runway, trips, and the largest of all.
@Suite struct FinanceOutlookTests {
    @Test(
        arguments: [
            (1_000, "EUR", 853_400, 853), (1_050, "EUR", 1_000_000, 1_050), (1, "EUR", 500_000, 0),
            (3, "EUR", 500_000, 2),
            (-3, "EUR", 500_000, -2), (500, "JPY", 5_300, 265), (1_500, "KWD", 2_450_000, 368),
        ] as [(Int64, String, Int64, Int64)])
    func aRate_convertsExactly_halvesToTheEven(minor: Int64, currency: String, rate: Int64, home: Int64) {
        let converted = ExchangeRate(currency: currency, millionths: rate)
            .converted(Money(minorUnits: minor, currency: currency), to: "GBP")
        #expect(converted == Money(minorUnits: home, currency: "GBP"))
    }

    @Test func anAmountBeyondAllLedgers_isNotConverted() {
        let rate = ExchangeRate(currency: "JPY", millionths: ExchangeRate.range.upperBound)
        #expect(rate.converted(Money(minorUnits: .max, currency: "JPY"), to: "KWD") == nil)
    }

    @Test func totals_convertWhatHasARate_andListTheRestApart() async throws {
        let bench = try VanBench()
        try await bench.stores.rates.setRate(ExchangeRate(currency: "EUR", millionths: 850_000))
        try await bench.entry(.expense, 1_000, category: "tolls")
        try await bench.entry(.expense, 2_000, "EUR", category: "tolls")
        #expect(try await bench.say("how much did we spend on tolls").text == "You've spent £27.00 on tolls.")
        try await bench.entry(.expense, 3_000, "CHF", category: "tolls")
        #expect(
            try await bench.say("how much did we spend on tolls").text
                == "You've spent £27.00 on tolls. Not counted: CHF 30.00, for which I have no rate.")
        #expect(try await bench.stores.rates.removeRate(currency: "EUR"))
        #expect(try await !bench.stores.rates.removeRate(currency: "EUR"))
        #expect(
            try await bench.say("how much did we spend on tolls").text.hasPrefix("You've spent £10.00 on tolls."))
    }

    @Test(arguments: [0, -5, ExchangeRate.range.upperBound + 1])
    func aRateThatMakesNoSense_isRefused(millionths: Int64) async throws {
        let rates = try VanBench().stores.rates
        await #expect(throws: (any Error).self) {
            try await rates.setRate(ExchangeRate(currency: "EUR", millionths: millionths))
        }
        #expect(try await rates.rates().isEmpty)
    }

    @Test func theRunway_isBalanceOverBurnRate_withItsDate() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("how long will the money last").text == "The ledger is empty.")
        try await bench.entry(.income, 100_000, on: VanBench.date(2026, 11, 12))
        #expect(
            try await bench.say("how long will the money last").text
                == "You've spent nothing in the last 10 days, so your £1,000.00 will last.")
        try await bench.entry(.expense, 20_000)
        #expect(
            try await bench.say("when will we run out of money").text
                == "At £20.00 a day your £800.00 will last 40 days, until 31 December.")
        try await bench.entry(.income, 10_000)
        #expect(try await bench.say("what's my runway").text.hasSuffix("45 days, until 5 January 2027."))
        try await bench.entry(.expense, 100_000)
        #expect(
            try await bench.say("what's my runway").text
                == "Your balance is -£100.00, so there is nothing left to run on.")
        try await bench.entry(.income, 900_000_000)
        #expect(try await bench.say("what's my runway").text.hasSuffix("more than ten years."))
    }

    @Test func theBiggestExpense_isFound_byCategoryAndPeriod_acrossCurrencies() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("what was my biggest expense").text == "You haven't spent anything.")
        try await bench.entry(.expense, 5_000, category: "fuel", on: VanBench.date(2026, 10, 5))
        try await bench.entry(.expense, 3_000, category: "camping", on: VanBench.date(2026, 11, 5))
        try await bench.entry(.expense, 4_000, "EUR", category: "tolls", on: VanBench.date(2026, 11, 6))
        try await bench.entry(.income, 90_000)
        try await bench.stores.rates.setRate(ExchangeRate(currency: "EUR", millionths: 850_000))
        let replies = [
            "what was my biggest expense": "Your biggest expense is £50.00 for fuel, 5 October.",
            "what was my biggest expense this month":
                "Your biggest expense this month is €40.00 for tolls, 6 November.",
            "what is the most we paid for campsites":
                "Your biggest expense on campsites is £30.00 for camping, 5 November.",
        ]
        for (question, answer) in replies { #expect(try await bench.say(question).text == answer) }
        #expect(try await bench.stores.rates.removeRate(currency: "EUR"))
        #expect(
            try await bench.say("what was my biggest expense").text
                == "Your biggest expense is £50.00 for fuel, 5 October. "
                + "Not counted: €40.00, for which I have no rate.")
    }

    @Test func aTrip_costsWhatWasSpentOnIt_andPerNight() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("how much has this trip cost").text == "No trip is under way.")
        let spain = try await bench.stores.trips.start(
            Trip(destination: "Spain", start: VanBench.date(2026, 5, 1), end: VanBench.date(2026, 5, 11)))
        _ = try await bench.stores.trips.start(Trip(destination: "Wales", start: VanBench.date(2026, 11, 19)))
        #expect(
            try await bench.say("how much has this trip cost").text == "Nothing has been spent on the trip to Wales.")
        try await bench.entry(.expense, 5_000, category: "fuel")
        try await bench.entry(.expense, 100_000, category: "fuel", on: VanBench.date(2026, 5, 5))
        try await bench.entry(.expense, 70_000, category: "ferries", on: VanBench.date(2026, 6, 1))
        let replies = [
            "how much has this trip cost":
                "The trip to Wales has cost £50.00 so far, £25.00 a night over 2 nights.",
            "how much did the spain trip cost":
                "The trip to Spain cost £1,000.00, £100.00 a night over 10 nights.",
            "how much did we spend on diesel on this trip": "You've spent £50.00 on diesel on the trip to Wales.",
            "how much have we spent since we left": "You've spent £50.00 on the trip to Wales.",
            "how much did the trip to narnia cost": "I don't know of a trip to Narnia.",
        ]
        for (question, answer) in replies { #expect(try await bench.say(question).text == answer) }
        #expect(spain.id > 0)
    }

    @Test func theListOfEntries_goesByNumber_shopAndDay() async throws {
        let bench = try VanBench()
        for amount in 1...7 { try await bench.entry(.expense, Int64(amount) * 100, category: "fuel") }
        #expect(try await bench.say("read me my last five expenses").text.components(separatedBy: ";").count == 5)
        #expect(try await bench.say("read me my last fifty expenses").text.components(separatedBy: ";").count == 5)
        #expect(try await bench.say("what was my last expense").text == "The last one: £7.00 for fuel, today.")
        #expect(try await bench.say("what did we buy yesterday").text == "There's nothing in the ledger yesterday.")
    }
}
