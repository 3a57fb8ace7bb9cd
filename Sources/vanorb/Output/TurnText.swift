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
