import Control

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
    static let lostMessage = "VanOrb does not answer; it is looked for again."
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
