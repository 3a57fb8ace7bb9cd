import Domain
import Language

/// One of several things that an utterance may mean.
package struct Interpretation: Sendable {
    let proposal: Proposal
    /// What was perhaps said; nil where the readings are of the same words.
    package var words: String?
}

/// What is open between two turns: a question, the rest of a sentence, walks through lists.
package struct DialogueState: Sendable {
    /// Something that goes on over several turns, with the commands that its steps take.
    struct Walk: Sendable {
        let handler: String
        var commands: [String: Command]
        /// On the conversation's clock.
        var since: Duration

        /// A walk through a list waits half an hour, through silence, other commands, and the session's end. What can
        /// only be stopped, a cover on its way, has arrived long before.
        var patience: Duration { canOnlyStop ? .seconds(60) : .seconds(30 * 60) }
        var canOnlyStop: Bool { commands.keys.allSatisfy { $0 == "stop" } }
    }

    /// What was asked; never steps, those are walks.
    package var question: Question?
    /// The readings between which the owner is to choose.
    package var readings: [Interpretation] = []
    /// The rest of the sentence, for after the answer.
    package var rest: [Command] = []
    /// The newest last.
    private(set) var walks: [Walk] = []

    /// True when an answer is awaited.
    package var isAsking: Bool { question != nil || !readings.isEmpty }

    /// Forgets the question and what was to follow its answer; walks go on.
    mutating func dropQuestion() {
        question = nil
        readings = []
        rest = []
    }

    /// Begins a walk, or goes on with that of the same handler.
    mutating func walk(_ commands: [String: Command], of handler: String, at now: Duration) {
        endWalk(of: handler)
        walks.append(Walk(handler: handler, commands: commands, since: now))
    }

    /// Ends the walk of a handler.
    mutating func endWalk(of handler: String) { walks.removeAll { $0.handler == handler } }

    /// What could only be stopped is over with the next word about it.
    mutating func endStoppable(of handler: String) {
        walks.removeAll { $0.handler == handler && $0.canOnlyStop }
    }

    /// Forgets walks that nobody has gone on with.
    mutating func forgetOldWalks(at now: Duration) { walks.removeAll { now - $0.since > $0.patience } }

    /// What a step's word does: the command that takes the step, or the end of a handler's walk.
    package enum Step { case command(Command), ends(String) }

    /// What a step's word does: a step of the newest walk that has it; where none has it, ending words end the newest.
    /// - Returns: nil when no walk is open, or none knows the step.
    package func step(_ name: String) -> Step? {
        for walk in walks.reversed() {
            if let command = walk.commands[name] { return .command(command) }
        }
        guard let newest = walks.last, name == "stop" || name == "done" else { return nil }
        return newest.commands["stop"].map { .command($0) } ?? .ends(newest.handler)
    }
}
