@testable import Domain
import Foundation
import Testing

/// The ledger, on a Saturday in November in London.
@Suite struct FinanceTests {
    @Test func anExpense_isStoredInMinorUnits_withCategoryNoteAndTime() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("log £12.45 for groceries")
        #expect(reply.text == "Logged £12.45 for groceries.")
        #expect(reply.palette == .finance)
        let entry = try #require(try await bench.stores.ledger.last())
        #expect(entry.amount == Money(minorUnits: 1_245, currency: "GBP"))
        #expect(entry.category == "groceries")
        #expect(entry.note == "Groceries")
        #expect(entry.date == VanBench.now)
        #expect(!entry.timeUncertain)
    }

    @Test func anEntryMadeWithoutAClock_isMarked() async throws {
        let bench = try VanBench(isTimeCertain: false)
        _ = try await bench.say("log fifty pounds for diesel")
        #expect(try await bench.stores.ledger.last()?.timeUncertain == true)
    }

    @Test func yesterday_isLoggedAtYesterdaysNoon() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("i spent twelve pounds on lunch yesterday")
        #expect(reply.text == "Logged £12.00 for lunch, yesterday.")
        #expect(try await bench.stores.ledger.last()?.date == VanBench.date(2026, 11, 20, 12))
    }

    @Test func aWeekday_isTheLastOne() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("log ten pounds for parking on tuesday")
        #expect(reply.text == "Logged £10.00 for parking, 17 November.")
    }

    @Test func aDayToCome_isRefused() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("log fifty pounds for diesel tomorrow")
        #expect(reply.text == "That day is still to come, so I logged nothing.")
        #expect(try await bench.stores.ledger.last() == nil)
    }

    @Test(arguments: ["log minus fifty pounds for diesel", "log zero pounds for diesel", "log -£3 for coffee"])
    func lessThanSomething_isRefused(text: String) async throws {
        let bench = try VanBench()
        #expect(try await bench.say(text).text == "An amount has to be more than nothing, so I logged nothing.")
        #expect(try await bench.stores.ledger.last() == nil)
    }

    @Test func withoutAnAmount_itAsks() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("log an expense")
        #expect(reply.text == "How much was it?")
        #expect(reply.question == .slot("money", of: Command(handler: "finance", intent: "log_expense")))
    }

    @Test func foreignMoney_isKeptAsEntered_andListedApart() async throws {
        let bench = try VanBench()
        _ = try await bench.say("paid twenty euros for tolls")
        try await bench.entry(.income, 10_000)
        #expect(
            try await bench.say("what's my balance").text
                == "Your balance is £100.00. Not counted: -€20.00, for which I have no rate.")
        try await bench.entry(.expense, 1_550, category: "tolls")
        #expect(
            try await bench.say("how much did we spend on tolls").text
                == "You've spent £15.50 on tolls. Not counted: €20.00, for which I have no rate.")
    }

    @Test func income_namesItsSource() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("we earned eighty quid from freelance work").text
                == "Logged £80.00 from freelance work.")
        #expect(try await bench.say("log an income of two hundred pounds").text == "Logged an income of £200.00.")
        #expect(try await bench.say("how much money do I have").text == "Your balance is £280.00.")
    }

    @Test func spending_isCountedByCategoryAndPeriod() async throws {
        let bench = try VanBench()
        try await bench.entry(.expense, 5_000, category: "fuel", on: VanBench.date(2026, 11, 2))
        try await bench.entry(.expense, 3_000, category: "fuel", on: VanBench.date(2026, 10, 31, 23, 59))
        try await bench.entry(.expense, 700, category: "treats", on: VanBench.date(2026, 11, 20))
        try await bench.entry(.income, 99_900, on: VanBench.date(2026, 11, 20))
        let replies = [
            "how much have i spent on diesel this month": "You've spent £50.00 on diesel this month.",
            "how much have i spent on petrol last month": "You spent £30.00 on petrol last month.",
            "how much did i spend on fuel": "You've spent £80.00 on fuel.",
            "how much did i spend yesterday": "You spent £7.00 yesterday.",
            "how much did i spend": "You've spent £87.00.",
            "how much have i spent on insurance this year": "You haven't spent anything on insurance this year.",
        ]
        for (question, answer) in replies { #expect(try await bench.say(question).text == answer, "\(question)") }
    }

    @Test func theBurnRate_isOverThirtyDays_orSinceTheFirstEntry() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("burn rate").text == "You haven't spent anything today.")
        try await bench.entry(.expense, 1_000, on: VanBench.date(2026, 11, 20))
        #expect(try await bench.say("burn rate").text == "You spend £5.00 a day, over 2 days.")
        try await bench.entry(.expense, 90_000, on: VanBench.date(2026, 11, 1))
        try await bench.entry(.expense, 500_000, on: VanBench.date(2026, 9, 1))
        #expect(try await bench.say("what's my burn rate").text == "You spend £30.33 a day, over 30 days.")
    }

    @Test func theLatestEntries_areRead_newestFirst() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("recent expenses").text == "The ledger is empty.")
        _ = try await bench.say("log five pounds for coffee yesterday")
        _ = try await bench.say("log fifty pounds for diesel")
        #expect(
            try await bench.say("what were my last expenses").text
                == "The latest: £50.00 for diesel, today; £5.00 for coffee, yesterday.")
    }

    @Test func deletingTheLast_canBeUndone() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("delete the last expense").text == "The ledger is empty.")
        _ = try await bench.say("log five pounds for coffee")
        let reply = try await bench.say("delete the last expense")
        #expect(reply.text == "Deleted £5.00 for coffee.")
        #expect(try await bench.stores.ledger.last() == nil)
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.ledger.last()?.category == "treats")
    }

    @Test func theLargestAmounts_areWrittenAsTheyAre() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log 9,999.99 pounds for repairs")
        #expect(try await bench.say("log nine hundred ninety nine billion pounds for repairs").question != nil)
        #expect(try await bench.say("what's my balance").text.contains("£"))
    }
}
