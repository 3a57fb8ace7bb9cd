import Foundation

/// A quantity that can be set, or is reported, or both: a brightness, a position, a temperature.
public struct Scale: Sendable, Equatable {
    /// Where it is set; nil where it only reports.
    public var commandTopic: String?
    /// The state topic; nil for a device that never reports it.
    public var stateTopic: String?
    /// What of a payload it is; nil where it is the payload.
    public var template: ValueTemplate?
    /// The command's payload around the value.
    public var payload = CommandTemplate.plain
    /// The device's own numbers for its ends. A level goes from 0 % at `minimum` to 100 % at `maximum`, which is the
    /// smaller one where the device has it the other way round.
    public var minimum = 0.0, maximum = 100.0
    /// The smallest difference that the device knows.
    public var step = 1.0
    /// Such as `°C`, `°F`, `K`, `mired`; nil for levels.
    public var unit: String?

    /// The range, from the smaller end.
    public var range: ClosedRange<Double> { min(minimum, maximum)...max(minimum, maximum) }

    /// How many steps there are from its lower end to its upper one.
    package var steps: Double { step > 0 ? (abs(maximum - minimum) / step).rounded() : .infinity }

    /// How far a reported number may be from the one that was sent: the device rounds.
    package var tolerance: Double { max(step / 2, (range.upperBound - range.lowerBound) / 200) + 1e-9 }

    /// The device's number for `percent`, 0…100.
    package func raw(percent: Double) -> Double { rounded(minimum + (maximum - minimum) * percent / 100) }

    /// The percentage for a device's number; nil where its ends are one.
    package func percent(raw: Double) -> Double? {
        guard maximum != minimum else { return nil }
        return min(max((raw - minimum) / (maximum - minimum) * 100, 0), 100)
    }

    /// To the nearest step.
    package func rounded(_ value: Double) -> Double {
        step > 0 ? range.lowerBound + ((value - range.lowerBound) / step).rounded() * step : value
    }

    /// The value that the device will take for one in its range, so that what is said is what it is set to; any other
    /// as it is, to be refused.
    package func nearest(_ value: Double) -> Double { range.contains(value) ? rounded(value) : value }

    /// The nearest that it can be set to, both as the owner says it.
    package func nearestSpoken(_ value: Double) -> Double {
        spoken(rounded(min(max(own(value), range.lowerBound), range.upperBound)))
    }

    /// True where its numbers are Fahrenheit.
    var isFahrenheit: Bool { ["°F", "F"].contains(unit) }

    /// A number of the owner's in the device's unit, and back. Temperatures are spoken of in Celsius, the colour of
    /// light in kelvin; lamps use mired, millionths of a kelvin's reciprocal.
    package func own(_ value: Double) -> Double {
        if unit == Self.mired { return value > 0 ? 1e6 / value : maximum }
        return isFahrenheit ? value * 9 / 5 + 32 : value
    }
    package func spoken(_ value: Double) -> Double {
        if unit == Self.mired { return value > 0 ? 1e6 / value : 0 }
        return isFahrenheit ? (value - 32) * 5 / 9 : value
    }

    /// The smallest step that a description may have, so that values can be rounded to it.
    static let smallestStep = 1e-6

    /// The unit of lamps whose larger values are warmer.
    static let mired = "mired"

    /// The command's payload.
    package func payload(_ value: Double) -> String { payload.filled(Self.text(value)) }

    /// A number as devices read it: no trailing zeros, no exponent.
    package static func text(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "0" }
        let hundredths = (value * 100).rounded()
        if hundredths.truncatingRemainder(dividingBy: 100) == 0 { return "\(Int64(hundredths / 100))" }
        let text = String(format: "%.2f", hundredths / 100)
        return text.hasSuffix("0") ? String(text.dropLast()) : text
    }
}

/// What a device may be set to, by name.
public struct Options: Sendable, Equatable {
    /// One of them.
    public struct Option: Sendable, Equatable {
        /// As the owner says it, and other ways to say it.
        public var name: String, aliases: [String]
        /// As the device reads it.
        public var payload: String
    }
    /// Where it is set; nil where it only reports.
    public var commandTopic: String?
    /// The state topic; nil for a device that never reports it.
    public var stateTopic: String?
    /// What of a payload it is; nil where it is the payload.
    public var template: ValueTemplate?
    /// The command's payload around the value.
    public var payload = CommandTemplate.plain
    /// The options in the owner's order.
    public var all: [Option]

    /// The option of this name or alias.
    package func option(_ name: String) -> Option? { all.first { $0.name == name || $0.aliases.contains(name) } }
}
