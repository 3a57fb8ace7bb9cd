import Domain
import Handlers

/// The medical notes that an emergency is answered with, from the keyboard.
public struct TypedNotes: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext

    /// The notes of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    /// The notes; nil where there are none.
    public func medical() async throws -> String? { try await context.stores.kept.value(EmergencyHandler.notesKey) }

    /// Keeps notes in the place of those that are there; nil forgets them.
    public func setMedical(_ typed: String?) async throws -> Reply {
        let kept = context.stores.kept, replies = context.replies, key = EmergencyHandler.notesKey
        let notes = typed?.trimming(\.isWhitespace)
        return try await changes.change(of: EmergencyHandler.name) {
            let before = try await kept.value(key)
            guard notes != before else { return Reply(replies("emergency.notes_same")) }
            try await kept.set(key, to: notes)
            return Reply(
                replies(notes == nil ? "emergency.notes_forgotten" : "emergency.notes_kept", ["notes": notes ?? ""]),
                effects: ["kept: \(key)"],
                undo: Undo(replies("emergency.undo_notes")) {
                    try await kept.set(key, to: before)
                    return Undone(effects: ["kept: \(key)"])
                })
        }
    }
}
