/// Something that a mode or a scene does to a device.
public struct DeviceAction: Sendable, Equatable {
    /// The device's id.
    public var device: String
    /// The command.
    public var command: DeviceCommand
}

/// Something that should hold before a mode begins.
public struct Check: Sendable, Equatable {
    /// What is looked at, and what it should be.
    public enum Expectation: Sendable, Equatable {
        /// On or off.
        case on, off
        /// Of a cover, lock or door.
        case open, closed, locked, unlocked
        /// Which option it is set to.
        case option(String)
        /// A level or a sensor's value, in percent or its own unit: above, below.
        case above(Double), below(Double)
    }
    /// The device's id.
    public var device: String
    /// What it should be.
    public var expectation: Expectation
}

/// A mode of the van: what is checked before it, and what is done.
public struct Mode: Sendable, Equatable {
    /// As the owner says it.
    public var name: String
    /// Other names.
    public var aliases: [String] = []
    /// What should hold before it begins.
    public var checks: [Check] = []
    /// What is done, the devices all at once.
    public var actions: [DeviceAction] = []
    /// Settings that hold while the van is in it.
    public var settings = ModeSettings()

    /// The modes that every van has.
    public static let standard = ["drive", "camp", "night", "away"]
    /// Those modes, without anything to check or do.
    public static let plain = standard.map { Mode(name: $0) }
    /// The one in which nobody is in the van.
    package static let away = "away"
}

/// A scene: some devices brought into a certain state by one name.
public struct Scene: Sendable, Equatable {
    /// As the owner says it.
    public var name: String
    /// Other names.
    public var aliases: [String] = []
    /// What is done, the devices all at once.
    public var actions: [DeviceAction]

    package init(name: String, aliases: [String] = [], actions: [DeviceAction]) {
        self.name = name
        self.aliases = aliases
        self.actions = actions
    }
}
