import Domain
import Language
import Handlers
import Foundation

/// What holds in every state, whoever is being talked to: closing, help, repeating, undoing, the time, the voice, and
/// the attached screen.
enum SessionIntents {
    static let name = HandlerName.session
    /// The intent of a bare name.
    static let select = HandlerName.selectIntent
    /// What becomes of entries that an unset clock dated; never said, only asked.
    static let dateToday = "date_today!", leaveDates = "leave_dates!"

    /// Those that change the owner's data.
    static let changingIntents: Set<String> = ["undo", "star", dateToday, leaveDates]

    static func act(_ command: Command, in conversation: Conversation) async throws -> Reply {
        func text(_ key: String, _ values: [String: String] = [:]) async -> String {
            await conversation.text(key, values)
        }
        let context = conversation.parts.context
        switch command.intent {
        case "close": return Reply(await text("general.goodbye"), closesSession: true)
        case "cancel": return Reply(await text("general.cancelled"))
        case "help": return help(command, context)
        case "repeat":
            let last = await conversation.lastReply
            return Reply(last.isEmpty ? await text("general.nothing_to_repeat") : last)
        case "undo": return try await undo(command, conversation)
        case "yes", "no":
            return Reply(await text(command.intent == "yes" ? "general.yes_what" : "general.cancelled"))
        case "slower", "faster", "louder", "quieter": return try await conversation.changeVoice(command.intent)
        case "time":
            let parts = context.calendar.dateComponents([.hour, .minute], from: context.now())
            let hour = parts.hour ?? 0, minute = parts.minute ?? 0
            return Reply(await text("general.time", ["time": "\(hour):\(minute < 10 ? "0" : "")\(minute)"]))
        case "date": return Reply(await text("general.date", ["date": context.spoken.fullDate(context.now())]))
        case "greet": return Reply(await text("general.hello"))
        case "thanks": return Reply(await text("general.you_are_welcome"))
        case "mute": return Reply(await text("general.now_muted"), closesSession: true, mutes: true)
        case "navigate": return SessionNavigation.navigate(command, context)
        case select: return try await SessionNavigation.select(command, context)
        case dateToday, leaveDates:
            let isToday = command.intent == dateToday
            let count = try await context.stores.times.settle(isToday ? .today : .asTheyAre)
            return Reply(await text(isToday ? "store.settled" : "store.left", ["count": "\(count)"]))
        case "star": return try await SessionNavigation.star(command, context)
        default: throw HandlerFailure(replyKey: "general.failed", detail: "no session intent \(command.intent)")
        }
    }

    /// How many examples are spoken at a time; more are not remembered.
    private static let exampleCount = 3

    /// What can be said: the topics, or examples of the one that was asked about.
    private static func help(_ command: Command, _ context: HandlerContext) -> Reply {
        let topic = command.text("topic"), books = context.books.books
        let examples =
            topic.map { topic in books.filter { $0.handler == topic }.flatMap { $0.intents.flatMap(\.examples) } }
            ?? context.books.talk.hints
        let some = examples.shuffled().prefix(exampleCount).map { context.replies("general.quoted", ["text": $0]) }
        let list = ["examples": context.spoken.choice(Array(some))]
        guard let topic else { return Reply(context.replies("general.help", list)) }
        guard !some.isEmpty else { return Reply(context.replies("general.help_none")) }
        let key = "help.\(topic)"
        let about = context.replies.keys.contains(key) ? context.replies(key) : ""
        return Reply(
            context.replies("general.help_about", list.merging(["about": about]) { $1 }).trimming { $0 == " " })
    }

    /// Takes back the last change; one that cannot be taken back is left where it is and said.
    static func undo(_ command: Command, _ conversation: Conversation) async throws -> Reply {
        guard let change = try await conversation.lastChange() else {
            return Reply(await conversation.text("general.nothing_to_undo"))
        }
        if let question = change.confirmation, !command.isConfirmed {
            return Reply(question, question: .confirmation(of: command))
        }
        let unnamed = change.description.isEmpty
        let what = unnamed ? await conversation.text("general.last_change") : change.description
        let undone: Undone?
        switch change.way {
        case .journal(let id):
            undone = try await conversation.parts.context.stores.journal.revert(id) ? Undone() : nil
        case .action(let perform): undone = try await perform()
        }
        await conversation.forget(change)
        guard let undone else {
            return .failed(await conversation.text("general.cannot_undo", ["what": what]))
        }
        var values = ["what": what]
        guard undone.left.isEmpty else {
            values["list"] = conversation.parts.context.spoken.list(undone.left)
            let isNothing = Reply("", effects: undone.effects).hasEffects == false
            let text = await conversation.text(isNothing ? "general.not_undone" : "general.undone_partly", values)
            var reply = Reply.failed(text, effects: isNothing ? [] : ["undone in part: \(what)"])
            reply.effects += undone.effects
            reply.changesNames = true
            return reply
        }
        return Reply(
            await conversation.text("general.undone", values), effects: ["undone: \(what)"] + undone.effects,
            changesNames: true)
    }
}
