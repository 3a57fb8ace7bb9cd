import Domain
import Handlers
import Language
import Logging

/// Why something typed cannot be done: what is wrong, and what is expected.
public struct TypedRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence for the owner.
    public let description: String

    /// A refusal in a sentence.
    public init(_ description: String) { self.description = description }
}

/// What the owner has done by a program whose arguments say what is meant: nothing has to be understood, and nothing is
/// spoken. Otherwise it is as if it had been said: it can be taken back, and everything that depends on the data is
/// updated.
package struct TypedChanges: Sendable {
    package let context: HandlerContext
    let changes: ChangeCoordinator
    let vocabulary: VocabularyService
    let profile: OutputProfile
    let dispatcher: CommandDispatcher
    let port: SessionPort
    let logger: Logger

    /// Carries out a command. A question in the reply stays with the caller; nothing waits for its answer.
    /// - Throws: `TypedRefusal` for what a handler says of its failure, else the store's error.
    func carryOut(typed command: Command) async throws -> Reply {
        try await change(of: command.handler) {
            do { return try await dispatcher.act(on: command) } catch {
                if let saved = await changes.replyIfCommitted(despite: error, command) { return saved }
                guard let failure = error as? HandlerFailure else { throw error }
                logger.error("\(failure.detail)")
                throw TypedRefusal(context.replies(failure.replyKey).written)
            }
        }
    }

    /// Does what moves devices: it waits for nothing, and the journal has no part in it.
    func drive<Outcome: Sendable>(_ body: @escaping @Sendable () async -> (Reply, Outcome)) async -> Outcome {
        // A caller that goes away does not stop it halfway.
        await Task {
            let (reply, outcome) = await body()
            await changes.record(reply.undo)
            return outcome
        }.value
    }

    /// What a text means as slots of an intent, with nothing left over but small words; nil where it does not.
    package func slots(in text: String, _ handler: String, _ intent: String) async -> [String: SlotValue]? {
        let index = await vocabulary.currentIndex(), books = index.books
        let utterance = books.normaliser.withoutFillers(books.normaliser.normalise(text))
        return PhraseMatcher(utterance, in: index).wholeSlots(
            handler: handler, intent: intent, small: books.talk.small)
    }

    /// Makes a change of a handler's data; a caller that goes away does not stop it halfway.
    package func change(
        of handler: String, _ body: @escaping @Sendable () async throws -> Reply
    ) async throws -> Reply {
        try await change(of: handler) {
            let reply = try await body()
            return (reply, reply)
        }
    }

    /// Makes a change, and returns what else is to be reported of it.
    package func change<Outcome: Sendable>(
        of handler: String, _ body: @escaping @Sendable () async throws -> (Reply, Outcome)
    ) async throws -> Outcome {
        try await changes.performTyped {
            let (reply, outcome) = try await body()
            await settle(reply, of: handler)
            return outcome
        }
    }

    /// Takes back the last change, as “undo that” does. A question in the reply stays with the caller; nothing waits
    /// for its answer.
    /// - Parameter isConfirmed: true where what is risky to take back needs no yes any more.
    package func undo(isConfirmed: Bool) async -> TurnTrace {
        var trace = TurnTrace(turn: 0, source: "text", startedAt: context.now())
        let plain = Command(handler: SessionHandler.name, intent: "undo")
        let command = isConfirmed ? plain.confirmed : plain
        do {
            let reply = try await changes.performTyped {
                let reply = try await dispatcher.session.undo(command)
                await follow(reply, of: "")
                return reply
            }
            trace.answer = reply.wording
            trace.effects = reply.effects
            trace.outcome = reply.question == nil ? .done : .asked
        } catch let refusal as TypedRefusal {
            trace.answer = Wording(refusal.description)
            trace.outcome = .failed
        } catch {
            logger.error("the last change was not taken back: \(error)")
            trace.answer = context.replies("general.store_failed")
            trace.outcome = .failed
        }
        return trace
    }

    /// Ends a change of a handler's data that was made in the stores already, so that it is the next to be taken back,
    /// and everything that depends on the data is updated.
    package func noteChange(of handler: String) async {
        await settle(Reply("", effects: [handler], undo: Undo(""), changesNames: true), of: handler)
    }

    /// Ends the change of how `word` is said, so that it can be taken back, and lets the recogniser use it in the
    /// background. A turn meanwhile goes on with the old vocabulary.
    package func learn(_ word: String) async {
        await changes.record(changeOf: Reply("", undo: Undo(context.replies("general.undo_word", ["word": word]))))
        await vocabulary.refreshNames()
    }

    private func settle(_ reply: Reply, of handler: String) async {
        await changes.record(changeOf: reply)
        await follow(reply, of: handler)
    }

    /// Updates everything that depends on the data.
    private func follow(_ reply: Reply, of handler: String) async {
        await profile.followMode()
        if reply.changesNames { await vocabulary.refreshNames() }
        if !reply.effects.isEmpty { port.emit(.changed(handler)) }
    }
}
