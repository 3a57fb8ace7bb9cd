import Domain
import Language

/// What is open between two turns: a question, the rest of a sentence, lists that are walked through; and what the next
/// utterance may lean on.
@DialogueActor
final class DialogueState {
    /// One of several things that an utterance may mean.
    struct Reading: Sendable {
        let proposal: Proposal
        /// What was perhaps said; nil where the readings are of the same words.
        var words: String?
    }

    /// Something that goes on over several turns, with the commands that its steps take.
    struct ListDialogue: Sendable {
        let handler: String
        var commands: [String: Command]
        /// On the session's clock.
        var since: Duration

        /// A list waits half an hour, through silence, other commands, and the session's end. What can only be stopped,
        /// a cover on its way, has arrived long before.
        var patience: Duration { canOnlyStop ? .seconds(60) : .seconds(30 * 60) }
        var canOnlyStop: Bool { commands.keys.allSatisfy { $0 == "stop" } }
    }

    /// What was asked; never steps, those belong to `lists`.
    var question: Question?
    /// The readings between which the owner is to choose.
    var readings: [Reading] = []
    /// The rest of the sentence, for after the answer.
    var rest: [Command] = []
    /// The newest last.
    private(set) var lists: [ListDialogue] = []
    /// What was done or asked last, for follow-ups.
    var lastCommand: Command?
    /// What was answered last, for “repeat that”.
    var lastReply = Wording()

    nonisolated init() {}

    /// True when an answer is awaited.
    var isAsking: Bool { question != nil || !readings.isEmpty }

    /// Forgets the question and what was to follow its answer; lists go on.
    func dropQuestion() {
        question = nil
        readings = []
        rest = []
    }

    /// The session has ended: nothing leans on it any more.
    func endSession() {
        dropQuestion()
        lastCommand = nil
    }

    /// Begins to walk through a list, or goes on with that of the same handler.
    func walk(_ commands: [String: Command], of handler: String, at now: Duration) {
        endList(of: handler)
        lists.append(ListDialogue(handler: handler, commands: commands, since: now))
    }

    /// Ends the list of a handler.
    func endList(of handler: String) { lists.removeAll { $0.handler == handler } }

    /// What could only be stopped is over with the next word about it.
    private func endStoppable(of handler: String) {
        lists.removeAll { $0.handler == handler && $0.canOnlyStop }
    }

    /// Forgets lists that nobody has gone on with.
    func forgetOldLists(at now: Duration) { lists.removeAll { now - $0.since > $0.patience } }

    /// What a step's word does: the command that takes the step, or the end of a handler's list.
    enum Step { case command(Command), ends(String) }

    /// What a step's word does: a step of the newest list that has it; where none has it, ending words end the newest.
    /// - Returns: nil when no list is open, or none knows the step.
    func step(_ name: String) -> Step? {
        for list in lists.reversed() {
            if let command = list.commands[name] { return .command(command) }
        }
        guard let newest = lists.last, name == "stop" || name == "done" else { return nil }
        return newest.commands["stop"].map { .command($0) } ?? .ends(newest.handler)
    }

    /// Remembers of a command that was carried out what the next utterance may lean on.
    /// - Parameter isStep: true where it moved on something that goes over several turns.
    func note(_ command: Command, _ reply: Reply, isStep: Bool, at now: Duration) {
        if command.handler != SessionHandler.name {
            var about = command
            about.slots.merge(reply.subject) { mine, _ in mine }
            lastCommand = about
        }
        switch reply.question {
        case .steps(let commands): walk(commands, of: command.handler, at: now)
        case nil where isStep: endList(of: command.handler)
        case nil: endStoppable(of: command.handler)
        default: question = reply.question
        }
    }
}
