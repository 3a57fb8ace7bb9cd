@testable import Domain
@testable import Language
@testable import Dialogue
import CopilotTestKit
import Foundation
import SystemTestKit
import Testing

/// What the session remembers from turn to turn.
@Suite struct ConversationContextTests {
    /// A conversation in a van whose devices do as they are told.
    private func talking(
        _ bench: VanBench, hears: [ScriptedMicrophone.Opening] = .patient, says: [String] = [],
        _ body: (Talk) async throws -> Void
    ) async throws {
        bench.answersAll()
        try await bench.run {
            try await bench.report(("water_pump", "OFF"), ("fridge", "OFF"), ("roof_fan", "OFF"))
            try await body(try await Talk(bench, hears: hears, says: says))
        }
    }

    /// Typed and spoken turns, of which each but the first means nothing without the ones before.
    @Test func aConversationOfEightTurns_keepsItsThread() async throws {
        let bench = try VanBench()
        try await bench.entry(.expense, 5_000, category: "fuel")
        try await bench.entry(.expense, 7_000, category: "fuel", on: VanBench.date(2026, 10, 12))
        try await bench.item("tow rope", in: "cab")
        try await talking(
            bench, hears: [.utterance, .utterance, .utterance, .utterance],
            says: ["and last month", "turn that off again", "where is it", "undo that"]
        ) { (talk: Talk) async throws -> Void in
            let said = talk.conversation
            let first = await said.say("how much have I spent on diesel this month")
            #expect(first.reply == "You've spent £50.00 on diesel this month.")
            await talk.tap()
            #expect(try await talk.turn(2).reply == "You spent £70.00 on diesel last month.")
            let total = await said.say("how much is that in total and turn on the water pump")
            #expect(total.reply == "You spent £70.00 last month. The water pump is on.")
            await talk.tap()
            #expect(try await talk.turn(4).reply == "The water pump is off.")
            let both = await said.say("switch it back on and move the tow rope to the garage")
            #expect(both.reply == "The water pump is on. The tow rope is now in the garage.")
            await talk.tap()
            #expect(try await talk.turn(6).reply == "The tow rope is in the garage.")
            #expect(await said.say("put it under the bed").reply == "The tow rope is now under the bed.")
            await talk.tap()
            #expect(try await talk.turn(8).reply == "Undone: the change to the tow rope.")
            #expect(await said.say("say that again").reply == "Undone: the change to the tow rope.")
            #expect(await said.services.recorder.history.count <= 6)
        }
    }

    @Test func aFollowUp_needsTheSession() async throws {
        let talk = try await Talk(VanBench())
        #expect(await talk.conversation.say("and last month").outcome == .fallback)
        _ = await talk.conversation.say("how much have I spent on diesel this month")
        await talk.conversation.close()
        #expect(await talk.conversation.say("and last month").outcome == .fallback)
    }

    // MARK: two actions

    @Test func twoActions_bothHappen_inOrder_andAreUndoneOneByOne() async throws {
        let bench = try VanBench()
        try await talking(bench) { (talk: Talk) async throws -> Void in
            let trace = await talk.conversation.say("turn on the water pump and the fridge")
            #expect(trace.reply == "The water pump is on. The fridge is on.")
            #expect(bench.commands.map(\.topic) == ["van/water_pump/set", "van/fridge/set"])
            #expect(await talk.conversation.say("undo that").reply == "The fridge is off again.")
            #expect(await talk.conversation.say("undo that").reply == "The water pump is off again.")
        }
    }

    @Test func anActionOfTheStoreAndOneOfADevice_areUndoneInTheirOrder() async throws {
        let bench = try VanBench()
        try await talking(bench) { (talk: Talk) async throws -> Void in
            _ = await talk.conversation.say("log diesel for fifty pounds and turn on the water pump")
            #expect(try await talk.ledger.count == 1)
            #expect(await talk.conversation.say("undo").reply == "The water pump is off again.")
            #expect(try await talk.ledger.count == 1)
            #expect(await talk.conversation.say("undo").reply == "Undone: £50.00 for diesel.")
            #expect(try await talk.ledger.isEmpty)
        }
    }

    @Test func aHalfThatIsNotUnderstood_stopsBoth_andIsNamed() async throws {
        let bench = try VanBench()
        try await talking(bench) { (talk: Talk) async throws -> Void in
            let trace = await talk.conversation.say("turn on the water pump and frobnicate the wibble")
            #expect(trace.reply == "I didn't get “frobnicate the wibble”, so I did nothing.")
            #expect(trace.outcome == .fallback)
            #expect(bench.commands.isEmpty)
        }
    }

    private static let order = """
        language: en
        intents:
          rinse:
            phrases: ["rinse the tank"]
            confirm: "Shall I really rinse the tank?"
            publish: {topic: tank/rinse, payload: go}
            reply: "Rinsing."
        """

    @Test func theSecondAction_waitsForTheAnswerToTheFirst() async throws {
        let bench = try VanBench(books: english(with: Self.order))
        try await talking(bench) { (talk: Talk) async throws -> Void in
            let asked = await talk.conversation.say("rinse the tank and turn on the water pump")
            #expect(asked.reply == "Shall I really rinse the tank?")
            #expect(bench.commands.isEmpty)
            #expect(await talk.conversation.say("yes").reply == "Rinsing. The water pump is on.")
            _ = await talk.conversation.say("rinse the tank and turn off the water pump")
            #expect(await talk.conversation.say("no").reply == "Never mind. I've left the rest, too.")
            #expect(bench.commands.map(\.payload) == ["go", "ON"])
            #expect(await talk.conversation.say("yes").reply == "There's nothing to say yes to.")
        }
    }

    @Test func aHeldButton_confirmsTheRiskyQuestion() async throws {
        let bench = try VanBench(books: english(with: Self.order))
        let talk = try await Talk(bench, hears: .patient)
        _ = await talk.conversation.say("rinse the tank")
        try await talk.microphone?.opened()
        talk.clock.advance(by: .milliseconds(500))
        await talk.conversation.press(.pressed)
        try await talk.microphone?.opened(2)
        try await talk.clock.sleeperRegistered(for: .milliseconds(400))
        talk.clock.advance(by: .milliseconds(400))
        try await eventually("the hold is felt") { await talk.conversation.machine.isHoldToTalk }
        talk.clock.advance(by: .milliseconds(700))
        await talk.conversation.press(.released)
        let trace = try await talk.turn(3)
        #expect(trace.reply == "Rinsing.")
        #expect(bench.commands == [.init("tank/rinse", "go")])
        try await talk.microphone?.closed(2)
    }

    // MARK: lists that are walked through

    private static let steps: [String: Command] = [
        "done": Command(handler: "checklist", intent: "list_left"),
        "stop": Command(handler: "checklist", intent: "list_lists"),
    ]

    @Test @DialogueActor func listDialogue_outlastsOtherCommands_silence_andTheSession() {
        let state = DialogueState()
        state.walk(Self.steps, of: "checklist", at: .zero)
        state.walk(["stop": Command(handler: "van", intent: "stop")], of: "van", at: .seconds(10))
        guard case .command(let stop)? = state.step("stop") else { return #expect(Bool(false), "stop stops nothing") }
        #expect(stop.handler == "van", "the cover on its way is stopped first")
        guard case .command(let done)? = state.step("done") else { return #expect(Bool(false), "done does nothing") }
        #expect(done.handler == "checklist")
        state.dropQuestion()
        state.forgetOldLists(at: .seconds(100))
        #expect(state.lists.map(\.handler) == ["checklist"], "a cover has arrived long before")
        state.forgetOldLists(at: .seconds(29 * 60))
        #expect(!state.lists.isEmpty)
        state.forgetOldLists(at: .seconds(31 * 60))
        #expect(state.lists.isEmpty)
        #expect(state.step("done") == nil)
    }

    // MARK: ties, and choosing by place

    @Test(arguments: ["the second one", "the lounge", "second", "the other one"])
    func oneOfSeveral_isChosenByItsPlace(answer: String) async throws {
        let bench = try VanBench()
        try await talking(bench) { (talk: Talk) async throws -> Void in
            _ = await talk.conversation.say("turn on the reading light")
            #expect(await talk.conversation.say(answer).reply == "The reading light is on.")
            #expect(bench.commands.map(\.topic) == ["van/reading_right/set"])
        }
    }

    @Test @DialogueActor func aPlaceAmongSeveral_isUnderstood_andReadingsAreAQuestion() {
        let state = DialogueState()
        state.readings = [
            DialogueState.Reading(proposal: Proposal(Self.steps["done"] ?? Command(handler: "", intent: "")))
        ]
        #expect(state.isAsking)
        state.dropQuestion()
        #expect(!state.isAsking)
        let words = English.books.talk, normaliser = English.books.normaliser
        for (said, place) in [("the first", 0), ("the second one", 1), ("the last one", 2), ("the fourth", nil)] {
            #expect(words.place(normaliser.normalise(said), of: 3) == place)
        }
    }

    @Test func anUndoThatIsRisky_isAskedFirst() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        var undo = Undo("the door locked") { Undone() }
        undo.confirmation = "That unlocks the door. Shall I?"
        await talk.conversation.services.changes.record(changeOf: Reply("Locked.", undo: undo))
        let asked = await talk.conversation.say("undo that")
        #expect(asked.reply == "That unlocks the door. Shall I?")
        #expect(asked.outcome == .asked)
        #expect(await talk.conversation.say("yes").reply == "Undone: the door locked.")
        #expect(await talk.conversation.say("undo that").reply == "There's nothing to undo.")
    }

    // MARK: bad input

    @Test(arguments: [
        String(repeating: "turn on and then ", count: 700), String(repeating: "x", count: 10_000), "🚐🔥👍", "   ",
        "um, er!", "?!…", "and", "and and and", "what about", "it", "\u{0}\u{7}",
    ])
    func nonsense_isNotUnderstood_andChangesNothing(text: String) async throws {
        let bench = try VanBench()
        try await talking(bench) { (talk: Talk) async throws -> Void in
            _ = await talk.conversation.say("is the water pump on")
            let trace = await talk.conversation.say(text)
            #expect(trace.outcome == .fallback)
            #expect(trace.reply.hasPrefix("Sorry, I didn't catch that."))
            #expect(bench.commands.isEmpty)
        }
    }
}

extension DialogueState.Step: Equatable {
    /// Two are one when they show the same.
    public static func == (one: DialogueState.Step, other: DialogueState.Step) -> Bool {
        switch (one, other) {
        case (.command(let a), .command(let b)): a == b
        case (.ends(let a), .ends(let b)): a == b
        default: false
        }
    }
}
