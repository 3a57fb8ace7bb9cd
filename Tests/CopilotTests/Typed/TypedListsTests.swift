@testable import Dialogue
import CopilotTestKit
import Testing

/// The lists, changed from the keyboard.
@Suite struct TypedListsTests {
    private let bench: VanBench
    private let talk: Talk
    private let lists: TypedLists

    init() async throws {
        bench = try VanBench()
        talk = try await Talk(bench, hears: .patient)
        lists = TypedLists(talk.conversation)
    }

    private func tasks(_ list: String) async throws -> [String] {
        try await bench.stores.checklist.tasks(list: list).map { ($0.isDone ? "x " : "") + $0.text }
    }

    @Test func aTask_isAddedTickedAndRemoved_andEachIsTakenBack() async throws {
        _ = try await lists.make("Winter", withUsualTasks: false)
        #expect(try await bench.stores.checklist.lists() == ["winter"])
        let added = try await lists.add("drain the boiler", to: "winter", isConfirmed: false)
        #expect(added.text == "Added to the winter list: drain the boiler.")
        #expect(try await lists.set("boiler", on: "winter", isDone: true).outcome == .done)
        #expect(try await tasks("winter") == ["x Drain the boiler"])
        let number = try await bench.stores.checklist.tasks(list: nil)[0].id
        #expect(try await lists.set("\(number)", on: nil, isDone: false).outcome == .done)
        #expect(try await lists.remove("\(number)", on: nil).effects.count == 1)
        #expect(try await tasks("winter").isEmpty)
        for expected in [["Drain the boiler"], ["x Drain the boiler"], ["Drain the boiler"], []] {
            #expect(await talk.conversation.undo().outcome == .done)
            #expect(try await tasks("winter") == expected)
        }
        _ = await talk.conversation.undo()
        #expect(try await bench.stores.checklist.lists().isEmpty, "the list itself was a change, too")
    }

    @Test func aListThatIsNotThere_isMadeWithAYesOnly() async throws {
        let asked = try await lists.add("buy milk", to: "shopping", isConfirmed: false)
        guard case .confirmation? = asked.question else { return #expect(Bool(false), "\(asked)") }
        #expect(try await bench.stores.checklist.lists().isEmpty)
        #expect(
            await talk.conversation.say("yes").reply == "There's nothing to say yes to.",
            "what was typed waits for no voice")
        #expect(try await lists.add("buy milk", to: "shopping", isConfirmed: true).effects.count == 1)
        #expect(try await tasks("shopping") == ["Buy milk"])
    }

    @Test func whatIsNotThere_isRefused_andSaysWhatThereIs() async throws {
        try await bench.task("Close the vent", on: "departure")
        try await bench.task("Close the hatch", on: "departure")
        await #expect(throws: TypedRefusal("There is no list called arrival. There are: departure.")) {
            try await lists.reset("arrival")
        }
        await #expect(throws: TypedRefusal("There is no task of the number 99.")) {
            try await lists.remove("99", on: nil)
        }
        #expect(try await lists.remove("fly to the moon", on: nil).outcome == .failed)
        let several = try await lists.remove("close", on: "departure")
        #expect(several.question != nil && several.effects.isEmpty, "\(several)")
        await #expect(throws: TypedRefusal.self) { try await lists.make("party", withUsualTasks: true) }
        #expect(try await tasks("departure").count == 2)
    }

    @Test func aList_isDeletedWithAYes_andComesBackWhole() async throws {
        _ = try await lists.make("departure", withUsualTasks: true)
        let before = try await bench.stores.checklist.tasks(list: nil)
        #expect(before.count > 3)
        #expect(try await lists.delete("departure", isConfirmed: false).effects.isEmpty)
        #expect(try await bench.stores.checklist.tasks(list: nil) == before)
        #expect(try await lists.delete("Departure", isConfirmed: true).outcome == .done)
        #expect(try await bench.stores.checklist.lists().isEmpty)
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await bench.stores.checklist.tasks(list: nil) == before)
    }

    @Test func aTypedChange_isTold_andItsNamesCanBeSaid() async throws {
        _ = try await lists.add("grease the hinges", to: "spring", isConfirmed: true)
        try await talk.events.until("the change is told") { $0.map(\.brief).contains("changed checklist") }
        #expect(await talk.conversation.say("what's left on the spring list").reply.contains("grease the hinges"))
        _ = await talk.conversation.undo()
        try await talk.events.until("the undo is told") { $0.map(\.brief).contains("changed ") }
    }

    @Test func changesAtOnce_areEachTakenBackByThemselves() async throws {
        _ = try await lists.make("to do", withUsualTasks: false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask { _ = try await lists.add("task \(number)", to: "to do", isConfirmed: false) }
            }
            try await group.waitForAll()
        }
        for left in (0..<8).reversed() {
            _ = await talk.conversation.undo()
            #expect(try await tasks("to do").count == left)
        }
    }
}
