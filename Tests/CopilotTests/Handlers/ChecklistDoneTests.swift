@testable import Domain
import Testing

/// Tasks that are said to be done in other words than the list has, and what is said of whole lists.
@Suite struct ChecklistDoneTests {
    private func bench() async throws -> VanBench {
        let bench = try VanBench()
        for task in ["Fill the water tank", "Turn off the gas", "Check the tyres"] {
            try await bench.task(task, on: "departure")
        }
        try await bench.task("Buy milk", on: "shopping")
        return bench
    }

    @Test(arguments: [
        ("that's the water filled", "Ticked off: fill the water tank."),
        ("gas is off", "Ticked off: turn off the gas."),
        ("we've turned the gas off", "Ticked off: turn off the gas."),
        ("tyres are done", "Ticked off: check the tyres."),
        ("i've just bought milk", "Ticked off: buy milk."),
    ])
    func whatIsDone_isTickedOff(text: String, answer: String) async throws {
        #expect(try await bench().say(text).text == answer)
    }

    @Test(arguments: ["the window is shut", "that's the roof vent closed", "we've bought bread", "dinner is done"])
    func whatIsOnNoList_ticksNothing(text: String) async throws {
        let bench = try await bench()
        let reply = try? await bench.say(text)
        #expect(reply?.effects.isEmpty ?? true)
        #expect(try await bench.stores.checklist.tasks(list: nil).allSatisfy { !$0.isDone })
    }

    @Test func aListThatIsSaidToBeDone_isTickedOffWithAYesOnly() async throws {
        let bench = try await bench()
        let reply = try await bench.say("all done with departure")
        #expect(reply.text == "Shall I tick off everything on the departure list?")
        #expect(try await bench.stores.checklist.tasks(list: "departure").allSatisfy { !$0.isDone })
        guard case .confirmation(let command, _) = reply.question else {
            Issue.record("nothing was asked")
            return
        }
        #expect(try await bench.act(command.confirmed).text == "Ticked off everything on the departure list.")
    }

    @Test func whetherSomethingIsListed_isAnswered() async throws {
        let bench = try await bench()
        #expect(try await bench.say("is milk on the shopping list").text == "Yes, it's on the shopping list: buy milk.")
        #expect(try await bench.say("is bread on the shopping list").text == "No, bread isn't on the shopping list.")
    }

    @Test func aListIsMade_andTakenBack() async throws {
        let bench = try await bench()
        let reply = try await bench.say("make a christmas list")
        #expect(reply.text == "Made the christmas list.")
        #expect(try await bench.stores.checklist.lists().contains("christmas"))
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.checklist.lists().contains("christmas") == false)
    }
}
