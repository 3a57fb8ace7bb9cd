import Domain
import Language
import Foundation

/// The noise of a van under way: the engine's firing rate between 25 and 40 Hz, wandering slowly, with its harmonics,
/// over road noise that falls with frequency. Four cylinders of a four-stroke at 750 to 1 200 revolutions a minute fire
/// at that rate. The same seed makes the same noise.
struct EngineNoise {
    let seed: UInt64

    /// 16 kHz mono, peaking at half of full scale.
    func samples(_ duration: Duration) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        let count = AudioFormat.samples(in: duration), rate = Double(AudioFormat.sampleRate)
        // Each harmonic has a strength and a phase of its own, as engines do.
        let harmonics = (1...24).map { number in
            (
                strength: Double.random(in: 0.5...1, using: &random) / pow(Double(number), 0.9),
                phase: Double.random(in: 0..<(2 * .pi), using: &random)
            )
        }
        var road = PinkNoise()
        var firing = Double.random(in: 28...36, using: &random), turn = 0.0
        var sound = [Double](repeating: 0, count: count)
        for index in sound.indices {
            // Looked at a hundred times a second: the pedal, a hill.
            if index % 160 == 0 {
                firing = min(40, max(25, firing + Double.random(in: -0.15...0.15, using: &random)))
            }
            turn += 2 * .pi * firing / rate
            let engine = harmonics.enumerated().reduce(0.0) {
                $0 + $1.element.strength * sin(Double($1.offset + 1) * turn + $1.element.phase)
            }
            // The engine carries about twice the energy of the road.
            sound[index] = engine + 0.3 * road.next(using: &random)
        }
        let peak = sound.reduce(0) { max($0, abs($1)) }
        return sound.map { Int16(($0 / max(peak, 1e-9) * 16_384).rounded()) }
    }
}

/// Noise that falls by 3 dB an octave: white noise through three first-order filters (Paul Kellet's economy method).
struct PinkNoise {
    private var low = 0.0, middle = 0.0, high = 0.0

    mutating func next(using random: inout SeededGenerator) -> Double {
        let white = Double.random(in: -1...1, using: &random)
        low = 0.99765 * low + white * 0.0990460
        middle = 0.96300 * middle + white * 0.2965164
        high = 0.57000 * high + white * 1.0526913
        return low + middle + high + white * 0.1848
    }
}
