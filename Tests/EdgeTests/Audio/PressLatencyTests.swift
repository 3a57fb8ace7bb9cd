@testable import Domain
@testable import Language
@testable import Devices
@testable import AudioPipeline
@testable import Handlers
@testable import Dialogue
import AudioALSA
import CopilotTestKit
import Foundation
import Synchronization
import SystemTestKit
import Testing

/// What a press does to the sound, from the button to ALSA's device: counted in samples where that can be, and as the
/// share of presses that keep the limit where it cannot, for a loaded machine.
@Suite(.serialized) struct PressLatencyTests {
    private let folder: TemporaryFolder
    private static let rounds = 12

    init() throws { folder = try TemporaryFolder() }

    /// Forwards to the real speaker and notes how much has been heard of the last reply.
    private final class CountingSpeaker: Speaker {
        private let speaker: ALSASpeaker
        private let count = Mutex(0)
        let progress = Journal<Int>("speaker")
        var heard: Int { count.withLock { $0 } }

        init(_ speaker: ALSASpeaker) { self.speaker = speaker }

        func chime(_ sound: Sound) async throws { try await speaker.chime(sound) }
        func stopSpeech() { speaker.stopSpeech() }
        func probe(_ output: SpeakerOutput) async throws { try await speaker.probe(output) }
        func speak(
            _ sentences: AsyncThrowingStream<SynthesisedSentence, any Error>,
            played: @escaping @Sendable (Int, Int) -> Void
        ) async throws -> Bool {
            count.withLock { $0 = 0 }
            return try await speaker.speak(sentences) { sentence, samples in
                self.count.withLock { $0 = samples }
                self.progress.note(samples)
                played(sentence, samples)
            }
        }
    }

    /// Says everything as a tone of half a minute.
    private struct EndlessVoice: Synthesiser {
        func synthesise(_ sentence: String, voice: VoiceSettings) async throws -> SynthesisedSentence {
            let tone = AudioTools.sine(hertz: 440, seconds: 30, rate: 22_050)
            return SynthesisedSentence(text: sentence, sound: Sound(samples: tone, sampleRate: 22_050), words: [])
        }
    }

    private func conversation(_ speaker: CountingSpeaker, _ clock: ManualClock) async throws -> Conversation {
        let books = try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot))
        let van = Van(bus: nil, logger: AudioTools.logger)
        let context = HandlerContext(
            stores: LostStore(reason: "none").stores, van: van, bus: nil,
            environment: HandlerEnvironment(books: books))
        let openings = Array(repeating: ScriptedMicrophone.Opening.hears([], then: .waiting), count: Self.rounds)
        let parts = ConversationParts(
            panel: FakePanel(), microphone: ScriptedMicrophone(openings), speaker: speaker,
            synthesiser: EndlessVoice(), recogniser: ScriptedRecogniser(texts: []),
            hearing: Hearing { EnergyVoiceActivity() }, classifier: nil, context: context,
            chimes: [.start: ChimeSynthesiser.chime(.start)])
        return await Conversation(
            parts: parts, settings: ConversationSettings(), start: SessionStart(names: OwnerNames()),
            logger: AudioTools.logger, clock: clock
        ) { _ in }
    }

    /// Speaks, presses into it, and drops what the press began; as often as `rounds`.
    private func press(into speaker: CountingSpeaker, check: (Int, Int) throws -> Void) async throws -> [TurnTrace] {
        let clock = ManualClock(), conversation = try await conversation(speaker, clock)
        for round in 0..<Self.rounds {
            let start = speaker.progress.entries.count
            _ = await conversation.say("what time is it")
            try await speaker.progress.until("some of the reply") { $0.dropFirst(start).contains { $0 > 2_000 } }
            // Long after the press before, which it would else make a double tap.
            clock.advance(by: .seconds(1))
            await conversation.press(.pressed)
            let heard = speaker.heard
            await conversation.press(.released)
            await conversation.services.output.finish()
            try check(round, heard)
            let isTimed = await isTimed(conversation)
            #expect(isTimed, "chime and silence of round \(round) are known")
            await conversation.close()
        }
        return await conversation.services.recorder.traces
    }

    /// Both stages are known, of the turn that the press began.
    private func isTimed(_ conversation: Conversation) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while await conversation.services.recorder.earlyStages.count < 2 {
            guard .now < deadline else { return false }
            await Task.yield()
        }
        return true
    }

    private func milliseconds(_ name: String, _ traces: [TurnTrace]) -> [Double] {
        traces.flatMap { $0.stages.filter { $0.name == name }.map(\.milliseconds) }
    }

    @Test func pressIntoAReply_endsItWithinFiftyMillisecondsOfSamples_andChimes() async throws {
        let speaker = CountingSpeaker(
            ALSASpeaker(
                media: "media", speech: "speech", configuration: try folder.players("media", "speech"),
                buffering: .init(isPaced: true),
                logger: AudioTools.logger))
        let traces = try await press(into: speaker) { _, heard in
            // Two periods may be ahead of what is heard, and one may be on its way: 768 samples of the 1,102.
            let written = try folder.samples(of: "speech.raw").count
            #expect(written <= heard + 1_102)
        }
        let chimes = milliseconds(TurnRecorder.pressToChime, traces)
        #expect(chimes.count == Self.rounds)
        #expect(chimes.count { $0 < 20 } >= Self.rounds / 2, "\(chimes)")
        let silences = milliseconds(TurnRecorder.pressToSilence, traces)
        #expect(silences.count == Self.rounds)
        #expect(silences.count { $0 < 50 } >= Self.rounds / 2, "\(silences)")
        let whole = ChimeSynthesiser.chime(.start).samples
        try await eventually("the whole reply") { try folder.samples(of: "media.raw") == whole }
    }

    @Test func cardForOneOpener_isHandedFromTheReplyToTheChime() async throws {
        let card = try TestCard(in: folder, rate: 22_050)
        let speaker = CountingSpeaker(
            ALSASpeaker(
                media: "card", speech: "card", configuration: card.configuration, logger: AudioTools.logger))
        let traces = try await press(into: speaker) { _, _ in }
        let chimes = milliseconds(TurnRecorder.pressToChime, traces)
        #expect(chimes.count == Self.rounds)
        #expect(chimes.count { $0 < 20 } >= Self.rounds / 2, "\(chimes)")
        let silences = milliseconds(TurnRecorder.pressToSilence, traces)
        #expect(silences.count { $0 < 50 } >= Self.rounds / 2, "\(silences)")
    }
}
