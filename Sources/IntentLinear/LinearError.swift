/// A failed call of liblinear, or invalid input for one.
public struct LinearError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library's function.
    public let call: String
    /// The library's message, or what is wrong with the input.
    public let message: String

    /// A failure of `call`. liblinear has no error codes; it explains itself in words.
    public init(call: String, message: String) {
        self.call = call
        self.message = message
    }

    /// Call and message on one line.
    public var description: String { "liblinear \(call): \(message)" }
}

/// Why a model's file cannot be used.
public struct IntentModelFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Reason: Sendable, Equatable {
        /// It cannot be read or written.
        case inaccessible
        /// It is something else than a model.
        case notAModel
        /// It was written by another release.
        case wrongVersion(Int)
        /// It ends too early.
        case truncated
        /// Its checksum or its contents do not add up.
        case damaged
        /// It belongs to another model or encoder.
        case foreign
    }

    /// The file.
    public let path: String
    /// What is wrong.
    public let reason: Reason
    /// The details.
    public let detail: String

    /// A failure of the file `path`.
    public init(path: String, reason: Reason, detail: String) {
        self.path = path
        self.reason = reason
        self.detail = detail
    }

    /// What is wrong and what to do.
    public var description: String {
        "\(path) cannot be used: \(detail). Make it again: vanorb-lab train"
    }
}
