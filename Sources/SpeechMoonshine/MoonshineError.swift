/// The constrained recogniser cannot be had, or failed. The streaming recogniser then hears alone.
public struct MoonshineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was being done: a function of ONNX Runtime, a file, a step.
    public let call: String
    /// What went wrong, and what to do about it.
    public let detail: String

    /// A failure of `call`.
    public init(call: String, detail: String) {
        self.call = call
        self.detail = detail
    }

    /// Call and detail on one line.
    public var description: String { "\(call): \(detail)" }
}
