import Domain
import CSpeexDSP

/// Suppresses steady noise with libspeexdsp's preprocessor, in frames of 20 ms. Its estimate of the noise is kept
/// from utterance to utterance.
final class SpeexSuppressor: SampleStage {
    private let handle: OpaquePointer
    private let frame: Int
    private var waiting: [Int16] = []

    /// Takes away at most `decibels` of noise, 1…60, from mono at `rate` samples a second.
    init(decibels: Int, rate: Int) throws(SpeexError) {
        frame = max(1, rate / 50)
        guard let handle = speex_preprocess_state_init(Int32(frame), Int32(clamping: rate)) else {
            throw SpeexError(call: "speex_preprocess_state_init", code: 0)
        }
        self.handle = handle
        set(SPEEX_PREPROCESS_SET_DENOISE, 1)
        set(SPEEX_PREPROCESS_SET_AGC, 0)
        set(SPEEX_PREPROCESS_SET_DEREVERB, 0)
        set(SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, -Int32(clamping: decibels))
    }

    deinit { speex_preprocess_state_destroy(handle) }

    private func set(_ request: Int32, _ value: Int32) {
        var value = value
        speex_preprocess_ctl(handle, request, &value)
    }

    func process(_ samples: [Int16]) -> [Int16] {
        waiting += samples
        let count = waiting.count / frame * frame
        var ready = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        ready.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for start in stride(from: 0, to: count, by: frame) { speex_preprocess_run(handle, base + start) }
        }
        return ready
    }

    func finish() -> [Int16] {
        let rest = waiting.count
        guard rest > 0 else { return [] }
        return Array(process([Int16](repeating: 0, count: frame - rest)).prefix(rest))
    }

    func reset() { waiting = [] }
}
