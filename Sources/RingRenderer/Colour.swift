import Foundation

/// A colour in the proportions that the eye sees, 0…1 a channel. Blending and dimming happen here; gamma comes last.
struct Colour: Equatable {
    var red = 0.0
    var green = 0.0
    var blue = 0.0

    static let white = Colour(red: 1, green: 1, blue: 1)

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ colour: RGB8) {
        self.init(red: Double(colour.red) / 255, green: Double(colour.green) / 255, blue: Double(colour.blue) / 255)
    }

    /// The colour `share` (0…1) of the way to `other`.
    func mixed(with other: Colour, _ share: Double) -> Colour {
        Colour(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share)
    }

    /// The colour at `level` (0…1) of its brightness.
    func dimmed(_ level: Double) -> Colour { Colour(red: red * level, green: green * level, blue: blue * level) }

    /// Red alone, as bright as the brightest channel: what does not spoil eyes used to the dark.
    var redOnly: Colour { Colour(red: max(red, green, blue), green: 0, blue: 0) }

    /// The values to send.
    func encoded(gamma: Double) -> RGB8 {
        func channel(_ value: Double) -> UInt8 {
            let light = pow(min(max(value, 0), 1), gamma)
            return light.isFinite ? UInt8((light * 255).rounded()) : 0
        }
        return RGB8(channel(red), channel(green), channel(blue))
    }
}

/// Colours around the ring, blended from stop to stop. Twelve stops hold the palettes of three and of four colours
/// exactly, so that any two gradients can be mixed stop by stop.
struct Gradient: Equatable {
    private static let count = 12
    private var stops: [Colour]

    init(_ palette: Palette) {
        let colours = palette.colours.map { Colour($0) }
        stops = (0..<Self.count).map { Self.sample(colours, Double($0) / Double(Self.count)) }
    }

    private init(stops: [Colour]) { self.stops = stops }

    /// The colour at `turn`, where 0 and 1 are the same place.
    func colour(at turn: Double) -> Colour { Self.sample(stops, turn) }

    /// The gradient `share` (0…1) of the way to `other`.
    func mixed(with other: Gradient, _ share: Double) -> Gradient {
        Gradient(stops: zip(stops, other.stops).map { $0.mixed(with: $1, share) })
    }

    private static func sample(_ colours: [Colour], _ turn: Double) -> Colour {
        let place = (turn - turn.rounded(.down)) * Double(colours.count)
        let index = Int(place) % colours.count
        return colours[index].mixed(with: colours[(index + 1) % colours.count], place - place.rounded(.down))
    }
}
