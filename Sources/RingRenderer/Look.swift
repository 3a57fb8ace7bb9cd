/// What the ring shows.
///
/// | Look | Appearance | Moves |
/// |---|---|---|
/// | closed | off, or one dim dot at the top | no |
/// | ready | an arc of about a third that breathes gently | yes |
/// | listening | an arc from a quarter (silence) to the whole ring (loud) | yes |
/// | thinking | half the ring, turning fast | yes |
/// | speaking | a large, steady arc that turns slowly | yes |
/// | muted | the whole ring evenly dim red | no |
/// | fault | three amber dots, a third of a turn apart | no |
/// | disk nearly full | violet from the top clockwise, five sixths of the ring, like a gauge | no |
/// | no broker | two blue dots opposite each other | no |
///
/// The last four differ in shape and not only in colour, so that the night's red leaves them apart; on a ring of three
/// LEDs by brightness at least.
public enum Look: String, Sendable, CaseIterable {
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
    /// The owner has muted the appliance.
    case muted
    /// A part that every command needs does not work.
    case fault
    /// The disk that the data are on is nearly full.
    case diskNearlyFull = "disk nearly full"
    /// The broker cannot be reached.
    case noBroker = "no broker"

    /// True for the looks of an open session, which turn; the others stand still and need no frames.
    public var isAnimated: Bool {
        switch self {
        case .ready, .listening, .thinking, .speaking: true
        case .closed, .muted, .fault, .diskNearlyFull, .noBroker: false
        }
    }

    /// Turns a second of the gradient.
    var rotation: Double {
        switch self {
        case .ready, .listening, .speaking: 1 / 12
        case .thinking: 0.8
        case .closed, .muted, .fault, .diskNearlyFull, .noBroker: 0
        }
    }
}

/// The colours of the ring, by the domain of the last command.
public enum Palette: String, Sendable, CaseIterable {
    /// Orange, pink, purple, cyan.
    case `default`
    /// Green, mint, teal.
    case finance
    /// Blue, cyan, indigo.
    case van
    /// Orange, brown, yellow.
    case manifest
    /// Red, orange, pink.
    case emergency

    /// The colours around the ring, in order, as a screen shows them.
    public var colours: [RGB8] {
        switch self {
        case .default: [RGB8(255, 140, 0), RGB8(255, 45, 120), RGB8(150, 50, 220), RGB8(0, 200, 230)]
        case .finance: [RGB8(20, 170, 60), RGB8(110, 240, 170), RGB8(0, 140, 140)]
        case .van: [RGB8(20, 80, 255), RGB8(0, 200, 240), RGB8(75, 0, 170)]
        case .manifest: [RGB8(255, 140, 0), RGB8(140, 75, 25), RGB8(255, 220, 40)]
        case .emergency: [RGB8(255, 0, 0), RGB8(255, 110, 0), RGB8(255, 60, 130)]
        }
    }
}

/// A colour of eight bits a channel.
public struct RGB8: Sendable, Equatable, Hashable {
    /// Red, green and blue, 0…255.
    public var red: UInt8, green: UInt8, blue: UInt8

    /// A colour of three channels.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Off.
    public static let black = RGB8(0, 0, 0)
}

/// How bright the ring is and how its light is made.
public struct Profile: Sendable, Equatable {
    /// 0…1, as the eye sees it; 0 is really off.
    public var brightness: Double
    /// At night: red only, and no brighter than `nightCap`.
    public var isNight: Bool
    /// 0…1; the highest brightness at night.
    public var nightCap: Double
    /// True when a closed session shows one dim dot instead of nothing.
    public var showsClosedDot: Bool
    /// The exponent between what the eye sees and what is sent: 2.2 for LEDs, whose light is proportional to the value
    /// sent, 1 for a screen, which does that itself (IEC 61966-2-1 is close to 2.2).
    public var gamma: Double

    /// The day's profile of a ring of LEDs, unless said otherwise.
    public init(
        brightness: Double = 1, isNight: Bool = false, nightCap: Double = 0.3, showsClosedDot: Bool = false,
        gamma: Double = 2.2
    ) {
        self.brightness = brightness
        self.isNight = isNight
        self.nightCap = nightCap
        self.showsClosedDot = showsClosedDot
        self.gamma = gamma
    }

    /// The brightness in force, 0…1.
    var effectiveBrightness: Double {
        let wanted = brightness.isFinite ? min(max(brightness, 0), 1) : 0
        return isNight ? min(wanted, min(max(nightCap, 0), 1)) : wanted
    }
}
