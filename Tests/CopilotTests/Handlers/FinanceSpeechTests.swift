@testable import Domain
import Foundation
import Testing

/// Money as people put it: prices times what was bought, who gave it, how it was paid, and which entry is meant.
@Suite struct FinanceSpeechTests {
    @Test(arguments: [
        ("fifty two litres at one forty nine", 7_748, "Logged £77.48 for 52 litres of fuel."),
        ("forty litres of diesel at one point five euros a litre", 6_000, "Logged €60.00 for 40 litres of diesel."),
        ("forty litres of diesel at a hundred and fifty one", 6_040, "Logged £60.40 for 40 litres of diesel."),
        ("forty litres at sixty pounds", 6_000, "Logged £60.00 for 40 litres of fuel."),
        ("forty litres for sixty two pounds", 6_200, "Logged £62.00 for 40 litres of fuel."),
        ("the campsite was thirty two pounds for two nights", 3_200, "Logged £32.00 for the campsite."),
        ("the campsite was thirty two pounds a night for two nights", 6_400, "Logged £64.00 for the campsite."),
        ("stuck forty quid of diesel in", 4_000, "Logged £40.00 for diesel."),
        ("that's a tenner on chips", 1_000, "Logged £10.00 for chips."),
        ("a couple of hundred quid for tyres", 20_000, "Logged £200.00 for tyres."),
        ("paid cash for the campsite twenty eight pounds", 2_800, "Logged £28.00 for the campsite, cash."),
    ])
    func anExpense_isReckonedFromWhatWasSaid(text: String, minorUnits: Int64, answer: String) async throws {
        let bench = try VanBench()
        let reply = try await bench.say(text).text
        #expect(reply == answer)
        #expect(try await bench.stores.ledger.last()?.amount.minorUnits == minorUnits)
    }

    @Test func litresAtWhatMayBeAPriceOrAnAmount_areAskedAbout() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("forty litres of diesel at sixty two")
        #expect(reply.text == "How much was it?")
        #expect(try await bench.stores.ledger.last() == nil)
    }

    @Test func moneyFromSomebody_isIncome_withTheirName() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("Dave gave me twenty quid for fuel").text == "Logged £20.00 from Dave.")
        #expect(try await bench.stores.ledger.last()?.kind == .income)
    }

    @Test func theLastThingBought_isNoIncome() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log ten pounds for parking")
        _ = try await bench.say("log an income of two hundred pounds")
        let answer = try await bench.say("what was the last thing I bought").text
        #expect(answer == "The last one: £10.00 for parking, today.")
    }

    @Test func anEntryByItsNumber_isDeletedOnlyAfterAYes() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log ten pounds for parking")
        let first = try #require(try await bench.stores.ledger.last())
        _ = try await bench.say("log twelve pounds for coffee")
        let reply = try await bench.say("delete entry \(first.id)")
        #expect(reply.text == "Entry \(first.id) is £10.00 for parking. Shall I delete it?")
        #expect(try await bench.stores.ledger.entry(id: first.id) == first)
        guard case .confirmation(let command, _)? = reply.question else {
            Issue.record("it does not ask")
            return
        }
        _ = try await bench.act(command.confirmed)
        #expect(try await bench.stores.ledger.entry(id: first.id) == nil)
        #expect(try await bench.stores.ledger.last() != nil)
        #expect(try await bench.say("delete entry 4711").text == "There's no entry 4711 in the ledger.")
    }

    @Test(arguments: [
        "delete all my expenses", "delete everything in the ledger", "wipe the ledger",
        "delete the last three expenses",
        "delete my expenses", "remove all of the payments",
    ])
    func severalEntries_areNotDeletedAtOnce(text: String) async throws {
        let bench = try VanBench()
        _ = try await bench.say("log ten pounds for parking")
        let before = try await bench.stores.ledger.last()
        #expect(try await bench.say(text).text.hasPrefix("I delete one entry at a time, so I deleted nothing."))
        #expect(try await bench.stores.ledger.last() == before)
    }

    @Test func anEarlierTrip_isFoundByItsName() async throws {
        let bench = try VanBench()
        _ = try await bench.trip("Cornwall", from: VanBench.date(2026, 9, 1), to: VanBench.date(2026, 9, 5))
        _ = try await bench.stores.ledger.add(
            LedgerEntry(
                kind: .expense, amount: Money(minorUnits: 12_000, currency: "GBP"), date: VanBench.date(2026, 9, 2)))
        let answer = "The trip to Cornwall cost £120.00, £30.00 a night over 4 nights."
        for text in ["how much did Cornwall cost", "what did the Cornwall trip come to", "how much was Cornwall"] {
            let reply = try await bench.say(text).text
            #expect(reply == answer)
        }
    }
}
