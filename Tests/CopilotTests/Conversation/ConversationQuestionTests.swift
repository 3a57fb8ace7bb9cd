@testable import Domain
import CopilotTestKit
import Foundation
import SystemTestKit
import Testing

/// Questions and their answers, undo, names that change, muting, and text among speech.
@Suite struct ConversationQuestionTests {
    @Test func aMissingSlot_isAskedFor_listensByItself_andIsFilled() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance, .utterance], says: ["log fifty", "diesel"])
        await talk.tap()
        let asked = try await talk.turn(1)
        #expect(asked.outcome == .asked)
        #expect(asked.reply == "What was it for?")
        let trace = try await talk.turn(2)
        #expect(trace.reply == "Logged £50.00 for diesel.")
        #expect(trace.outcome == .done)
        #expect(try await talk.ledger.count == 1)
        // Only the second time is an answer listened for.
        #expect(talk.recogniser?.answering == [false, true])
    }

    /// Two sentences between which the recogniser cannot tell.
    private static func either(_ one: String, _ other: String) -> [Transcript] {
        [Transcript(text: one, confidence: 0.8), Transcript(text: other, confidence: 0.6, isRival: true)]
    }

    @Test func whatMayAsWellHaveBeenSaid_isAskedAbout_andNothingIsDoneBefore() async throws {
        let recogniser = ScriptedRecogniser([
            Self.either("log fifty pounds for diesel", "log fifteen pounds for diesel"),
            [Transcript(text: "the second one", confidence: 0.9)],
        ])
        let talk = try await Talk(VanBench(), hears: [.utterance, .utterance], recogniser: recogniser)
        await talk.tap()
        let asked = try await talk.turn(1)
        #expect(asked.outcome == .asked)
        #expect(asked.reply == "Did you mean “log fifty pounds for diesel” or “log fifteen pounds for diesel”?")
        #expect(try await talk.turn(2).reply == "Logged £15.00 for diesel.")
        #expect(try await talk.ledger.count == 1)
    }

    @Test(arguments: [
        ("log fifty pounds for diesel", "log £50 for diesel"), ("gas leak", "log fifty pounds for diesel"),
        ("log fifty pounds for diesel", "the grey horse"),
        ("add a task to grease the rugle", "add a task to grease the ruttle"),
    ])
    func whatWouldDoTheSame_orNothing_orHoldsUpHelp_isNotAskedAbout(_ one: String, _ other: String) async throws {
        let recogniser = ScriptedRecogniser([Self.either(one, other)])
        let talk = try await Talk(VanBench(), hears: [.utterance], recogniser: recogniser)
        await talk.tap()
        #expect(try await talk.turn(1).outcome == .done)
    }

    /// A sentence with words that no phrasebook has.
    private static func free(_ confidence: Double) -> [Transcript] {
        [Transcript(text: "add a task to oil the squeaky hinges", confidence: confidence, isFree: true)]
    }

    @Test func freeTextThatWasPerhapsMisheard_isReadBack_andStoredBehindAYes() async throws {
        let recogniser = ScriptedRecogniser([Self.free(0.6), [Transcript(text: "yes", confidence: 0.9)]])
        let talk = try await Talk(VanBench(), hears: [.utterance, .utterance], recogniser: recogniser)
        await talk.tap()
        let asked = try await talk.turn(1)
        #expect(asked.outcome == .asked)
        #expect(asked.reply.contains("oil the squeaky hinges"))
        #expect(asked.effects.isEmpty)
        #expect(try await talk.turn(2).outcome == .done)
        let tasks = try await talk.bench.stores.checklist.tasks(list: nil).map { $0.text.lowercased() }
        #expect(tasks.contains("oil the squeaky hinges"))
    }

    @Test func freeTextThatWasHeardSurely_isStoredAtOnce() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.utterance], recogniser: ScriptedRecogniser([Self.free(0.9)]))
        await talk.tap()
        #expect(try await talk.turn(1).outcome == .done)
    }

    @Test func anAnswerThatFitsNoCategory_becomesTheNote() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        #expect(await talk.conversation.say("a new frisbee").reply == "Logged £50.00 for a new frisbee.")
        #expect(try await talk.ledger.first?.note == "A new frisbee")
    }

    @Test func aCommandInsteadOfAnAnswer_isCarriedOut_andTheQuestionForgotten() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        #expect(await talk.conversation.say("what's my balance").reply == "The ledger is empty.")
        #expect(await talk.conversation.say("diesel").outcome == .fallback)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test(arguments: ["log ten pounds for a frisbee", "add a task to check tyres", "start a trip to spain"])
    func aCommandWithFreeText_isNoAnswerEither(text: String) async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("start a trip")
        let trace = await talk.conversation.say(text)
        #expect(trace.outcome == .done)
        #expect(try await talk.bench.stores.trips.trips().allSatisfy { $0.destination == "Spain" })
    }

    @Test func anAnswerThatGivesSomethingElse_isKept_andTheQuestionStands() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        #expect(await talk.conversation.say("yesterday").reply == "What was it for?")
        #expect(await talk.conversation.say("diesel").reply == "Logged £50.00 for diesel, yesterday.")
    }

    @Test func undo_dropsAnOpenQuestion_andTakesNothingBack() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log ten pounds for bread")
        _ = await talk.conversation.say("log a million pounds for diesel")
        #expect(await talk.conversation.say("undo").reply == "Never mind.")
        #expect(try await talk.ledger.count == 1)
        #expect(await talk.conversation.say("undo").reply == "Undone: £10.00 for bread.")
    }

    @Test(arguments: ["no", "never mind", "cancel", "stop", "done"])
    func aNo_dropsTheQuestion_andKeepsTheSession(word: String) async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        let trace = await talk.conversation.say(word)
        #expect(trace.outcome == .cancelled)
        #expect(trace.reply == "Never mind.")
        #expect(try await talk.ledger.isEmpty)
        #expect(await talk.conversation.state != .closed)
    }

    @Test func aQuestionThatNobodyAnswers_isForgotten() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance, .hears([])] + .patient, says: ["log fifty"])
        await talk.tap()
        let trace = try await talk.turn(2)
        #expect(trace.outcome == .nothingHeard)
        #expect(trace.reply == "Never mind, then.")
        try await talk.spoken("Never mind, then.")
        #expect(await talk.conversation.say("diesel").outcome == .fallback)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test func cancel_forgetsTheQuestionToo() async throws {
        let talk = try await Talk(VanBench()) { $0.autoSpeak = false }
        let muted = talk.conversation
        await muted.mute()
        _ = await talk.conversation.say("log fifty")
        await talk.conversation.cancel()
        #expect(await talk.conversation.say("diesel").outcome == .fallback)
    }

    @Test func aClosedSession_forgetsTheQuestion() async throws {
        let talk = try await Talk(VanBench(), isMuted: true)
        _ = await talk.conversation.say("log fifty")
        await talk.conversation.close()
        #expect(await talk.conversation.say("diesel").outcome == .fallback)
    }

    @Test func twoDevicesOfOneName_areChosenBetween_byTheirArea() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            let talk = try await Talk(bench, hears: .patient)
            let asked = await talk.conversation.say("turn on the reading light")
            #expect(asked.outcome == .asked)
            #expect(asked.reply == "Which one: reading light in the bedroom or reading light in the lounge?")
            #expect(bench.commands.isEmpty)
            let trace = await talk.conversation.say("the one in the lounge")
            #expect(trace.reply == "The reading light is on.")
            #expect(bench.commands == [.init("van/reading_right/set", "ON")])
        }
    }

    @Test func twoItemsOfOneName_areChosenBetween_byTheirPlace() async throws {
        let bench = try VanBench()
        try await bench.item("torch", in: "cab")
        try await bench.item("torch", in: "garage")
        try await bench.item("map", in: "wardrobe")
        let talk = try await Talk(bench, hears: .patient)
        let asked = await talk.conversation.say("move the torch to the wardrobe")
        #expect(asked.reply == "Which one: torch in the cab or torch in the garage?")
        #expect(await talk.conversation.say("the garage").reply == "The torch is now in the wardrobe.")
        let places = try await bench.stores.manifest.items().filter { $0.name == "torch" }.compactMap(\.place)
        #expect(places.sorted() == ["cab", "wardrobe"])
    }

    @Test func aRecordingWhileAQuestionListens_isItsAnswer() async throws {
        let openings: [ScriptedMicrophone.Opening] = [.utterance, .hears([], then: .waiting), .utterance]
        let talk = try await Talk(VanBench(), hears: openings, says: ["log fifty", "diesel"])
        await talk.tap()
        try await talk.microphone?.opened(2)
        let trace = try #require(await talk.conversation.hear(.recording(path: "/tmp/answer.raw")))
        #expect(trace.reply == "Logged £50.00 for diesel.")
        try await talk.microphone?.closed(2)
    }

    // MARK: confirmations

    private static let order = """
        language: en
        intents:
          rinse:
            phrases: ["rinse the tank"]
            confirm: "Shall I really rinse the tank?"
            publish: {topic: tank/rinse, payload: go}
            reply: "Rinsing."
        """

    @Test func aConfirmedCommand_isCarriedOut() async throws {
        let bench = try VanBench(books: english(with: Self.order))
        let talk = try await Talk(bench, hears: .patient)
        #expect(await talk.conversation.say("rinse the tank").reply == "Shall I really rinse the tank?")
        #expect(bench.commands.isEmpty)
        #expect(await talk.conversation.say("yes please").reply == "Rinsing.")
        #expect(bench.commands == [.init("tank/rinse", "go")])
    }

    @Test func aYes_thatIsHalfBelieved_isAskedForAgain_andSendsNothing() async throws {
        let bench = try VanBench(books: english(with: Self.order))
        let recogniser = ScriptedRecogniser([
            [Transcript(text: "yes", confidence: 0.6)], [Transcript(text: "yes", confidence: 0.9)],
        ])
        let talk = try await Talk(
            bench, hears: [.hears([], then: .waiting), .utterance, .hears([], then: .waiting), .utterance],
            recogniser: recogniser)
        _ = await talk.conversation.say("rinse the tank")
        try await talk.microphone?.opened(1)
        let doubted = await talk.conversation.hear(.recording(path: "/tmp/yes.raw"))
        #expect(doubted?.reply == "Shall I really rinse the tank?")
        #expect(bench.commands.isEmpty)
        try await talk.microphone?.opened(3)
        let believed = await talk.conversation.hear(.recording(path: "/tmp/yes.raw"))
        #expect(believed?.reply == "Rinsing.")
        #expect(bench.commands == [.init("tank/rinse", "go")])
    }

    @Test(arguments: ["no", "never mind", "what time is it"])
    func anythingButYes_sendsNothing(answer: String) async throws {
        let bench = try VanBench(books: english(with: Self.order))
        let talk = try await Talk(bench, hears: .patient)
        _ = await talk.conversation.say("rinse the tank")
        _ = await talk.conversation.say(answer)
        #expect(bench.commands.isEmpty)
        #expect(await talk.conversation.say("yes").reply == "There's nothing to say yes to.")
        #expect(bench.commands.isEmpty)
    }

    @Test func aSlotOfTheOwnersCalledConfirmed_confirmsNothing() async throws {
        let sly = Self.order.replacing("\"rinse the tank\"", with: "\"rinse {number:confirmed} times\"")
        let bench = try VanBench(books: english(with: sly))
        let talk = try await Talk(bench, hears: .patient)
        #expect(await talk.conversation.say("rinse two times").outcome == .asked)
        #expect(bench.commands.isEmpty)
    }

    // MARK: undo

    @Test func undo_takesBackTheChangesOfAllHandlers_lastFirst() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            try await bench.report(("water_pump", "OFF"))
            let talk = try await Talk(bench)
            for text in [
                "log diesel for fifty pounds", "add a frisbee to the roof box", "turn on the water pump",
                "add a task to check tyres", "switch to drive mode", "start a trip to spain",
            ] {
                #expect(await talk.conversation.say(text).outcome == .done, "\(text)")
            }
            for (reply, isDone) in [
                ("Undone: the trip to Spain.", true), ("Undone: back to no mode.", true),
                ("Undone: the task check tyres.", true), ("The water pump is off again.", true),
                ("Undone: the frisbee added.", true), ("Undone: £50.00 for diesel.", true),
            ] {
                let trace = await talk.conversation.say("undo that")
                #expect(trace.reply == reply)
                #expect((trace.outcome == .done) == isDone)
            }
            #expect(await talk.conversation.say("undo that").reply == "There's nothing to undo.")
            #expect(try await talk.ledger.isEmpty)
            #expect(try await bench.stores.manifest.items().isEmpty)
            #expect(try await bench.stores.trips.trips().isEmpty)
            #expect(try await bench.stores.checklist.tasks(list: nil).isEmpty)
            #expect(try await bench.stores.kept.value("mode") == nil)
            #expect(bench.commands.map(\.payload) == ["ON", "OFF"])
        }
    }

    @Test func aStateThatWasNotKnown_cannotBeRestored_andThatIsSaid() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            let talk = try await Talk(bench)
            _ = await talk.conversation.say("log diesel for fifty pounds")
            _ = await talk.conversation.say("turn on the porch light")
            #expect(await talk.conversation.say("undo that").reply == "I can't undo that: the porch light on.")
            #expect(await talk.conversation.say("undo that").reply == "Undone: £50.00 for diesel.")
        }
    }

    // MARK: understanding in context

    @Test func anythingUnknown_fallsBack_withAHintNearToIt() async throws {
        let talk = try await Talk(VanBench())
        let trace = await talk.conversation.say("record my afternoon thoughts")
        #expect(trace.outcome == .fallback)
        #expect(trace.reply == "Sorry, I didn't catch that. Try: log diesel for £50.")
        #expect(await talk.conversation.say("purple monkey dishwasher").reply == "Sorry, I didn't catch that.")
    }

    @Test func aNameThatATurnMade_isUnderstoodInTheNext() async throws {
        let talk = try await Talk(VanBench())
        #expect(await talk.conversation.say("where is the flugelhorn").reply == "I have no flugelhorn in the manifest.")
        _ = await talk.conversation.say("add a new item flugelhorn in the bread bin")
        let trace = await talk.conversation.say("where is the flugelhorn")
        #expect(trace.reply == "The flugelhorn is in the bread bin.")
        try await talk.recogniser?.journal.until("the vocabulary is made anew") { $0.contains(.prepare) }
        #expect(talk.recogniser?.vocabulary?.words.contains("flugelhorn") == true)
    }

    @Test func theVocabularyOfTheLastChange_isTheOneInUse() async throws {
        let talk = try await Talk(VanBench())
        for name in ["anvil", "bellows", "chisel", "drawknife", "easel"] {
            _ = await talk.conversation.say("add a new item \(name) in the shed")
        }
        // Of changes in quick succession those between may be left out, the last never.
        let recogniser = try #require(talk.recogniser)
        try await recogniser.journal.until("the last change arrives") { _ in
            recogniser.vocabulary?.words.contains("easel") == true
        }
    }

    @Test func repeat_saysTheLastReplyAgain() async throws {
        let talk = try await Talk(VanBench())
        #expect(await talk.conversation.say("say that again").reply == "I haven't said anything yet.")
        _ = await talk.conversation.say("balance")
        #expect(await talk.conversation.say("say that again").reply == "The ledger is empty.")
    }

    @Test func speechThatTheRecogniserIsUnsureOf_firesNothing_unlessItIsAnEmergency() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance])
        let heard = [
            [Transcript(text: "log diesel for fifty pounds", confidence: 0.3)],
            [Transcript(text: "call an ambulance", confidence: 0.3)],
        ]
        let other = try await Talk(
            talk.bench, hears: [.utterance, .utterance], recogniser: ScriptedRecogniser(heard))
        await other.tap()
        #expect(try await other.turn(1).outcome == .fallback)
        #expect(try await talk.bench.context.stores.ledger.entries(limit: 1).isEmpty)
        await other.tap()
        #expect(try await other.turn(2).chosen?.handler == "emergency")
    }

    // MARK: muting and text

    @Test func muting_isKept_andTheMicrophoneStaysClosed() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench)
        #expect(await talk.conversation.say("stop listening").reply == "I've stopped listening.")
        try await eventually("muting is kept") { try await bench.stores.kept.value("muted") == "true" }
        try await talk.reached(.closed)
        await talk.tap()
        try await talk.spoken("I'm muted.")
        #expect(await talk.conversation.isMuted)
        await talk.conversation.unmute()
        try await eventually("it is kept no more") { try await bench.stores.kept.value("muted") == nil }
        try await talk.spoken("I'm listening again.")
    }

    @Test func mutingAndUnmutingQuickly_keepsTheLast() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench)
        for _ in 0..<25 {
            await talk.conversation.mute()
            await talk.conversation.unmute()
        }
        await talk.conversation.mute()
        await talk.conversation.services.keptValues.finish()
        #expect(try await bench.stores.kept.value("muted") == "true")
    }

    @Test func typedTextWhileListening_takesTheTurn_andTheMicrophoneCloses() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        await talk.tap()
        try await talk.microphone?.opened()
        let trace = await talk.conversation.say("balance")
        #expect(trace.reply == "The ledger is empty.")
        #expect(trace.source == "text")
        try await talk.microphone?.closed()
        #expect(try await talk.turn(1).outcome == .cancelled)
        #expect(await talk.conversation.services.recorder.history.map(\.turn).contains(1) == false)
    }

    @Test func aTypedTurnThatIsDropped_isRecordedAsTyped() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        talk.atLook(.thinking) { await talk.conversation.press(.pressed) }
        let trace = await talk.conversation.say("balance")
        #expect(trace.source == "text")
        #expect(trace.outcome == .cancelled || trace.outcome == .done)
    }

    @Test func aRecording_isHeardInPlaceOfTheRoom() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["balance"])
        let trace = try #require(await talk.conversation.hear(.recording(path: "/tmp/a.raw")))
        #expect(trace.reply == "The ledger is empty.")
        #expect(talk.microphone?.journal.entries.first == .opened(1, .recording(path: "/tmp/a.raw")))
    }

    @Test(arguments: ["what is in the fridge", "is it still there", "how much does the kayak weigh", "tick that off"])
    func aQuestionInsteadOfAName_isNoName(utterance: String) async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        #expect(await talk.conversation.say("add a task").reply == "Which task?")
        _ = await talk.conversation.say(utterance)
        #expect(try await talk.bench.texts() == [])
    }
}
