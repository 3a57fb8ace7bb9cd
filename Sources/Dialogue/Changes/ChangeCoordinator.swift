import Domain
import Language
import Handlers
import Logging

/// A change that can be taken back.
package struct Change: Sendable {
    package enum Way: Sendable {
        /// A change of the stores, under its number in the journal.
        case journal(Int64)
        /// Anything else.
        case action(@Sendable () async throws -> Undone?)
    }
    /// Tells it from other changes of this run.
    package let number: Int
    package let description: Wording
    package let way: Way
    /// What is asked first, where taking it back is risky.
    package var confirmation: Wording?
}

/// The one way by which the owner's data and devices are changed, spoken or typed: one change after the other, each
/// named in the journal, and taken back in the opposite order.
package actor ChangeCoordinator {
    /// How many changes can be taken back.
    private static let undoLimit = 50
    /// How long a change waits for those before it. Less than a turn may think, so that the owner hears the reason.
    static let patience = Duration.seconds(8)
    /// How long a typed change is waited for, before its caller is told that the outcome is not known.
    private static let typedPatience = Duration.seconds(15)
    /// How long a reply waits until its change has its name in the journal.
    private static let namingPatience = Duration.seconds(1)

    private let journal: any ChangeJournal
    private let replies: Replies
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var queue = ChangeQueue()
    /// The name that the last change is getting in the journal.
    package private(set) var naming: Task<Void, Never>?
    private var changes: [Change] = []
    /// The last change where the journal has its steps, and did not take its name.
    private var unnamed: Undo?
    /// How many changes there have been in this run.
    private var count = 0

    package init(_ context: HandlerContext, clock: any Clock<Duration>, logger: Logger) {
        journal = context.stores.journal
        replies = context.replies
        self.clock = clock
        self.logger = logger
    }

    // MARK: one after the other

    /// Makes a change of the owner's data. Each waits for the one before, spoken, typed or scheduled, so that none
    /// becomes a part of another in the journal, also where the power fails before it has its name. A caller that is
    /// cancelled withdraws its change while that waits, and cancels it afterwards; what was committed all the same is
    /// returned.
    /// - Throws: `CancellationError` where it was withdrawn, `HandlerFailure` where a change before it does not end,
    ///   else the error of `body`.
    package func performExclusively<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        switch await admission() {
        case .admitted: break
        case .withdrawn: throw CancellationError()
        case .blocked:
            throw HandlerFailure(
                replyKey: "general.change_blocked", detail: "nothing was changed: the change before it has not ended")
        }
        guard !Task.isCancelled else {
            queue.end()
            throw CancellationError()
        }
        let work = Task {
            await self.nameWhatIsUnnamed()
            return try await body()
        }
        Task {
            _ = await work.result
            await self.naming?.value
            self.queue.end()
        }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func admission() async -> ChangeQueue.Admission {
        if queue.begin() { return .admitted }
        let clock = clock, number = queue.newNumber()
        let patience = Task {
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            self.withdraw(number, .blocked)
        }
        defer { patience.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { queue.wait(number, $0) }
        } onCancel: {
            Task { await self.withdraw(number, .withdrawn) }
        }
    }

    private func withdraw(_ number: Int, _ admission: ChangeQueue.Admission) { queue.withdraw(number, admission) }

    /// Makes a change that was typed; a caller that goes away does not stop it halfway.
    /// - Throws: `TypedRefusal` where it was not begun, or its outcome is not known in time; else the error of `body`.
    func performTyped<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let work = Task { try await self.performExclusively(body) }
        guard let result = await work.result(within: Self.typedPatience, clock: clock) else {
            logger.error("a typed change has not ended after \(Self.typedPatience)")
            throw TypedRefusal(replies("general.outcome_unknown").written)
        }
        do { return try result.get() } catch let failure as HandlerFailure {
            logger.error("\(failure.detail)")
            throw TypedRefusal(replies(failure.replyKey).written)
        }
    }

    /// Carries out a command: what changes the data in its turn, what only moves devices at once.
    /// - Parameter act: the handler's work.
    /// - Returns: the reply; also where the handler failed or was cancelled behind its commit.
    /// - Throws: as `performExclusively`.
    func perform(
        _ command: Command, _ act: @escaping @Sendable (Command) async throws -> Reply
    ) async throws -> Reply {
        guard Self.changesData(command) else {
            try Task.checkCancellation()
            let reply = try await act(command)
            record(reply.undo, number: nil)
            return reply
        }
        return try await performExclusively {
            do {
                let reply = try await act(command)
                await self.record(changeOf: reply)
                return reply
            } catch {
                guard let saved = await self.replyIfCommitted(despite: error, command) else { throw error }
                return saved
            }
        }
    }

    /// False for commands that leave the owner's data as they are.
    private static func changesData(_ command: Command) -> Bool {
        switch command.handler {
        case VanHandler.name, EmergencyHandler.name: false
        // An undo takes back what others have written: never while one of them writes.
        case SessionHandler.name: SessionHandler.changingIntents.contains(command.intent)
        default: true
        }
    }

    /// The reply where a handler failed behind its commit: what is committed is done. The journal knows what was.
    /// - Returns: nil where nothing was written.
    func replyIfCommitted(despite error: any Error, _ command: Command) async -> Reply? {
        let description = replies("general.last_change"), journal = journal
        do {
            // In a task of its own: that the command was cancelled must not keep the answer from us.
            guard let number = try await Task(operation: { try await journal.seal(description.spoken) }).value else {
                return nil
            }
            logger.error("\(command.handler).\(command.intent) was written, and failed behind it: \(error)")
            record(change: number, description)
            return Reply(
                replies("general.saved_all_the_same"), effects: ["written: \(command.handler), change \(number)"],
                changesNames: true)
        } catch let second {
            logger.error("whether \(command.handler).\(command.intent) was written is not known: \(second)")
            return nil
        }
    }

    // MARK: taking back

    /// Ends the change that a handler has made in the stores, and remembers it. It is in the journal already; it only
    /// gets its name.
    package func record(changeOf reply: Reply) async {
        guard reply.undo != nil || !reply.effects.isEmpty else { return }
        // After a restart it is said from there; the screen then shows the words, too.
        let journal = journal, name = reply.undo?.description.spoken ?? ""
        let sealing = Task { try await journal.seal(name) }
        let naming = Task {
            do {
                self.record(reply.undo, number: try await sealing.value)
            } catch {
                self.logger.error("the journal did not take the change's name: \(error)")
                // What is taken back by an action needs no name.
                if reply.undo?.perform != nil { self.record(reply.undo) } else { self.unnamed = reply.undo }
            }
        }
        // What was done is reported without its name, too. The next change waits for it.
        self.naming = naming
        _ = await withTimeout(Self.namingPatience, clock: clock) {
            await naming.value
            return true
        }
    }

    /// Names the change that the journal has no name for yet, before another becomes a part of it, or an undo takes back
    /// the one before. Where that fails again, nothing is taken back until a later one succeeds.
    private func nameWhatIsUnnamed() async {
        guard let undo = unnamed else { return }
        do {
            let number = try await journal.seal(undo.description.spoken)
            unnamed = nil
            record(undo, number: number)
        } catch {
            logger.error("the journal still does not take the change's name: \(error)")
        }
    }

    /// Remembers a change by its way back; `number` is its number in the journal, nil for what does not write the
    /// owner's data and may be done while others write.
    package func record(_ undo: Undo?, number: Int64? = nil) {
        guard let undo else { return }
        if let perform = undo.perform {
            record(undo.description, .action(perform), confirmation: undo.confirmation)
        } else if let number {
            record(undo.description, .journal(number), confirmation: undo.confirmation)
        }
    }

    /// Remembers a change that is in the journal under `number` already.
    package func record(change number: Int64, _ description: Wording) {
        record(description, .journal(number), confirmation: nil)
    }

    private func record(_ description: Wording, _ way: Change.Way, confirmation: Wording?) {
        count += 1
        changes.append(Change(number: count, description: description, way: way, confirmation: confirmation))
        if changes.count > Self.undoLimit { changes.removeFirst() }
    }

    /// The last change: of this run of the daemon, else the journal's.
    /// - Throws: the store's error; `HandlerFailure` where the journal still has no name for it.
    func lastChange() async throws -> Change? {
        guard unnamed == nil else {
            throw HandlerFailure(replyKey: "general.failed", detail: "the last change has no name in the journal")
        }
        if let last = changes.last { return last }
        return try await journal.changes(limit: 1).first.map {
            Change(number: 0, description: Wording($0.description), way: .journal($0.id))
        }
    }

    /// Takes a change back, and forgets it; another may have come meanwhile.
    /// - Returns: what became of it; nil where nothing of it could be taken back.
    func revert(_ change: Change) async throws -> Undone? {
        let undone: Undone? =
            switch change.way {
            case .journal(let id): try await journal.revert(id) ? Undone() : nil
            case .action(let perform): try await perform()
            }
        changes.removeAll { $0.number == change.number }
        return undone
    }
}
