/// The daemon's version.
public struct VersionResult: Codable, Sendable, Equatable {
    /// Such as `1.0.0`.
    public var version: String
    /// The control protocol's version.
    public var `protocol`: Int

    /// A version.
    public init(version: String, protocol: Int = ControlLimits.protocolVersion) {
        self.version = version
        self.protocol = `protocol`
    }
}

/// What the appliance is doing.
public enum ApplianceState: String, Codable, Sendable, Equatable, CaseIterable {
    /// No session.
    case closed
    /// A session is open and nothing goes on.
    case ready
    /// The microphone is open.
    case listening
    /// The utterance is being understood and acted upon.
    case thinking
    /// The reply is being spoken.
    case speaking
}

/// One part of the appliance and how it is.
public struct PartStatus: Codable, Sendable, Equatable {
    /// How a part is.
    public enum State: String, Codable, Sendable, Equatable {
        /// It works.
        case ok
        /// It works less well than it should, or is not there and need not be.
        case warning
        /// It does not work.
        case failed
    }

    /// The part, such as `microphone`.
    public var name: String
    /// How it is.
    public var state: State
    /// What was found.
    public var detail: String
    /// What to do about it; nil when nothing need be done.
    public var advice: String?

    /// A part's status.
    public init(name: String, state: State, detail: String, advice: String? = nil) {
        self.name = name
        self.state = state
        self.detail = detail
        self.advice = advice
    }
}

/// The van's broker.
public struct BusStatus: Codable, Sendable, Equatable {
    /// True while it is connected.
    public var connected: Bool
    /// Its address, or why it is away.
    public var detail: String

    /// A broker's status.
    public init(connected: Bool, detail: String) {
        self.connected = connected
        self.detail = detail
    }
}

/// How the appliance is.
public struct StatusResult: Codable, Sendable, Equatable {
    /// The daemon's version.
    public var version: String
    /// What it is doing.
    public var state: ApplianceState
    /// True when the owner has muted it.
    public var muted: Bool
    /// The mode, such as `camp`; nil when none was ever set.
    public var mode: String?
    /// The van's broker.
    public var bus: BusStatus
    /// The parts, in the order in which they are to be shown.
    public var parts: [PartStatus]
    /// The recogniser in use.
    public var recogniser: String
    /// The voice in use; nil when there is none.
    public var voice: String?
    /// Devices known.
    public var devices: Int
    /// Items in the manifest.
    public var items: Int
    /// Phrase templates loaded.
    public var phrases: Int
    /// Seconds since the daemon started.
    public var uptimeSeconds: Double
    /// Resident memory, in bytes.
    public var residentBytes: Int64
    /// Processor time used since the start, in seconds.
    public var cpuSeconds: Double

    /// A status.
    public init(
        version: String, state: ApplianceState, muted: Bool, mode: String?, bus: BusStatus, parts: [PartStatus],
        recogniser: String, voice: String?, devices: Int, items: Int, phrases: Int, uptimeSeconds: Double,
        residentBytes: Int64, cpuSeconds: Double
    ) {
        self.version = version
        self.state = state
        self.muted = muted
        self.mode = mode
        self.bus = bus
        self.parts = parts
        self.recogniser = recogniser
        self.voice = voice
        self.devices = devices
        self.items = items
        self.phrases = phrases
        self.uptimeSeconds = uptimeSeconds
        self.residentBytes = residentBytes
        self.cpuSeconds = cpuSeconds
    }
}
