import Domain
import Foundation
import Handlers
import Language

/// What works in every state of the session: closing, help, repeating, undoing, the time, the voice, and
/// the attached screen.
@DialogueActor
final class SessionHandler {
    nonisolated static let name = HandlerName.session
    /// The intent of a bare name.
    nonisolated static let select = HandlerName.selectIntent
    /// What becomes of entries that an unset clock dated; never said, only asked.
    nonisolated static let dateToday = "date_today!", leaveDates = "leave_dates!"
    /// Those that change the owner's data.
    nonisolated static let changingIntents: Set<String> = ["undo", "star", dateToday, leaveDates]

    private let context: HandlerContext
    private let state: DialogueState
    private let profile: OutputProfile
    private let changes: ChangeCoordinator

    nonisolated init(
        _ context: HandlerContext, state: DialogueState, profile: OutputProfile, changes: ChangeCoordinator
    ) {
        self.context = context
        self.state = state
        self.profile = profile
        self.changes = changes
    }

    private func text(_ key: String, _ values: [String: any Worded] = [:]) -> Wording { context.replies(key, values) }

    func act(on command: Command) async throws -> Reply {
        switch command.intent {
        case "close": return Reply(text("general.goodbye"), closesSession: true)
        case "cancel": return Reply(text("general.cancelled"))
        case "help": return help(command)
        case "repeat":
            let last = state.lastReply
            return Reply(last.isEmpty ? text("general.nothing_to_repeat") : last)
        case "undo": return try await undo(command)
        case "yes", "no":
            return Reply(text(command.intent == "yes" ? "general.yes_what" : "general.cancelled"))
        case "slower", "faster", "louder", "quieter": return try await profile.changeVoice(command.intent)
        case "volume": return try await profile.setVolume(command.slots["level"])
        case "time":
            let parts = context.calendar.dateComponents([.hour, .minute], from: context.now())
            let hour = parts.hour ?? 0, minute = parts.minute ?? 0
            return Reply(text("general.time", ["time": "\(hour):\(minute < 10 ? "0" : "")\(minute)"]))
        case "date": return Reply(text("general.date", ["date": context.spoken.fullDate(context.now())]))
        case "greet": return Reply(text("general.hello"))
        case "thanks": return Reply(text("general.you_are_welcome"))
        case "mute": return Reply(text("general.now_muted"), closesSession: true, mutes: true)
        case "navigate": return SessionNavigation.navigate(command, context)
        case Self.select: return try await SessionNavigation.select(command, context)
        case Self.dateToday, Self.leaveDates:
            let isToday = command.intent == Self.dateToday
            let count = try await context.stores.times.settle(isToday ? .today : .asTheyAre)
            return Reply(text(isToday ? "store.settled" : "store.left", ["count": "\(count)"]))
        case "star": return try await SessionNavigation.star(command, context)
        default: throw HandlerFailure(replyKey: "general.failed", detail: "no session intent \(command.intent)")
        }
    }

    /// How many examples are spoken at a time; more are not remembered.
    private static let exampleCount = 3

    /// What can be said: the topics, or examples of the one that was asked about.
    private func help(_ command: Command) -> Reply {
        let topic = command.text("topic"), books = context.books.books
        let examples =
            topic.map { topic in books.filter { $0.handler == topic }.flatMap { $0.intents.flatMap(\.examples) } }
            ?? context.books.talk.hints
        let some = examples.shuffled().prefix(Self.exampleCount).map { context.replies("general.quoted", ["text": $0]) }
        let list = ["examples": context.spoken.choice(Array(some))]
        guard let topic else { return Reply(context.replies("general.help", list)) }
        guard !some.isEmpty else { return Reply(context.replies("general.help_none")) }
        let key = "help.\(topic)"
        let about = context.replies.has(key) ? context.replies(key) + " " : ""
        return Reply(context.replies("general.help_about", list.merging(["about": about]) { $1 }))
    }

    /// Takes back the last change; one that cannot be taken back is left where it is and said.
    func undo(_ command: Command) async throws -> Reply {
        guard let change = try await changes.lastChange() else {
            return Reply(text("general.nothing_to_undo"))
        }
        if let question = change.confirmation, !command.isConfirmed {
            return Reply(question, question: .confirmation(of: command))
        }
        let unnamed = change.description.isEmpty
        let what = unnamed ? text("general.last_change") : change.description
        let undone = try await changes.revert(change)
        guard let undone else {
            return .failed(text("general.cannot_undo", ["what": what]))
        }
        var values = ["what": what]
        guard undone.left.isEmpty else {
            values["list"] = context.spoken.list(undone.left)
            let isNothing = Reply("", effects: undone.effects).hasEffects == false
            let text = text(isNothing ? "general.not_undone" : "general.undone_partly", values)
            var reply = Reply.failed(text, effects: isNothing ? [] : ["undone in part: \(what)"])
            reply.effects += undone.effects
            reply.changesNames = true
            return reply
        }
        return Reply(
            undone.sentence ?? text("general.undone", values), effects: ["undone: \(what)"] + undone.effects,
            changesNames: true)
    }
}

/// Hands a command to its handler.
@DialogueActor
final class CommandDispatcher {
    private let context: HandlerContext
    let session: SessionHandler

    nonisolated init(_ context: HandlerContext, session: SessionHandler) {
        self.context = context
        self.session = session
    }

    /// Lets the command's handler act.
    /// - Throws: `HandlerFailure`, or the error of a store or the bus.
    func act(on command: Command) async throws -> Reply {
        if command.handler == SessionHandler.name { return try await session.act(on: command) }
        guard let handler = HandlerTable.handler(command.handler) else {
            throw HandlerFailure(replyKey: "general.failed", detail: "no handler called \(command.handler)")
        }
        return try await handler.act(on: command, in: context)
    }
}
