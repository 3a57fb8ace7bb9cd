/// The source of a setting's value.
public enum SettingOrigin: String, Codable, Sendable, Equatable {
    /// Nobody has changed it.
    case defaults
    /// The owner's file.
    case owner
    /// The daemon's command line, whatever the file says.
    case commandLine = "command-line"
}

/// When a change takes effect.
public enum SettingTiming: String, Codable, Sendable, Equatable {
    /// In the moment of the change.
    case atOnce = "at-once"
    /// In the next turn.
    case nextTurn = "next-turn"
    /// VanOrb restarts by itself, as soon as no turn is under way.
    case ownRestart = "anew"
    /// When the daemon is started the next time.
    case restart
}

/// One setting.
public struct SettingRow: Codable, Sendable, Equatable {
    /// Its key, such as `speech.rate`.
    public var key: String
    /// What it is by the files and the command line, as it is written there.
    public var value: String
    /// What it is where nobody changes it.
    public var defaultValue: String
    /// The source of the value.
    public var origin: SettingOrigin
    /// When a change takes effect.
    public var timing: SettingTiming
    /// The value in use; nil where it equals `value`, or no daemon runs.
    public var inForce: String?
    /// Something to know about it; nil where there is nothing.
    public var note: String?
    /// What is expected, such as `a number, 0 to 1`; nil where any text will do.
    public var expected: String?
    /// What it is for.
    public var meaning: String

    /// A setting; the rest is set where there is something to say.
    public init(
        key: String, value: String, defaultValue: String, origin: SettingOrigin, timing: SettingTiming, meaning: String
    ) {
        self.key = key
        self.value = value
        self.defaultValue = defaultValue
        self.origin = origin
        self.timing = timing
        self.meaning = meaning
    }
}

/// All settings.
public struct SettingsResult: Codable, Sendable, Equatable {
    /// The owner's file.
    public var file: String
    /// What is wrong with that file; nil where nothing is. The settings are listed without it then.
    public var problem: String?
    /// Whether a daemon runs, and has something in force.
    public var isRunning: Bool
    /// The settings, in the order of their description.
    public var settings: [SettingRow]

    /// Settings.
    public init(file: String, problem: String?, isRunning: Bool, settings: [SettingRow]) {
        self.file = file
        self.problem = problem
        self.isRunning = isRunning
        self.settings = settings
    }
}

/// Which setting is meant.
public struct SettingArguments: Codable, Sendable, Equatable {
    /// Its key.
    public var key: String

    /// This setting.
    public init(key: String) { self.key = key }
}

/// A setting to change.
public struct SettingChangeArguments: Codable, Sendable, Equatable {
    /// Its key.
    public var key: String
    /// The value, as it is written; nil to put it back to its default.
    public var value: String?

    /// Sets `key`.
    public init(key: String, value: String?) {
        self.key = key
        self.value = value
    }
}

/// What a change did.
public struct SettingChangeResult: Codable, Sendable, Equatable {
    /// The setting.
    public var key: String
    /// What the file, or the default, said before; and says now.
    public var before: String, now: String
    /// False where the file said so already.
    public var isWritten: Bool
    /// True where it is in effect, or will be in the next turn.
    public var isInForce = false
    /// When it takes effect.
    public var timing: SettingTiming
    /// All settings that wait for a restart.
    public var waiting: [String] = []
    /// What was done and when it takes effect, as sentences.
    public var message: String

    /// A change that is not in force yet; what is, and what waits, is set afterwards.
    public init(
        key: String, before: String, now: String, isWritten: Bool, timing: SettingTiming, message: String
    ) {
        self.key = key
        self.before = before
        self.now = now
        self.isWritten = isWritten
        self.timing = timing
        self.message = message
    }
}

/// The languages that are installed.
public struct LanguagesResult: Codable, Sendable, Equatable {
    /// Their names.
    public var languages: [String]
    /// The one that is set.
    public var chosen: String
    /// Where their folders are.
    public var folder: String

    /// Languages.
    public init(languages: [String], chosen: String, folder: String) {
        self.languages = languages
        self.chosen = chosen
        self.folder = folder
    }
}
