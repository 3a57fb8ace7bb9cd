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
