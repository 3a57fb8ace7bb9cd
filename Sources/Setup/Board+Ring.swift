import Configuration
import PanelGPIO

/// How a board file describes its ring.
extension Board {
    static let ringKeys = [
        "type", "count", "spi", "hertz", "data", "clock", "file", "order", "first", "clockwise", "brightness", "power",
    ]

    static func ring(_ node: ConfigurationNode, transfer: Int = SPITransfer.limit) throws -> RingConfiguration {
        let entry = try node.entries(allowed: Self.ringKeys)
        let count = try int(entry["count"], 12, 1...256)
        let kind = try entry["type"].map(ringKind) ?? .apa102
        let order = try entry["order"].map { node in
            guard let order = ColourOrder(try node.string()), kind == .ws2812 || !order.hasWhite else {
                throw node.error("expected r, g and b in their order, such as grb; for sk6812 a w as well")
            }
            return order
        }
        let brightness = try entry["brightness"]?.double() ?? 1
        guard (0...1).contains(brightness) else {
            throw entry["brightness"]?.error("expected 0 to 1") ?? node.error("brightness")
        }
        var ring = RingConfiguration(
            count: count, wire: try wire(node, entry, kind), leds: .init(kind: kind, order: order),
            layout: RingLayout(
                first: try int(entry["first"], 0, 0...(count - 1)),
                isClockwise: try entry["clockwise"]?.bool() ?? true),
            power: try entry["power"].map { try line($0) })
        ring.profile.brightness = brightness
        if let limit = ring.limit(transfer: transfer), count > limit {
            throw (entry["count"] ?? node).error(
                "spidev transfers \(transfer) bytes at once, enough for \(limit) of these LEDs; reduce the count, or "
                    + "raise spidev.bufsiz on the kernel's command line")
        }
        return ring
    }

    private static func ringKind(_ node: ConfigurationNode) throws -> RingConfiguration.Kind {
        switch try node.string() {
        case "apa102", "sk9822": .apa102
        case "ws2812", "sk6812": .ws2812
        default: throw node.error("expected apa102, sk9822, ws2812 or sk6812")
        }
    }

    private static func wire(
        _ node: ConfigurationNode, _ entry: [String: ConfigurationNode], _ kind: RingConfiguration.Kind
    ) throws -> RingConfiguration.Wire {
        let ways = [entry["spi"] != nil, entry["data"] != nil || entry["clock"] != nil, entry["file"] != nil]
        guard ways.count(where: { $0 }) == 1 else {
            throw node.error("expected one of: spi: /dev/spidev0.0 · data: {line: GPIO10} and clock: {line: GPIO11}")
        }
        if let spi = entry["spi"] {
            let hertz = try entry["hertz"].map { UInt32(try int($0, 0, 100_000...32_000_000)) }
            if let hertz, kind == .ws2812, ![2_400_000, 3_200_000].contains(hertz) {
                throw entry["hertz"]?.error("these LEDs take 3200000, or 2400000") ?? node.error("hertz")
            }
            return .spi(device: try spi.string(), hertz: hertz)
        }
        if let hertz = entry["hertz"] { throw hertz.error("“hertz” needs “spi”") }
        if let file = entry["file"] { return .file(try file.string()) }
        guard kind == .apa102 else { throw node.error("these LEDs need the exact timing of “spi”") }
        guard let data = entry["data"], let clock = entry["clock"] else {
            throw node.error("expected both “data” and “clock”")
        }
        let lines = (try line(data), try line(clock))
        guard lines.0.chip == lines.1.chip else {
            throw clock.error("“data” and “clock” must be lines of the same chip")
        }
        for (node, line) in [(data, lines.0), (clock, lines.1)] where line.isActiveLow || line.bias != .asIs {
            throw node.error("a ring's line takes neither active_low nor bias")
        }
        return .lines(data: lines.0, clock: lines.1)
    }
}
