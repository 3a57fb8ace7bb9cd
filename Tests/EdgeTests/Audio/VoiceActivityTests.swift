import Foundation
import SignalProcessing
import SoundFiles
import SystemTestKit
import Testing

@Suite struct VoiceActivityTests {
    private let detector: SpeexVoiceActivity

    init() throws { detector = try SpeexVoiceActivity() }

    /// For each block, whether it is taken for speech.
    private func decisions(_ samples: [Int16]) -> [Bool] {
        stride(from: 0, to: samples.count, by: 512).map {
            detector.speechProbability(of: Array(samples[$0..<min($0 + 512, samples.count)])) > 0.5
        }
    }

    private func silence(_ seconds: Double) -> [Int16] { [Int16](repeating: 0, count: Int(seconds * 16_000)) }

    /// White noise of a fixed seed; `decibels` below full scale.
    private func noise(_ seconds: Double, decibels: Double) -> [Int16] {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        let scale = 32_768 * pow(10, decibels / 20) * 3.0.squareRoot()
        return (0..<Int(seconds * 16_000)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(scale * (Double(state >> 11) / Double(1 << 52) - 1))
        }
    }

    private func add(_ first: [Int16], _ second: [Int16]) -> [Int16] {
        zip(first, second).map { Int16(clamping: Int($0) + Int($1)) }
    }

    @Test func digitalSilence_isNeverSpeech() {
        #expect(!decisions(silence(10)).contains(true))
    }

    @Test(arguments: [-70.0, -60, -50, -40, -30])
    func steadyNoise_isNotSpeech(decibels: Double) {
        let found = decisions(noise(20, decibels: decibels))
        // A floor that is not known yet may be wrong for the first four seconds.
        #expect(!found.dropFirst(125).contains(true))
        #expect(found.count { $0 } <= 2)
    }

    @Test(arguments: ["slt", "awb", "rms", "kal16"], [-90.0, -60, -50])
    func speech_isFound_andWhatFollowsIsNot(voice: String, decibels: Double) throws {
        let speech = try Flite.samples("log diesel for fifty pounds", voice: voice)
        let whole = silence(1) + speech + silence(3)
        let found = decisions(add(whole, noise(Double(whole.count) / 16_000 + 1, decibels: decibels)))
        let start = 16_000 / 512
        let end = start + speech.count / 512
        #expect(!found[..<(start - 1)].contains(true))
        // Stops and quiet endings drown first.
        let least = decibels > -60 ? 0.4 : 0.55
        #expect(Double(found[start..<end].count { $0 }) > least * Double(end - start))
        // No pause within the command is as long as the one that ends it.
        let gaps = found[start..<end].split(separator: true).map(\.count)
        #expect(gaps.max() ?? 0 < 20)
        #expect(!found[(end + 2)...].contains(true))
    }

    @Test func digitalSilenceAfterSpeech_isNotSpeechAtOnce() throws {
        let speech = try Flite.samples("where is the first aid kit", voice: "slt")
        let whole = speech.dropLast(speech.count % 512)
        _ = decisions(Array(whole.dropLast(2_048)))
        #expect(!decisions(silence(2)).contains(true))
    }

    @Test func reset_keepsTheNoiseFloor() {
        _ = decisions(noise(5, decibels: -30))
        detector.reset()
        #expect(!decisions(noise(1, decibels: -30)).contains(true))
    }

    @Test func click_isNotSustained() {
        var samples = noise(6, decibels: -60)
        for index in 80_000..<80_080 { samples[index] = index % 2 == 0 ? 20_000 : -20_000 }
        #expect(decisions(samples).count { $0 } <= 2)
    }

    @Test(arguments: [0, 1, 100, 511, 513])
    func blocksOfOtherLengths_areTaken(count: Int) {
        let probability = detector.speechProbability(of: [Int16](repeating: 1_000, count: count))
        #expect((0...1).contains(probability))
    }
}
