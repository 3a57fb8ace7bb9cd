import Domain
import Foundation

/// The stages of the audio chain that are done here: resampling and noise suppression over libspeexdsp, and high-pass.
public struct SignalStages: SampleStageMaker {
    /// A maker without state.
    public init() {}

    /// A stage for resampling, high-pass or noise suppression; nil for other work.
    /// - Throws: `SpeexError`.
    public func stage(_ work: AudioNode.Work, rate: Int) throws -> (any SampleStage)? {
        switch work {
        case .resample(let output, let quality): try ResampleStage(from: rate, to: output, quality: quality)
        case .highPass(let hertz): HighPassStage(hertz: hertz, rate: rate)
        case .noiseSuppression(.speex, let decibels): try SpeexSuppressor(decibels: decibels, rate: rate)
        default: nil
        }
    }
}

/// Another rate. What was under way at a reset is forgotten with its filter.
final class ResampleStage: SampleStage {
    private let make: () throws(SpeexError) -> Resampler
    private var resampler: Resampler
    private var isFresh = true

    init(from input: Int, to output: Int, quality: Int) throws(SpeexError) {
        make = { () throws(SpeexError) in try Resampler(from: input, to: output, quality: quality) }
        resampler = try make()
    }

    func process(_ samples: [Int16]) throws -> [Int16] {
        if !isFresh {
            resampler = try make()
            isFresh = true
        }
        return try resampler.process(samples)
    }

    func finish() throws -> [Int16] {
        defer { isFresh = false }
        return isFresh ? try resampler.finish() : []
    }

    func reset() { isFresh = false }
}

/// Takes away rumble: a second-order Butterworth filter.
final class HighPassStage: SampleStage {
    private let hertz: Double
    private let rate: Int
    private var filter: Biquad

    init(hertz: Double, rate: Int) {
        self.hertz = hertz
        self.rate = rate
        filter = Biquad(.highPass, hertz: hertz, sampleRate: Double(rate))
    }

    func process(_ samples: [Int16]) -> [Int16] {
        samples.map { Int16(min(max(filter.step(Float($0)).rounded(), -32_768), 32_767)) }
    }

    func finish() -> [Int16] { [] }
    func reset() { filter = Biquad(.highPass, hertz: hertz, sampleRate: Double(rate)) }
}
