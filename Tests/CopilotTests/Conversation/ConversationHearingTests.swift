@testable import Dialogue
import CopilotTestKit
import Foundation
import SystemTestKit
import Testing

/// The recogniser in the conversation: what it learns, and how often it tells.
@Suite struct ConversationHearingTests {
    @Test func whatTheRecogniserHasLearnt_isKept_andTakenUpAtTheNextStart() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: [.utterance], says: ["how much money do i have"])
        talk.recogniser?.learn("a mean")
        try await talk.conversation.services.vocabulary.prepareRecogniser()
        #expect(talk.recogniser?.recalled == nil)
        await talk.tap()
        _ = try await talk.history(1)
        // Nobody waits for it: the reply may be over before.
        try await eventually("what was learnt to be kept") {
            try await bench.stores.kept.value("learnt.scripted") == "a mean"
        }
        let next = try await Talk(bench)
        try await next.conversation.services.vocabulary.prepareRecogniser()
        #expect(next.recogniser?.recalled == "a mean")
    }

    @Test func noiseWithoutWords_teachesNothing() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: [.utterance], says: [""])
        talk.recogniser?.learn("noise")
        await talk.tap()
        _ = try await talk.turn(1)
        await talk.conversation.services.keptValues.finish()
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

    private func voice(_ milliseconds: Int, thenSilence silence: Int = 0) -> [Int16] {
        SampleSound.voice(.milliseconds(milliseconds)) + SampleSound.silence(.milliseconds(silence))
    }

    /// Until nothing of the start chime counts any more.
    private let chime = SampleSound.silence(.milliseconds(512))

    private func stage(_ name: String, of turn: TurnTrace) -> Double {
        turn.stages.last { $0.name == name }?.milliseconds ?? 0
    }

    @Test func aBurstOfNoise_thatNothingCanBeMadeOf_doesNotEndTheTurn() async throws {
        let sound = chime + voice(128, thenSilence: 3_000) + voice(512)
        let talk = try await Talk(VanBench(), hears: [.hears(sound)], says: ["", "how much money do i have"])
        await talk.tap()
        let turn = try await talk.turn(1)
        #expect(turn.transcript == "how much money do i have")
        #expect(turn.outcome == .done)
        #expect(stage("speech begins at", of: turn) >= 3_500)
    }

    @Test func aShortWord_thatIsUnderstood_isTakenAtOnce() async throws {
        let talk = try await Talk(
            VanBench(), hears: [.hears(chime + voice(192, thenSilence: 4_000) + voice(512))], says: ["undo"])
        await talk.tap()
        let turn = try await talk.turn(1)
        #expect(turn.transcript == "undo")
        #expect(1..<3_000 ~= stage("audio heard", of: turn))
    }

    @Test func aBurstOfNoise_andNothingElse_isNotSaidToHaveBeenSilence() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears(chime + voice(128))], says: [""])
        await talk.tap()
        let turn = try await talk.turn(1)
        #expect(turn.reply == "Sorry, I didn't catch that.")
        #expect(turn.outcome == .fallback)
        // It may have been a word: the trace says what was made of it.
        #expect(turn.hearing == ["scripted: “”"])
    }

    @Test(arguments: ["", "how much money do i have"])
    func speechBeyondTheLimit_isAnsweredWithWhyListeningEnded(words: String) async throws {
        let talk = try await Talk(VanBench(), hears: [.hears(chime + voice(20_000))], says: [words])
        await talk.tap()
        let turn = try await talk.turn(1)
        #expect(turn.reply.hasPrefix("I stopped listening after 15 seconds"))
        #expect(turn.reply.contains("didn't understand") == words.isEmpty)
        #expect(turn.outcome == (words.isEmpty ? .fallback : .done))
    }

    @Test func burstsOfNoise_withoutEnd_doNotKeepTheMicrophoneOpen() async throws {
        let bursts = (0..<10).flatMap { _ in voice(128, thenSilence: 1_800) }
        let talk = try await Talk(
            VanBench(), hears: [.hears(chime + bursts)], says: Array(repeating: "", count: 10))
        await talk.tap()
        let turn = try await talk.turn(1)
        #expect(turn.commands.isEmpty)
        #expect(1..<15_100 ~= stage("audio heard", of: turn))
    }
}
