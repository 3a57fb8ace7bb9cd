import Domain
import CSpeexDSP

/// Changes the sample rate of mono sound, through libspeexdsp's band-limited interpolation.
///
/// Feed a stream piece by piece with `process` and close it with `finish`; the output is aligned with the input (the
/// filter's delay is taken out) and `finish` completes it to the input's length. Used by one task at a time.
public final class Resampler {
    /// libspeexdsp's scale is 0…10; 7 keeps errors below 16-bit noise for speech at a small part of the cost of 10.
    public static let defaultQuality = 7

    private let handle: OpaquePointer
    private let inputRate: Int
    private let outputRate: Int
    private var taken = 0
    private var given = 0

    /// A converter between two rates in samples a second, 1…768 000.
    /// - Throws: `SpeexError` when a rate or `quality` (0…10) is out of range, or memory is short.
    public init(from inputRate: Int, to outputRate: Int, quality: Int = Resampler.defaultQuality) throws(SpeexError) {
        let range = 1...768_000
        guard range.contains(inputRate), range.contains(outputRate) else {
            throw SpeexError(call: "speex_resampler_init", code: Int32(RESAMPLER_ERR_INVALID_ARG))
        }
        var code: Int32 = 0
        let made = speex_resampler_init(
            1, UInt32(inputRate), UInt32(outputRate), Int32(clamping: quality), &code)
        guard let made, code == 0 else { throw SpeexError(call: "speex_resampler_init", code: code) }
        handle = made
        self.inputRate = inputRate
        self.outputRate = outputRate
        speex_resampler_skip_zeros(handle)
    }

    deinit { speex_resampler_destroy(handle) }

    /// Converts the next piece.
    /// - Returns: what is ready; the filter holds back some until more arrives.
    public func process(_ samples: [Int16]) throws(SpeexError) -> [Int16] {
        taken += samples.count
        let output = try run(samples)
        given += output.count
        return output
    }

    /// Ends the stream.
    /// - Returns: the rest, so that all output together lasts as long as all input, rounded to the nearest sample.
    public func finish() throws(SpeexError) -> [Int16] {
        let total = (taken * outputRate + inputRate / 2) / inputRate
        var rest: [Int16] = []
        let silence = [Int16](repeating: 0, count: max(1, inputRate / 100))
        while given + rest.count < total { rest += try run(silence) }
        rest.removeLast(given + rest.count - total)
        given = total
        return rest
    }

    /// Converts a whole sound; the same samples when the rates are equal.
    /// - Throws: as the initialiser.
    public static func convert(
        _ samples: [Int16], from inputRate: Int, to outputRate: Int = AudioFormat.sampleRate
    ) throws(SpeexError) -> [Int16] {
        guard inputRate != outputRate else { return samples }
        let resampler = try Resampler(from: inputRate, to: outputRate)
        return try resampler.process(samples) + resampler.finish()
    }

    private func run(_ samples: [Int16]) throws(SpeexError) -> [Int16] {
        var output: [Int16] = []
        output.reserveCapacity(samples.count * outputRate / inputRate + 16)
        var offset = 0
        while offset < samples.count {
            let count = min(samples.count - offset, 65_536)
            var used = UInt32(count)
            let room = count * outputRate / inputRate + 16
            var made = UInt32(room)
            var code: Int32 = 0
            let part = [Int16](unsafeUninitializedCapacity: room) { buffer, filled in
                samples.withUnsafeBufferPointer { input in
                    code = speex_resampler_process_int(
                        handle, 0, input.baseAddress.map { $0 + offset }, &used, buffer.baseAddress, &made)
                }
                filled = Int(made)
            }
            guard code == 0 else { throw SpeexError(call: "speex_resampler_process_int", code: code) }
            output += part
            offset += Int(used)
            if used == 0, made == 0 { throw SpeexError(call: "speex_resampler_process_int", code: 2) }
        }
        return output
    }
}
