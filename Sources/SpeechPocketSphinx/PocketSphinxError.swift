/// A call of libpocketsphinx, or a step towards one, that failed.
public struct PocketSphinxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library's function, or the step's name.
    public let call: String
    /// What it returned; 0 where it returns a pointer or the step is our own.
    public let code: Int32
    /// What was being done, what the library said, and what to do about it.
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

/// Passes on what a call returned, or throws when it is negative, with the errors the library logged meanwhile.
@discardableResult
func checkSphinx(_ name: String, _ detail: String, _ call: () -> Int32) throws -> Int32 {
    let (result, errors) = SphinxLog.collectingErrors(call)
    guard result >= 0 else {
        throw PocketSphinxError(call: name, code: result, detail: ([detail] + errors).joined(separator: "; "))
    }
    return result
}
