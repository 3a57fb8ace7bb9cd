import RingRenderer

/// The ring of a board.
public struct RingConfiguration: Sendable, Equatable {
    /// The LEDs' protocol.
    public enum Kind: String, Sendable, CaseIterable {
        /// A data and a clock line; SK9822 as well.
        case apa102
        /// One data line, whose bits differ in length; SK6812 as well.
        case ws2812
    }

    /// The LEDs' protocol and colour order.
    public struct LEDs: Sendable, Equatable {
        /// The protocol.
        public var kind: Kind
        /// The order in which an LED takes its colours; nil is the kind's usual one.
        public var order: ColourOrder?

        /// LEDs; unless said otherwise APA102 with its usual order.
        public init(kind: Kind = .apa102, order: ColourOrder? = nil) {
            self.kind = kind
            self.order = order
        }
    }

    /// Where the ring's bytes go.
    public enum Wire: Sendable, Equatable {
        /// A SPI device such as `/dev/spidev0.0`. `hertz` is the clock; nil is the kind's usual one.
        case spi(device: String, hertz: UInt32? = nil)
        /// Two GPIO lines of one chip, for APA102 where SPI is in use. The lines are bit-banged, so the frame rate is
        /// limited to what takes little time.
        case lines(data: GPIOLine, clock: GPIOLine)
        /// The same bytes in a file with the newest frame: for a virtual board, which has no SPI.
        case file(String)
    }

    /// The number of LEDs, at least 1.
    public var count: Int
    /// Where the bytes go.
    public var wire: Wire
    /// Their protocol and colour order.
    public var leds: LEDs
    /// Where each LED is on the ring.
    public var layout: RingLayout
    /// An output that must be on for the LEDs to have power.
    public var power: GPIOLine?
    /// Brightness and night colours at the start.
    public var profile: Profile

    /// A ring of `count` LEDs.
    public init(
        count: Int, wire: Wire, leds: LEDs = LEDs(), layout: RingLayout = RingLayout(), power: GPIOLine? = nil,
        profile: Profile = Profile()
    ) {
        self.count = count
        self.wire = wire
        self.leds = leds
        self.layout = layout
        self.power = power
        self.profile = profile
    }

    /// The clock's rate for WS2812 at which one of their bits is three bits of SPI, instead of four.
    static let slowHertz: UInt32 = 2_400_000

    /// The clock that SPI runs at.
    var hertz: UInt32 {
        if case .spi(_, let hertz?) = wire { return hertz }
        return leds.kind == .apa102 ? 4_000_000 : 3_200_000
    }

    /// The bytes for these pixels, the first one at the top and the others clockwise.
    func frame(_ pixels: [RGB8]) -> [UInt8] {
        let placed = layout.placed(pixels)
        return switch leds.kind {
        case .apa102: APA102.frame(placed, order: leds.order ?? .bgr)
        case .ws2812: WS2812(order: leds.order ?? .grb, isSlow: hertz <= Self.slowHertz).frame(placed)
        }
    }

    /// The most LEDs whose frame fits into a SPI transfer of `size` bytes, or nil where it may be sent in parts.
    public func limit(transfer size: Int) -> Int? {
        guard leds.kind == .ws2812, case .spi = wire else { return nil }
        return WS2812(order: leds.order ?? .grb, isSlow: hertz <= Self.slowHertz).limit(transfer: size)
    }
}

/// Where the LEDs of a chain are on the ring.
public struct RingLayout: Sendable, Equatable {
    /// The number in the chain, from 0, of the LED at the top.
    public var first: Int
    /// True when the chain runs clockwise, seen from the front.
    public var isClockwise: Bool

    /// A chain of which the LED `first` is at the top.
    public init(first: Int = 0, isClockwise: Bool = true) {
        self.first = first
        self.isClockwise = isClockwise
    }

    /// The place in the chain of the LED at `position`, counted clockwise from the top, of `count`.
    public func place(of position: Int, count: Int) -> Int {
        let place = (first + (isClockwise ? position : -position)) % count
        return place < 0 ? place + count : place
    }

    /// Pixels from the top clockwise, rearranged in the chain's order.
    func placed<Element>(_ elements: [Element]) -> [Element] {
        guard first != 0 || !isClockwise, !elements.isEmpty else { return elements }
        var placed = elements
        for (position, element) in elements.enumerated() {
            placed[place(of: position, count: elements.count)] = element
        }
        return placed
    }
}
