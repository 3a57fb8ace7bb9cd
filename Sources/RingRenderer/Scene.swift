/// What the ring shows and since when: enough to know every later frame. A value without a clock; times are seconds on
/// any scale that does not run back.
public struct Scene: Sendable {
    /// How long one palette takes to become the other, in seconds.
    public static let crossFade = 1.0
    /// How long the arc takes to grow or shrink into the size of a new look, in seconds.
    static let resizing = 0.2

    /// The look in force.
    public private(set) var look: Look
    /// The palette in force, or being faded to.
    public private(set) var palette: Palette
    private var lookSince: Double
    private var startPhase = 0.0
    private var startSize = 0.0
    private var paletteSince: Double
    private var formerGradient: Gradient

    /// A scene that has always shown `look`.
    public init(look: Look = .closed, palette: Palette = .default, at time: Double = 0) {
        self.look = look
        self.palette = palette
        lookSince = time - Self.resizing
        paletteSince = time - Self.crossFade
        formerGradient = Gradient(palette)
    }

    /// Changes look and palette at `time`. The turning goes on from where it is; a palette changed in the middle of a
    /// fade fades on from the colours that are seen.
    public mutating func show(_ look: Look, palette: Palette, at time: Double) {
        if look != self.look {
            (startPhase, startSize) = (phase(at: time), size(at: time, loudness: 0))
            self.look = look
            lookSince = time
        }
        if palette != self.palette {
            formerGradient = gradient(at: time)
            self.palette = palette
            paletteSince = time
        }
    }

    /// Where the middle of the arc stands, 0..<1 of a turn from the first LED.
    public func phase(at time: Double) -> Double {
        let turn = startPhase + look.rotation * max(0, time - lookSince)
        return turn - turn.rounded(.down)
    }

    /// The lit share of the ring, 0…1.
    /// - Parameter loudness: 0…1; counts while listening only.
    public func size(at time: Double, loudness: Double) -> Double {
        let wanted = steadySize(at: time, loudness: loudness.isFinite ? min(max(loudness, 0), 1) : 0)
        let progress = min(max((time - lookSince) / Self.resizing, 0), 1)
        return startSize + (wanted - startSize) * progress
    }

    /// The gradient's colour at `turn` of the ring, without brightness and gamma; for drawing on a screen.
    public func colour(at turn: Double, time: Double) -> RGB8 {
        gradient(at: time).colour(at: turn - phase(at: time)).encoded(gamma: 1)
    }

    func gradient(at time: Double) -> Gradient {
        let progress = min(max((time - paletteSince) / Self.crossFade, 0), 1)
        return formerGradient.mixed(with: Gradient(palette), progress)
    }

    private func steadySize(at time: Double, loudness: Double) -> Double {
        switch look {
        case .closed, .muted, .fault, .diskNearlyFull, .noBroker: 0
        // A breath takes four seconds and begins small.
        case .ready: 0.30 + 0.06 * wave(time - lookSince, period: 4)
        case .listening: 0.25 + 0.75 * loudness
        case .thinking: 0.5
        case .speaking: 0.85
        }
    }

    /// The level of light, 0…1, of the look as a whole.
    func level(at time: Double) -> Double {
        look == .ready ? 0.45 + 0.25 * wave(time - lookSince, period: 4) : 1
    }
}
