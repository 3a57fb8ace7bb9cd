import Foundation

/// What holds in every state, whoever is being talked to: closing, help, repeating, undoing, the time.
enum SessionIntents {
    static let name = "session"

    static func act(_ command: Command, in conversation: Conversation) async throws -> Reply {
        func text(_ key: String, _ values: [String: String] = [:]) async -> String {
            await conversation.text(key, values)
        }
        let context = conversation.parts.context
        switch command.intent {
        case "close": return Reply(await text("general.goodbye"), closesSession: true)
        case "cancel": return Reply(await text("general.cancelled"))
        case "help":
            let examples = context.books.examples.shuffled().prefix(3)
            return Reply(await text("general.help", ["examples": context.spoken.list(Array(examples))]))
        case "repeat":
            let last = await conversation.lastReply
            return Reply(last.isEmpty ? await text("general.nothing_to_repeat") : last)
        case "undo": return try await undo(conversation)
        case "yes", "no":
            return Reply(await text(command.intent == "yes" ? "general.yes_what" : "general.cancelled"))
        case "time":
            let parts = context.calendar.dateComponents([.hour, .minute], from: context.now())
            let hour = parts.hour ?? 0, minute = parts.minute ?? 0
            return Reply(await text("general.time", ["time": "\(hour):\(minute < 10 ? "0" : "")\(minute)"]))
        case "date": return Reply(await text("general.date", ["date": context.spoken.longDate(context.now())]))
        case "thanks": return Reply(await text("general.you_are_welcome"))
        case "mute": return Reply(await text("general.now_muted"), closesSession: true, mutes: true)
        default: throw HandlerFailure(replyKey: "general.failed", detail: "no session intent \(command.intent)")
        }
    }

    /// Takes back the last change; one that cannot be taken back is left where it is and said.
    static func undo(_ conversation: Conversation) async throws -> Reply {
        guard let change = try await conversation.lastChange() else {
            return Reply(await conversation.text("general.nothing_to_undo"))
        }
        let unnamed = change.description.isEmpty
        let what = unnamed ? await conversation.text("general.last_change") : change.description
        let isUndone =
            switch change.way {
            case .journal(let id): try await conversation.parts.context.stores.journal.revert(id)
            case .action(let perform): try await perform()
            }
        await conversation.forgetLastChange()
        guard isUndone else { return Reply(await conversation.text("general.cannot_undo", ["what": what])) }
        return Reply(
            await conversation.text("general.undone", ["what": what]), effects: ["undone: \(what)"], changesNames: true)
    }
}
