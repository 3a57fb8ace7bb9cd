import Domain

/// What the ring shows of the appliance's health while nothing goes on, worst first.
public enum Trouble: String, Sendable, CaseIterable {
    /// A part that every command needs does not work.
    case fault
    /// The disk that the data are on is nearly full.
    case diskNearlyFull
    /// The broker, and with it the van's devices, cannot be reached.
    case noBroker

    /// How it looks.
    public var look: RingLook {
        switch self {
        case .fault: .fault
        case .diskNearlyFull: .diskNearlyFull
        case .noBroker: .noBroker
        }
    }
}

/// Finds the worst trouble in what is known of the parts. A value without a clock.
package struct TroubleJudge {
    /// The parts without which no command is heard, answered or kept.
    static let needed: Set<String> = ["microphone", "recogniser", "speaker", "voice", "store", SignalMonitor.part]
    /// How long the broker may be away before it counts: connections come and go as the van's network does.
    package static let patience = Duration.seconds(5)

    private var brokerLost: Duration?

    /// The worst trouble at `time`, and when to judge again although nothing may have changed.
    package mutating func judge(_ parts: [PartHealth], at time: Duration) -> (trouble: Trouble?, again: Duration?) {
        func has(_ name: String, _ states: Set<PartHealth.State>) -> Bool {
            parts.contains { $0.name == name && states.contains($0.state) }
        }
        brokerLost = has("broker", [.failed]) ? brokerLost ?? time : nil
        let isBrokerAway = brokerLost.map { time - $0 >= Self.patience } ?? false
        let again = isBrokerAway ? nil : brokerLost.map { $0 + Self.patience }
        if Self.needed.contains(where: { has($0, [.failed]) }) { return (.fault, again) }
        if has(DiskMonitor.part, [.warning, .failed]) { return (.diskNearlyFull, again) }
        return (isBrokerAway ? .noBroker : nil, again)
    }
}
