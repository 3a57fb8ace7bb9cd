import Language
import Foundation
import Testing

@testable import vanorb_lab

@Suite struct NoiseMixerTests {
    private let noise: [Int16]
    private let speech: [Int16]

    init() {
        var random = SeededGenerator(seed: 7)
        noise = (0..<50_000).map { _ in Int16.random(in: -2_000...2_000, using: &random) }
        speech = (0..<20_000).map { Int16(sin(Double($0) / 9) * 12_000 * sin(Double($0) / 4_000)) }
    }

    @Test(arguments: [-6.0, 0, 6, 12, 24])
    func loudestFrames_standInTheRatioAskedFor(ratio: Double) {
        let (speech, noise) = NoiseMixer(noise: noise, ratio: ratio, seed: 1).parts(of: speech, name: "a.wav")
        let found = 10 * log10(NoiseMixer.highestEnergy(speech) / NoiseMixer.highestEnergy(noise))
        #expect(abs(found - ratio) < 1e-9)
    }

    @Test func theSum_peaksAtHalfOfFullScale() {
        let mixed = NoiseMixer(noise: noise, ratio: 6, seed: 1).mixed(speech, name: "a.wav")
        #expect(mixed.count == speech.count)
        #expect(mixed.map { abs(Int($0)) }.max() == 16_384)
    }

    @Test func theStretchOfNoise_isDecidedBySeedAndName() {
        func mixed(_ seed: UInt64, _ name: String) -> [Int16] {
            NoiseMixer(noise: noise, ratio: 6, seed: seed).mixed(speech, name: name)
        }
        #expect(mixed(1, "a.wav") == mixed(1, "a.wav"))
        #expect(mixed(1, "a.wav") != mixed(2, "a.wav"))
        #expect(mixed(1, "a.wav") != mixed(1, "b.wav"))
    }

    @Test func framesBehindTheLastWholeOne_doNotCount_unlessThereIsNone() {
        #expect(NoiseMixer.highestEnergy([Double](repeating: 0, count: 2_048) + [3]) == 0)
        #expect(NoiseMixer.highestEnergy([3, 4]) == 25)
    }

    @Test func silenceShortNoiseAndNoSamples_breakNothing() {
        let mixer = NoiseMixer(noise: [1, -1, 2], ratio: 6, seed: 1)
        #expect(mixer.mixed([], name: "a").isEmpty)
        #expect(mixer.mixed([0, 0, 0, 0], name: "a") == [0, 0, 0, 0])
        #expect(NoiseMixer(noise: [], ratio: 6, seed: 1).mixed([5, -10], name: "a") == [8_192, -16_384])
    }
}
