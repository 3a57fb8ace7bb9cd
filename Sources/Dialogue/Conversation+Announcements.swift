import Domain
import Handlers

/// What the owner has to be told without having asked: said behind the next reply.
extension Conversation {
    /// The reply with what waits to be said. A question waits for a reply that asks nothing itself and after which the
    /// session goes on.
    func announcing(_ reply: Reply) -> Reply {
        guard reply.question == nil, !open.isAsking, !reply.closesSession, !reply.mutes else { return reply }
        var whole = reply
        for announcement in parts.health.announcements.take() {
            whole.text += (whole.text.isEmpty ? "" : " ") + announcement.text(in: parts.context)
            if announcement.id == Announcement.uncertainEntries, whole.question == nil {
                whole.question = .confirmation(
                    of: Command(handler: SessionIntents.name, intent: SessionIntents.dateToday),
                    otherwise: Command(handler: SessionIntents.name, intent: SessionIntents.leaveDates))
                open.question = whole.question
            }
        }
        return whole
    }
}

extension Announcement {
    /// The announcement in words.
    public func text(in context: HandlerContext) -> String {
        let spoken = dates.mapValues { context.spoken.longDate($0) }
        return context.replies(replyKey, values.merging(spoken) { value, _ in value })
    }
}
