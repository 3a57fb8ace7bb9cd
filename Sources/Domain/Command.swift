/// A command, understood: what a handler acts on.
public struct Command: Sendable, Equatable {
    /// The handler and the intent.
    public let handler: String, intent: String
    /// The filled slots.
    public var slots: [String: SlotValue]
    /// What else the utterance said: the parts of it that the intent takes, and how it was meant.
    public var analysis = Analysis()

    /// A command.
    public init(handler: String, intent: String, slots: [String: SlotValue] = [:]) {
        self.handler = handler
        self.intent = intent
        self.slots = slots
    }

    /// The slot's text, or nil.
    package func text(_ slot: String) -> String? { slots[slot]?.text }

    /// True once the owner has said yes to it.
    public private(set) var isConfirmed = false

    /// The command with the owner's yes.
    public var confirmed: Command {
        var command = self
        command.isConfirmed = true
        return command
    }
}
