import CopilotTestKit
import Foundation
import Testing

@testable import Copilot

/// The ear in the conversation: what it learns, and how often it tells.
@Suite struct ConversationHearingTests {
    @Test func whatTheEarHasLearnt_isKept_andTakenUpAtTheNextStart() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: [.utterance], says: ["how much money do i have"])
        talk.recogniser?.learn("a mean")
        try await talk.conversation.prepareRecogniser()
        #expect(talk.recogniser?.recalled == nil)
        await talk.tap()
        _ = try await talk.history(1)
        await talk.conversation.keeping?.value
        #expect(try await bench.stores.kept.value("learnt.scripted") == "a mean")
        let next = try await Talk(bench)
        try await next.conversation.prepareRecogniser()
        #expect(next.recogniser?.recalled == "a mean")
    }

    @Test func noiseWithoutWords_teachesNothing() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: [.utterance], says: [""])
        talk.recogniser?.learn("noise")
        await talk.tap()
        _ = try await talk.turn(1)
        await talk.conversation.keeping?.value
        #expect(try await bench.stores.kept.value("learnt.scripted") == nil)
    }

    @Test func partials_areAskedForAtEveryBlock_atMost250ms() async throws {
        let talk = try await Talk(VanBench(), hears: [.utterance], says: ["how much money do i have"])
        let words = ["how", "how much", "how much money", "how much money do", "how much money do i"]
        talk.recogniser?.hear(partials: words)
        await talk.tap()
        _ = try await talk.turn(1)
        let times = talk.events.entries.compactMap { event -> Duration? in
            if case .partial(_, let audio) = event { audio } else { nil }
        }
        #expect(times.count == words.count)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(250) })
    }
}
