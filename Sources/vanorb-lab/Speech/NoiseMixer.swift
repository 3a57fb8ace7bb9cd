import Domain
import Language
import Foundation
import Setup

/// Adds noise to recordings in the way of Picovoice's speech-to-intent benchmark, so that figures compare: the noise is
/// scaled so that the highest energy of a frame of speech over the highest of a frame of noise is the wanted ratio, and
/// the sum is divided by twice its peak.
struct NoiseMixer: Sendable {
    /// Samples of a frame whose energy is measured.
    static let frame = 2_048

    /// 16 kHz mono.
    let noise: [Int16]
    /// Speech over noise in decibels.
    let ratio: Double
    let seed: UInt64

    /// The recording called `name` with a crop of the noise that seed and name decide.
    func mixed(_ speech: [Int16], name: String) -> [Int16] {
        let (speech, noise) = parts(of: speech, name: name)
        let sum = zip(speech, noise).map { $0 + $1 }
        let peak = sum.reduce(0) { max($0, abs($1)) }
        guard peak > 0 else { return sum.map { _ in 0 } }
        return sum.map { Int16(($0 / (2 * peak) * 32_767).rounded()) }
    }

    /// The two parts of the sum before it is scaled: the speech as it is, and the noise at the wanted ratio.
    func parts(of speech: [Int16], name: String) -> (speech: [Double], noise: [Double]) {
        let speech = speech.map { Double($0) }
        let crop = crop(speech.count, name: name)
        let loudest = Self.highestEnergy(crop)
        guard loudest > 0 else { return (speech, crop) }
        let factor = (Self.highestEnergy(speech) / (loudest * pow(10, ratio / 10))).squareRoot()
        return (speech, crop.map { $0 * factor })
    }

    private func crop(_ count: Int, name: String) -> [Double] {
        guard !noise.isEmpty else { return [Double](repeating: 0, count: count) }
        var random = SeededGenerator(seed: StableHash.of(name, seed: seed))
        // A noise shorter than the recording is repeated.
        let start = noise.count > count ? Int.random(in: 0...(noise.count - count), using: &random) : 0
        return (0..<count).map { Double(noise[(start + $0) % noise.count]) }
    }

    /// The highest energy of adjacent whole frames; of all samples where there are fewer than a frame's.
    static func highestEnergy(_ samples: [Double]) -> Double {
        func energy(_ part: ArraySlice<Double>) -> Double { part.reduce(0) { $0 + $1 * $1 } }
        guard samples.count >= frame else { return energy(samples[...]) }
        return stride(from: 0, through: samples.count - frame, by: frame).reduce(0) {
            max($0, energy(samples[$1..<($1 + frame)]))
        }
    }
}
