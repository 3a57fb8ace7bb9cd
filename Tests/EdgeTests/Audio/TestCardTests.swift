import Domain
import AudioALSA
import Foundation
import Synchronization
import SystemTestKit
import Testing

/// Microphone and speaker on a card that keeps real time and breaks.
@Suite(.serialized) struct TestCardTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func microphone(
        _ fault: TestCard.Fault = .none, after: Int = 0, rate: Int = 16_000, channels: Int = 1,
        backlog: Int = 512
    ) throws -> ALSAMicrophone {
        let card = try TestCard(in: folder, fault: fault, after: after, rate: rate, channels: channels)
        return ALSAMicrophone(
            device: "card", configuration: card.configuration, settings: .init(backlog: backlog),
            logger: AudioTools.logger)
    }

    private func speaker(_ fault: TestCard.Fault = .none, after: Int = 0, rate: Int = 22_050, channels: Int = 1)
        throws -> ALSASpeaker
    {
        let card = try TestCard(in: folder, fault: fault, after: after, rate: rate, channels: channels)
        return ALSASpeaker(
            media: "card", speech: "card", configuration: card.configuration, logger: AudioTools.logger)
    }

    @Test(arguments: [(TestCard.Fault.busy, DeviceFailure.Reason.busy), (.denied, .noPermission)])
    func deviceThatCannotBeOpened_tellsWhy(fault: TestCard.Fault, reason: DeviceFailure.Reason) async throws {
        let capture = await #expect(throws: DeviceFailure.self) { try await microphone(fault).open(.room) }
        #expect(capture?.reason == reason)
        let reply = await #expect(throws: DeviceFailure.self) {
            try await speaker(fault).speak(AudioTools.sentences([[1]], rate: 22_050)) { _, _ in }
        }
        #expect(reply?.reason == reason)
    }

    @Test func room_isCapturedWithoutGaps() async throws {
        let capture = try await microphone().open(.room)
        defer { capture.close() }
        #expect(try await AudioTools.capture(8_192, from: capture) == AudioTools.counting(8_192))
        #expect(capture.losses == AudioLosses())
    }

    @Test func stereoCardAtAnotherRate_isConverted() async throws {
        let capture = try await microphone(rate: 48_000, channels: 2).open(.room)
        defer { capture.close() }
        let heard = try await AudioTools.capture(4_096, from: capture)
        // A ramp three times as steep.
        #expect(abs(Int(heard[3_000]) - Int(heard[2_000]) - 3_000) < 100)
    }

    @Test func cardUnpluggedWhileCapturing_isLost() async throws {
        let capture = try await microphone(.lost, after: 4_000).open(.room)
        let failure = await #expect(throws: DeviceFailure.self) { while try await capture.next() != nil {} }
        #expect(failure?.reason == .lost)
        #expect(failure?.detail.contains("snd_pcm_readi") == true)
    }

    @Test func cardThatFallsSilent_isLost() async throws {
        let capture = try await microphone(.stall, after: 4_000).open(.room)
        let failure = await #expect(throws: DeviceFailure.self) { while try await capture.next() != nil {} }
        #expect(failure?.reason == .lost)
    }

    @Test func overrun_isHealedAndCounted() async throws {
        let capture = try await microphone(.xrun, after: 4_000).open(.room)
        defer { capture.close() }
        _ = try await AudioTools.capture(16_000, from: capture)
        #expect(capture.losses.xruns >= 1)
    }

    @Test func lateConsumer_losesBlocks_whichAreCounted() async throws {
        let capture = try await microphone(backlog: 64).open(.room)
        defer { capture.close() }
        try await eventually("blocks to be dropped") { capture.losses.droppedBlocks > 3 }
        var positions: [Int] = []
        while positions.count < 70 { positions.append(try #require(await capture.next()).position) }
        #expect(zip(positions, positions.dropFirst()).contains { $1 - $0 > 512 })
    }

    @Test func reopeningRightAfterClosing_findsTheDeviceFree() async throws {
        let microphone = try microphone()
        for _ in 0..<10 {
            let capture = try await microphone.open(.room)
            _ = try await capture.next()
            capture.close()
        }
    }

    @Test func reply_takesItsTime_andReportsWhatTheCardHasPlayed() async throws {
        let tone = AudioTools.sine(hertz: 440, seconds: 0.5, rate: 22_050)
        let start = ContinuousClock.now
        let reports = Mutex<[(Duration, Int)]>([])
        let speaker = try speaker()
        let reply = AudioTools.sentences([Array(tone[..<5_000]), Array(tone[5_000...])], rate: 22_050)
        let wasPlayed = try await speaker.speak(reply) { sentence, count in
            reports.withLock { $0.append((ContinuousClock.now - start, sentence == 0 ? count : 5_000 + count)) }
        }
        #expect(wasPlayed)
        #expect(ContinuousClock.now - start >= .milliseconds(490))
        let all = reports.withLock { $0 }
        #expect(all.last?.1 == tone.count)
        for (time, count) in all { #expect(Double(count) / 22_050 <= time.seconds + 0.001) }
        #expect(try folder.samples(of: "card.raw") == tone)
        #expect(speaker.losses.xruns == 0)
    }

    @Test(arguments: [1, 100, 5_000])
    func shortReply_isHeard(count: Int) async throws {
        let samples = AudioTools.counting(count)
        #expect(try await speaker().speak(AudioTools.sentences([samples], rate: 22_050)) { _, _ in })
        #expect(try folder.samples(of: "card.raw") == samples)
    }

    @Test func replyAtAnotherRateThanTheCards_isConverted_andEnds() async throws {
        let tone = AudioTools.sine(hertz: 440, seconds: 0.4, rate: 22_050)
        let last = Mutex(0)
        let speaker = try speaker(rate: 48_000, channels: 2)
        let wasPlayed = try await speaker.speak(AudioTools.sentences([tone], rate: 22_050)) { _, count in
            last.withLock { $0 = count }
        }
        #expect(wasPlayed)
        #expect(last.withLock { $0 } == tone.count)
        let frames = try folder.samples(of: "card.raw").count / 2
        #expect(abs(frames - 19_200) < 1_500)
    }

    @Test func sentencesAtTwoRates_arePlayedToTheirEnds() async throws {
        let (first, second) = (AudioTools.counting(3_000), AudioTools.counting(2_000))
        let stream = AsyncThrowingStream<SynthesisedSentence, any Error> { input in
            for (samples, rate) in [(first, 22_050), (second, 16_000)] {
                input.yield(
                    SynthesisedSentence(text: "", sound: Sound(samples: samples, sampleRate: rate), words: []))
            }
            input.finish()
        }
        let played = Mutex([0, 0])
        #expect(try await speaker().speak(stream) { index, count in played.withLock { $0[index] = count } })
        #expect(played.withLock { $0 } == [3_000, 2_000])
    }

    @Test func formatThatTheCardRefuses_isUnusable() async throws {
        let reply = AudioTools.sentences([[1, 2, 3]], rate: 0)
        let failure = await #expect(throws: DeviceFailure.self) { try await speaker().speak(reply) { _, _ in } }
        #expect(failure?.reason == .unusable)
    }

    @Test func pauseBetweenSentences_isNoUnderrun() async throws {
        let speaker = try speaker()
        let (stream, input) = AsyncThrowingStream<SynthesisedSentence, any Error>.makeStream()
        let samples = AudioTools.counting(2_000)
        let sentence = SynthesisedSentence(text: "", sound: Sound(samples: samples, sampleRate: 22_050), words: [])
        input.yield(sentence)
        let played = Mutex([0, 0])
        let reply = Task {
            try await speaker.speak(stream) { index, count in played.withLock { $0[index] = count } }
        }
        try await eventually("the first sentence to be played") { played.withLock { $0[0] } == 2_000 }
        input.yield(sentence)
        input.finish()
        #expect(try await reply.value)
        #expect(played.withLock { $0 } == [2_000, 2_000])
        #expect(try folder.samples(of: "card.raw") == samples + samples)
        #expect(speaker.losses.xruns == 0)
    }

    @Test func underrun_isHealedAndCounted() async throws {
        let speaker = try speaker(.xrun, after: 6_000)
        let reply = AudioTools.sentences([AudioTools.counting(20_000)], rate: 22_050)
        #expect(try await speaker.speak(reply) { _, _ in })
        #expect(speaker.losses.xruns >= 1)
    }

    @Test(arguments: [TestCard.Fault.suspend, .interrupt])
    func suspendedCard_isRecovered(fault: TestCard.Fault) async throws {
        let capture = try await microphone(fault, after: 4_000).open(.room)
        #expect(try await AudioTools.capture(16_000, from: capture).count >= 16_000)
        #expect(capture.losses.xruns == 1)
        capture.close()
        let reply = AudioTools.sentences([AudioTools.counting(20_000)], rate: 22_050)
        #expect(try await speaker(fault, after: 6_000).speak(reply) { _, _ in })
    }

    @Test(arguments: [300, 512, 1_023])
    func cardWithASmallerBufferThanAskedFor_playsAll(largest: Int) async throws {
        // The buffer is full before the threshold of 1,024 frames at which a larger one starts.
        let samples = AudioTools.counting(9_000)
        let card = try TestCard(in: folder, rate: 22_050, largest: largest)
        let speaker = ALSASpeaker(
            media: "card", speech: "card", configuration: card.configuration, logger: AudioTools.logger)
        #expect(try await speaker.speak(AudioTools.sentences([samples], rate: 22_050)) { _, _ in })
        #expect(try folder.samples(of: "card.raw") == samples)
    }

    @Test func cardUnpluggedWhileSpeaking_isLost() async throws {
        let reply = AudioTools.sentences([AudioTools.counting(40_000)], rate: 22_050)
        let failure = await #expect(throws: DeviceFailure.self) {
            try await speaker(.lost, after: 8_000).speak(reply) { _, _ in }
        }
        #expect(failure?.reason == .lost)
    }

    @Test func stopSpeech_dropsWhatTheCardHolds() async throws {
        let speaker = try speaker()
        let tone = AudioTools.sine(hertz: 440, seconds: 20, rate: 22_050)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let reply = Task {
            let wasPlayed = try await speaker.speak(AudioTools.sentences([tone], rate: 22_050)) { _, count in
                if count > 4_000 { begin.yield() }
            }
            return (wasPlayed, ContinuousClock.now)
        }
        for await _ in begun { break }
        let start = ContinuousClock.now
        speaker.stopSpeech()
        let (wasPlayed, end) = try await reply.value
        #expect(!wasPlayed)
        // Generous, for a loaded machine; the tone would last 20 s.
        #expect(end - start < .seconds(2))
    }

    @Test func chimeRightAfterAStop_getsTheCardOfOneOpener() async throws {
        let speaker = try speaker()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let tone = AudioTools.sine(hertz: 440, seconds: 20, rate: 22_050)
        let reply = Task {
            try await speaker.speak(AudioTools.sentences([tone], rate: 22_050)) { _, _ in begin.yield() }
        }
        for await _ in begun { break }
        speaker.stopSpeech()
        try await speaker.chime(ChimeSynthesiser.chime(.start))
        #expect(try await reply.value == false)
    }
}
