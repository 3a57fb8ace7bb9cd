import Foundation

/// Two squares of a terminal's cell, one above the other: `▀` in the colour of the upper on that of the lower one.
public struct HalfBlock: Sendable, Equatable {
    /// The upper square.
    public var upper: RGB8
    /// The lower square.
    public var lower: RGB8

    /// A cell of two colours.
    public init(upper: RGB8, lower: RGB8) {
        self.upper = upper
        self.lower = lower
    }
}

/// The ring drawn on a screen: a band of light around a white core, both with a soft edge.
public struct Orb: Sendable {
    /// Cells across and down.
    public let columns: Int, rows: Int
    /// Brightness and colours; a screen corrects gamma by itself, so `gamma` does not count.
    public var profile: Profile

    /// An orb in the middle of a grid of cells that are twice as high as wide.
    public init(columns: Int, rows: Int, profile: Profile = Profile(gamma: 1)) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        self.profile = profile
    }

    /// Rows of cells, from the top.
    /// - Parameters:
    ///   - time: seconds, on the scene's scale.
    ///   - loudness: 0…1 of the voice; counts while listening only.
    public func cells(_ scene: Scene, at time: Double, loudness: Double = 0) -> [[HalfBlock]] {
        let light = Light(scene, time, loudness, profile, radius: Double(min(columns, rows * 2)) / 2)
        return (0..<rows).map { row in
            (0..<columns).map { column in
                let x = Double(column) + 0.5 - Double(columns) / 2
                func square(_ number: Int) -> RGB8 { light.colour(x, Double(number) + 0.5 - Double(rows)) }
                return HalfBlock(upper: square(row * 2), lower: square(row * 2 + 1))
            }
        }
    }
}

/// One moment of an orb.
private struct Light {
    /// The band's outer edge, at most this share of the room there is; the rest is for the soft edge.
    private static let reach = 0.92
    /// The band's inner edge and the core's, as shares of the outer one.
    private static let hole = 0.62, coreSize = 0.34
    /// What the ring's own looks are drawn with: enough LEDs that dots are dots.
    private static let fineness = 96

    private let outer: Double, edge: Double
    private let band: [Colour]
    private let core: Double
    private let profile: Profile

    init(_ scene: Scene, _ time: Double, _ loudness: Double, _ profile: Profile, radius: Double) {
        self.profile = profile
        let isOpen = scene.look.isAnimated
        // From three fifths in silence to the whole room at full voice.
        let size = isOpen ? 0.5 + 0.5 * scene.size(at: time, loudness: loudness) : 0.8
        outer = radius * Self.reach * size
        edge = max(0.75, radius * 0.08)
        core = isOpen ? scene.level(at: time) : 0
        band =
            isOpen
            ? Self.gradient(scene, time).map { $0.dimmed(scene.level(at: time)) }
            : Self.dots(scene, time, profile)
    }

    /// The whole gradient, turned as the ring has it. The place of the arc's middle is where it begins.
    private static func gradient(_ scene: Scene, _ time: Double) -> [Colour] {
        let gradient = scene.gradient(at: time), phase = scene.phase(at: time)
        return (0..<fineness).map { gradient.colour(at: (Double($0) + 0.5) / Double(fineness) - phase) }
    }

    /// A look that stands still is drawn as on a ring of twelve LEDs.
    private static func dots(_ scene: Scene, _ time: Double, _ profile: Profile) -> [Colour] {
        let plain = Profile(showsClosedDot: profile.showsClosedDot, gamma: 1)
        let pixels = Ring(count: 12, profile: plain).pixels(scene, at: time)
        let width = fineness / pixels.count
        // Shifted by half an LED, so that the first dot stands upright at the top.
        return (0..<fineness).map { Colour(pixels[($0 + width / 2) % fineness / width]) }
    }

    /// The colour at a place, in squares from the middle, downwards and to the right.
    func colour(_ x: Double, _ y: Double) -> RGB8 {
        let brightness = profile.effectiveBrightness
        guard brightness > 0, outer > 0 else { return .black }
        let distance = (x * x + y * y).squareRoot()
        let inRing = inside(distance, outer) * (1 - inside(distance, outer * Self.hole))
        let inCore = inside(distance, outer * Self.coreSize) * core
        guard inRing > 0 || inCore > 0 else { return .black }
        // Clockwise from the top.
        let turn = atan2(x, -y) / (2 * .pi)
        let place = Int(((turn < 0 ? turn + 1 : turn) * Double(band.count)).rounded(.down)) % band.count
        let seen = band[place].dimmed(inRing).mixed(with: .white, inCore)
        return (profile.isNight ? seen.redOnly : seen).dimmed(brightness).encoded(gamma: 1)
    }

    /// 1 well within `radius`, 0 well beyond it, and a smooth step between.
    private func inside(_ distance: Double, _ radius: Double) -> Double {
        let share = min(max((radius + edge / 2 - distance) / edge, 0), 1)
        return share * share * (3 - 2 * share)
    }
}
