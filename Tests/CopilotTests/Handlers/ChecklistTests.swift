@testable import Domain
import CopilotTestKit
import Foundation
import Testing

/// Tasks: adding, ticking off and on again, removing.
@Suite struct ChecklistTests {
    @Test func aTask_isAddedAsHeard_tickedOff_andBothUndone() async throws {
        let bench = try VanBench()
        let added = try await bench.say("add a task to check tyres")
        #expect(added.text == "Added to the to do list: check tyres.")
        #expect(try await bench.texts() == ["Check tyres"])
        let done = try await bench.say("tick off check tyres")
        #expect(done.text == "Ticked off: check tyres.")
        #expect(try await bench.say("what is left to do").text == "There's nothing left to do.")
        #expect(try await bench.undo(done) == true)
        #expect(try await bench.say("what is left to do").text == "1 task left: check tyres.")
        #expect(try await bench.undo(added) == true)
        #expect(try await bench.texts() == [])
    }

    @Test func aQuestionAboutATask_isAnswered_andTicksNothing() async throws {
        let bench = try VanBench()
        try await bench.task("Check the gas", on: "departure")
        #expect(try await bench.say("have I checked the gas").text == "No, that's still open: check the gas.")
        #expect(try await bench.say("what is left to do").text == "1 task left: check the gas.")
        _ = try await bench.say("tick off check the gas")
        #expect(try await bench.say("did I do the gas").text == "Yes, that's ticked off: check the gas.")
        #expect(try await bench.say("have we done the tyres").text == "There's no task called tyres.")
    }

    @Test func aNamedList_takesTheTask() async throws {
        let bench = try VanBench()
        try await bench.task("Milk", on: "shopping")
        #expect(
            try await bench.say("add buy bread to the shopping list").text == "Added to the shopping list: buy bread.")
        #expect(try await bench.say("what's on the shopping list").text == "2 tasks left: milk and buy bread.")
        #expect(try await bench.say("which lists do I have").text == "Your list: shopping.")
    }

    @Test(arguments: ["add milk to the shopping list", "put milk on the boat list"])
    func aListThatIsNotThere_isMadeOnlyAfterAYes(text: String) async throws {
        let bench = try VanBench()
        let reply = try await bench.say(text)
        #expect(reply.text.hasSuffix("Shall I make it?"))
        #expect(try await bench.stores.checklist.lists() == [])
        guard case .confirmation(let command, _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
        let done = try await bench.act(command.confirmed)
        #expect(try await bench.texts() == ["Milk"])
        #expect(try await bench.undo(done))
        #expect(try await bench.stores.checklist.lists() == [])
    }

    @Test func aTaskThatIsThere_isNotAddedTwice_andADoneOneIsReopened() async throws {
        let bench = try VanBench()
        _ = try await bench.say("add a task to check tyres")
        #expect(
            try await bench.say("add a task to check tyres").text == "It's already on the to do list: check tyres.")
        _ = try await bench.say("tick off check tyres")
        #expect(try await bench.say("add a task to check tyres").text == "Open again: check tyres.")
        #expect(try await bench.texts() == ["Check tyres"])
    }

    @Test func aTask_isReopened_andItsUndoTicksItAgain() async throws {
        let bench = try VanBench()
        try await bench.task("Close the vent", isDone: true)
        let reply = try await bench.say("untick close the vent")
        #expect(reply.text == "Open again: close the vent.")
        #expect(try await bench.say("untick close the vent").text == "That's still open: close the vent.")
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.checklist.tasks(list: nil).map(\.isDone) == [true])
        #expect(try await bench.say("tick off close the vent").text == "That's already ticked off: close the vent.")
    }

    @Test func aTaskNamedLoosely_isFound_whenOnlyOneFits() async throws {
        let bench = try VanBench()
        try await bench.task("Check tyres")
        try await bench.task("Check oil")
        #expect(try await bench.say("tick off the tyres").text == "Ticked off: check tyres.")
        let reply = try await bench.say("tick off the brakes")
        #expect(reply.text == "There's no task called the brakes.")
        #expect(reply.outcome == .failed)
        try await bench.task("Top up oil")
        let asked = try await bench.say("tick off the oil")
        #expect(asked.text == "Which one: check oil or top up oil?")
        #expect(asked.question != nil)
    }

    @Test func theSameTaskOnTwoLists_isAskedFor() async throws {
        let bench = try VanBench()
        for list in ["departure", "arrival"] { try await bench.task("Check the gas", on: list) }
        let reply = try await bench.say("tick off check the gas")
        #expect(reply.text == "Which one: check the gas on the departure list or check the gas on the arrival list?")
        #expect(reply.question != nil)
        #expect(try await bench.stores.checklist.tasks(list: nil).allSatisfy { !$0.isDone })
    }

    @Test func aTask_isRemoved_andItsUndoPutsItBack() async throws {
        let bench = try VanBench()
        try await bench.task("Clean the windows")
        let reply = try await bench.say("delete the task clean the windows")
        #expect(reply.text == "Removed from the to do list: clean the windows.")
        #expect(try await bench.texts() == [])
        #expect(try await bench.undo(reply))
        #expect(try await bench.texts() == ["Clean the windows"])
    }

    @Test func allTasksOfAList_areRemovedOnlyAfterAYes_andComeBack() async throws {
        let bench = try VanBench()
        for text in ["Milk", "Bread"] { try await bench.task(text, on: "shopping") }
        let reply = try await bench.say("remove everything from the shopping list")
        #expect(reply.text == "Shall I remove all the tasks from the shopping list?")
        #expect(try await bench.texts() == ["Milk", "Bread"])
        guard case .confirmation(let command, _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
        let done = try await bench.act(command.confirmed)
        #expect(done.text == "Removed 2 tasks from the shopping list.")
        #expect(try await bench.texts() == [])
        #expect(try await bench.undo(done))
        #expect(try await bench.texts() == ["Milk", "Bread"])
    }

    @Test func finishedTasks_areClearedAway() async throws {
        let bench = try VanBench()
        try await bench.task("Milk", on: "shopping", isDone: true)
        try await bench.task("Bread", on: "shopping")
        #expect(
            try await bench.say("remove the finished tasks from the shopping list").text
                == "Removed 1 task from the shopping list.")
        #expect(try await bench.texts() == ["Bread"])
    }

    @Test func aList_isReset_andItsUndoTicksAgainWhatWasTicked() async throws {
        let bench = try VanBench()
        try await bench.task("One", on: "departure", isDone: true)
        try await bench.task("Two", on: "departure")
        let reply = try await bench.say("reset the departure list")
        #expect(reply.text == "The departure list starts afresh: 1 task is open again.")
        #expect(try await bench.say("reset the departure list").text == "Nothing is ticked off on the departure list.")
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.checklist.tasks(list: nil).map(\.isDone) == [true, false])
    }

    @Test func everythingOnAList_isTickedOff() async throws {
        let bench = try VanBench()
        for text in ["One", "Two"] { try await bench.task(text, on: "departure") }
        let reply = try await bench.say("tick off everything on the departure list")
        #expect(reply.text == "Ticked off everything on the departure list.")
        #expect(try await bench.say("what's on the departure list").text == "Everything on the departure list is done.")
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.checklist.tasks(list: nil).allSatisfy { !$0.isDone })
    }

    @Test func sqlAndEmoji_areTextLikeAnyOther() async throws {
        let bench = try VanBench()
        let text = "Robert'); DROP TABLE checklist_task; -- 🚐"
        let reply = try await bench.act(
            Command(handler: "checklist", intent: "add_task", slots: ["task": SlotValue(text: text)]))
        #expect(reply.undo != nil)
        #expect(try await bench.texts() == [text])
        #expect(try await bench.undo(reply))
        #expect(try await bench.texts() == [])
    }

    @Test(arguments: ["", "   "])
    func aTaskWithoutWords_isAskedFor_andNothingWritten(text: String) async throws {
        let bench = try VanBench()
        let reply = try await bench.act(
            Command(handler: "checklist", intent: "add_task", slots: ["task": SlotValue(text: text)]))
        #expect(reply.text == "Which task?")
        #expect(try await bench.stores.checklist.lists() == [])
    }
}

extension VanBench {
    /// Stores a task.
    func task(_ text: String, on list: String = "to do", isDone: Bool = false) async throws {
        _ = try await stores.checklist.add(ChecklistTask(list: list, text: text, isDone: isDone))
    }

    /// The texts of all tasks.
    func texts() async throws -> [String] { try await stores.checklist.tasks(list: nil).map(\.text) }

    /// Takes a step of what is going on, as “done” or “next” does.
    func step(_ step: String, of reply: Reply) async throws -> Reply {
        guard case .steps(let commands) = reply.question else {
            throw NeverHappened(description: "no steps after “\(reply.text)”")
        }
        return try await act(try #require(commands[step]))
    }
}
