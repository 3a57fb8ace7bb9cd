import Foundation

/// A colour of light, as bright as it can be.
public struct Colour: Sendable, Equatable {
    /// As it is said; empty for what a lamp reported.
    public var name: String
    /// 0…1.
    public var red: Double, green: Double, blue: Double

    /// A colour of these parts.
    public init(name: String = "", red: Double, green: Double, blue: Double) {
        self.name = name
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour by its hexadecimal digits, as CSS writes it: `ff8c00`.
    package init?(name: String, hex: some StringProtocol) {
        guard hex.count == 6, let number = Int(hex, radix: 16) else { return nil }
        self.init(
            name: name, red: Double(number >> 16 & 255) / 255, green: Double(number >> 8 & 255) / 255,
            blue: Double(number & 255) / 255)
    }

    /// The hue, 0…360, and the saturation, 0…100.
    package var hueAndSaturation: [Double] {
        let highest = max(red, green, blue), span = highest - min(red, green, blue)
        guard span > 0 else { return [0, 0] }
        let sixth =
            switch highest {
            case red: ((green - blue) / span).truncatingRemainder(dividingBy: 6)
            case green: (blue - red) / span + 2
            default: (red - green) / span + 4
            }
        return [sixth < 0 ? (sixth + 6) * 60 : sixth * 60, span / highest * 100]
    }

    /// The CIE 1931 chromaticity for the primaries and white of sRGB (IEC 61966-2-1).
    package var chromaticity: [Double] {
        func linear(_ part: Double) -> Double { part > 0.04045 ? pow((part + 0.055) / 1.055, 2.4) : part / 12.92 }
        let r = linear(red), g = linear(green), b = linear(blue)
        let x = 0.4124 * r + 0.3576 * g + 0.1805 * b, y = 0.2126 * r + 0.7152 * g + 0.0722 * b
        let sum = x + y + 0.0193 * r + 0.1192 * g + 0.9505 * b
        // Black has no chromaticity; white's is the nearest.
        return sum > 0 ? [x / sum, y / sum] : [0.3127, 0.3290]
    }

    /// The colour of a hue and a saturation.
    package init(hue: Double, saturation: Double) {
        let share = min(max(saturation / 100, 0), 1), sector = hue / 60
        func part(_ offset: Double) -> Double {
            let place = (offset + sector).truncatingRemainder(dividingBy: 6)
            return 1 - share * max(0, min(place, 4 - place, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1))
    }

    /// The brightest colour of a chromaticity that sRGB has.
    package init(x: Double, y: Double) {
        guard y > 0 else {
            self.init(red: 1, green: 1, blue: 1)
            return
        }
        let tall = x / y, deep = (1 - x - y) / y
        let parts = [
            3.2406 * tall - 1.5372 - 0.4986 * deep, -0.9689 * tall + 1.8758 + 0.0415 * deep,
            0.0557 * tall - 0.2040 + 1.0570 * deep,
        ].map { max($0, 0) }
        let highest = max(parts.max() ?? 1, 1e-9)
        func encoded(_ part: Double) -> Double {
            let share = part / highest
            return share > 0.0031308 ? 1.055 * pow(share, 1 / 2.4) - 0.055 : share * 12.92
        }
        self.init(red: encoded(parts[0]), green: encoded(parts[1]), blue: encoded(parts[2]))
    }
}

/// How a lamp's colour is set, and reported.
public struct ColourControl: Sendable, Equatable {
    /// What the numbers of a colour are.
    public enum Model: Sendable, Equatable {
        /// Red, green and blue, 0…255.
        case rgb
        /// Hue, 0…360, and saturation, 0…100.
        case hueSaturation
        /// CIE 1931 x and y.
        case chromaticity
    }

    /// How numbers stand in a payload.
    public struct Layout: Sendable, Equatable {
        /// What they are.
        var model: Model
        /// The keys of an object that holds them; none where they stand one after the other, with commas between.
        var keys: [String] = []
        /// Where the object or the text stands in a JSON payload; nowhere where it is the payload.
        var path: [String] = []
    }

    /// Where it is set.
    public var commandTopic: String
    /// The state topic; nil for a lamp that never reports its colour.
    public var stateTopic: String?
    /// How it is set, and how it is reported.
    public var command: Layout, state: Layout
    /// What else stands in the object of a command: `"state":"ON",`.
    public var rest = ""
    /// What the payload calls the colours of this kind, under `color_mode`: a lamp that shines by another has none. Nil
    /// where it does not say.
    var modeWords: Set<String>?

    /// The payload that sets a colour.
    package func payload(_ colour: Colour) -> String {
        let numbers = Self.numbers(of: colour, command.model)
        func text(_ number: Double) -> String {
            command.model == .chromaticity ? Self.decimal(number) : Scale.text(number.rounded())
        }
        guard !command.keys.isEmpty else { return numbers.map(text).joined(separator: ",") }
        let entries = zip(command.keys, numbers).map { "\(JSONValue.quoted($0)):\(text($1))" }.joined(separator: ",")
        let key = command.path.first.map { "\(JSONValue.quoted($0)):" } ?? ""
        return "{\(rest)\(key){\(entries)}}"
    }

    private static func decimal(_ number: Double) -> String {
        String(format: "%.4f", locale: Locale(identifier: "en_US_POSIX"), number)
    }

    private static func numbers(of colour: Colour, _ model: Model) -> [Double] {
        switch model {
        case .rgb: [colour.red * 255, colour.green * 255, colour.blue * 255]
        case .hueSaturation: colour.hueAndSaturation
        case .chromaticity: colour.chromaticity
        }
    }

    /// The colour that a payload reports, as the text that is kept; nil where it reports none.
    func reading(_ payload: [UInt8]) -> String? {
        guard let numbers = numbers(in: payload) else { return nil }
        return numbers.map { "\($0)" }.joined(separator: " ")
    }

    private func numbers(in payload: [UInt8]) -> [Double]? {
        let count = state.model == .rgb ? 3 : 2
        if state.path.isEmpty, state.keys.isEmpty {
            guard payload.count <= 200, let text = String(validating: payload, as: UTF8.self) else { return nil }
            return Self.list(text, count)
        }
        guard let root = JSONValue(payload) else { return nil }
        if let modeWords, let word = root["color_mode"]?.string, !modeWords.contains(word) { return nil }
        guard let value = state.path.reduce(root as JSONValue?, { $0?[$1] }) else { return nil }
        if state.keys.isEmpty { return value.string.flatMap { Self.list($0, count) } }
        let numbers = state.keys.compactMap { value[$0]?.double }
        return numbers.count == state.keys.count ? numbers : nil
    }

    private static func list(_ text: String, _ count: Int) -> [Double]? {
        let parts = text.split(separator: ",").compactMap { Double($0.trimming(\.isWhitespace)) }.filter(\.isFinite)
        return parts.count >= count ? Array(parts.prefix(count)) : nil
    }

    /// The colour of a kept text.
    func colour(_ kept: String) -> Colour? {
        let numbers = kept.split(separator: " ").compactMap { Double($0) }
        switch state.model {
        case .rgb:
            guard numbers.count == 3, let highest = numbers.max(), highest > 0 else { return nil }
            // Some lamps write the brightness into it.
            return Colour(red: numbers[0] / highest, green: numbers[1] / highest, blue: numbers[2] / highest)
        case .hueSaturation: return numbers.count == 2 ? Colour(hue: numbers[0], saturation: numbers[1]) : nil
        case .chromaticity: return numbers.count == 2 ? Colour(x: numbers[0], y: numbers[1]) : nil
        }
    }

    /// True where a kept text is the colour that was sent: lamps round, and have not all colours.
    func shows(_ wanted: Colour, _ kept: String) -> Bool {
        if state.model == .chromaticity {
            let reported = kept.split(separator: " ").compactMap { Double($0) }
            return reported.count == 2 && zip(reported, wanted.chromaticity).allSatisfy { abs($0 - $1) < 0.05 }
        }
        guard let reported = colour(kept)?.hueAndSaturation else { return false }
        let sent = wanted.hueAndSaturation, turn = abs(reported[0] - sent[0])
        guard abs(reported[1] - sent[1]) < 12 else { return false }
        return sent[1] < 12 || min(turn, 360 - turn) < 12
    }
}

extension Substring {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = self
        while let first = text.first, isTrimmed(first) { text.removeFirst() }
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
