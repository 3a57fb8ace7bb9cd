import CopilotTestKit
import Testing

@testable import Copilot

/// Sound that is no reply.
@Suite struct SampleTests {
    private let sample = SynthesisedSentence(
        text: "lidl", sound: Sound(samples: [1, 2, 3], sampleRate: 16_000), words: [])

    @Test func sample_isPlayed_whileNothingGoesOn() async throws {
        let talk = try await Talk(VanBench())
        try await talk.conversation.play([sample, sample])
        #expect(talk.speaker.sentences == ["lidl", "lidl"])
    }

    @Test func press_stopsTheSample_andListens() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        talk.speaker.hold()
        let playing = Task { try await talk.conversation.play([sample]) }
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
        await #expect(throws: PlayFailure.busy) { try await talk.conversation.play([sample]) }
        #expect(talk.speaker.sentences.isEmpty)
    }

    @Test func brokenSpeaker_isSaid() async throws {
        let talk = try await Talk(VanBench())
        talk.speaker.fail(DeviceFailure(device: "speaker", reason: .lost, detail: "the card is gone"))
        let failure = await #expect(throws: PlayFailure.self) { try await talk.conversation.play([sample]) }
        #expect(failure?.description.contains("the card is gone") == true)
    }
}
