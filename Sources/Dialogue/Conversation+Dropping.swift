import Domain

/// A turn that was dropped while its command was being carried out: what it did is not known yet.
struct UnsettledDrop {
    /// The notice that was given in place of the reply, by its key.
    let notice: String?
    /// Ends the wait for what it did.
    let patience: Task<Void, Never>
}

/// Turns that are dropped. What was committed or sent before is reported as done, whatever came after.
extension Conversation {
    /// How long a dropped turn may take to say what it has done, before its caller is told that this is not known.
    static let settlingTime = Duration.seconds(3)

    /// The notices of a turn in which nobody spoke.
    private static let silentNotices = ["general.nothing_heard", "general.not_answered"]
    /// The notice of a turn in which a noise was heard and no more.
    private static let noiseNotice = "general.not_understood"

    package func drop(_ turn: Int, notice key: String?) {
        droppedTurn = max(droppedTurn, turn)
        capture?.close()
        capture = nil
        action?.cancel()
        changeQueue.leave(turn)
        guard actingTurns.contains(turn) else {
            let source = turn == typedTurn ? "text" : "voice"
            let trace = TurnTrace(turn: turn, source: source, startedAt: parts.context.now())
            return record(undone(trace, notice: key))
        }
        let clock = clock
        let patience = Task {
            guard (try? await clock.sleep(for: Self.settlingTime)) != nil, !Task.isCancelled else { return }
            self.giveUpSettling(turn)
        }
        unsettledDrops[turn] = UnsettledDrop(notice: key, patience: patience)
    }

    /// Records a turn that was dropped while it acted, now that it is known what it did.
    /// - Parameter reply: the handler's; nil where it did nothing.
    func settleDropped(_ begun: TurnTrace, _ reply: Reply?) {
        let drop = unsettledDrops.removeValue(forKey: begun.turn)
        drop?.patience.cancel()
        guard let reply, reply.hasEffects else { return record(undone(begun, notice: drop?.notice)) }
        record(begun)
        remember(begun.turn)
        // Who typed it reads it. Who pressed, or heard that it took too long, believes that it was dropped.
        if begun.source != "text" || drop?.notice != nil, !begun.reply.isEmpty {
            parts.health.announcements.add(
                Announcement(
                    "dropped \(begun.turn)", replyKey: "general.done_after_all", values: ["reply": begun.reply]))
        }
    }

    /// The caller has waited long enough; what is found out later is recorded then.
    private func giveUpSettling(_ turn: Int) {
        guard let drop = unsettledDrops[turn] else { return }
        var trace = TurnTrace(
            turn: turn, source: turn == typedTurn ? "text" : "voice", startedAt: parts.context.now())
        trace.reply = [drop.notice, "general.outcome_unknown"].compactMap { $0.map { text($0) } }
            .joined(separator: " ")
        trace.outcome = .failed
        record(trace)
    }

    /// The record of a turn that did nothing.
    private func undone(_ begun: TurnTrace, notice key: String?) -> TurnTrace {
        var trace = begun
        trace.effects = []
        trace.reply = key.map { text($0) } ?? ""
        trace.outcome =
            switch key {
            case nil: .cancelled
            case Self.noiseNotice: .fallback
            case let key?: Self.silentNotices.contains(key) ? .nothingHeard : .failed
            }
        return trace
    }
}
