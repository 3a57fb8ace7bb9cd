import Foundation

/// A ring of LEDs, seen as light: turns a moment of a scene into the values of its LEDs.
public struct Ring: Sendable {
    /// The number of LEDs.
    public let count: Int
    /// Brightness and colour limits.
    public var profile: Profile

    /// A ring of `count` LEDs, the first one at the top.
    public init(count: Int, profile: Profile = Profile()) {
        self.count = max(0, count)
        self.profile = profile
    }

    /// True when the frame of this scene never changes while nobody changes the scene, so that no frames are needed.
    public func isStatic(_ scene: Scene) -> Bool { !scene.look.isAnimated || profile.effectiveBrightness == 0 }

    /// The values of the LEDs.
    /// - Parameters:
    ///   - time: seconds, on the scene's scale.
    ///   - loudness: 0…1 of the voice; counts while listening only.
    public func pixels(_ scene: Scene, at time: Double, loudness: Double = 0) -> [RGB8] {
        let brightness = profile.effectiveBrightness
        guard count > 0, brightness > 0 else { return Array(repeating: .black, count: count) }
        return colours(scene, time, loudness).map { colour in
            let seen = profile.isNight ? colour.redOnly : colour
            return seen.dimmed(brightness).encoded(gamma: profile.gamma)
        }
    }

    private func colours(_ scene: Scene, _ time: Double, _ loudness: Double) -> [Colour] {
        switch scene.look {
        case .closed: dots(profile.showsClosedDot ? 1 : 0, Colour(red: 0.35, green: 0.35, blue: 0.35))
        case .muted: dots(count, Colour(red: 0.45, green: 0, blue: 0))
        case .fault: dots(3, Colour(red: 1, green: 0.55, blue: 0))
        case .diskNearlyFull: gauge(5.0 / 6, Colour(red: 0.6, green: 0, blue: 0.7))
        case .noBroker: dots(2, Colour(red: 0.1, green: 0.3, blue: 0.8))
        case .ready, .listening, .thinking, .speaking: arc(scene, time, loudness)
        }
    }

    private func dots(_ number: Int, _ colour: Colour) -> [Colour] {
        var colours = Array(repeating: Colour(red: 0, green: 0, blue: 0), count: count)
        for dot in 0..<min(number, count) { colours[dot * count / min(number, count)] = colour }
        return colours
    }

    /// The first `share` of the ring, but never all of it.
    private func gauge(_ share: Double, _ colour: Colour) -> [Colour] {
        let lit = max(1, min(Int((Double(count) * share).rounded()), count - 1))
        return (0..<count).map { $0 < lit ? colour : Colour(red: 0, green: 0, blue: 0) }
    }

    private func arc(_ scene: Scene, _ time: Double, _ loudness: Double) -> [Colour] {
        let gradient = scene.gradient(at: time)
        let phase = scene.phase(at: time)
        let half = scene.size(at: time, loudness: loudness) / 2
        let level = scene.level(at: time)
        return (0..<count).map { index in
            // Signed distance from the arc's middle to the LED's, in turns, -0.5..<0.5.
            var distance = (Double(index) + 0.5) / Double(count) - phase
            distance -= distance.rounded()
            let lit = coverage(distance, half: half) * falloff(distance, half: half)
            let colour = gradient.colour(at: distance)
            // The core glides from one LED to the next: each is white in proportion to its nearness to the middle.
            let whiteness = 0.85 * max(0, 1 - abs(distance) * Double(count))
            return colour.mixed(with: .white, whiteness).dimmed(lit * level)
        }
    }

    /// How much of the LED's own span lies in the arc, 0…1: the arc's ends are blended, not switched.
    private func coverage(_ distance: Double, half: Double) -> Double {
        let reach = 0.5 / Double(count)
        if half >= 0.5 { return 1 }
        let overlap = min(distance + reach, half) - max(distance - reach, -half)
        return min(max(overlap / (2 * reach), 0), 1)
    }

    /// The arc's middle is its brightest place; its ends have two thirds of that light.
    private func falloff(_ distance: Double, half: Double) -> Double {
        guard half > 0 else { return 0 }
        let share = min(abs(distance) / half, 1)
        return 1 - share * share / 3
    }
}

/// A smooth wave, 0…1, that begins at 0.
func wave(_ time: Double, period: Double) -> Double {
    (1 - cos(2 * .pi * time / period)) / 2
}
