import RingRenderer

/// The ring of a board.
public struct RingConfiguration: Sendable, Equatable {
    /// What the LEDs understand.
    public enum Kind: String, Sendable, CaseIterable {
        /// A data and a clock line; SK9822 as well.
        case apa102
        /// One data line, whose bits are told apart by their length; SK6812 as well.
        case ws2812
    }

    /// Where the ring's bytes go.
    public enum Wire: Sendable, Equatable {
        /// A SPI device such as `/dev/spidev0.0`. `hertz` is the clock; nil is the kind's own usual one.
        case spi(device: String, hertz: UInt32? = nil)
        /// Two GPIO lines of one chip, for APA102 where SPI is taken. The program makes each level, so the frames are
        /// spaced such that it takes little time.
        case lines(data: GPIOLine, clock: GPIOLine)
        /// The same bytes in a file that holds the newest frame: the stand-in of a virtual board, which has no SPI.
        case file(String)
    }

    /// The number of LEDs, at least 1.
    public var count: Int
    /// Where the bytes go.
    public var wire: Wire
    /// What the LEDs understand.
    public var kind: Kind
    /// In which order an LED takes its colours; nil is the kind's own usual one.
    public var order: ColourOrder?
    /// Where on the ring each LED sits.
    public var layout: RingLayout
    /// An output that must be on for the LEDs to have power.
    public var power: GPIOLine?
    /// Brightness and night colours at the start.
    public var profile: Profile

    /// A ring of `count` LEDs.
    public init(
        count: Int, wire: Wire, kind: Kind = .apa102, order: ColourOrder? = nil, layout: RingLayout = RingLayout(),
        power: GPIOLine? = nil, profile: Profile = Profile()
    ) {
        self.count = count
        self.wire = wire
        self.kind = kind
        self.order = order
        self.layout = layout
        self.power = power
        self.profile = profile
    }

    /// The clock's rate for WS2812 at which a bit of theirs is three bits of SPI's, instead of four.
    static let slowHertz: UInt32 = 2_400_000

    /// The clock that SPI runs at.
    var hertz: UInt32 {
        if case .spi(_, let hertz?) = wire { return hertz }
        return kind == .apa102 ? 4_000_000 : 3_200_000
    }

    /// The bytes that show these pixels, the first one at the top and the others clockwise.
    func frame(_ pixels: [RGB8]) -> [UInt8] {
        let placed = layout.placed(pixels)
        return switch kind {
        case .apa102: APA102.frame(placed, order: order ?? .bgr)
        case .ws2812: WS2812(order: order ?? .grb, isSlow: hertz <= Self.slowHertz).frame(placed)
        }
    }

    /// The most LEDs whose frame fits into a SPI transfer of `size` bytes, or nil where it may be sent in parts.
    public func limit(transfer size: Int) -> Int? {
        guard kind == .ws2812, case .spi = wire else { return nil }
        return WS2812(order: order ?? .grb, isSlow: hertz <= Self.slowHertz).limit(transfer: size)
    }
}
