import Domain
import Devices

/// What the owner asks of a device, before it is known what the device can do.
package enum DeviceRequest: Sendable, Equatable {
    case turn(Bool)
    case verb(Device.Verb)
    /// A number with or without its unit: a brightness, a temperature, whatever the device is set by.
    case set(Double)
    case adjust(Double?, isUp: Bool)
    case temperature(Double)
    case adjustTemperature(Double?, isUp: Bool)
    case option(String)
    /// A colour of light by its name, kelvin.
    case white(Double)

    /// How much “brighter” and “warmer” are where no amount is said: percent, degrees Celsius.
    private static let usualStep = 20.0, usualDegrees = 1.0

    /// The command for this device: people say “turn the heater up” and “stop the fan” without thinking of kinds.
    /// - Throws: `DeviceRequestRefusal` where it depends on a state that is not known, or the device is at its end
    ///   already.
    package func command(for device: Device, _ report: DeviceReport) throws(DeviceRequestRefusal) -> DeviceCommand {
        switch self {
        case .turn(let isOn):
            if !isOn, device.kind == .cover { return .verb(.stop) }
            if isOn, device.kind == .scene || device.kind == .button { return .verb(.press) }
            return isOn ? .on : .off
        case .verb(let verb):
            switch (verb, device.kind) {
            case (.stop, _) where device.canSwitch: return .off
            case (.open, .lock): return .verb(.unlock)
            case (.close, .lock): return .verb(.lock)
            default: return .verb(verb)
            }
        case .set(let value), .temperature(let value):
            if let scale = device.target, scale.commandTopic != nil {
                return .temperature(scale.spoken(scale.nearest(scale.own(value))))
            }
            if device.kind == .number { return .value(device.value?.nearest(value) ?? value) }
            // No lamp is set to thousands of percent, and none to fewer kelvin.
            if value >= 1_000, device.colourTemperature?.commandTopic != nil { return .colourTemperature(value) }
            return device.isHeating ? .temperature(value) : .level(value)
        case .adjust(let amount, let isUp), .adjustTemperature(let amount, let isUp):
            return try adjusted(device, report, amount, isUp)
        case .option(let name): return .option(name)
        case .white(let kelvin):
            guard let scale = device.colourTemperature else { return .colourTemperature(kelvin) }
            return .colourTemperature(scale.nearestSpoken(kelvin))
        }
    }

    /// How much a lamp's “warmer” is, kelvin.
    private static let usualKelvin = 500.0

    /// “Make the reading light warmer”: fewer kelvin.
    private func warmer(_ device: Device, _ report: DeviceReport, _ isUp: Bool) throws(DeviceRequestRefusal)
        -> DeviceCommand
    {
        guard let scale = device.colourTemperature else { return .colourTemperature(Self.usualKelvin) }
        guard let kelvin = report.colourTemperature else { throw .unknown }
        let wanted = scale.nearestSpoken(kelvin + (isUp ? -1 : 1) * Self.usualKelvin)
        if abs(wanted - kelvin) < 1 { throw .atEnd }
        return .colourTemperature(wanted)
    }

    private func adjusted(
        _ device: Device, _ report: DeviceReport, _ amount: Double?, _ isUp: Bool
    ) throws(DeviceRequestRefusal) -> DeviceCommand {
        if device.kind == .light, case .adjustTemperature = self { return try warmer(device, report, isUp) }
        let sign = isUp ? 1.0 : -1.0
        if let scale = device.target, scale.commandTopic != nil {
            guard let target = report.target else { throw .unknown }
            let low = scale.spoken(scale.range.lowerBound), high = scale.spoken(scale.range.upperBound)
            if isUp ? target >= high : target <= low { throw .atEnd }
            // A step of brightness is too much for a heater, which is set in degrees.
            let degrees = if case .adjustTemperature = self { amount } else { amount.map { min($0, 5) } }
            return .temperature(min(max(target + sign * (degrees ?? Self.usualDegrees), low), high))
        }
        if let scale = device.value {
            guard let value = report.number else { throw .unknown }
            if isUp ? value >= scale.maximum : value <= scale.minimum { throw .atEnd }
            return .value(min(max(value + sign * (amount ?? scale.step), scale.minimum), scale.maximum))
        }
        guard device.level?.commandTopic != nil else {
            // “Raise the blind”, of one that knows open and closed only.
            if device.kind == .cover, amount == nil { return .verb(isUp ? .open : .close) }
            return .level(50)
        }
        if device.kind == .cover, amount == nil { return .verb(isUp ? .open : .close) }
        // A lamp that is off is dark, whatever brightness it keeps for the next time.
        guard let level = device.canSwitch && report.state == .off ? 0 : report.level else { throw .unknown }
        if isUp ? level >= 99.5 : level <= 0.5 { throw .atEnd }
        let wanted = level + sign * (amount ?? Self.usualStep)
        // Dimming never turns a lamp off: who wants that says so.
        let floor = device.kind == .light && level > 1 ? 1.0 : 0
        return .level(min(max(wanted, floor), 100).rounded())
    }
}

/// Why a request cannot be made into a command.
package enum DeviceRequestRefusal: Error {
    /// It depends on a state that the device has not reported.
    case unknown
    /// It is as far as it goes.
    case atEnd
}
