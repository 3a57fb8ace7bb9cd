/// A change that can be taken back.
struct Change: Sendable {
    enum Way: Sendable {
        /// A change of the stores, under its number in the journal.
        case journal(Int64)
        /// Anything else.
        case action(@Sendable () async throws -> Bool)
    }
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
    func remember(changeOf reply: Reply) async {
        guard reply.undo != nil || !reply.effects.isEmpty else { return }
        var number: Int64?
        do {
            number = try await parts.context.stores.journal.seal(reply.undo?.description ?? "")
        } catch {
            // What was written stands; it can be taken back as a part of the next change.
            logger.error("the journal did not take the change's name: \(error)")
        }
        guard let undo = reply.undo else { return }
        if let perform = undo.perform {
            changes.append(
                Change(description: undo.description, way: .action(perform), confirmation: undo.confirmation))
        } else if let number {
            changes.append(
                Change(description: undo.description, way: .journal(number), confirmation: undo.confirmation))
        }
        if changes.count > Self.undoLimit { changes.removeFirst() }
    }

    /// Remembers a change that was made beside the conversation and is in the journal under `number`, so that “undo that”
    /// takes it back in its turn.
    public func remember(change number: Int64, _ description: String) {
        changes.append(Change(description: description, way: .journal(number)))
        if changes.count > Self.undoLimit { changes.removeFirst() }
    }

    /// The last change: of this run of the daemon, else the journal's.
    func lastChange() async throws -> Change? {
        if let last = changes.last { return last }
        return try await parts.context.stores.journal.changes(limit: 1).first.map {
            Change(description: $0.description, way: .journal($0.id))
        }
    }

    func forgetLastChange() { _ = changes.popLast() }
}
