/// A call's name together with what goes in and what comes out.
public struct Wire<Input: Codable & Sendable, Output: Codable & Sendable>: Sendable {
    /// The name on the wire, such as `ledger.list`.
    public let name: String

    /// A call named `name`.
    public init(_ name: String) { self.name = name }
}

/// A call of the control socket: one request, one answer.
public protocol ControlCall {
    /// What the caller sends. Arguments with ranges also conform to `CheckedArguments`.
    associatedtype Arguments: Codable & Sendable
    /// What it gets back.
    associatedtype Result: Codable & Sendable
    /// Name, arguments and result in one line; the associated types follow from it.
    static var wire: Wire<Arguments, Result> { get }
}

extension ControlCall {
    /// The call's name on the wire.
    public static var name: String { wire.name }
}

/// A call that answers with events until the caller has enough.
public protocol ControlStream {
    /// What the caller sends. Arguments with ranges also conform to `CheckedArguments`.
    associatedtype Arguments: Codable & Sendable
    /// What it gets, again and again.
    associatedtype Event: Codable & Sendable
    /// Name, arguments and event in one line; the associated types follow from it.
    static var wire: Wire<Arguments, Event> { get }
}

extension ControlStream {
    /// The stream's name on the wire.
    public static var name: String { wire.name }
}

/// Arguments whose fields have ranges. Both ends check them, so that a handler never sees a value out of range.
public protocol CheckedArguments {
    /// - Throws: `ControlError` of code `bad-arguments` that names the field and its range.
    func check() throws(ControlError)
}

/// No arguments.
public struct Empty: Codable, Sendable, Equatable {
    /// Nothing.
    public init() {}
}
