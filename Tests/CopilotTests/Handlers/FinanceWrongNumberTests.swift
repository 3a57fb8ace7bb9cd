@testable import Domain
@testable import Language
import Foundation
import Testing

/// What is no amount, or not the one that was meant, is never logged.
@Suite struct FinanceWrongNumberTests {
    /// Sure of one intent, whatever is said.
    private struct SureOf: IntentClassifier {
        let intent: String
        func classify(_ text: String, count: Int) -> [IntentGuess] { [IntentGuess(intent: intent, probability: 0.99)] }
    }

    @Test(arguments: [
        "log diesel for fifty pounds on 31/02/2026", "log £99999999999999999999 for bread",
        "log half a tank of diesel", "log ten pounds twenty pounds for diesel",
    ])
    func aNumberTooMany_isNotGuessedAt(text: String) {
        let router = Router(index: English.index, classifier: SureOf(intent: "finance.log_expense"))
        #expect(router.route(text).chosen == nil)
    }

    @Test func aBareNumberBesideAnother_isNotGuessedAt() {
        let router = Router(index: English.index, classifier: SureOf(intent: "travel.log_odometer"))
        #expect(router.route("the odometer is at 80000 in 2026").chosen == nil)
    }

    @Test(arguments: ["three beers, twelve pounds they were", "paid eight euros in cash for parking three days ago"])
    func aNumberThatCountsSomethingElse_doesNotHinder(text: String) {
        let router = Router(index: English.index, classifier: SureOf(intent: "finance.log_expense"))
        #expect(router.route(text).chosen?.intent == "log_expense")
    }

    @Test func foreignMoney_isNeverTakenForTheOwnersOwn() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("log ¥500 for coffee").text == "Logged ¥500 for coffee.")
        #expect(try await bench.say("log 20 baht for lunch").text == "Logged THB 20.00 for lunch.")
        #expect(try await bench.stores.ledger.last()?.amount == Money(minorUnits: 2_000, currency: "THB"))
    }

    @Test func anIncome_namesItsAccount() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("log an income of twenty pounds to the savings account")
        #expect(reply.text == "Logged an income of £20.00, savings.")
    }

    @Test func aTimeToCome_hasNoSpending() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("what did i spend next week").text == "That's still to come.")
    }

    @Test func monthsAndYears_areToldAsTheyAreWritten() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("how much did i spend in june").text == "You didn't spend anything in June.")
        #expect(try await bench.say("how much did i spend in 2019").text == "You didn't spend anything in 2019.")
        #expect(
            try await bench.say("log twenty pounds for diesel on christmas day").text
                == "Logged £20.00 for diesel, 25 December 2025.")
    }
}
