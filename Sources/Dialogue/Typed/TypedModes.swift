import Domain
import Devices
import Handlers

/// The van's modes, from the keyboard.
public struct TypedModes: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext

    /// The modes of a conversation's van.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    /// All modes.
    public var all: [Mode] { context.van.modes }

    /// The mode that the van is in; nil where none was ever set.
    public func current() async throws -> String? { try await context.stores.kept.value(ModesHandler.key) }

    /// Switches to a mode, after the checks that a spoken command makes; what stands against it, with a yes.
    public func set(_ typed: String, isConfirmed: Bool) async throws -> Reply {
        let command = ModesIntent.command(.setMode, await slots(typed), isConfirmed: isConfirmed)
        return try await changes.carryOut(typed: command)
    }

    /// Checks whether the van is ready for a mode; with nil, for driving.
    public func check(_ typed: String?) async throws -> Reply {
        try await changes.carryOut(typed: await checking(typed))
    }

    /// True where nothing stands against a mode.
    public func isReady(_ typed: String?) async -> Bool {
        guard case .check(let said)? = try? ModesIntent(await checking(typed)) else { return false }
        guard let mode = all.first(where: { $0.name == said?.ownName ?? Mode.standard[0] }) else { return false }
        return await ModesHandler(context).findings(mode).isEmpty
    }

    private func checking(_ typed: String?) async -> Command {
        guard let typed else { return ModesIntent.command(.checkMode) }
        return ModesIntent.command(.checkMode, await slots(typed))
    }

    private func slots(_ typed: String) async -> [ModesIntent.Slot: SlotValue] {
        let found = await changes.slots(in: typed, ModesHandler.name, ModesIntent.Name.setMode.rawValue)
        return found.map(ModesIntent.slots) ?? [.mode: SlotValue(text: typed.lowercased())]
    }
}
