import RingRenderer

/// In which order an LED takes its colours' bytes, such as `grb`, or `grbw` where it has a white light as well.
public struct ColourOrder: Sendable, Equatable {
    private enum Channel: Character {
        case red = "r"
        case green = "g"
        case blue = "b"
        case white = "w"
    }

    /// Green first: WS2812 and SK6812.
    public static let grb = ColourOrder([.green, .red, .blue])
    /// Blue first: APA102 and SK9822.
    public static let bgr = ColourOrder([.blue, .green, .red])

    private let channels: [Channel]

    private init(_ channels: [Channel]) { self.channels = channels }

    /// Reads an order; nil unless `text` has r, g and b once each, and at most one w.
    public init?(_ text: String) {
        let channels = text.lowercased().compactMap { Channel(rawValue: $0) }
        guard channels.count == text.count, Set(channels).count == channels.count,
            Set(channels).isSuperset(of: [.red, .green, .blue])
        else { return nil }
        self.init(channels)
    }

    /// Bytes an LED takes.
    var count: Int { channels.count }
    /// True where the LED has white in addition to its three colours.
    public var hasWhite: Bool { channels.contains(.white) }

    /// The bytes of a pixel. The part that its three colours have in common is shown by the white LED, where there is
    /// one: the same light with less current.
    func bytes(_ pixel: RGB8) -> [UInt8] {
        let white = hasWhite ? min(pixel.red, pixel.green, pixel.blue) : 0
        return channels.map { channel in
            switch channel {
            case .red: pixel.red - white
            case .green: pixel.green - white
            case .blue: pixel.blue - white
            case .white: white
            }
        }
    }
}
