/// A call of libespeak-ng, or a step towards one, that failed.
public struct ESpeakError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library's function, or the step's name.
    public let call: String
    /// What it returned (`espeak_ERROR`, or an `errno`); 0 where the step is our own.
    public let code: Int32
    /// What was being done, and what to do about it.
    public let detail: String

    /// A failed call.
    public init(call: String, code: Int32 = 0, detail: String) {
        self.call = call
        self.code = code
        self.detail = detail
    }

    /// Call, code and detail on one line.
    public var description: String { code == 0 ? "\(call): \(detail)" : "\(call) returned \(code): \(detail)" }
}

/// Throws when a call returned anything but `EE_OK`.
func checkESpeak(_ call: String, _ code: Int32, _ detail: @autoclosure () -> String) throws {
    guard code == 0 else { throw ESpeakError(call: call, code: code, detail: detail()) }
}
