/// An edge of the hardware button, after debouncing.
public enum ButtonEdge: String, Sendable, Equatable, Codable {
    /// The contact closed.
    case pressed
    /// The contact opened.
    case released
}

/// An edge of the button and when it happened.
public struct TimedEdge: Sendable, Equatable {
    /// Which edge.
    public var edge: ButtonEdge
    /// When the contact moved, not when that was noticed: the length of a press must not depend on how busy the machine
    /// is.
    public var instant: ContinuousClock.Instant

    /// An edge at a moment.
    public init(_ edge: ButtonEdge, at instant: ContinuousClock.Instant) {
        self.edge = edge
        self.instant = instant
    }
}

/// A pulse of the vibration motor.
public enum Haptic: String, Sendable, Equatable, Codable {
    /// 15 ms: the command is complete.
    case light
    /// 40 ms: the press was felt.
    case medium
    /// Twice 15 ms: something failed.
    case failure

    /// How long the motor runs and rests, in turn.
    public var pattern: [Duration] {
        switch self {
        case .light: [.milliseconds(15)]
        case .medium: [.milliseconds(40)]
        case .failure: [.milliseconds(15), .milliseconds(80), .milliseconds(15)]
        }
    }
}

/// What the ring shows.
public enum RingLook: String, Sendable, Equatable, Codable, CaseIterable {
    /// No session.
    case closed
    /// A session is open and idle.
    case ready
    /// The microphone is open.
    case listening
    /// The utterance is being understood and acted upon.
    case thinking
    /// The reply is being spoken.
    case speaking
    /// The owner has muted the appliance.
    case muted
    /// A part that every command needs does not work.
    case fault
    /// The disk that the data are on is nearly full.
    case diskNearlyFull = "disk nearly full"
    /// The broker cannot be reached.
    case noBroker = "no broker"
}

/// The colours of the ring, by the domain of the last command.
public enum Palette: String, Sendable, Equatable, Codable, CaseIterable {
    /// Orange, pink, purple, cyan.
    case standard = "default"
    /// Green, mint, teal.
    case finance
    /// Blue, cyan, indigo.
    case van
    /// Orange, brown, yellow.
    case manifest
    /// Red, orange, pink.
    case emergency
}

/// Button, ring and motor. Each may be missing; what is missing does nothing.
public protocol Panel: Sendable {
    /// The button's edges, from the call on; one consumer.
    func edges() -> AsyncStream<TimedEdge>
    /// Shows `look` in the colours of `palette` from now on.
    func show(_ look: RingLook, palette: Palette)
    /// Sets the loudness of the voice, 0…1, while listening.
    func loudness(_ level: Double)
    /// Pulses the motor.
    func pulse(_ haptic: Haptic)
    /// Switches the ring's colours and brightness between night and day.
    func setNight(_ isNight: Bool)
}

extension Panel {
    /// A panel that is the same by day and night.
    public func setNight(_ isNight: Bool) {}
}
