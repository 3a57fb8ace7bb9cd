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

    /// The daemon's process.
    public struct Process: Sendable {
        let version: String, uptimeSeconds: Double, residentBytes: Int64, cpuSeconds: Double

        /// Since its start, in seconds, and its present memory, in bytes.
        public init(version: String, uptimeSeconds: Double, residentBytes: Int64, cpuSeconds: Double) {
            (self.version, self.uptimeSeconds) = (version, uptimeSeconds)
            (self.residentBytes, self.cpuSeconds) = (residentBytes, cpuSeconds)
        }
    }

    /// What goes on.
    public struct Activity: Sendable {
        let state: ApplianceState, muted: Bool, mode: String?

        /// - Parameter mode: nil when none was ever set.
        public init(state: ApplianceState, muted: Bool, mode: String?) {
            (self.state, self.muted, self.mode) = (state, muted, mode)
        }
    }

    /// What hears and speaks.
    public struct Speech: Sendable {
        let recogniser: String, voice: String?

        /// - Parameter voice: nil when there is none.
        public init(recogniser: String, voice: String?) { (self.recogniser, self.voice) = (recogniser, voice) }
    }

    /// How much is known.
    public struct Counts: Sendable {
        let devices: Int, items: Int, phrases: Int

        /// Devices, items of the manifest and phrase templates.
        public init(devices: Int, items: Int, phrases: Int) {
            (self.devices, self.items, self.phrases) = (devices, items, phrases)
        }
    }

    /// A status; on the wire the groups' fields stand next to each other.
    public init(
        process: Process, activity: Activity, bus: BusStatus, parts: [PartStatus], speech: Speech, counts: Counts
    ) {
        (version, uptimeSeconds) = (process.version, process.uptimeSeconds)
        (residentBytes, cpuSeconds) = (process.residentBytes, process.cpuSeconds)
        (state, muted, mode) = (activity.state, activity.muted, activity.mode)
        (self.bus, self.parts) = (bus, parts)
        (recogniser, voice) = (speech.recogniser, speech.voice)
        (devices, items, phrases) = (counts.devices, counts.items, counts.phrases)
    }
}
