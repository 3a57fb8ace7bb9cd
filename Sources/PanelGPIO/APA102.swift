import RingRenderer

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
