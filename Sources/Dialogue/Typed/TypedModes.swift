import Domain
import Devices
import Handlers

/// The van's modes, from the keyboard.
public struct TypedModes: Sendable {
    package let conversation: TypedChanges
    package let context: HandlerContext

    /// The modes of a conversation's van.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ conversation: TypedChanges) {
        self.conversation = conversation
        context = conversation.context
    }

    /// All modes.
    public var all: [Mode] { context.van.modes }

    /// The mode that the van is in; nil where none was ever set.
    public func current() async throws -> String? { try await context.stores.kept.value(ModesHandler.key) }

    /// Switches to a mode, after the checks that a spoken command makes; what stands against it, with a yes.
    public func set(_ typed: String, isConfirmed: Bool) async throws -> Reply {
        let command = Command(handler: ModesHandler.name, intent: "set_mode", slots: await slots(typed))
        return try await conversation.carryOut(typed: isConfirmed ? command.confirmed : command)
    }

    /// Checks whether the van is ready for a mode; with nil, for driving.
    public func check(_ typed: String?) async throws -> Reply {
        var slots: [String: SlotValue] = [:]
        if let typed { slots = await self.slots(typed) }
        return try await conversation.carryOut(
            typed: Command(handler: ModesHandler.name, intent: "check_mode", slots: slots))
    }

    /// True where nothing stands against a mode.
    public func isReady(_ typed: String?) async -> Bool {
        var slots: [String: SlotValue] = [:]
        if let typed { slots = await self.slots(typed) }
        let said = slots["mode"] ?? slots["said"], name = said.map { $0.names.first?.name ?? $0.text }
        guard let mode = all.first(where: { $0.name == name ?? Mode.standard[0] }) else { return false }
        return await ModesHandler.findings(mode, context).isEmpty
    }

    private func slots(_ typed: String) async -> [String: SlotValue] {
        let found = await conversation.slots(in: typed, ModesHandler.name, "set_mode")
        return found ?? ["mode": SlotValue(text: typed.lowercased())]
    }
}
