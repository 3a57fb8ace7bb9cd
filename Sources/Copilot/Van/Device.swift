/// A device of the van: what it is called, what kind it is, and the topics through which it is spoken to.
public struct Device: Sendable, Equatable {
    /// What a device is.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Something that is on or off.
        case `switch`
        /// A lamp.
        case light
        /// A fan.
        case fan
        /// A heater.
        case heater
        /// Something that reports and takes no commands.
        case sensor
        /// Something that reports on or off and takes no commands.
        case binarySensor = "binary_sensor"
    }

    /// Identifies the device; stable over restarts.
    public var id: String
    /// As the owner says it.
    public var name: String
    /// Other names.
    public var aliases: [String]
    /// What it is.
    public var kind: Kind
    /// The part of the van that it belongs to.
    public var area: String?
    /// Where commands go; nil for what takes none.
    public var commandTopic: String?
    /// Where its state comes from; nil for a device that never tells (optimistic).
    public var stateTopic: String?
    /// Where it says that it is there.
    public var availabilityTopic: String?
    /// The payloads of the commands, and those of the states where they differ.
    public var payloadOn: String, payloadOff: String, stateOn: String, stateOff: String
    /// The payloads of availability.
    public var payloadAvailable: String, payloadNotAvailable: String
    /// A state older than this is stale; nil for states that stay true until the next.
    public var expiresAfter: Duration?

    /// True when on and off can be commanded.
    public var canSwitch: Bool { commandTopic != nil && kind != .sensor && kind != .binarySensor }
}

/// What is known of a device at a moment. The kinds of absence are kept apart, and spoken of apart.
public struct DeviceReport: Sendable, Equatable {
    /// What the device last said.
    public enum State: Sendable, Equatable {
        /// On or off.
        case on, off
        /// Something else, as it came.
        case value(String)
        /// It has said nothing yet.
        case unknown
        /// It said that it has no valid state now.
        case invalid
    }

    /// The last state.
    public var state: State
    /// False when the device is known to be offline.
    public var isAvailable: Bool
    /// True when the state is older than the device allows.
    public var isStale: Bool
    /// How long ago the state came; nil without one.
    public var age: Duration?
}

/// How a command to a device went.
public enum CommandOutcome: Sendable, Equatable {
    /// The device's state says so.
    case confirmed
    /// The device was in that state already.
    case already
    /// The device has no state; it has been told.
    case told
    /// It was sent, and no state came in time.
    case unconfirmed
    /// The device is offline; nothing was sent.
    case offline
    /// The broker is away; nothing was sent.
    case unreachable(String)
    /// The device takes no such command.
    case unsupported
}
