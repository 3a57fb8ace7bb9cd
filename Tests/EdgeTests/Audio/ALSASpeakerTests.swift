import Domain
import AudioALSA
import Foundation
import Synchronization
import SystemTestKit
import Testing

@Suite(.serialized) struct ALSASpeakerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func speaker(paced: Bool = false) throws -> ALSASpeaker {
        ALSASpeaker(
            media: "media", speech: "speech", configuration: try folder.players("media", "speech"),
            buffering: .init(isPaced: paced),
            logger: AudioTools.logger)
    }

    private struct StreamBroke: Error {}

    @Test(arguments: [16_000, 22_050])
    func sentences_arePlayedExactly_inOrder(rate: Int) async throws {
        let samples = AudioTools.counting(20_001)
        let stream = AudioTools.sentences([Array(samples[..<7_777]), [], Array(samples[7_777...])], rate: rate)
        let reports = Mutex<[[Int]]>([])
        let wasPlayed = try await speaker().speak(stream) { sentence, count in
            reports.withLock { $0.append([sentence, count]) }
        }
        #expect(wasPlayed)
        #expect(try folder.samples(of: "speech.raw") == samples)
        let all = reports.withLock { $0 }
        #expect(all.last { $0[0] == 0 } == [0, 7_777])
        #expect(all.last { $0[0] == 2 } == [2, 20_001 - 7_777])
        #expect(!all.contains { $0[0] == 1 })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0[0] < $1[0] || ($0[0] == $1[0] && $0[1] < $1[1]) })
    }

    @Test func replyWithoutSentences_isPlayed() async throws {
        #expect(try await speaker().speak(AudioTools.sentences([], rate: 22_050)) { _, _ in })
        #expect(try await speaker().speak(AudioTools.sentences([[]], rate: 22_050)) { _, _ in })
    }

    @Test func pacedSpeech_takesItsTime_andReportsProgressMeanwhile() async throws {
        let start = ContinuousClock.now
        let reports = Mutex<[(Duration, Int)]>([])
        let tone = AudioTools.sine(hertz: 440, seconds: 0.6, rate: 22_050)
        _ = try await speaker(paced: true).speak(AudioTools.sentences([tone], rate: 22_050)) { _, count in
            reports.withLock { $0.append((ContinuousClock.now - start, count)) }
        }
        #expect(ContinuousClock.now - start >= .milliseconds(600))
        let all = reports.withLock { $0 }
        #expect(all.last?.1 == tone.count)
        #expect(all.count > 5)
        for (time, count) in all { #expect(Double(count) / 22_050 <= time.seconds) }
        #expect(try folder.samples(of: "speech.raw") == tone)
    }

    @Test func stopSpeech_endsTheSoundWithinFiftyMilliseconds() async throws {
        let speaker = try speaker(paced: true)
        let stopped = Mutex<ContinuousClock.Instant?>(nil)
        let heard = Mutex(0)
        let tone = AudioTools.sine(hertz: 440, seconds: 30, rate: 22_050)
        let wasPlayed = try await speaker.speak(AudioTools.sentences([tone], rate: 22_050)) { _, count in
            heard.withLock { $0 = count }
            if count > 4_000, stopped.withLock({ $0 == nil }) {
                stopped.withLock { $0 = .now }
                speaker.stopSpeech()
            }
        }
        let took = ContinuousClock.now - (try #require(stopped.withLock { $0 }))
        #expect(!wasPlayed)
        // The sound itself: the file holds no more than two periods beyond what was heard.
        #expect(try folder.samples(of: "speech.raw").count <= heard.withLock { $0 } + 1_102)
        // The call: generous, for a loaded machine.
        #expect(took < .seconds(2))
    }

    @Test func stopSpeech_whenNothingIsSpoken_doesNothing() async throws {
        let speaker = try speaker()
        speaker.stopSpeech()
        #expect(try await speaker.speak(AudioTools.sentences([[1, 2, 3]], rate: 16_000)) { _, _ in })
        speaker.stopSpeech()
    }

    @Test func stopSpeech_whileTheNextSentenceIsAwaited_ends() async throws {
        let speaker = try speaker()
        let (stream, input) = AsyncThrowingStream<SynthesisedSentence, any Error>.makeStream()
        let wasLeft = Mutex(false)
        input.onTermination = { _ in wasLeft.withLock { $0 = true } }
        input.yield(SynthesisedSentence(text: "", sound: Sound(samples: [1, 2, 3], sampleRate: 16_000), words: []))
        let wasPlayed = try await speaker.speak(stream) { _, _ in speaker.stopSpeech() }
        #expect(!wasPlayed)
        try await eventually("the synthesiser to be told to stop") { wasLeft.withLock { $0 } }
    }

    @Test func streamThatThrows_endsTheCallWithItsError_afterWhatCameBefore() async throws {
        let samples = AudioTools.counting(5_000)
        let stream = AsyncThrowingStream<SynthesisedSentence, any Error> { input in
            input.yield(SynthesisedSentence(text: "", sound: Sound(samples: samples, sampleRate: 16_000), words: []))
            input.finish(throwing: StreamBroke())
        }
        await #expect(throws: StreamBroke.self) { try await speaker().speak(stream) { _, _ in } }
        #expect(try folder.samples(of: "speech.raw") == samples)
        #expect(AudioTools.openPaths(containing: folder.path) == 0)
    }

    @Test func cancelledTask_stopsTheSpeech_andClosesTheDevice() async throws {
        let speaker = try speaker(paced: true)
        let tone = AudioTools.sine(hertz: 440, seconds: 30, rate: 22_050)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await speaker.speak(AudioTools.sentences([tone], rate: 22_050)) { _, _ in begin.yield() }
        }
        for await _ in begun { break }
        task.cancel()
        #expect(try await task.value == false)
        #expect(AudioTools.openPaths(containing: folder.path) == 0)
    }

    @Test func newReply_stopsTheOneBefore() async throws {
        let speaker = try speaker(paced: true)
        let long = AudioTools.sine(hertz: 440, seconds: 30, rate: 22_050)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await speaker.speak(AudioTools.sentences([long], rate: 22_050)) { _, _ in begin.yield() }
        }
        for await _ in begun { break }
        #expect(try await speaker.speak(AudioTools.sentences([[1, 2, 3]], rate: 22_050)) { _, _ in })
        #expect(try await first.value == false)
    }

    @Test func missingDevice_isMissing_forSpeechAndChime() async throws {
        let speaker = ALSASpeaker(
            media: "hw:7", speech: "nonesuch", configuration: try ALSAConfiguration(), logger: AudioTools.logger)
        let speech = await #expect(throws: DeviceFailure.self) {
            try await speaker.speak(AudioTools.sentences([[1]], rate: 16_000)) { _, _ in }
        }
        #expect(speech?.reason == .missing)
        #expect(speech?.device == "nonesuch")
        let chime = await #expect(throws: DeviceFailure.self) {
            try await speaker.chime(ChimeSynthesiser.chime(.start))
        }
        #expect(chime?.reason == .missing)
    }

    @Test func chime_isPlayedExactly() async throws {
        let chime = ChimeSynthesiser.chime(.start)
        try await speaker().chime(chime)
        try await eventually("the whole chime") { try folder.samples(of: "media.raw") == chime.samples }
    }

    @Test func chime_returnsBeforeItHasSounded_andIsCutOffByTheNext() async throws {
        let speaker = try speaker(paced: true)
        let start = ContinuousClock.now
        try await speaker.chime(Sound(samples: AudioTools.counting(22_050 * 20), sampleRate: 22_050))
        try await speaker.chime(Sound(samples: [5, 5, 5], sampleRate: 22_050))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func emptyChime_returns() async throws {
        try await speaker().chime(Sound(samples: [], sampleRate: 22_050))
    }

    @Test func openingAndClosing_twoHundredTimes_leaksNothing() async throws {
        let speaker = try speaker()
        for round in 0..<200 {
            if round % 2 == 0 { try await speaker.chime(Sound(samples: [1, 2, 3], sampleRate: 22_050)) }
            let reply = AudioTools.sentences([AudioTools.counting(500)], rate: 22_050)
            _ = try await speaker.speak(reply) { _, _ in if round % 5 == 0 { speaker.stopSpeech() } }
        }
        try await eventually("all devices and threads to be gone") {
            AudioTools.openPaths(containing: folder.path) == 0
                && !AudioTools.threadNames().contains { $0 == "vanorb-speech" || $0 == "vanorb-chime" }
        }
    }
}
