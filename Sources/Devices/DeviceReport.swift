/// One of the things that a device tells about itself.
public enum Aspect: String, Sendable, Hashable, CaseIterable {
    /// On or off, open or closed, locked or not; a sensor's value.
    case main
    /// Brightness, speed or position.
    case level
    /// A lamp's colour temperature.
    case colourTemperature
    /// The temperature to reach, and the one that is.
    case target, current
    /// Which option it is set to.
    case option
}

/// What is known of a device at a moment. The kinds of absence are kept apart, and spoken of apart.
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
    /// The temperature to reach, and the one that is, degrees Celsius.
    public var target: Double?, current: Double?
    /// The name of the option it is set to.
    public var option: String?

    package init(
        state: State, isAvailable: Bool, isStale: Bool, age: Duration? = nil, level: Double? = nil,
        colourTemperature: Double? = nil, target: Double? = nil, current: Double? = nil, option: String? = nil
    ) {
        self.state = state
        self.isAvailable = isAvailable
        self.isStale = isStale
        self.age = age
        self.level = level
        self.colourTemperature = colourTemperature
        self.target = target
        self.current = current
        self.option = option
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

    /// True while it can be relied on: the device is there, and its state valid and fresh.
    package var isKnown: Bool { isAvailable && !isStale && state != .unknown && state != .invalid }
}

/// How a command to a device went.
public enum CommandOutcome: Sendable, Equatable {
    /// The device's state says so.
    case confirmed
    /// The device is on its way: a cover that moves, a lock that turns.
    case begun
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
    /// The value is not within the device's range, percent or its unit as it is spoken; nothing was sent.
    case outOfRange(Double, Double)
    /// The device has no such option, but these; nothing was sent.
    case noOption([String])

    /// True when something was sent and nothing speaks against it.
    public var isDone: Bool {
        switch self {
        case .confirmed, .begun, .already, .told: true
        default: false
        }
    }
}
