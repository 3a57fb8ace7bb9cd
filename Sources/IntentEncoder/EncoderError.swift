/// The encoder is unavailable. The n-grams are then the only hint.
public struct EncoderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The cause, and the fix where one is known.
    public let description: String

    init(_ cause: String) { description = "\(cause). Get it with deploy/encoder" }
}
