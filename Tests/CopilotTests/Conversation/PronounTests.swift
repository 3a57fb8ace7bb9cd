import Testing

/// “It” is never the name of anything: it stands for what was spoken of, or is asked for.
@Suite struct PronounTests {
    private func talk() async throws -> (Talk, VanBench) {
        let bench = try VanBench()
        try await bench.item("tow rope", in: "cab")
        try await bench.task("Milk", on: "shopping")
        return (try await Talk(bench, hears: .patient), bench)
    }

    @Test(arguments: [
        "add it to the shopping list", "put that on the shopping list", "add it to my shopping list please",
    ])
    func aTask_isWhatWasSpokenOf(order: String) async throws {
        let (talk, bench) = try await talk()
        _ = await talk.conversation.say("where is the tow rope")
        #expect(await talk.conversation.say(order).outcome == .done)
        #expect(try await bench.stores.checklist.tasks(list: "shopping").map(\.text) == ["Milk", "Tow rope"])
    }

    @Test func aTaskOfANewList_isWhatWasSpokenOf() async throws {
        let (talk, bench) = try await talk()
        _ = await talk.conversation.say("where is the tow rope")
        #expect(await talk.conversation.say("add it to the garage list").outcome == .asked)
        _ = await talk.conversation.say("yes")
        #expect(try await bench.stores.checklist.tasks(list: "garage").map(\.text) == ["Tow rope"])
    }

    @Test(arguments: ["add it to the shopping list", "put this on the shopping list", "add a task to it"])
    func aTaskOfWhichNothingWasSaid_isAskedFor(order: String) async throws {
        let (talk, bench) = try await talk()
        #expect(await talk.conversation.say(order).reply == "Which task?")
        _ = await talk.conversation.say("it")
        #expect(try await bench.stores.checklist.tasks(list: nil).map(\.text) == ["Milk"])
    }

    @Test func theAnswer_completesTheTask() async throws {
        let (talk, bench) = try await talk()
        _ = await talk.conversation.say("add it to the shopping list")
        _ = await talk.conversation.say("oat flakes")
        #expect(try await bench.stores.checklist.tasks(list: "shopping").map(\.text) == ["Milk", "Oat flakes"])
    }

    @Test func anExpense_isForWhatWasSpokenOf_orItIsAsked() async throws {
        let (talk, _) = try await talk()
        #expect(await talk.conversation.say("log ten pounds for it").reply == "What was it for?")
        #expect(try await talk.ledger.isEmpty)
        _ = await talk.conversation.say("never mind")
        _ = await talk.conversation.say("where is the tow rope")
        #expect(await talk.conversation.say("log ten pounds for it").outcome == .done)
        #expect(try await talk.ledger.map(\.note) == ["Tow rope"])
    }

    @Test func aPronounWithinAText_staysThere() async throws {
        let (talk, bench) = try await talk()
        _ = await talk.conversation.say("where is the tow rope")
        _ = await talk.conversation.say("add a task to wash it")
        #expect(try await bench.stores.checklist.tasks(list: nil).map(\.text).contains("Wash it"))
    }
}
