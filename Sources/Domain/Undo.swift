/// What came of taking a change back.
public struct Undone: Sendable {
    /// What was written or sent for it, a line each.
    public var effects: [String]
    /// What was not taken back, or is not known to be, a clause each.
    public var left: [Wording]
    /// How things are again, as a sentence, where that says more than what was taken back: “The door is locked again.”
    public var sentence: Wording?

    /// What was taken back, and what was not.
    public init(effects: [String] = [], left: [Wording] = [], sentence: Wording? = nil) {
        self.effects = effects
        self.left = left
        self.sentence = sentence
    }
}

/// How to take a change back.
public struct Undo: Sendable {
    /// What will be taken back, to be said after “Undone: ”.
    public let description: Wording
    /// Takes it back; nil when nothing of it can be. No closure where the store's journal knows how.
    public let perform: (@Sendable () async throws -> Undone?)?
    /// What is asked before it is taken back, where that is risky: undoing a lock unlocks.
    public var confirmation: Wording?

    /// The way back of a change that was made in the journalled stores alone.
    public init(_ description: Wording) {
        self.description = description
        perform = nil
    }

    /// A way back that the journal does not know: a device, a kept value.
    public init(_ description: Wording, perform: @escaping @Sendable () async throws -> Undone?) {
        self.description = description
        self.perform = perform
    }
}

/// What the journal knows of a change.
public struct JournalledChange: Sendable, Equatable {
    /// Its number; later changes have greater ones.
    public let id: Int64
    /// What was done, in the words of an undo's reply; empty where the appliance was stopped before it could say.
    public let description: String

    /// A change.
    public init(id: Int64, description: String) {
        self.id = id
        self.description = description
    }
}

/// Takes down every change of the ledger, manifest, checklists and trips, so that it can be taken back, also after a
/// restart. The stores write it by themselves, in the transaction of the change.
public protocol ChangeJournal: Sendable {
    /// Ends the change under way, if something was written, and names it.
    /// - Returns: its number, or nil when nothing was written since the last one.
    func seal(_ description: String) async throws -> Int64?
    /// The last changes that can be taken back, newest first.
    func changes(limit: Int) async throws -> [JournalledChange]
    /// Takes a change back and forgets it, in one transaction.
    /// - Returns: false when it is known no longer, or when what it changed has gone or changed meanwhile: then nothing
    ///   is taken back, and it is forgotten, so that it does not bar the way to those before it.
    func revert(_ id: Int64) async throws -> Bool
}
