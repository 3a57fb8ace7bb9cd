import Domain
import Language
import Handlers

/// Why something typed cannot be done: what is wrong, and what is expected.
public struct TypedRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence for the owner.
    public let description: String

    /// A refusal in a sentence.
    public init(_ description: String) { self.description = description }
}

/// What the owner has done by a program whose arguments say what is meant: nothing has to be understood, and nothing is
/// spoken. Otherwise it is as if it had been said: it can be taken back, and all hear of it that depend on the data.
extension Conversation {
    /// Carries out a command. A question in the reply stays with whoever typed; nothing waits for its answer.
    /// - Throws: `TypedRefusal` for what a handler says of its failure, else the store's error.
    func carryOut(typed command: Command) async throws -> Reply {
        try await change(of: command.handler) { [self] in
            do { return try await act(command) } catch {
                if let saved = await saved(despite: error, command) { return saved }
                guard let failure = error as? HandlerFailure else { throw error }
                logger.error("\(failure.detail)")
                throw TypedRefusal(await text(failure.replyKey))
            }
        }
    }

    /// Does what moves devices: it waits for nobody, and the journal has no part in it.
    func drive<Outcome: Sendable>(_ body: @escaping @Sendable () async -> (Reply, Outcome)) async -> Outcome {
        // A caller that goes away does not stop it halfway.
        await Task {
            let (reply, outcome) = await body()
            await self.remember(changeOf: reply, isJournalled: false)
            return outcome
        }.value
    }

    /// What a text means as slots of an intent, with nothing left over but small words; nil where it does not.
    package func slots(in text: String, _ handler: String, _ intent: String) async -> [String: SlotValue]? {
        let index = await currentIndex(), books = index.books
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

    /// Makes a change, and returns what else is to be told of it.
    package func change<Outcome: Sendable>(
        of handler: String, _ body: @escaping @Sendable () async throws -> (Reply, Outcome)
    ) async throws -> Outcome {
        try await typedChange {
            let (reply, outcome) = try await body()
            await self.settle(reply, of: handler)
            return outcome
        }
    }

    /// Ends a change of a handler's data that was made in the stores already, so that it is the next to be taken back,
    /// and all hear of it that depend on the data.
    public func noteChange(of handler: String) async {
        await settle(Reply("", effects: [handler], undo: Undo(""), changesNames: true), of: handler)
    }

    private func settle(_ reply: Reply, of handler: String) async {
        await remember(changeOf: reply, isJournalled: true)
        await followMode()
        if reply.changesNames { refreshNames() }
        if !reply.effects.isEmpty { emit(.changed(handler)) }
    }
}
