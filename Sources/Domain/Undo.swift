/// What came of taking a change back.
public struct Undone: Sendable {
    /// What was written or sent for it, a line each.
    public var effects: [String]
    /// What was not taken back, or is not known to be, a clause each.
    public var left: [String]

    /// What was taken back, and what was not.
    public init(effects: [String] = [], left: [String] = []) {
        self.effects = effects
        self.left = left
    }
}

/// How to take a change back.
public struct Undo: Sendable {
    /// What will be taken back, to be said after “I've undone: ”.
    public let description: String
    /// Takes it back; nil when nothing of it can be. No closure where the store's journal knows how.
    public let perform: (@Sendable () async throws -> Undone?)?
    /// What is asked before it is taken back, where that is risky: undoing a lock unlocks.
    public var confirmation: String?

    /// The way back of a change that was made in the journalled stores alone.
    public init(_ description: String) {
        self.description = description
        perform = nil
    }

    /// A way back that the journal does not know: a device, a kept value.
    public init(_ description: String, perform: @escaping @Sendable () async throws -> Undone?) {
        self.description = description
        self.perform = perform
    }
}
