import Configuration
import Foundation
import RingRenderer
import Synchronization
import SystemTestKit
import Testing

@testable import PanelGPIO
@testable import Setup

/// The pulses of WS2812 LEDs, as bits of SPI.
@Suite struct WS2812Tests {
    private let pixel = [RGB8(0xFF, 0x01, 0x80)]

    private func body(_ bytes: [UInt8], reset: Int) -> [UInt8] { Array(bytes.dropFirst(2).dropLast(reset)) }

    @Test func fourBitsABit_areShortAndLongPulses_greenFirst() {
        let bytes = WS2812(order: .grb, isSlow: false).frame(pixel)
        // 1 is 1100 and 0 is 1000; green 0x01, red 0xFF, blue 0x80.
        #expect(
            body(bytes, reset: 112) == [
                0x88, 0x88, 0x88, 0x8C, 0xCC, 0xCC, 0xCC, 0xCC, 0xC8, 0x88, 0x88, 0x88,
            ])
        #expect(bytes.prefix(2) == [0, 0] && bytes.suffix(112).allSatisfy { $0 == 0 })
        #expect(bytes.allSatisfy { $0 & 1 == 0 }, "every byte ends low")
        #expect(Double(112 * 8) / 3_200_000 >= 280e-6)
    }

    @Test func threeBitsABit_atTheLowerRate() {
        let bytes = WS2812(order: .grb, isSlow: true).frame(pixel)
        // 0x01 is 100 100 100 100 100 100 100 110, 0xFF is 110 eight times, 0x80 is 110 100 …
        #expect(body(bytes, reset: 84) == [0x92, 0x49, 0x26, 0xDB, 0x6D, 0xB6, 0xD2, 0x49, 0x24])
        #expect(Double(84 * 8) / 2_400_000 >= 280e-6)
    }

    @Test func everyByte_readsBackFromItsPulses() {
        for isSlow in [false, true] {
            let width = isSlow ? 3 : 4, encoder = WS2812(order: .grb, isSlow: isSlow)
            for value in 0...255 {
                let bytes = encoder.frame([RGB8(0, UInt8(value), 0)]).dropFirst(2).prefix(width)
                let bits = bytes.reduce(0) { $0 << 8 | UInt32($1) }
                let read = (0..<8).reduce(0) { sum, bit in
                    let pulse = bits >> UInt32((7 - bit) * width) & (isSlow ? 0b111 : 0b1111)
                    return sum << 1 | (pulse == (isSlow ? 0b110 : 0b1100) ? 1 : 0)
                }
                #expect(read == value)
            }
        }
    }

    @Test func whiteLight_takesWhatTheColoursHaveInCommon() throws {
        let order = try #require(ColourOrder("GRBW"))
        #expect(order.bytes(RGB8(200, 50, 60)) == [0, 150, 10, 50])
        #expect(try #require(ColourOrder("rgb")).bytes(RGB8(1, 2, 3)) == [1, 2, 3])
        for text in ["", "rg", "rgbb", "rgbx", "rgbww", "grb "] { #expect(ColourOrder(text) == nil, "\(text)") }
    }

    @Test func frameAtTheLimit_fitsIntoOneTransfer_andOneMoreDoesNot() {
        for order in [ColourOrder.grb, ColourOrder("grbw") ?? .grb] {
            for isSlow in [false, true] {
                let encoder = WS2812(order: order, isSlow: isSlow), limit = encoder.limit(transfer: 4_096)
                #expect(encoder.frame(Array(repeating: .black, count: limit)).count <= 4_096)
                #expect(encoder.frame(Array(repeating: .black, count: limit + 1)).count > 4_096)
            }
        }
    }
}

/// The bits of APA102 LEDs on two lines.
@Suite struct LinesRingTests {
    private final class FakePair: LinePair {
        var levels: [String] = []
        func set(data: Bool, clock: Bool) { levels.append("\(data ? 1 : 0)\(clock ? 1 : 0)") }
    }

    private static let configuration = RingConfiguration(
        count: 2, wire: .lines(data: GPIOLine(place: .name("GPIO10")), clock: GPIOLine(place: .name("GPIO11"))))

    @Test func everyBit_standsBeforeTheClockRises_andWhileItIsHigh() throws {
        let pair = FakePair()
        try LinesRing(Self.configuration, lines: pair).write([RGB8(1, 2, 3), RGB8(255, 0, 128)])
        let bytes = APA102.frame([RGB8(1, 2, 3), RGB8(255, 0, 128)])
        let expected = bytes.flatMap { byte in
            stride(from: 7, through: 0, by: -1).flatMap { place -> [String] in
                let bit = byte >> UInt8(place) & 1
                return ["\(bit)0", "\(bit)1"]
            }
        }
        #expect(pair.levels == expected + ["00"], "both lines rest low")
    }

    @Test func costlyFrames_areSpacedSoFarThatTheirShareHolds() {
        var pace = FramePace()
        pace.took(0.0001, share: 0.02)
        #expect(pace.interval == 1.0 / 30)
        pace.took(0.004, share: 0.02)
        #expect(abs(pace.interval - 0.2) < 1e-9)
        pace.took(10, share: 0.02)
        #expect(pace.interval == 1, "one slow frame does not stop the ring")
    }

    @Test func costlyDriver_isDrawnLessOften() async throws {
        final class Costly: RingDriver {
            let processorShare: Double? = 0.02
            func write(_ pixels: [RGB8]) {
                let start = FramePace.processorTime
                while FramePace.processorTime - start < 0.002 {}
            }
        }
        let animator = RingAnimator(ring: Ring(count: 12), open: { Costly() })
        defer { animator.stop() }
        animator.show(.thinking, palette: .van)
        try await eventually("it to move") { animator.frameCount > 2 }
        let (start, before) = (ContinuousClock.now, animator.frameCount)
        try await eventually("five frames") { animator.frameCount >= before + 5 }
        let rate = Double(animator.frameCount - before) / (start.duration(to: .now) / .seconds(1))
        #expect(rate < 14, "2 ms a frame at 2 % of a core are ten frames a second: \(rate)")
    }
}

/// Where the LEDs sit.
@Suite struct RingLayoutTests {
    @Test func firstAndDirection_putEachPixelOnItsLED() {
        let ring = ["top", "right", "bottom", "left"]
        #expect(RingLayout().placed(ring) == ring)
        #expect(RingLayout(first: 1).placed(ring) == ["left", "top", "right", "bottom"])
        #expect(RingLayout(isClockwise: false).placed(ring) == ["top", "left", "bottom", "right"])
        #expect(RingLayout(first: 2, isClockwise: false).placed(ring) == ["bottom", "right", "top", "left"])
        #expect(RingLayout(first: 2).placed([String]()).isEmpty)
    }

    @Test func everyLayout_usesEveryLEDOnce() {
        for first in [0, 1, 5, 11] {
            for isClockwise in [true, false] {
                let layout = RingLayout(first: first, isClockwise: isClockwise)
                let places = (0..<12).map { layout.place(of: $0, count: 12) }
                #expect(Set(places) == Set(0..<12) && places[0] == first)
            }
        }
    }

    @Test func placedPixels_areWhatIsSent() {
        let ring = RingConfiguration(
            count: 2, wire: .file("/dev/null"), leds: .init(kind: .ws2812), layout: RingLayout(first: 1))
        let pixels = [RGB8(1, 2, 3), RGB8(4, 5, 6)]
        #expect(ring.frame(pixels) == WS2812(order: .grb, isSlow: false).frame(pixels.reversed()))
    }
}

/// The ring's keys in a board file.
@Suite struct BoardRingTests {
    private func ring(_ text: String, transfer: Int = 4_096) throws -> RingConfiguration {
        try Board.ring(ConfigurationNode(parsing: text, file: "board.yaml"), transfer: transfer)
    }

    @Test func everyKey_isRead() throws {
        let ring = try ring(
            """
            {type: sk6812, count: 16, spi: /dev/spidev0.0, hertz: 2400000, order: rgbw, first: 3, clockwise: false,
             brightness: 0.5, power: {line: GPIO5}}
            """)
        #expect(ring.leds.kind == .ws2812 && ring.count == 16 && ring.leds.order == ColourOrder("rgbw"))
        #expect(ring.wire == .spi(device: "/dev/spidev0.0", hertz: 2_400_000))
        #expect(ring.layout == RingLayout(first: 3, isClockwise: false))
        #expect(ring.profile.brightness == 0.5 && ring.power == GPIOLine(place: .name("GPIO5")))
        let lines = try self.ring("{count: 3, data: {line: GPIO10}, clock: {line: GPIO11}}")
        #expect(lines.wire == .lines(data: GPIOLine(place: .name("GPIO10")), clock: GPIOLine(place: .name("GPIO11"))))
    }

    @Test func moreLEDsThanOneTransferTakes_isRefused_withTheNumberPossible() throws {
        let text = "{type: sk6812, order: grbw, count: 256, spi: /dev/spidev0.0}"
        let error = try #require(throws: ConfigurationError.self) { try ring(text) }
        #expect("\(error)".contains("enough for 248 of these LEDs"), "\(error)")
        #expect(try ring(text, transfer: 65_536).count == 256)
        #expect(try ring("{count: 256, spi: /dev/spidev0.0}").count == 256, "APA102 may pause in a frame")
    }

    @Test(arguments: [
        "{count: 12}", "{spi: /dev/spidev0.0, file: x}", "{data: {line: GPIO10}}", "{type: ws2811, spi: x}",
        "{spi: x, order: grbw}", "{spi: x, first: 12}", "{spi: x, brightness: 1.5}", "{file: x, hertz: 4000000}",
        "{type: ws2812, data: {line: A}, clock: {line: B}}", "{type: ws2812, spi: x, hertz: 8000000}",
        "{data: {chip: a, line: 1}, clock: {chip: b, line: 2}}", "{data: {line: 10}, clock: {line: 11}}",
        "{data: {line: A, active_low: true}, clock: {line: B}}", "{spi: x, colour: red}",
    ]) func wrongRing_isRefused(text: String) {
        #expect(throws: ConfigurationError.self) { try ring(text) }
    }
}
