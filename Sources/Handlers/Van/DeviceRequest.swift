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
    /// A colour of light by its name.
    case colour(Colour)
    /// As high as it goes, or as low as it goes without being off.
    case extreme(isHigh: Bool)
    /// A small number without a unit: a fan's step, and a level of everything else.
    case bare(Double)
    /// One of a few steps, such as a fan's second speed.
    case step(Double)
    /// The slant of a blind's slats, percent.
    case tilt(Double)
    /// Whether a fan swings.
    case oscillation(Bool)
    /// The opposite of what it is now.
    case toggle

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
        case .colour(let colour): return .colour(colour)
        case .extreme(let isHigh): return extreme(isHigh, device)
        case .step(let number): return try step(number, device)
        case .bare(let number):
            let isStep = device.kind == .fan && (device.level?.steps ?? .infinity) <= Self.mostSteps
            return try isStep ? step(number, device) : DeviceRequest.set(number).command(for: device, report)
        case .tilt(let percent): return .tilt(percent)
        case .oscillation(let isOn): return .oscillation(isOn)
        case .toggle: return try toggled(device, report)
        }
    }

    private func extreme(_ isHigh: Bool, _ device: Device) -> DeviceCommand {
        func end(_ scale: Scale) -> Double { scale.spoken(isHigh ? scale.range.upperBound : scale.range.lowerBound) }
        if let scale = device.target, scale.commandTopic != nil { return .temperature(end(scale)) }
        if let scale = device.value { return .value(end(scale)) }
        // One percent is the lowest step that is not off.
        return .level(isHigh ? 100 : device.canSwitch ? 1 : 0)
    }

    /// So many steps at most are called by their numbers: nobody knows the forty-second speed.
    private static let mostSteps = 12.0

    private func step(_ number: Double, _ device: Device) throws(DeviceRequestRefusal) -> DeviceCommand {
        if device.options?.option(Scale.text(number)) != nil { return .option(Scale.text(number)) }
        guard let scale = device.level, scale.commandTopic != nil else { return .level(50) }
        let count = scale.steps
        guard count <= Self.mostSteps else { throw .noSteps }
        guard number >= 1, number <= count, number == number.rounded() else { throw .steps(Int(count)) }
        return .level(number / count * 100)
    }

    /// Always the state to reach: a message that says “the other one” may be delivered twice.
    private func toggled(_ device: Device, _ report: DeviceReport) throws(DeviceRequestRefusal) -> DeviceCommand {
        if device.kind == .scene || device.kind == .button { return .verb(.press) }
        switch (report.state, report.position) {
        case (.on, _): return .off
        case (.off, _): return .on
        case (_, .closed?), (_, .closing?): return .verb(.open)
        case (_, .open?), (_, .opening?), (_, .stopped?): return .verb(.close)
        case (_, .locked?): return .verb(.unlock)
        case (_, .unlocked?): return .verb(.lock)
        default: throw .unknown
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
        if abs(wanted - kelvin) < 1 { throw .atEnd(.colourTemperature(kelvin)) }
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
            if isUp ? target >= high : target <= low { throw .atEnd(.temperature(target)) }
            // A step of brightness is too much for a heater, which is set in degrees.
            let degrees = if case .adjustTemperature = self { amount } else { amount.map { min($0, 5) } }
            return .temperature(min(max(target + sign * (degrees ?? Self.usualDegrees), low), high))
        }
        if let scale = device.value {
            guard let value = report.number else { throw .unknown }
            if isUp ? value >= scale.maximum : value <= scale.minimum { throw .atEnd(.value(value)) }
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
        if isUp ? level >= 99.5 : level <= 0.5 {
            throw .atEnd(report.state == .off ? .off : .level(level.rounded()))
        }
        let wanted = level + sign * (amount ?? Self.usualStep)
        // Dimming never turns a lamp off: who wants that says so.
        let floor = device.kind == .light && level > 1 ? 1.0 : 0
        return .level(min(max(wanted, floor), 100).rounded())
    }
}

/// Why a request cannot be made into a command.
package enum DeviceRequestRefusal: Error, Equatable {
    /// It depends on a state that the device has not reported.
    case unknown
    /// It is as far as it goes: what it is set to.
    case atEnd(DeviceCommand)
    /// Its steps have no numbers.
    case noSteps
    /// It has only so many steps.
    case steps(Int)
}
