/// A change that can be taken back.
struct Change: Sendable {
    enum Way: Sendable {
        /// A change of the stores, under its number in the journal.
        case journal(Int64)
        /// Anything else.
        case action(@Sendable () async throws -> Bool)
    }
    /// Tells it from other changes of this run.
    let number: Int
    let description: String
    let way: Way
    /// What is asked first, where taking it back is risky.
    var confirmation: String?
}

/// What can be taken back, in order.
extension Conversation {
    /// How many changes can be taken back.
    private static let undoLimit = 50

    /// Does what changes the data and gives the change its name. Each waits for the one before, spoken or typed, so that
    /// none becomes a part of another in the journal, also where the power goes before it has its name.
    func inItsTurn<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let before = changing
        let work = Task {
            await before?.value
            return try await body()
        }
        changing = Task { _ = await work.result }
        return try await work.value
    }

    /// Ends the change that a handler has made, and remembers it. A change of the stores is in their journal already;
    /// it only gets its name.
    /// - Parameter isJournalled: false for what does not write the owner's data, and may be done while others write.
    func remember(changeOf reply: Reply, isJournalled: Bool) async {
        guard reply.undo != nil || !reply.effects.isEmpty else { return }
        var number: Int64?
        if isJournalled {
            do {
                number = try await parts.context.stores.journal.seal(reply.undo?.description ?? "")
            } catch {
                // What was written stands; it can be taken back as a part of the next change.
                logger.error("the journal did not take the change's name: \(error)")
            }
        }
        guard let undo = reply.undo else { return }
        if let perform = undo.perform {
            remember(undo.description, .action(perform), confirmation: undo.confirmation)
        } else if let number {
            remember(undo.description, .journal(number), confirmation: undo.confirmation)
        }
    }

    /// Remembers a change that was made beside the conversation and is in the journal under `number`, so that “undo that”
    /// takes it back in its turn.
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
    func forget(_ change: Change) { changes.removeAll { $0.number == change.number } }
}
