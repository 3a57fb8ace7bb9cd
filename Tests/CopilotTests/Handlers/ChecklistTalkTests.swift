import Testing

/// Lists as they are talked through: one sentence after the other.
@Suite struct ChecklistTalkTests {
    @Test func aWalk_takesDoneSkipAndStop_beforeTheSessionDoes() async throws {
        let bench = try VanBench()
        for text in ["Close the vent", "Lock the rack", "Check the gas"] {
            try await bench.task(text, on: "departure")
        }
        let talk = try await Talk(bench, hears: .patient)
        func say(_ text: String) async -> String { await talk.conversation.say(text).reply }
        #expect(await say("start the departure checklist") == "The departure list, 3 tasks. Close the vent.")
        #expect(await say("done") == "Lock the rack.")
        #expect(await say("skip this one") == "Check the gas.")
        #expect(await say("say that again") == "Check the gas.")
        #expect(await say("go back") == "Lock the rack.")
        #expect(await say("stop") == "Stopped. You did 1 of 3, and 2 are open.")
        #expect(await say("undo that") == "Undone: close the vent is open again.")
        #expect(try await bench.stores.checklist.tasks(list: nil).allSatisfy { !$0.isDone })
    }

    @Test func aList_isReadOnWithNext_untilItsEnd() async throws {
        let bench = try VanBench()
        for number in ["one", "two", "three", "four", "five", "six", "seven"] {
            try await bench.task("Task \(number)", on: "departure")
        }
        let talk = try await Talk(bench, hears: .patient)
        let first = await talk.conversation.say("read the departure list").reply
        #expect(first.hasSuffix("Say next for more."))
        #expect(await talk.conversation.say("more").reply == "task six and task seven. That's all.")
        #expect(await talk.conversation.say("that's enough").reply == "Okay.")
    }

    @Test func aNewList_isMadeWithAYes_andNotWithANo() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: .patient)
        #expect(
            await talk.conversation.say("add milk to the shopping list").reply
                == "There's no shopping list yet. Shall I make it?")
        _ = await talk.conversation.say("no")
        #expect(try await bench.stores.checklist.lists().isEmpty)
        _ = await talk.conversation.say("add milk to the shopping list")
        #expect(await talk.conversation.say("yes please").reply == "Added to the shopping list: milk.")
    }

    /// “to” stands before the task and before the list.
    @Test(arguments: ["add call mum to the winter list", "add a task to call mum to the winter list"])
    func aTaskForAListThatIsNotThere_asksWhetherToMakeIt(text: String) async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: .patient)
        #expect(await talk.conversation.say(text).reply == "There's no winter list yet. Shall I make it?")
        #expect(await talk.conversation.say("yes").reply == "Added to the winter list: call mum.")
        #expect(try await bench.stores.checklist.tasks(list: "winter").map(\.text) == ["Call mum"])
    }

    @Test func theListThatIsAskedFor_isNamedInTheAnswer() async throws {
        let bench = try VanBench()
        try await bench.task("Close the vent", on: "departure")
        try await bench.task("Milk", on: "shopping")
        let talk = try await Talk(bench, hears: .patient)
        #expect(await talk.conversation.say("read the list").reply == "Which list: departure or shopping?")
        #expect(await talk.conversation.say("shopping").reply == "On the shopping list: milk.")
    }

    @Test func aWeightThatIsAskedFor_isSaidInTheAnswer() async throws {
        let bench = try VanBench()
        try await bench.item("rope", quantity: 2, in: "garage")
        try await bench.item("rope", in: "cab")
        let talk = try await Talk(bench, hears: .patient)
        #expect(
            await talk.conversation.say("the rope weighs two kilos").reply
                == "Which one: rope in the garage or rope in the cab?")
        #expect(await talk.conversation.say("the cab").reply == "The rope weighs 2 kilos.")
    }
}
