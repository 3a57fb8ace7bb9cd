import CSpeexDSP

/// Owns a libspeexdsp preprocessor, used for its speech probability only: noise suppression, gain control and
/// dereverberation are off. `SPEEX_PREPROCESS_SET_VAD` stays off as well: the probability is computed without it, and
/// it writes a warning to the standard error.
final class SpeexPreprocessor {
    private let handle: OpaquePointer

    /// A preprocessor for frames of `frameSize` samples.
    init(frameSize: Int, sampleRate: Int) throws(SpeexError) {
        guard let handle = speex_preprocess_state_init(Int32(frameSize), Int32(sampleRate)) else {
            throw SpeexError(call: "speex_preprocess_state_init", code: 0)
        }
        self.handle = handle
        for request in [SPEEX_PREPROCESS_SET_DENOISE, SPEEX_PREPROCESS_SET_AGC, SPEEX_PREPROCESS_SET_DEREVERB] {
            var off: Int32 = 0
            speex_preprocess_ctl(handle, request, &off)
        }
    }

    deinit { speex_preprocess_state_destroy(handle) }

    /// The probability, 0…1 in steps of 0.01, that the frame holds speech.
    /// - Parameter frame: exactly as many samples as the initialiser's `frameSize`.
    func speechProbability(of frame: [Int16]) -> Double {
        var frame = frame
        speex_preprocess_run(handle, &frame)
        var percent: Int32 = 0
        speex_preprocess_ctl(handle, SPEEX_PREPROCESS_GET_PROB, &percent)
        return Double(percent) / 100
    }
}

/// A call of libspeexdsp that failed.
public struct SpeexError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The function's name.
    public let call: String
    /// What it returned; 0 where it only returned no object.
    public let code: Int32

    /// A failure of `call` with `code`.
    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// Call and code, with the meanings of `RESAMPLER_ERR_…` in `speex_resampler.h`.
    public var description: String {
        let meanings = [
            1: "out of memory", 2: "bad state", 3: "invalid argument", 4: "overlapping buffers", 5: "overflow",
        ]
        return "\(call): \(meanings[Int(code)] ?? "failed") (\(code))"
    }
}
