import RingRenderer

/// How many colours a terminal shows.
public enum ColourDepth: Sendable, Equatable {
    /// Any colour.
    case direct
    /// xterm's 256: a cube of 6×6×6 and 24 greys behind the 16 of old.
    case palette256
    /// The eight of old.
    case palette8
    /// One, or the owner wants none (`NO_COLOR`).
    case none

    /// The levels of the cube's channels (xterm's ctlseqs, “256 colors”).
    private static let levels: [Int] = [0, 95, 135, 175, 215, 255]

    /// The terminal's number for a colour.
    public func number(of colour: RGB8) -> Int32 {
        switch self {
        case .direct:
            // Eight steps fewer a channel are not seen, and most cells need not be sent again for the next frame.
            let (red, green, blue) = (Int32(colour.red) & 0xF8, Int32(colour.green) & 0xF8, Int32(colour.blue) & 0xF8)
            return red << 16 | green << 8 | blue
        case .palette256: return Self.nearest(colour)
        case .palette8:
            // Half of the brightest channel decides which of the eight is nearest; what is dark is black.
            let most = max(colour.red, colour.green, colour.blue)
            guard most >= 64 else { return 0 }
            let half = most / 2
            return (colour.red > half ? 1 : 0) | (colour.green > half ? 2 : 0) | (colour.blue > half ? 4 : 0)
        case .none: return -1
        }
    }

    private static func nearest(_ colour: RGB8) -> Int32 {
        let channels = [Int(colour.red), Int(colour.green), Int(colour.blue)]
        let cube = channels.map { channel in
            levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
        }
        let grey = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
        func distance(_ other: [Int]) -> Int { zip(channels, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
        let isGrey = distance(Array(repeating: 8 + 10 * grey, count: 3)) < distance(cube.map { levels[$0] })
        return Int32(isGrey ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }
}
