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

/// The level of the background noise: the lowest level of the last four seconds, in which speech always pauses
/// somewhere.
struct NoiseFloor {
    /// Blocks in four seconds.
    private static let window = 125
    /// The level that is assumed until the window is full: speech may begin with the first block.
    private static let assumed = 40.0
    /// No microphone is quieter; a floor below would make its own hiss stand out.
    private static let least = 20.0

    private var recent: [Double] = []
    private var next = 0
    private var previous: Double?

    /// Takes in the next block's level in dB.
    /// - Returns: the noise floor in dB.
    mutating func update(level: Double) -> Double {
        // Smoothed over two blocks, so that one dip between two sounds is not the floor.
        let smoothed = (level + (previous ?? level)) / 2
        previous = level
        if recent.count < Self.window {
            recent.append(smoothed)
        } else {
            recent[next] = smoothed
            next = (next + 1) % Self.window
        }
        let lowest = recent.min() ?? Self.assumed
        return max(Self.least, recent.count < Self.window ? min(lowest, Self.assumed) : lowest)
    }
}

/// How periodic a sound is, in the range of the voice's pitch (80 to 400 Hz).
struct Periodicity {
    private static let lags = 40..<200

    private var previous = [Float](repeating: 0, count: AudioFormat.blockSize)

    /// Takes in the next block.
    /// - Returns: the highest normalised autocorrelation of this block and the one before, 0…1; 0 when it is not
    ///   needed.
    mutating func update(_ block: [Float], isNeeded: Bool) -> Double {
        let signal = previous + block
        previous = block
        guard isNeeded, signal.count > Self.lags.upperBound else { return 0 }
        return signal.withUnsafeBufferPointer { Double(Self.peak(of: $0)) }
    }

    private static func peak(of signal: UnsafeBufferPointer<Float>) -> Float {
        // Energies of the parts that overlap at each lag, from running sums.
        var sums = [Float](repeating: 0, count: signal.count + 1)
        for index in signal.indices { sums[index + 1] = sums[index] + signal[index] * signal[index] }
        var best: Float = 0
        for lag in lags {
            let overlap = signal.count - lag
            var product: Float = 0
            for index in 0..<overlap { product += signal[index] * signal[index + lag] }
            let energies = sums[overlap] * (sums[signal.count] - sums[lag])
            best = max(best, product / (energies + 1_000).squareRoot())
        }
        return best
    }
}
