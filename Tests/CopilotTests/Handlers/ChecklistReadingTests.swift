import Testing

/// Lists that are read out, and walked through.
@Suite struct ChecklistReadingTests {
    private func bench(_ count: Int, on list: String = "departure") async throws -> VanBench {
        let bench = try VanBench()
        let words = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven"]
        for text in words.prefix(count) { try await bench.task(text, on: list) }
        return bench
    }

    @Test func aLongList_isCutShort_andItsNextIsTheFirst() async throws {
        let empty = try VanBench()
        #expect(try await empty.say("next task").text == "There's nothing left to do.")
        let bench = try await bench(7)
        #expect(
            try await bench.say("what is left to do").text
                == "7 tasks left: one, two, three, four and five, and 2 more.")
        #expect(try await bench.say("next task").text == "Next: one.")
    }

    @Test func aList_isReadPageByPage_forthAndBack() async throws {
        let bench = try await bench(11)
        let first = try await bench.say("read the departure list")
        #expect(
            first.text == "11 tasks on the departure list: one, two, three, four and five. Say next for more.")
        let second = try await bench.step("next", of: first)
        #expect(second.text == "six, seven, eight, nine and ten. 1 more.")
        let third = try await bench.step("next", of: second)
        #expect(third.text == "eleven. That's all.")
        #expect(try await bench.step("back", of: third).text == second.text)
        #expect(try await bench.step("repeat", of: third).text == third.text)
        let end = try await bench.step("stop", of: second)
        #expect(end.text == "Okay.")
        #expect(end.question == nil)
    }

    @Test func aPageThatIsNoLongerThere_givesTheLastOne() async throws {
        let bench = try await bench(6)
        let first = try await bench.say("read the departure list")
        _ = try await bench.stores.checklist.removeAll(list: "departure", onlyDone: false)
        #expect(try await bench.step("next", of: first).text == "The departure list is empty.")
    }

    @Test func aShortList_isReadAtOnce_withItsTicks() async throws {
        let bench = try await bench(2)
        _ = try await bench.say("tick off one")
        let reply = try await bench.say("read the departure list")
        #expect(reply.text == "On the departure list: one, done and two.")
        #expect(reply.question == nil)
    }

    @Test func ofSeveralLists_theOneToReadIsAskedFor() async throws {
        let bench = try await bench(2)
        try await bench.task("Milk", on: "shopping")
        let reply = try await bench.say("read the list")
        #expect(reply.text == "Which list: departure or shopping?")
        guard case .slot("list", _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
    }

    @Test func aWalk_saysEachTask_andCommitsBeforeTheNext() async throws {
        let bench = try await bench(3)
        let first = try await bench.say("start the departure checklist")
        #expect(first.text == "The departure list, 3 tasks. One.")
        let second = try await bench.step("done", of: first)
        #expect(second.text == "Two.")
        #expect(try await bench.stores.checklist.tasks(list: nil).map(\.isDone) == [true, false, false])
        let third = try await bench.step("skip", of: second)
        #expect(third.text == "Three.")
        let end = try await bench.step("done", of: third)
        #expect(end.text == "That's the end. You did 2 of 3; still open: two.")
        #expect(end.question == nil)
        #expect(try await bench.undo(end))
        #expect(try await bench.stores.checklist.tasks(list: nil).map(\.isDone) == [true, false, false])
    }

    @Test func aWalkDoneToItsEnd_saysSo() async throws {
        let bench = try await bench(1)
        let first = try await bench.say("walk me through the departure checklist")
        #expect(try await bench.step("done", of: first).text == "That's the departure list: all done.")
        #expect(
            try await bench.say("start the departure checklist").text
                == "Everything on the departure list is done already.")
    }

    @Test func aWalk_goesBack_repeats_andStops() async throws {
        let bench = try await bench(3)
        let first = try await bench.say("start the departure checklist")
        #expect(try await bench.step("back", of: first).text == "That's the first one. One.")
        #expect(try await bench.step("repeat", of: first).text == "One.")
        let second = try await bench.step("done", of: first)
        let back = try await bench.step("back", of: second)
        #expect(back.text == "One: that's ticked off.")
        #expect(try await bench.step("done", of: back).text == "Two.")
        let stopped = try await bench.step("stop", of: second)
        #expect(stopped.text == "Stopped. You did 1 of 3, and 2 are open.")
        #expect(stopped.question == nil)
    }

    @Test func aTaskRemovedDuringTheWalk_isPassedOver() async throws {
        let bench = try await bench(3)
        let first = try await bench.say("start the departure checklist")
        let tasks = try await bench.stores.checklist.tasks(list: nil)
        _ = try await bench.stores.checklist.remove(id: tasks[1].id)
        #expect(try await bench.step("done", of: first).text == "Three.")
    }

    @Test func aListThatEveryVanHas_isOfferedWithItsUsualTasks() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("start the departure checklist")
        #expect(reply.text == "There's no departure list yet. Shall I make one with the usual tasks?")
        #expect(try await bench.stores.checklist.lists() == [])
        guard case .confirmation(let command, _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
        let made = try await bench.act(command.confirmed)
        #expect(made.text == "Made the departure list with 8 tasks. The departure list, 8 tasks. Check the tyres.")
        #expect(made.question != nil)
        #expect(try await bench.texts().count == 8)
        #expect(try await bench.undo(made))
        #expect(try await bench.stores.checklist.lists() == [])
    }

    @Test func aListThatIsNotThere_isSaidSo() async throws {
        let bench = try await bench(1)
        #expect(try await bench.say("read the shopping list").text == "There's no shopping list.")
        #expect(try await bench.say("what's on the shopping list").text == "There's no shopping list.")
    }
}
