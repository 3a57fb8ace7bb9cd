@testable import Domain
import CopilotTestKit
import Foundation
import SystemTestKit
import Testing

/// From the press to the history, on fakes.
@Suite struct ConversationTests {
    @Test func aSpokenCommand_isHeard_actedOn_answered_andRemembered() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["log diesel for fifty pounds"])
        talk.recogniser?.hear(partials: ["log", "log diesel"])
        await talk.tap()
        let entry = try await talk.history(1)
        #expect(entry.user == "log diesel for fifty pounds")
        #expect(entry.assistant == "Logged £50.00 for diesel.")
        #expect(entry.palette == .finance)
        let ledger = try await talk.ledger
        #expect(ledger.map(\.amount) == [Money(minorUnits: 5_000, currency: "GBP")])
        #expect(ledger.first?.category == "fuel")
        #expect(talk.speaker.sentences == ["Logged 50 pounds for diesel."])
        let trace = try await talk.turn(1)
        #expect(trace.outcome == .done)
        #expect(trace.source == "voice")
        #expect(trace.effects == ["ledger: expense 1, 5000 GBP"])
        #expect(trace.chosen?.level == .exact)
        try await talk.reached(.ready)
    }

    @Test func theOrderOfATap_isAsSpecified() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["how much money do i have"])
        talk.recogniser?.hear(partials: ["how", "how much"])
        await talk.tap()
        let ready = try await talk.reached(.ready)
        let order = talk.events.entries.prefix(ready + 1).map(\.brief).filter { !$0.hasPrefix("word") }
        #expect(
            order == [
                "pulse medium", "chime start", "look listening", "status listening", "session true", "partial how",
                "status listening", "partial how much", "status listening", "hint", "pulse light", "chime end",
                "look thinking", "status thinking",
                "transcript how much money do i have", "reply The ledger is empty.", "action tab ledger",
                "turn 1 done", "look speaking",
                "status speaking", "history 1", "look ready", "status ready",
            ])
    }

    @Test func whatIsTyped_isToldAtOnce_beforeItIsThoughtAbout() async throws {
        let talk = try await Talk(VanBench())
        _ = await talk.conversation.say("what's my balance")
        _ = try await talk.history(1)
        let told = talk.events.entries.map(\.brief)
        let expected = [
            "status thinking", "transcript what's my balance", "reply The ledger is empty.", "status speaking",
            "history 1",
        ]
        let places = expected.compactMap { told.firstIndex(of: $0) }
        #expect(places.count == expected.count && places == places.sorted(), "\(told)")
        #expect(told.count { $0.hasPrefix("transcript") } == 1)
    }

    @Test func theWordsOfAReply_areRevealedInOrder() async throws {
        let talk = try await Talk(VanBench())
        _ = await talk.conversation.say("what's my balance")
        _ = try await talk.history(1)
        let words = talk.events.entries.compactMap { event in
            if case .word(let text, let start, let end) = event { "\(text) \(start)-\(end)" } else { nil }
        }
        #expect(words == ["The 0-3", "ledger 4-10", "is 11-13", "empty. 14-20"])
    }

    @Test func aReplyOfManySentences_isSpokenOneByOne() async throws {
        let talk = try await Talk(VanBench())
        let trace = await talk.conversation.say("gas leak")
        _ = try await talk.history(1)
        #expect(talk.speaker.sentences.count > 3)
        #expect(talk.speaker.sentences.joined(separator: " ") == trace.answer.spoken)
    }

    @Test func theHistoryKeepsTheLastSix() async throws {
        let talk = try await Talk(VanBench()) { $0.autoSpeak = false }
        for _ in 1...8 { _ = await talk.conversation.say("what's my balance") }
        #expect(await talk.conversation.services.recorder.history.map(\.turn) == [3, 4, 5, 6, 7, 8])
        #expect(talk.speaker.sentences.isEmpty)
    }

    // MARK: presses

    @Test func pressWhileSpeaking_stopsSpeech_andListens() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.utterance, .hears([], then: .waiting)], says: ["how much money do i have"])
        talk.speaker.hold()
        await talk.tap()
        try await talk.spoken("The ledger is empty.")
        let before = talk.events.entries.count
        await talk.tap()
        try await talk.reached(.listening, from: before)
        try await talk.speaker.journal.until("the voice stops") { $0.contains(.stopped) }
        try await talk.microphone?.opened(2)
        _ = try await talk.history(1)
        #expect(await talk.conversation.state == .listening)
    }

    @Test func aPressBeforeTheVoiceHasBegun_keepsItSilent() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        talk.speaker.beginning.close()
        _ = await talk.conversation.say("what's my balance")
        try await talk.speaker.beginning.arrived()
        await talk.tap()
        talk.speaker.beginning.open()
        _ = try await talk.history(1)
        #expect(await talk.conversation.state == .listening)
        #expect(talk.speaker.sentences.isEmpty)
    }

    @Test func pressWhileThinking_cancels_andNothingIsWritten() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.utterance, .hears([], then: .waiting)], says: ["log diesel for fifty pounds", ""])
        talk.recogniser?.finishing.close()
        await talk.tap()
        try await talk.recogniser?.finishing.arrived()
        #expect(await talk.conversation.state == .thinking)
        await talk.tap()
        talk.recogniser?.finishing.open()
        try await talk.microphone?.opened(2)
        #expect(try await talk.turn(1).outcome == .cancelled)
        #expect(await talk.conversation.state == .listening)
        #expect(try await talk.ledger.isEmpty)
        #expect(talk.speaker.sentences.isEmpty)
        #expect(await talk.conversation.services.recorder.history.isEmpty)
    }

    @Test func aDoubleTap_closesTheSession_andTheMicrophone() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        await talk.tap()
        try await talk.microphone?.opened()
        await talk.conversation.press(.pressed)
        await talk.conversation.press(.released)
        #expect(await talk.conversation.state == .closed)
        try await talk.microphone?.closed()
        #expect(try await talk.turn(1).outcome == .cancelled)
    }

    @Test func pressWhileListening_actsOnWhatWasSaidSoFar() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.hears(SampleSound.voice(.milliseconds(640)), then: .waiting)], says: ["balance"])
        await talk.tap()
        try await talk.recogniser?.journal.until("all blocks are heard") { $0.filter { $0 == .accept }.count == 20 }
        await talk.tap()
        #expect(try await talk.turn(1).reply == "The ledger is empty.")
    }

    @Test func aRestart_doesNotDisturbTheNewUtterance() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.hears(SampleSound.voice(.milliseconds(320)), then: .waiting), .utterance],
            says: ["how much money do i have"]
        ) { $0.tapWhileListening = .restart }
        await talk.tap()
        try await talk.recogniser?.journal.until("the first is under way") { $0.contains(.accept) }
        await talk.tap()
        #expect(try await talk.turn(2).reply == "The ledger is empty.")
        let calls = try #require(talk.recogniser).journal.entries
        let lastBegin = try #require(calls.lastIndex(of: .begin))
        #expect(!calls[lastBegin...].contains(.cancel), "the old turn's end must not drop the new utterance")
    }

    @Test func holdToTalk_isNotEndedBySilence_butByTheRelease() async throws {
        let quiet = SampleSound.voice(.milliseconds(320)) + SampleSound.silence(.seconds(3))
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)], says: ["balance"])
        await talk.conversation.press(.pressed)
        try await talk.microphone?.opened()
        try await talk.clock.sleeperRegistered(for: .milliseconds(400))
        let listening = talk.events.entries.count
        talk.clock.advance(by: .milliseconds(400))
        try await eventually("the press becomes a hold") { await talk.conversation.machine.isHoldToTalk }
        talk.microphone?.feed(quiet)
        let blocks = (quiet.count + 511) / 512
        try await talk.recogniser?.journal.until("all is heard") { $0.filter { $0 == .accept }.count == blocks }
        #expect(await talk.conversation.state == .listening)
        talk.clock.advance(by: .seconds(4))
        await talk.conversation.press(.released)
        try await talk.reached(.thinking, from: listening)
        #expect(try await talk.turn(1).reply == "The ledger is empty.")
    }

    @Test func theButtonOfThePanel_isFollowed() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["balance"])
        let following = Task { await talk.conversation.run() }
        try await talk.panel.journal.until("the ring shows something") { !$0.isEmpty }
        talk.panel.press(.pressed)
        talk.panel.press(.released)
        #expect(try await talk.turn(1).reply == "The ledger is empty.")
        talk.panel.unplug()
        await following.value
        #expect(talk.panel.journal.entries.contains(.look(.listening, .standard)))
        #expect(talk.panel.journal.entries.contains(.pulse(.medium)))
        #expect(!talk.panel.loudnesses.entries.isEmpty)
    }

    // MARK: silence

    @Test func nothingSaid_isTold_andTheSessionStaysReady() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([])])
        await talk.tap()
        #expect(try await talk.turn(1).outcome == .nothingHeard)
        try await talk.spoken("I didn't hear anything.")
        try await talk.reached(.ready)
    }

    @Test func aRecognisedNothing_isNotUnderstood() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: [""])
        await talk.tap()
        let trace = try await talk.turn(1)
        #expect(trace.outcome == .fallback)
        #expect(trace.reply == "Sorry, I didn't catch that.")
    }

    @Test func anIdleSession_closes() async throws {
        let talk = try await Talk(VanBench()) { $0.autoSpeak = false }
        _ = await talk.conversation.say("balance")
        try await talk.clock.sleeperRegistered(for: .seconds(60))
        talk.clock.advance(by: .seconds(60))
        try await talk.reached(.closed)
    }

    @Test func aClosingPhrase_closesTheSession() async throws {
        let talk = try await Talk(VanBench())
        _ = await talk.conversation.say("that's all")
        try await talk.reached(.closed)
        #expect(talk.speaker.sentences == ["Bye."])
    }
}
