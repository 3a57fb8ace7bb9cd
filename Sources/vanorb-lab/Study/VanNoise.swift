import Domain
import Foundation
import Language

/// Noises of a van, computed. The same seed makes the same noise.
///
/// They have the structure of the real ones: a firing frequency with its harmonics and the half orders by which
/// cylinders differ, the clatter of combustion, rumble, tyres, gusts, drops. How loud their parts are to each other is an
/// estimate, not measured in a vehicle.
enum VanNoise: String, CaseIterable {
    /// A four-cylinder diesel at about 800 revolutions a minute, in a standing van.
    case idle
    /// The same at about 2,400 revolutions a minute with road, tyres and wind: some 90 km/h.
    case cruise
    /// Rain on a sheet-metal roof.
    case rain

    /// 16 kHz mono, peaking at half of full scale.
    func samples(_ duration: Duration, seed: UInt64) -> [Int16] {
        var random = SeededGenerator(seed: StableHash.of(rawValue, seed: seed))
        let count = AudioFormat.samples(in: duration)
        let parts: [(share: Double, sound: [Double])] =
            switch self {
            case .idle:
                [
                    (1, Diesel(speed: 800, clatter: 0.2).sound(count, &random)),
                    (0.1, Self.pink(count, &random)),
                ]
            case .cruise:
                [
                    (1, Diesel(speed: 2_400, clatter: 0.1).sound(count, &random)),
                    (1.2, Self.rumble(count, &random)),
                    (0.3, Self.tyres(count, &random)),
                    (0.7, Self.gusts(count, &random)),
                ]
            case .rain: [(1, Self.drops(count, &random)), (0.4, Self.pink(count, &random))]
            }
        var sum = [Double](repeating: 0, count: count)
        for (share, sound) in parts {
            // Shares are of the root mean square.
            let power = sound.reduce(0) { $0 + $1 * $1 } / Double(max(1, count))
            let factor = power > 0 ? share / power.squareRoot() : 0
            for index in sum.indices { sum[index] += sound[index] * factor }
        }
        let peak = sum.reduce(0) { max($0, abs($1)) }
        return sum.map { Int16(($0 / max(peak, 1e-9) * 16_384).rounded()) }
    }

    private static func pink(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
        var noise = PinkNoise()
        return (0..<count).map { _ in noise.next(using: &random) }
    }

    /// The road through floor and frame: pink noise with the body's resonances.
    private static func rumble(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
        var noise = PinkNoise(), body = [Resonator(hertz: 45, decay: 0.03), Resonator(hertz: 120, decay: 0.015)]
        return (0..<count).map { _ in
            let next = noise.next(using: &random)
            return body[0].next(next) + 0.6 * body[1].next(next)
        }
    }

    /// Tyres on asphalt: a broad hump below 1 kHz.
    private static func tyres(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
        var hump = Resonator(hertz: 850, decay: 0.0006)
        return (0..<count).map { _ in hump.next(.random(in: -1...1, using: &random)) }
    }

    /// Wind at pillars and mirrors: pink noise that swells and falls within seconds.
    private static func gusts(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
        var noise = PinkNoise(), target = 1.0, strength = 1.0
        return (0..<count).map { index in
            if index % AudioFormat.sampleRate == 0 { target = .random(in: 0.5...1.5, using: &random) }
            strength += (target - strength) / Double(AudioFormat.sampleRate)
            return strength * noise.next(using: &random)
        }
    }

    /// Some 150 drops a second, each of its own weight, on sheets that ring for a few milliseconds.
    private static func drops(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
        var sheets = [(420.0, 0.006), (1_100, 0.004), (2_300, 0.002), (3_700, 0.001)].map {
            Resonator(hertz: $0.0, decay: $0.1)
        }
        let chance = 150 / Double(AudioFormat.sampleRate)
        return (0..<count).map { _ in
            let isDrop = Double.random(in: 0..<1, using: &random) < chance
            let weight = isDrop ? pow(Double.random(in: 0.1...1, using: &random), 3) : 0
            let struck = isDrop ? sheets.indices.randomElement(using: &random) ?? 0 : 0
            return sheets.indices.reduce(0) { $0 + sheets[$1].next($1 == struck ? weight : 0.1 * weight) }
        }
    }
}

/// A four-cylinder four-stroke diesel as it is heard inside: each firing is a blow on the body, which booms, and through
/// the bulkhead a clatter.
private struct Diesel {
    /// Revolutions a minute, about.
    let speed: Double
    /// The clatter's share.
    let clatter: Double

    func sound(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
        // Cylinders are not alike, which is what gives the half orders.
        let cylinders = (0..<4).map { _ in Double.random(in: 0.85...1.15, using: &random) }
        var booms = [(48.0, 0.03), (95, 0.02), (160, 0.012), (310, 0.006)].map {
            Resonator(hertz: $0.0, decay: $0.1)
        }
        var knocks = [(1_150.0, 0.003), (2_100, 0.002), (3_200, 0.0015)].map {
            Resonator(hertz: $0.0, decay: $0.1)
        }
        var speed = speed, phase = 0.0, firing = 0
        return (0..<count).map { index in
            // A hundred times a second: the governor, the pedal, a hill.
            if index % (AudioFormat.sampleRate / 100) == 0 {
                let drift = speed * 0.002
                speed += .random(in: -drift...drift, using: &random) + (self.speed - speed) * 0.01
            }
            // Two firings each revolution.
            phase += speed / 60 * 2 / Double(AudioFormat.sampleRate)
            var blow = 0.0
            if phase >= 1 {
                phase -= 1
                blow = cylinders[firing % 4] * .random(in: 0.95...1.05, using: &random)
                firing += 1
            }
            let boom = booms.indices.reduce(0) { $0 + booms[$1].next(blow) }
            return boom + clatter * knocks.indices.reduce(0) { $0 + knocks[$1].next(blow) }
        }
    }
}

/// What a blow makes of a body: two poles at a frequency, whose oscillation falls to 1/e within `decay` seconds.
private struct Resonator {
    private let feedback: (Double, Double), gain: Double
    private var last = 0.0, beforeLast = 0.0

    init(hertz: Double, decay: Double) {
        let rate = Double(AudioFormat.sampleRate), radius = exp(-1 / (decay * rate))
        feedback = (2 * radius * cos(2 * .pi * hertz / rate), -radius * radius)
        // So that a single blow rings with an amplitude of about 1 whatever the frequency.
        gain = sin(2 * .pi * hertz / rate)
    }

    mutating func next(_ input: Double) -> Double {
        let output = gain * input + feedback.0 * last + feedback.1 * beforeLast
        (last, beforeLast) = (output, last)
        return output
    }
}

/// Noise that falls by 3 dB an octave: white noise through three first-order filters (Paul Kellet's economy method).
private struct PinkNoise {
    private var low = 0.0, middle = 0.0, high = 0.0

    mutating func next(using random: inout SeededGenerator) -> Double {
        let white = Double.random(in: -1...1, using: &random)
        low = 0.99765 * low + white * 0.0990460
        middle = 0.96300 * middle + white * 0.2965164
        high = 0.57000 * high + white * 1.0526913
        return low + middle + high + white * 0.1848
    }
}
