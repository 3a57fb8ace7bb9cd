/// A mode of the van.
public struct ModeRow: Codable, Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Other names.
    public let aliases: [String]
    /// How many checks come before it, and how many devices it sets.
    public let checks: Int, actions: Int

    /// A mode.
    public init(name: String, aliases: [String], checks: Int, actions: Int) {
        self.name = name
        self.aliases = aliases
        self.checks = checks
        self.actions = actions
    }
}

/// The van's modes.
public struct ModesResult: Codable, Sendable, Equatable {
    /// All modes.
    public let modes: [ModeRow]
    /// The one that the van is in; nil where none was ever set.
    public let current: String?

    /// Modes.
    public init(modes: [ModeRow], current: String?) {
        self.modes = modes
        self.current = current
    }
}

/// A mode to switch to, or to check.
public struct ModeArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// Its name; nil where the daemon has one to fall back on.
    public var mode: String?
    /// True where a yes is given to whatever would be asked.
    public var confirmed: Bool?

    /// A mode.
    public init(mode: String?, confirmed: Bool? = nil) {
        self.mode = mode
        self.confirmed = confirmed
    }

    /// - Throws: when the name is empty or too long.
    public func check() throws(ControlError) { if let mode { try ControlLimits.check(mode, "mode") } }
}

/// The medical notes that an emergency is answered with.
public struct MedicalNotes: Codable, Sendable, Equatable, CheckedArguments {
    /// The notes; nil where there are none, or to forget them.
    public var notes: String?

    /// Notes.
    public init(notes: String?) { self.notes = notes }

    /// - Throws: when the notes are empty or too long to be spoken.
    public func check() throws(ControlError) { if let notes { try ControlLimits.check(notes, "notes") } }
}

/// A turn of the history.
public struct HistorySpeakArguments: Codable, Sendable, Equatable {
    /// Its number, as the history has it.
    public var turn: Int

    /// A turn.
    public init(turn: Int) { self.turn = turn }
}
