import Foundation
import Testing

/// Budgets, and what is left of them on 21 November, nine days before the month ends.
@Suite struct FinanceBudgetTests {
    @Test func aBudget_isSet_changed_removed_andEachIsUndone() async throws {
        let bench = try VanBench()
        let set = try await bench.say("set a budget of 300 pounds a month for groceries")
        #expect(set.text == "The budget for groceries is £300.00 a month.")
        let changed = try await bench.say("raise the groceries budget to 350 pounds")
        #expect(changed.text == "The budget for groceries is now £350.00 a month; it was £300.00.")
        let removed = try await bench.say("remove the groceries budget")
        #expect(removed.text == "Removed the budget of £350.00 for groceries.")
        #expect(try await bench.stores.budgets.budgets().isEmpty)
        #expect(try await bench.undo(removed))
        #expect(try await bench.stores.budgets.budgets().first?.amount.minorUnits == 35_000)
        #expect(try await bench.undo(changed))
        #expect(try await bench.stores.budgets.budgets().first?.amount.minorUnits == 30_000)
        #expect(try await bench.undo(set))
        #expect(try await bench.stores.budgets.budgets().isEmpty)
    }

    @Test func aBudgetWithoutAnAmount_isAskedFor() async throws {
        let reply = try await VanBench().say("set a budget for diesel")
        #expect(reply.text == "How much a month for fuel?")
        #expect(reply.question != nil)
    }

    @Test(arguments: [
        (
            "set a budget of zero pounds a month for groceries",
            "A budget has to be more than nothing, so I changed nothing."
        ),
        ("set a weekly budget of fifty pounds for food", "I keep budgets by the calendar month. Say how much a month."),
        (
            "set a budget of 300 euros a month for groceries",
            "I have no exchange rate for that, so I can't keep such a budget."
        ),
        ("remove the groceries budget", "There's no budget for groceries."),
    ])
    func aBudgetThatMakesNoSense_isRefused(text: String, answer: String) async throws {
        let bench = try VanBench()
        #expect(try await bench.say(text).text == answer)
        #expect(try await bench.stores.budgets.budgets().isEmpty)
    }

    @Test func whatIsLeft_isToldWithShareAndDays() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("how much is left in the groceries budget").text == "You have no budgets.")
        _ = try await bench.say("set a budget of 300 pounds a month for groceries")
        try await bench.entry(.expense, 12_000, category: "groceries", on: VanBench.date(2026, 11, 3))
        try await bench.entry(.expense, 99_000, category: "groceries", on: VanBench.date(2026, 10, 31))
        #expect(
            try await bench.say("how much is left in the groceries budget").text
                == "You have £180.00 of £300.00 left for groceries, with 40% spent. 9 days to go this month."
        )
        #expect(try await bench.say("are we within the diesel budget").text == "There's no budget for fuel.")
        try await bench.entry(.expense, 20_000, category: "groceries", on: VanBench.date(2026, 11, 4))
        #expect(
            try await bench.say("am i over budget").text
                == "You're £20.00 over the budget of £300.00 for groceries. 9 days to go this month.")
    }

    @Test func anExpenseThatNearlySpendsItsBudget_saysSo_andOneThatOverspendsItToo() async throws {
        let bench = try VanBench()
        _ = try await bench.say("set a budget of 100 pounds a month for diesel")
        #expect(try await bench.say("log diesel for eighty pounds").text == "Logged £80.00 for diesel.")
        #expect(
            try await bench.say("log diesel for twelve pounds").text
                == "Logged £12.00 for diesel. That's 92% of the month's budget for fuel.")
        #expect(
            try await bench.say("log diesel for twenty pounds").text
                == "Logged £20.00 for diesel. That's £12.00 over the month's budget for fuel.")
        #expect(
            try await bench.say("log diesel for twenty pounds last month").question != nil, "a month is no day")
        #expect(
            try await bench.say("log diesel for twenty pounds on the third of october").text
                == "Logged £20.00 for diesel, 3 October.", "another month's budget is not this one's")
    }

    @Test func theBudgetOverEverything_countsAllCategories() async throws {
        let bench = try VanBench()
        _ = try await bench.say("set a monthly budget of one thousand pounds")
        try await bench.entry(.expense, 60_000, category: "fuel")
        #expect(
            try await bench.say("log £450 for repairs").text
                == "Logged £450.00 for repairs. That's £50.00 over the month's budget for everything together.")
    }
}
