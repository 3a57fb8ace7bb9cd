/// One of the things that a device reports about itself.
public enum Aspect: String, Sendable, Hashable, CaseIterable {
    /// On or off, open or closed, locked or not; a sensor's value.
    case main
    /// Brightness, speed or position.
    case level
    /// A lamp's colour temperature, and its colour.
    case colourTemperature, colour
    /// The slant of a blind's slats; whether a fan swings.
    case tilt, oscillation
    /// The temperature to reach, and the one that is.
    case target, current
    /// Which option it is set to.
    case option
}

/// What is known of a device at a moment. Unknown, invalid, stale and offline are different things, and replies
/// distinguish them.
public struct DeviceReport: Sendable, Equatable {
    /// What the device last said.
    public enum State: Sendable, Equatable {
        /// On or off.
        case on, off
        /// Something else, as it came; of covers and locks a `Device.Position`, of selects the option's name.
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
    /// Brightness, speed or position, percent.
    public var level: Double?
    /// A lamp's colour temperature, kelvin.
    public var colourTemperature: Double?
    /// A lamp's colour; nil also while it is white by its temperature.
    public var colour: Colour?
    /// The slant of a blind's slats, percent.
    public var tilt: Double?
    /// Whether a fan swings.
    public var isOscillating: Bool?
    /// The temperature to reach, and the one that is, degrees Celsius.
    public var target: Double?, current: Double?
    /// The name of the option it is set to.
    public var option: String?

    package init(
        state: State, isAvailable: Bool, isStale: Bool, level: Double? = nil, target: Double? = nil
    ) {
        self.state = state
        self.isAvailable = isAvailable
        self.isStale = isStale
        self.level = level
        self.target = target
    }

    /// The state as a number.
    public var number: Double? {
        guard case .value(let text) = state, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Where a cover or lock is.
    package var position: Device.Position? {
        guard case .value(let text) = state else { return nil }
        return Device.Position(rawValue: text)
    }

    /// True while the device is online and its state valid and fresh.
    package var isKnown: Bool { isAvailable && !isStale && state != .unknown && state != .invalid }
}

/// The outcome of a command to a device.
public enum CommandOutcome: Sendable, Equatable {
    /// The device's state confirms it.
    case confirmed
    /// The device is on its way: a cover that moves, a lock that turns.
    case begun
    /// The device was in that state already.
    case already
    /// It was sent to a device that does not report its state.
    case sent
    /// It was sent, and no state came in time.
    case unconfirmed
    /// The device is offline; nothing was sent.
    case offline
    /// The broker is away; nothing was sent.
    case unreachable(String)
    /// The device does not support the command.
    case unsupported
    /// The value is not within the device's range, percent or its unit as it is spoken; nothing was sent.
    case outOfRange(Double, Double)
    /// The device has only these options; nothing was sent.
    case noOption([String])

    /// True when something was sent and nothing speaks against it.
    public var isDone: Bool {
        switch self {
        case .confirmed, .begun, .already, .sent: true
        default: false
        }
    }
}
