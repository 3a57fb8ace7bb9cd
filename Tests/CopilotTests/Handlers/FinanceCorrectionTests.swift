@testable import Domain
import Foundation
import Testing

/// Putting right what was logged last.
@Suite struct FinanceCorrectionTests {
    @Test(arguments: [
        ("make that sixty", "Changed £50.00 for diesel to £60.00 for diesel."),
        ("no, it was fifty five", "Changed £50.00 for diesel to £55.00 for diesel."),
        ("change the last one to twelve pounds", "Changed £50.00 for diesel to £12.00 for diesel."),
        ("actually that was groceries", "Changed £50.00 for diesel to £50.00 for groceries."),
        ("that should have been euros", "Changed £50.00 for diesel to €50.00 for diesel."),
        ("that was actually at aldi", "Changed £50.00 for diesel to £50.00 for diesel at Aldi."),
        ("actually it was yesterday", "Changed £50.00 for diesel to £50.00 for diesel, yesterday."),
        (
            "it should have been on the joint account",
            "Changed £50.00 for diesel to £50.00 for diesel, joint account."
        ),
    ])
    func aCorrection_saysOldAndNew_andIsUndone(text: String, answer: String) async throws {
        let bench = try VanBench()
        _ = try await bench.say("log diesel for fifty pounds")
        let before = try #require(try await bench.stores.ledger.last())
        let reply = try await bench.say(text)
        #expect(reply.text == answer)
        #expect(try await bench.stores.ledger.last() != before)
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.ledger.last() == before)
        #expect(try await bench.stores.ledger.totals(LedgerQuery(kind: .expense)) == [before.amount])
    }

    @Test func nothingToCorrect_isSaid() async throws {
        #expect(try await VanBench().say("make that sixty").text == "The ledger is empty.")
    }

    @Test func aCorrectionToTheSame_orToNothing_changesNothing() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log diesel for fifty pounds")
        let before = try await bench.stores.ledger.last()
        #expect(try await bench.say("make that fifty").text == "It already says that: £50.00 for diesel.")
        #expect(
            try await bench.say("make that zero").text
                == "An amount has to be more than nothing, so I changed nothing.")
        #expect(try await bench.say("actually it was tomorrow").text.hasPrefix("That day is still to come"))
        #expect(try await bench.say("make that a million pounds").question != nil)
        #expect(try await bench.stores.ledger.last() == before)
    }

    @Test func withoutSayingWhat_itAsks() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log diesel for fifty pounds")
        let reply = try await bench.say("fix the last entry")
        #expect(reply.text == "The last one is £50.00 for diesel. What should it be?")
        #expect(reply.question != nil)
    }
}
