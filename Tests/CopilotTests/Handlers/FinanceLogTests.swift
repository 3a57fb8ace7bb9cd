@testable import Domain
import Foundation
import Testing

/// What can be said beside an amount, and what is refused.
@Suite struct FinanceLogTests {
    @Test func litresMerchantAndAccount_areStored_andTold() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("forty litres of diesel for sixty two pounds").text
                == "Logged £62.00 for 40 litres of diesel.")
        #expect(try await bench.stores.ledger.last()?.millilitres == 40_000)
        #expect(
            try await bench.say("log 38.5 litres of diesel for £61.20 at shell on the card").text
                == "Logged £61.20 for 38.5 litres of diesel at Shell, card.")
        let entry = try #require(try await bench.stores.ledger.last())
        #expect(entry.millilitres == 38_500)
        #expect(entry.merchant == "Shell")
        #expect(entry.account == "card")
        #expect(entry.category == "fuel")
    }

    @Test func aShopByItself_isEnough_andItsLastCategoryIsRemembered() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("i spent twenty quid at lidl").text == "Logged £20.00 at Lidl.")
        #expect(try await bench.stores.ledger.last()?.category == nil)
        _ = try await bench.say("i spent five quid at lidl on groceries")
        #expect(try await bench.say("i spent ten quid at lidl").text == "Logged £10.00 for groceries at Lidl.")
        #expect(try await bench.stores.ledger.last()?.category == "groceries")
        #expect(try await bench.say("how much have we spent at lidl").text == "You've spent £35.00 at Lidl.")
        #expect(
            try await bench.say("we spent thirty pounds at the village shop").text
                == "Logged £30.00 at The village shop.")
    }

    @Test func anAccount_hasABalanceOfItsOwn() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log two hundred pounds for tyres from the joint account")
        try await bench.entry(.income, 50_000)
        #expect(
            try await bench.say("what is the balance of the joint account").text
                == "The balance of the joint account is -£200.00.")
        #expect(
            try await bench.say("what is the balance of the savings account").text
                == "Nothing has been logged to the savings.")
        #expect(try await bench.say("balance").text == "Your balance is £300.00.")
    }

    @Test func aSurprisingAmount_isConfirmedFirst() async throws {
        let bench = try VanBench()
        let asked = try await bench.say("log a million pounds for diesel")
        #expect(asked.text == "That's £1,000,000.00 for diesel. Is that right?")
        #expect(try await bench.stores.ledger.last() == nil)
        guard case .confirmation(let command, _)? = asked.question else {
            Issue.record("no confirmation was asked for")
            return
        }
        #expect(try await bench.act(command.confirmed).effects.count == 1)
        #expect(try await bench.stores.ledger.last()?.amount.minorUnits == 100_000_000)
    }

    @Test(arguments: [
        (
            "log fifty pounds for diesel on the thirty first of february",
            "I can't make out that date, so I logged nothing."
        ),
        ("log fifty pounds for diesel next friday", "That day is still to come, so I logged nothing."),
        ("log fifty pounds for diesel last week", "Which day was that?"),
        ("minus forty litres of diesel for sixty two pounds", "That can't be right for litres, so I logged nothing."),
        ("log fifty", "What was it for?"), ("log diesel", "How much was it?"),
        ("log zero pounds for coffee", "An amount has to be more than nothing, so I logged nothing."),
    ])
    func whatMakesNoSense_isToldAndNotWritten(text: String, answer: String) async throws {
        let bench = try VanBench()
        #expect(try await bench.say(text).text == answer)
        #expect(try await bench.stores.ledger.last() == nil)
    }

    @Test(arguments: ["Robert'); DROP TABLE ledger_entry;--", "🦄 unicorn 🦄", "a \"quoted\" thing"])
    func anyNote_isKeptAsItIs(note: String) async throws {
        let bench = try VanBench()
        let command = Command(
            handler: "finance", intent: "log_expense",
            slots: [
                "money": SlotValue(text: "ten", content: .money(minorUnits: 1_000, currency: nil)),
                "note": SlotValue(text: note),
            ])
        let reply = try await bench.act(command)
        #expect(try await bench.stores.ledger.last()?.note == note.capitalisedFirst)
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.ledger.last() == nil)
        #expect(try await bench.stores.ledger.totals(LedgerQuery()) == [])
    }

    @Test(arguments: ["log diesel for fifty pounds", "log an income of fifty pounds"])
    func logging_isUndone_sumsAndAll(text: String) async throws {
        let bench = try VanBench()
        let reply = try await bench.say(text)
        #expect(try await bench.stores.ledger.balances().count == 1)
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.ledger.balances().isEmpty)
    }

    @Test func aHundredTimesWhatItUsuallyCosts_isAskedAbout() async throws {
        let bench = try VanBench()
        for pence: Int64 in [250, 300, 350] { try await bench.entry(.expense, pence, category: "treats") }
        let asked = try await bench.say("log three hundred pounds for coffee")
        guard case .confirmation? = asked.question else {
            Issue.record("not asked: \(asked.wording.written)")
            return
        }
        #expect(asked.effects.isEmpty)
        #expect(try await bench.say("log thirty pounds for coffee").question == nil)
        // Of what was never bought nobody can tell what is usual.
        #expect(try await bench.say("log three hundred pounds for parking").question == nil)
    }
}
