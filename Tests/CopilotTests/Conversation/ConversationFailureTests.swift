@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// What breaks is told in its own words, and nothing else breaks with it.
@Suite struct ConversationFailureTests {
    @Test(arguments: [DeviceFailure.Reason.missing, .busy, .noPermission, .unusable])
    func aMicrophoneThatCannotBeOpened_isTold_andTextWorks(reason: DeviceFailure.Reason) async throws {
        let talk = try await Talk(VanBench(), hears: [.refused(reason), .utterance], says: ["balance"])
        await talk.tap()
        let trace = try await talk.turn(1)
        #expect(trace.outcome == .failed)
        #expect(trace.reply == talk.bench.books.replies("microphone.\(reason.rawValue)").written)
        try await talk.spoken(SentenceSplitter().sentences(in: trace.reply)[0])
        try await talk.reached(.ready)
        #expect(await talk.conversation.say("balance").reply == "The ledger is empty.")
        try await talk.reached(.ready, from: talk.events.entries.count - 1)
        await talk.tap()
        #expect(try await talk.turn(3).reply == "The ledger is empty.", "it works again once the cause is gone")
    }

    @Test func noMicrophoneAtAll_isTold() async throws {
        let talk = try await Talk(VanBench(), hasMicrophone: false)
        await talk.tap()
        #expect(try await talk.turn(1).reply == "I can't hear you: there's no microphone.")
    }

    @Test func aMicrophoneLostMidway_actsOnNothing() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.loses(after: SampleSound.voice(.seconds(1))), .hears([], then: .waiting)],
            says: ["log diesel for fifty pounds"])
        await talk.tap()
        #expect(try await talk.turn(1).reply == "I lost the microphone, so I did nothing.")
        try await talk.reached(.ready)
        #expect(try await talk.ledger.isEmpty)
        try await talk.recogniser?.journal.until("the utterance is dropped") { $0.contains(.cancel) }
    }

    @Test(arguments: [ScriptedRecogniser.Call.begin, .accept, .finish])
    func aRecogniserThatFails_isTold_andTextWorks(call: ScriptedRecogniser.Call) async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["balance"])
        talk.recogniser?.fail([call])
        await talk.tap()
        #expect(try await talk.turn(1).reply == "I can't understand speech just now.")
        try await talk.microphone?.closed()
        try await talk.reached(.ready)
        #expect(await talk.conversation.say("balance").outcome == .done)
    }

    @Test func noRecogniserAtAll_isTold() async throws {
        let talk = try await Talk(VanBench(), hasRecogniser: false)
        await talk.tap()
        #expect(try await talk.turn(1).reply == "I can't understand speech just now.")
    }

    @Test func aStoreThatFails_getsAnApology_andTheTurnEndsNormally() async throws {
        let lost = LostStore(reason: "the disk is gone").stores
        let talk = try await Talk(VanBench(stores: lost))
        let trace = await talk.conversation.say("log diesel for fifty pounds")
        #expect(trace.outcome == .failed)
        #expect(trace.reply == "Sorry, I couldn't write that down. Nothing was changed.")
        try await talk.reached(.ready)
        #expect(await talk.conversation.say("what time is it").reply == "It's 10:30.")
        #expect(await talk.conversation.undo().outcome == .failed)
    }

    @Test func aLostStore_costsNoDeviceItsName_andALookUpIsNotSaidToBeAWrite() async throws {
        let bench = try VanBench(stores: LostStore(reason: "the disk is gone").stores)
        bench.answersAll()
        try await bench.run {
            try await bench.report(("water_pump", "OFF"))
            let talk = try await Talk(bench)
            await talk.conversation.services.vocabulary.refreshNames()
            #expect(await talk.conversation.say("turn on the water pump").reply == "The water pump is on.")
            let questions = [
                "how much money do I have", "where is the first aid kit", "how many nights have we been away",
            ]
            for question in questions {
                let trace = await talk.conversation.say(question)
                #expect(trace.reply == "Sorry, I couldn't look that up. I can't read my records just now.", "\(trace)")
                #expect(trace.outcome == .failed)
            }
        }
    }

    @Test func aSpeakerThatFails_leavesTheReplyOnTheScreen() async throws {
        let talk = try await Talk(VanBench())
        talk.speaker.fail(DeviceFailure(device: "speech", reason: .busy, detail: "snd_pcm_open: -16"))
        let trace = await talk.conversation.say("balance")
        #expect(trace.outcome == .done)
        #expect(try await talk.history(1).assistant == "The ledger is empty.")
        try await talk.events.first("a notice") { if case .notice = $0 { true } else { false } }
        try await talk.reached(.ready)
    }

    @Test func aVoiceThatFails_leavesTheReplyOnTheScreen() async throws {
        let talk = try await Talk(VanBench())
        talk.synthesiser.fail()
        _ = await talk.conversation.say("balance")
        #expect(try await talk.history(1).assistant == "The ledger is empty.")
        try await talk.reached(.ready)
    }

    @Test func thinkingTooLong_isTold_andTheLateReplyIsNotSpoken() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["balance"])
        talk.recogniser?.finishing.close()
        await talk.tap()
        try await talk.recogniser?.finishing.arrived()
        try await talk.clock.sleeperRegistered(for: .seconds(10))
        talk.clock.advance(by: .seconds(10))
        #expect(try await talk.turn(1).reply == "Sorry, that took too long.")
        talk.recogniser?.finishing.open()
        try await talk.reached(.ready)
        #expect(!talk.speaker.sentences.contains("The ledger is empty."))
    }

    @Test func speechThatNeverEnds_isStoppedAtItsLimit() async throws {
        let talk = try await Talk(VanBench())
        talk.speaker.hold()
        _ = await talk.conversation.say("balance")
        try await talk.spoken("The ledger is empty.")
        try await talk.clock.sleeperRegistered(for: .seconds(120))
        talk.clock.advance(by: .seconds(120))
        try await talk.speaker.journal.until("the voice stops") { $0.contains(.stopped) }
        talk.speaker.release()
        try await talk.spoken("That was too long to say in full.")
        try await talk.reached(.ready)
    }

    @Test func aTimerOfAnEarlierTurn_doesNotEndTheNext() async throws {
        let talk = try await Talk(VanBench()) { $0.autoSpeak = false }
        for number in 1...60 {
            // The limit runs out in the same moment as the reply comes, and as the next turn begins.
            async let trace = talk.conversation.say("balance")
            talk.clock.advance(by: .seconds(10))
            let outcome = await trace.outcome
            #expect(outcome == .done || outcome == .failed, "turn \(number)")
            #expect(await talk.conversation.say("balance").outcome == .done, "turn \(number)")
        }
    }

    @Test func whatHasToBeTold_isSaidBehindTheNextReply_once() async throws {
        let talk = try await Talk(VanBench())
        talk.health.announcements.add(Announcement("damage", replyKey: "store.damaged_without_backup"))
        let first = await talk.conversation.say("what time is it").reply
        #expect(first.hasPrefix("It's 10:30. My records are damaged"))
        #expect(await talk.conversation.say("what time is it").reply == "It's 10:30.")
    }

    @Test(arguments: [("yes", "I've dated 0 entries today."), ("no", "I've left them as they are.")])
    func entriesOfAnUnsetClock_areAskedAbout_andBothAnswersCount(answer: String, reply: String) async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        talk.health.announcements.add(
            Announcement(Announcement.uncertainEntries, replyKey: "store.uncertain", values: ["count": "2"]))
        let asked = await talk.conversation.say("what time is it")
        #expect(asked.reply.hasSuffix("2 entries were made while the clock wasn't set. Shall I date them today?"))
        #expect(await talk.conversation.say(answer).reply == reply)
    }
}
