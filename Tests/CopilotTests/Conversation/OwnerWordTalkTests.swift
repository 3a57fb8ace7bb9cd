@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Testing

/// How words are said: what the owner changes, and what is played.
@Suite struct OwnerWordTalkTests {
    private let sample = SynthesisedSentence(
        text: "lidl", sound: Sound(samples: [1, 2, 3], sampleRate: 16_000), words: [])

    @Test func sample_isPlayed_whileNothingGoesOn() async throws {
        let talk = try await Talk(VanBench())
        try await talk.conversation.services.output.play([sample, sample])
        #expect(talk.speaker.sentences == ["lidl", "lidl"])
    }

    @Test func press_stopsTheSample_andListens() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        talk.speaker.hold()
        let playing = Task { try await talk.conversation.services.output.play([sample]) }
        try await talk.spoken("lidl")
        await talk.tap()
        try await playing.value
        try await talk.reached(.listening)
        #expect(talk.speaker.journal.entries.contains(.stopped))
    }

    @Test func sampleDuringATurn_isRefused() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        await talk.tap()
        try await talk.reached(.listening)
        await #expect(throws: PlayFailure.busy) { try await talk.conversation.services.output.play([sample]) }
        #expect(talk.speaker.sentences.isEmpty)
    }

    @Test func ownersWord_reachesTheRecogniser_andUndoTakesItBack() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench)
        let recogniser = try #require(talk.recogniser), words = bench.context.stores.words
        let lidl = OwnerPronunciation(spelling: "lid ul", phones: ["L", "IH", "D", "AH", "L"])
        try await words.setOwnerWord("lidl", language: "en", to: [lidl])
        await talk.conversation.services.typed.learn("lidl")
        try await recogniser.journal.until("the vocabulary is made") { $0.count == 1 }
        #expect(recogniser.vocabulary?.pronunciations == ["lidl": [lidl.phones]])
        #expect(await talk.conversation.say("undo").reply.contains("how “lidl” is said"))
        try await recogniser.journal.until("the vocabulary is made again") { $0.count == 2 }
        #expect(recogniser.vocabulary?.pronunciations.isEmpty == true)
    }

    @Test func brokenSpeaker_isSaid() async throws {
        let talk = try await Talk(VanBench())
        talk.speaker.fail(DeviceFailure(device: "speaker", reason: .lost, detail: "the card is gone"))
        let failure = await #expect(throws: PlayFailure.self) {
            try await talk.conversation.services.output.play([sample])
        }
        #expect(failure?.description.contains("the card is gone") == true)
    }
}
