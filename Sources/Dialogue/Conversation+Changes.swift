import Domain
import Handlers

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
    package let description: String
    package let way: Way
    /// What is asked first, where taking it back is risky.
    package var confirmation: String?

    package init(number: Int, description: String, way: Way, confirmation: String? = nil) {
        self.number = number
        self.description = description
        self.way = way
        self.confirmation = confirmation
    }
}

/// What can be taken back, in order.
extension Conversation {
    /// How many changes can be taken back.
    private static let undoLimit = 50

    /// How long a change waits for those before it. Less than a turn may think, so that who asked for it hears the
    /// reason.
    static let changePatience = Duration.seconds(8)
    /// How long who typed a change waits for it, before he is told that nobody knows what becomes of it.
    private static let typedPatience = Duration.seconds(15)
    /// How long a reply waits until its change has its name in the journal.
    private static let namingPatience = Duration.seconds(1)

    /// Does what changes the data and gives the change its name. Each waits for the one before, spoken or typed, so
    /// that none becomes a part of another in the journal, also where the power goes before it has its name.
    /// - Parameter turn: the turn that it belongs to, if any.
    /// - Returns: nil where the turn was dropped before its turn came.
    /// - Throws: `HandlerFailure` where a change before it does not end, else the error of `body`.
    func performExclusively<Value: Sendable>(
        of turn: Int? = nil, _ body: @escaping @Sendable () async throws -> Value?
    ) async throws -> Value? {
        switch await admission(of: turn) {
        case .admitted: break
        case .left: return nil
        case .blocked:
            throw HandlerFailure(
                replyKey: "general.change_blocked", detail: "nothing was changed: the change before it has not ended")
        }
        let work = Task { try await body() }
        Task {
            _ = await work.result
            await self.naming?.value
            self.changeQueue.end()
        }
        return try await work.value
    }

    private func admission(of turn: Int?) async -> ChangeQueue.Admission {
        if changeQueue.begin() { return .admitted }
        let clock = clock, number = changeQueue.newNumber()
        let patience = Task { [weak self] in
            guard (try? await clock.sleep(for: Self.changePatience)) != nil else { return }
            await self?.giveUp(number)
        }
        defer { patience.cancel() }
        return await withCheckedContinuation {
            changeQueue.wait(ChangeQueue.Place(number: number, turn: turn, admission: $0))
        }
    }

    private func giveUp(_ number: Int) { changeQueue.giveUp(number) }

    /// Makes a change that was typed, where a caller that goes away does not stop it halfway.
    /// - Throws: `TypedRefusal` where it was not begun, or what became of it is not known in time; else the error of
    ///   `body`.
    func typedChange<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let work = Task { try await self.performExclusively { try await body() } }
        guard let result = await work.result(within: Self.typedPatience, clock: clock) else {
            logger.error("a typed change has not ended after \(Self.typedPatience)")
            throw TypedRefusal(text("general.outcome_unknown"))
        }
        do {
            guard let value = try result.get() else { throw CancellationError() }
            return value
        } catch let failure as HandlerFailure {
            logger.error("\(failure.detail)")
            throw TypedRefusal(text(failure.replyKey))
        }
    }

    /// Ends the change that a handler has made, and remembers it. A change of the stores is in their journal already;
    /// it only gets its name.
    /// - Parameter isJournalled: false for what does not write the owner's data, and may be done while others write.
    package func remember(changeOf reply: Reply, isJournalled: Bool) async {
        guard reply.undo != nil || !reply.effects.isEmpty else { return }
        guard isJournalled else { return remember(reply.undo, number: nil) }
        let journal = parts.context.stores.journal, name = reply.undo?.description ?? ""
        let sealing = Task { try await journal.seal(name) }
        let naming = Task {
            do {
                self.remember(reply.undo, number: try await sealing.value)
            } catch {
                // What was written stands; it can be taken back as a part of the next change.
                self.logger.error("the journal did not take the change's name: \(error)")
                self.remember(reply.undo, number: nil)
            }
        }
        // What was done is told without its name, too. The next change waits for it.
        self.naming = naming
        _ = await withTimeout(Self.namingPatience, clock: clock) {
            await naming.value
            return true
        }
    }

    private func remember(_ undo: Undo?, number: Int64?) {
        guard let undo else { return }
        if let perform = undo.perform {
            remember(undo.description, .action(perform), confirmation: undo.confirmation)
        } else if let number {
            remember(undo.description, .journal(number), confirmation: undo.confirmation)
        }
    }

    /// Remembers a change that was made beside the conversation and is in the journal under `number`, so that “undo
    /// that” takes it back in its turn.
    public func remember(change number: Int64, _ description: String) {
        remember(description, .journal(number), confirmation: nil)
    }

    private func remember(_ description: String, _ way: Change.Way, confirmation: String?) {
        changeCount += 1
        changes.append(
            Change(number: changeCount, description: description, way: way, confirmation: confirmation))
        if changes.count > Self.undoLimit { changes.removeFirst() }
    }

    /// The last change: of this run of the daemon, else the journal's.
    func lastChange() async throws -> Change? {
        if let last = changes.last { return last }
        return try await parts.context.stores.journal.changes(limit: 1).first.map {
            Change(number: 0, description: $0.description, way: .journal($0.id))
        }
    }

    /// Forgets a change that was taken back; another may have come meanwhile.
    package func forget(_ change: Change) { changes.removeAll { $0.number == change.number } }
}
