@testable import Dialogue
import CopilotTestKit
import Testing

/// Other programs are quiet while the microphone is open, and only then.
@Suite struct DuckingTests {
    @Test func listening_ducks_andItsEndRestores() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["balance"])
        await talk.tap()
        _ = try await talk.turn(1)
        try await talk.reached(.ready)
        #expect(talk.ducking.journal.entries == [.duck, .restore])
    }

    @Test func question_ducksAgainForItsAnswer() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.utterance, .hears([], then: .waiting)], says: ["log diesel"])
        await talk.tap()
        try await talk.microphone?.opened(2)
        try await talk.ducking.journal.until("the second") { $0 == [.duck, .restore, .duck] }
        await talk.conversation.close()
        #expect(talk.ducking.journal.entries == [.duck, .restore, .duck, .restore])
    }

    @Test func everyWayOutOfListening_restores() async throws {
        let talk = try await Talk(VanBench(), hears: Array(repeating: .hears([], then: .waiting), count: 4))
        let ways: [(Conversation) async -> Void] = [
            { await $0.cancel() }, { await $0.close() }, { _ = await $0.say("balance") }, { await $0.mute() },
        ]
        for (number, leave) in ways.enumerated() {
            await talk.tap()
            try await talk.microphone?.opened(number + 1)
            await leave(talk.conversation)
            #expect(talk.ducking.journal.entries.count { $0 == .duck } == number + 1)
            #expect(talk.ducking.journal.entries.last == .restore)
        }
    }

    @Test func typing_ducksNothing() async throws {
        let talk = try await Talk(VanBench())
        _ = await talk.conversation.say("balance")
        #expect(talk.ducking.journal.entries.isEmpty)
    }

    @Test func theEnd_restores() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        let running = Task { await talk.conversation.run() }
        await talk.tap()
        try await talk.microphone?.opened()
        running.cancel()
        await running.value
        #expect(talk.ducking.journal.entries.last == .restore)
    }
}
