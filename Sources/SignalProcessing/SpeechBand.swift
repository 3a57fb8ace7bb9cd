import Domain
import Foundation

/// Keeps 300 to 4000 Hz, where speech stands out from the rumble of an engine and from hiss.
struct SpeechBand {
    private var low = Biquad(.highPass, hertz: 300)
    private var high = Biquad(.lowPass, hertz: 4_000)

    /// Filters the next samples of a stream.
    mutating func filter(_ samples: [Int16]) -> [Float] {
        samples.map { high.step(low.step(Float($0))) }
    }
}

/// A second-order Butterworth section; coefficients from R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad
/// filter coefficients", Q = 1/√2.
struct Biquad {
    enum Kind { case lowPass, highPass }

    private let b0, b1, b2, a1, a2: Float
    private var state: (Float, Float) = (0, 0)

    init(_ kind: Kind, hertz: Double, sampleRate: Double = Double(AudioFormat.sampleRate)) {
        let angle = 2 * Double.pi * hertz / sampleRate
        let alpha = sin(angle) / 2 / 0.5.squareRoot()
        let scale = 1 / (1 + alpha)
        let outer = kind == .lowPass ? (1 - cos(angle)) / 2 : (1 + cos(angle)) / 2
        b0 = Float(outer * scale)
        b1 = Float((kind == .lowPass ? 2 : -2) * outer * scale)
        b2 = b0
        a1 = Float(-2 * cos(angle) * scale)
        a2 = Float((1 - alpha) * scale)
    }

    /// One sample, by the transposed direct form II.
    mutating func step(_ input: Float) -> Float {
        let output = b0 * input + state.0
        state.0 = b1 * input - a1 * output + state.1
        state.1 = b2 * input - a2 * output
        return output
    }
}
