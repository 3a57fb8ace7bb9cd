import Foundation

/// Why the control socket could not be opened.
public struct ControlServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system call, or what was done instead of one.
    public let call: String
    /// Its error number; 0 when it was none.
    public let code: Int32
    /// The file concerned.
    public let path: String
    /// What to do about it.
    public let advice: String

    /// A failure of `call`.
    public init(call: String, code: Int32, path: String, advice: String) {
        self.call = call
        self.code = code
        self.path = path
        self.advice = advice
    }

    /// What failed, where, and what to do.
    public var description: String {
        let reason = code == 0 ? "" : ": \(String(cString: strerror(code)))"
        return "The control socket \(path) cannot be opened (\(call)\(reason)). \(advice)"
    }
}
