/// Something that a watcher is shown. `kind` says which of the other fields are there; the rest are left out on the
/// wire. A reader skips kinds that it does not know.
public struct WatchEvent: Codable, Sendable, Equatable {
    /// The kinds.
    public enum Kind {
        /// The status line: `text`, `state`.
        public static let status = "status"
        /// An example of what to say: `text`.
        public static let hint = "hint"
        /// The words so far: `text`, `audioSeconds`.
        public static let partial = "partial"
        /// What was said in the end: `text`, `audioSeconds`; or what was typed: `text`.
        public static let transcript = "transcript"
        /// The ring changed: `look`, `palette`.
        public static let ring = "ring"
        /// It is night for the ring, or no longer: `night`.
        public static let night = "night"
        /// How loud the voice is, while listening: `level`.
        public static let level = "level"
        /// The motor pulsed: `text` is the pulse.
        public static let haptic = "haptic"
        /// A chime sounded: `text` is its name.
        public static let chime = "chime"
        /// A turn ended: `turn`.
        public static let turn = "turn"
        /// A word of the reply is being spoken: `text` is the word as it sounds, `start` and `end` its place in the reply as
        /// it is shown, where an amount stands as a whole.
        public static let word = "word"
        /// A reply is about to be spoken: `text`.
        public static let reply = "reply"
        /// A turn joined the history: `entry`.
        public static let history = "history"
        /// A request to the attached view: `action`, `target`.
        public static let action = "action"
        /// Something the owner should know: `text`.
        public static let notice = "notice"
        /// The owner's data changed outside a turn, by a command or an undo: `text` says what, such as `checklist`.
        public static let changed = "changed"
    }

    /// One of `Kind`.
    public var kind: String
    /// Words, as `kind` has it.
    public var text: String?
    /// What the appliance is doing.
    public var state: ApplianceState?
    /// Position in the audio, in seconds since the microphone opened.
    public var audioSeconds: Double?
    /// What the ring shows, such as `listening`.
    public var look: String?
    /// The ring's colours, such as `finance`.
    public var palette: String?
    /// True while the ring has its night's colours.
    public var night: Bool?
    /// 0…1, as loud as the ring shows it.
    public var level: Double?
    /// The word's first character, counted in the reply.
    public var start: Int?
    /// One past the word's last character: the reply is revealed up to here.
    public var end: Int?
    /// The turn's trace.
    public var turn: TraceRecord?
    /// The turn's bubbles.
    public var entry: HistoryEntry?
    /// What the view must do, such as `tab`, `open`, `close`.
    public var action: String?
    /// What with, such as `ledger` or an item's number.
    public var target: String?

    /// An event of this kind, with words where it has some.
    public init(kind: String, text: String? = nil) {
        self.kind = kind
        self.text = text
    }

    private func with<Value>(_ field: WritableKeyPath<WatchEvent, Value?>, _ value: Value?) -> WatchEvent {
        var event = self
        event[keyPath: field] = value
        return event
    }

    /// The status line.
    public static func status(_ text: String, state: ApplianceState) -> WatchEvent {
        WatchEvent(kind: Kind.status, text: text).with(\.state, state)
    }

    /// An example of what to say; empty takes the example away.
    public static func hint(_ text: String) -> WatchEvent { WatchEvent(kind: Kind.hint, text: text) }

    /// The words so far, with the position in the audio at which they were known.
    public static func partial(_ text: String, audioSeconds: Double) -> WatchEvent {
        WatchEvent(kind: Kind.partial, text: text).with(\.audioSeconds, audioSeconds)
    }

    /// What was said in the end, or typed.
    public static func transcript(_ text: String, audioSeconds: Double? = nil) -> WatchEvent {
        WatchEvent(kind: Kind.transcript, text: text).with(\.audioSeconds, audioSeconds)
    }

    /// What the ring shows from now on.
    public static func ring(look: String, palette: String) -> WatchEvent {
        WatchEvent(kind: Kind.ring).with(\.look, look).with(\.palette, palette)
    }

    /// The ring's night, or its day.
    public static func night(_ isNight: Bool) -> WatchEvent { WatchEvent(kind: Kind.night).with(\.night, isNight) }

    /// The voice's loudness, 0…1.
    public static func level(_ level: Double) -> WatchEvent { WatchEvent(kind: Kind.level).with(\.level, level) }

    /// A pulse of the motor.
    public static func haptic(_ pulse: String) -> WatchEvent { WatchEvent(kind: Kind.haptic, text: pulse) }

    /// A chime.
    public static func chime(_ name: String) -> WatchEvent { WatchEvent(kind: Kind.chime, text: name) }

    /// A turn ended.
    public static func turn(_ record: TraceRecord) -> WatchEvent { WatchEvent(kind: Kind.turn).with(\.turn, record) }

    /// The word of the reply from character `start` to before `end` is being spoken.
    public static func word(_ text: String, start: Int, end: Int) -> WatchEvent {
        WatchEvent(kind: Kind.word, text: text).with(\.start, start).with(\.end, end)
    }

    /// A reply is about to be spoken.
    public static func reply(_ text: String) -> WatchEvent { WatchEvent(kind: Kind.reply, text: text) }

    /// A turn joined the history.
    public static func history(_ entry: HistoryEntry) -> WatchEvent {
        WatchEvent(kind: Kind.history).with(\.entry, entry)
    }

    /// A request to the attached view to do `action` with `target`.
    public static func action(_ action: String, target: String? = nil) -> WatchEvent {
        WatchEvent(kind: Kind.action).with(\.action, action).with(\.target, target)
    }

    /// Something the owner should know.
    public static func notice(_ text: String) -> WatchEvent { WatchEvent(kind: Kind.notice, text: text) }

    /// The owner's data of a handler changed outside a turn.
    public static func changed(_ handler: String) -> WatchEvent { WatchEvent(kind: Kind.changed, text: handler) }
}
