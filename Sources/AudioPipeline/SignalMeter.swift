import Foundation

/// What is wrong with the sound that a microphone gives, beyond what any recogniser can repair.
public enum SignalFault: String, Sendable, CaseIterable {
    /// Loud sound is cut off at the largest number there is.
    case clipping
    /// It gives next to nothing.
    case silent
    /// The middle of the wave is far from zero.
    case offset
    /// Most of it is the mains' 50 Hz.
    case hum
    /// Parts are missing.
    case gaps
}

/// How a microphone's sound was in an utterance.
public enum SignalQuality: Sendable, Equatable {
    /// Too little was heard to tell.
    case unknown
    case right
    case faulty(SignalFault)
}

/// Measures the sound of one utterance as the microphone gave it: one channel, before anything is filtered.
///
/// The mains are found by correlation with 50, 100 and 150 Hz over the whole utterance: speech adds nothing to that in
/// the long run, and a hum all of itself.
struct SignalMeter: Sendable {
    private let rate: Int
    /// One period of the mains: cosine and sine at each sample.
    private let waves: [(cosine: Double, sine: Double)]
    private var count = 0, clipped = 0
    private var sum = 0.0, energy = 0.0
    private var correlations = [(cosine: Double, sine: Double)](repeating: (0, 0), count: Self.harmonics.count)

    /// A meter of sound with `rate` samples a second.
    init(rate: Int) {
        self.rate = rate
        let period = max(1, rate / Self.mains)
        waves = (0..<period).map { place in
            let angle = 2 * Double.pi * Double(place) / Double(period)
            return (cos(angle), sin(angle))
        }
    }

    private static let mains = 50, harmonics = [1, 2, 3]
    /// Shorter sound tells nothing, in seconds.
    private static let least = 1.0
    /// A sample this large was cut off: converters and resamplers stop a little short of 32,767.
    private static let largest = 32_600
    /// This share of the samples cut off is heard as distortion.
    private static let mostClipped = 0.01
    /// An effective value below this is no quiet room: a microphone's own noise is above, −72 dBFS.
    private static let quietest = 8.0
    /// A mean beyond this takes a tenth of the room for loud sound, and more.
    private static let mostOffset = 3_000.0
    /// This share of the energy in the mains' frequencies, where it is louder than −46 dBFS.
    private static let mostHum = 0.5, loudHum = 164.0

    mutating func accept(_ samples: [Int16]) {
        let period = waves.count
        for sample in samples {
            let value = Double(sample)
            if abs(Int(sample)) >= Self.largest { clipped += 1 }
            sum += value
            energy += value * value
            for (number, harmonic) in Self.harmonics.enumerated() {
                let wave = waves[count * harmonic % period]
                correlations[number].cosine += value * wave.cosine
                correlations[number].sine += value * wave.sine
            }
            count += 1
        }
    }

    /// How it was, with the worst fault.
    /// - Parameter hasSpeech: whether somebody spoke: then it is not silent.
    func quality(hasSpeech: Bool) -> SignalQuality {
        guard Double(count) >= Self.least * Double(rate) else { return .unknown }
        return fault(hasSpeech: hasSpeech).map { .faulty($0) } ?? .right
    }

    private func fault(hasSpeech: Bool) -> SignalFault? {
        let number = Double(count), mean = sum / number
        let power = max(0, energy / number - mean * mean)
        if Double(clipped) > Self.mostClipped * number { return .clipping }
        if abs(mean) > Self.mostOffset { return .offset }
        if power.squareRoot() < Self.quietest { return hasSpeech ? nil : .silent }
        let hum = correlations.reduce(0) { total, part in
            // A tone of amplitude A gives A/2 for each sample, and has a power of A²/2.
            let amplitude = 2 * hypot(part.cosine, part.sine) / number
            return total + amplitude * amplitude / 2
        }
        return hum > Self.mostHum * power && hum.squareRoot() > Self.loudHum ? .hum : nil
    }
}
