import CopilotTestKit

/// What a run did that it must not.
struct Violation: Sendable, Hashable {
    let scene: String
    /// The call that fared ill first.
    let call: String
    /// How.
    let kind: String
    let what: String
}

/// Holds what was reported against what was stored and published.
struct FaultCheck {
    let scene: FaultScene
    /// The same scene without a fault.
    let sound: FaultRun

    private static let unknown = "I can't tell whether it was done."

    func violations(of run: FaultRun) -> [Violation] {
        var found = run.troubles
        // As long as all went as without the fault, it must go on so wherever it is said to.
        var isSame = true
        for (number, turn) in run.turns.enumerated() {
            let expected = sound.turns[number]
            found += problems(of: turn, expected, of: run, isSame: isSame).map { "\(turn.line): \($0)" }
            // Who cancels closes the question, too: what comes next is something else.
            if run.fault?.kind.isCancelled == true, turn.isStruck { isSame = false }
            isSame =
                isSame && turn.trace?.outcome == expected.trace?.outcome && turn.changes == expected.changes
                && turn.published == expected.published
        }
        let first = run.fired.first
        let kind = run.fault.map { "\($0.kind.rawValue)\($0.lasts ? ", for ever" : "")" } ?? "no fault"
        return found.map {
            Violation(
                scene: scene.name, call: first.map { "\($0.seam.rawValue) \($0.name)" } ?? "none", kind: kind, what: $0)
        }
    }

    private func problems(
        of turn: TurnRecord, _ expected: TurnRecord, of run: FaultRun, isSame: Bool
    ) -> [String] {
        guard let trace = turn.trace else { return ["no end within all limits"] }
        // Where a call does not return, nobody knows; what was done after all is told then.
        if run.fault?.kind.hangs == true, trace.outcome == .failed, trace.reply.hasSuffix(Self.unknown) { return [] }
        var problems: [String] = []
        let told = "\(trace.outcome.rawValue), “\(trace.reply)”, \(trace.effects)"
        let stored = trace.effects.filter { !$0.hasPrefix("mqtt: ") }
        let isDone = trace.outcome == .done || trace.outcome == .asked
        if stored.isEmpty, !turn.changes.isEmpty {
            problems.append("reported: \(told); stored: \(turn.changes)")
        }
        // Taking back a device's change writes nothing.
        if !stored.isEmpty, turn.changes.isEmpty, !stored.contains(where: { $0.hasPrefix("undone") }) {
            problems.append("reported: \(told); nothing was stored")
        }
        if isDone, isSame, expected.trace?.outcome == trace.outcome, turn.changes != expected.changes {
            problems.append("done, and stored otherwise than without the fault: \(turn.changes)")
        }
        for message in turn.published {
            // What was lost may have been the acknowledgement alone.
            let isInDoubt = run.fault?.kind == .losesAnswer && trace.effects.contains { $0.contains("acknowledged") }
            let isTold = trace.effects.contains {
                $0 == "mqtt: \(message.topic) \(message.payload)" || $0.hasPrefix("mqtt: sent to \(message.topic)")
            }
            guard !isTold, !isInDoubt else { continue }
            problems.append("reported: \(told); published: \(message.topic) \(message.payload)")
        }
        for effect in trace.effects where effect.hasPrefix("mqtt: ") && !effect.contains("acknowledged") {
            let isSent = turn.published.contains { effect == "mqtt: \($0.topic) \($0.payload)" }
            if !isSent, !effect.hasPrefix("mqtt: sent to") { problems.append("reported: \(effect); not published") }
        }
        return problems
    }
}
