/// When a change of a setting takes effect in a running daemon. The only place that decides it.
package enum SettingEffect: String, Sendable, CaseIterable {
    /// In the moment of the change.
    case atOnce
    /// In the next turn, or the next reply that is spoken.
    case nextTurn
    /// The daemon restarts by itself, as soon as no turn is under way.
    case ownRestart
    /// When the daemon is started the next time.
    case restart

    /// Keys, and sections that end in a point. What is not named here needs a restart.
    static let table: [(SettingEffect, [String])] = [
        (
            .atOnce,
            [
                "log.level", "history.length", "ring.", "night.from", "night.to", "night.ring", "backup.days",
                "backup.weeks",
                "backup.warn_days", "trace.",
            ]
        ),
        (
            .nextTurn,
            [
                "button.", "limits.", "endpointer.", "speech.", "night.speech", "recogniser.rejection",
                "recogniser.certainty", "recogniser.partials",
            ]
        ),
        (.ownRestart, ["language"]),
    ]

    /// When a change of `key` takes effect.
    package static func of(_ key: String) -> SettingEffect {
        table.first { $0.1.contains { $0 == key || $0.hasSuffix(".") && key.hasPrefix($0) } }?.0 ?? .restart
    }

    /// True where the daemon that runs adopts it.
    package var isLive: Bool { self == .atOnce || self == .nextTurn }
}
