import RingRenderer

/// The bytes that a SPI bus sends so that its data line is what a chain of WS2812 or SK6812 LEDs takes.
///
/// Each bit of theirs is a pulse: short for 0, long for 1. At 3.2 MHz a bit is four of SPI's, 1000 or 1100: 313 or
/// 625 ns high; every byte ends low, so that the pause which some SPI controllers make between bytes lengthens no
/// pulse. At 2.4 MHz it is three, 100 or 110: 417 or 833 ns, which the first WS2812 want. The data sheets ask for
/// 220–380 and 580–1000 ns (WS2812B-V5), 300 and 600 ± 150 ns (SK6812), 350 and 700 ± 150 ns (WS2812), and for 280 µs
/// low before what is sent is shown.
struct WS2812 {
    private let order: ColourOrder
    private let isSlow: Bool
    /// The four bytes (three when slow) of each byte sent, one after the other.
    private let table: [UInt8]

    /// - Parameter isSlow: 2.4 MHz and three bits instead of 3.2 MHz and four.
    init(order: ColourOrder, isSlow: Bool) {
        self.order = order
        self.isSlow = isSlow
        table = (0...255).flatMap { Self.pulses(UInt8($0), isSlow) }
    }

    /// Bytes of SPI for one byte of an LED.
    private var width: Int { isSlow ? 3 : 4 }
    /// 280 µs low, at 300,000 or 400,000 bytes a second.
    private var reset: Int { isSlow ? 84 : 112 }
    /// Some controllers raise the line for a moment when a transfer begins: the first bytes are low.
    private static let lead = 2

    /// One frame for all LEDs. It must be sent in one transfer: a pause inside it shows its first part alone.
    func frame(_ pixels: [RGB8]) -> [UInt8] {
        var bytes = Array(repeating: UInt8(0), count: Self.lead)
        bytes.reserveCapacity(Self.lead + pixels.count * order.count * width + reset)
        for pixel in pixels {
            for byte in order.bytes(pixel) {
                let start = Int(byte) * width
                bytes += table[start..<(start + width)]
            }
        }
        bytes += Array(repeating: 0, count: reset)
        return bytes
    }

    /// The most LEDs whose frame fits into `size` bytes.
    func limit(transfer size: Int) -> Int { max(0, (size - Self.lead - reset) / (order.count * width)) }

    private static func pulses(_ byte: UInt8, _ isSlow: Bool) -> [UInt8] {
        var bits: UInt32 = 0
        for place in stride(from: 7, through: 0, by: -1) {
            let isOne = byte >> UInt8(place) & 1 == 1
            bits = isSlow ? bits << 3 | (isOne ? 0b110 : 0b100) : bits << 4 | (isOne ? 0b1100 : 0b1000)
        }
        let count = isSlow ? 3 : 4
        return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * (count - 1 - $0))) }
    }
}

/// The bytes that a chain of APA102 or SK9822 LEDs takes.
///
/// Start frame: 32 zero bits. Each LED: 111 and five bits of current, then its colours, blue first. End: each LED
/// delays the clock by half a period, so the last one needs half as many extra clocks as there are LEDs; SK9822 shows
/// the frame only after another 32 zero bits (data sheets of both; T. Lewis, "SK9822 – a clone of the APA102?", 2016).
enum APA102 {
    /// One frame for all LEDs. The current stays at its highest: the five bits are pulsed at 580 Hz, which the eye
    /// sees as flicker when the ring turns.
    static func frame(_ pixels: [RGB8], order: ColourOrder = .bgr) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0]
        bytes.reserveCapacity(8 + pixels.count * 4 + pixels.count / 16 + 1)
        for pixel in pixels { bytes += [0xFF] + order.bytes(pixel) }
        bytes += Array(repeating: 0, count: 4 + (pixels.count + 15) / 16)
        return bytes
    }
}
