import Control

/// A turn as lines of text.
enum TurnText {
    /// What was understood and what was answered.
    static func short(_ turn: TraceRecord) -> [String] {
        let heard = turn.source == .voice ? ["heard:  \(turn.transcript.isEmpty ? "(nothing)" : turn.transcript)"] : []
        return heard + [turn.reply.isEmpty ? "(\(turn.outcome.rawValue))" : turn.reply]
    }

    /// Handler, intent and level on one line.
    static func decision(_ turn: TraceRecord) -> String {
        guard let handler = turn.handler else { return turn.outcome.rawValue }
        let intent = turn.intent.map { $0.hasPrefix("\(handler).") ? $0 : "\(handler).\($0)" } ?? handler
        return "\(intent), \(turn.level.rawValue) (\(Text.probability(turn.confidence))), \(turn.outcome.rawValue)"
    }

    /// Everything about it.
    static func full(_ turn: TraceRecord) -> [String] {
        var lines = [
            "Turn \(turn.turn), \(turn.source.rawValue), \(Text.date(turn.startedAt))",
            "  transcript  \(turn.transcript)\(turn.source == .voice ? " (\(Text.probability(turn.recogniserConfidence)))" : "")",
        ]
        lines += turn.alternatives.map { "  or          \($0.text) (\(Text.probability($0.confidence)))" }
        lines += (turn.hearing ?? []).map { "  heard by    \($0)" }
        lines += ["  normalised  \(turn.normalised)", "  decision    \(decision(turn))"]
        lines += (turn.meaning ?? []).map { "  meant as    \($0)" }
        lines += turn.slots.sorted { $0.key < $1.key }.map { "  slot        \($0.key) = \($0.value)" }
        lines += turn.classifier.map { "  classifier  \($0.intent) (\(Text.probability($0.probability)))" }
        lines += turn.proposals.map { "  offered     \($0.handler): \($0.level.rawValue) \($0.intent ?? "")" }
        lines += turn.effects.map { "  effect      \($0)" }
        lines.append("  reply       \(turn.reply)")
        let stages = turn.stages.map { "\($0.name) \(Text.decimal($0.milliseconds, places: 1)) ms" }
        if !stages.isEmpty { lines.append("  times       \(stages.joined(separator: ", "))") }
        return lines
    }
}

/// An event of `vanorb watch` as plain lines.
enum WatchText {
    /// The lines; none for a kind that a newer daemon has invented.
    static func lines(_ event: WatchEvent) -> [String] {
        let text = event.text ?? ""
        switch event.kind {
        case WatchEvent.Kind.status: return [line("status", text)]
        case WatchEvent.Kind.hint: return text.isEmpty ? [] : [line("hint", "Try saying: “\(text)”")]
        case WatchEvent.Kind.partial, WatchEvent.Kind.transcript:
            return [line(event.kind, at(event.audioSeconds) + text)]
        case WatchEvent.Kind.ring: return [line("ring", "\(event.look ?? "?"), \(event.palette ?? "?")")]
        case WatchEvent.Kind.night: return [line("night", event.night == true ? "yes" : "no")]
        case WatchEvent.Kind.haptic, WatchEvent.Kind.chime, WatchEvent.Kind.reply, WatchEvent.Kind.notice,
            WatchEvent.Kind.changed:
            return [line(event.kind, text)]
        case WatchEvent.Kind.word: return [line("word", text)]
        case WatchEvent.Kind.turn:
            return event.turn.map { [line("turn", "\($0.turn): \(TurnText.decision($0))")] } ?? []
        case WatchEvent.Kind.history:
            return event.entry.map { [line("you", $0.user), line("VanOrb", $0.assistant)] } ?? []
        case WatchEvent.Kind.action:
            return [line("action", [event.action, event.target].compactMap { $0 }.joined(separator: " "))]
        default: return []
        }
    }

    /// What is said once where the daemon goes away.
    static let lostMessage = "VanOrb does not answer. Reconnecting."
    /// The line for it.
    static let lost = line("daemon", lostMessage)
    /// The line where it answers again.
    static let found = line("daemon", "VanOrb is back.")

    private static func line(_ label: String, _ text: String) -> String {
        label + String(repeating: " ", count: max(1, 12 - label.count)) + text
    }

    private static func at(_ seconds: Double?) -> String {
        seconds.map { "\(Text.decimal($0, places: 2)) s  " } ?? ""
    }
}
