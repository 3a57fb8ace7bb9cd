import Control

/// What does not work, as the view says it: what is the matter, and what to do without.
enum WatchTroubles {
    /// Parts that are missed at once when they fail, worst first.
    private static let parts = [
        ("microphone", "No microphone: type, or use SSH"),
        ("recogniser", "Speech can't be recognised: type instead"),
        ("store", "The database can't be used: see vanorb doctor"),
        ("broker", "MQTT broker unreachable: devices can't be driven"),
        ("speaker", "No speaker: replies are only shown"),
        ("voice", "No voice: replies are only shown"),
    ]

    /// The troubles of an appliance in this state, worst first; a broker that is turned off is none.
    static func of(_ status: StatusResult) -> [String] {
        parts.filter { name, _ in status.parts.contains { $0.name == name && $0.state == .failed } }.map(\.1)
    }
}
