@testable import AudioPipeline
@testable import Dialogue
import CopilotTestKit
import Domain
import Foundation
import Testing

/// What is wrong with a microphone shows in its sound, and is told where it lasts.
@Suite struct SignalMeterTests {
    private static let rate = 16_000

    /// Two seconds of sound, from a function of time in seconds.
    private func sound(_ wave: (Double) -> Double) -> [Int16] {
        (0..<2 * Self.rate).map { Int16(max(-32_768, min(32_767, wave(Double($0) / Double(Self.rate))))) }
    }

    private func quality(_ samples: [Int16], hasSpeech: Bool = true) -> SignalQuality {
        var meter = SignalMeter(rate: Self.rate)
        // In blocks, as they come.
        for start in stride(from: 0, to: samples.count, by: 512) {
            meter.accept(Array(samples[start..<min(start + 512, samples.count)]))
        }
        return meter.quality(hasSpeech: hasSpeech)
    }

    /// Something like a voice: harmonics of 120 Hz, that come and go.
    private func voice(_ time: Double, loud: Double = 6_000) -> Double {
        let tone = (1...8).reduce(0.0) { $0 + sin(2 * .pi * 120 * Double($1) * time) / Double($1) }
        return loud * tone * max(0, sin(2 * .pi * 1.7 * time))
    }

    @Test func aVoice_isRight() { #expect(quality(sound { voice($0) }) == .right) }

    @Test func whatIsCutOff_clips() { #expect(quality(sound { voice($0, loud: 60_000) }) == .faulty(.clipping)) }

    @Test func aWaveAboveZero_hasAnOffset() { #expect(quality(sound { voice($0) + 5_000 }) == .faulty(.offset)) }

    @Test(arguments: [50.0, 100, 150])
    func theMains_hum(hertz: Double) {
        #expect(quality(sound { voice($0, loud: 500) + 3_000 * sin(2 * .pi * hertz * $0 + 1) }) == .faulty(.hum))
        // A little of it beside a voice does no harm.
        #expect(quality(sound { voice($0) + 300 * sin(2 * .pi * hertz * $0) }) == .right)
    }

    @Test func nextToNothing_isSilent_unlessSomebodySpoke() {
        let silence = sound { 2 * sin(2 * .pi * 440 * $0) }
        #expect(quality(silence, hasSpeech: false) == .faulty(.silent))
        #expect(quality(silence, hasSpeech: true) == .right)
        #expect(quality(sound { 40 * sin(2 * .pi * 440 * $0) }, hasSpeech: false) == .right, "a quiet room")
    }

    @Test func lessThanASecond_tellsNothing() {
        #expect(quality([Int16](repeating: 0, count: 15_000), hasSpeech: false) == .unknown)
        #expect(quality([Int16](repeating: 32_767, count: 15_000)) == .unknown)
    }

    @Test @DialogueActor func aFaultThatLasts_isMoreThanAWarning_andEnds() {
        let health = Health(), monitor = SignalMonitor(health)
        func state() -> PartHealth.State? { health.all.first { $0.name == SignalMonitor.part }?.state }
        monitor.note(.right)
        #expect(state() == nil, "nothing is said of a microphone that is right")
        monitor.note(.faulty(.hum))
        monitor.note(.faulty(.hum))
        #expect(state() == .warning)
        monitor.note(.faulty(.hum))
        #expect(state() == .failed)
        monitor.note(.faulty(.clipping))
        #expect(state() == .warning, "another one has not lasted")
        monitor.note(.unknown)
        #expect(state() == .warning, "a turn that tells nothing")
        monitor.note(.right)
        #expect(state() == .ok)
    }
}
