import Devices

/// How commands and their outcomes are put into words.
extension VanHandler {
    /// The part of the reply keys that belongs to a command.
    package static func key(of order: DeviceCommand) -> String {
        switch order {
        case .on: "on"
        case .off: "off"
        case .verb(let verb): verb.rawValue
        case .level, .colourTemperature, .temperature, .option, .value: "set"
        }
    }

    /// What the device is then: “on”, “open”, “at 30 percent”, “set to gas”.
    package static func phrase(_ order: DeviceCommand, _ device: Device, _ context: HandlerContext) -> String {
        switch order {
        case .on: return context.replies("van.on")
        case .off: return context.replies("van.off")
        case .verb(let verb):
            let position: Device.Position? =
                switch verb {
                case .open: .open
                case .close: .closed
                case .lock: .locked
                case .unlock: .unlocked
                case .stop: .stopped
                case .press: nil
                }
            return context.replies(position.map { "van.\($0)" } ?? "van.pressed_word")
        case .level(let percent): return context.replies("van.at", ["value": quantity(percent, "%", context)])
        case .colourTemperature(let kelvin):
            return context.replies("van.at", ["value": quantity(kelvin, "K", context)])
        case .temperature(let degrees):
            return context.replies("van.set_to", ["value": quantity(degrees, "°C", context)])
        case .option(let name):
            return context.replies("van.set_to", ["value": device.options?.option(name)?.name ?? name])
        case .value(let value):
            return context.replies("van.set_to", ["value": quantity(value, device.unit, context)])
        }
    }

    /// How a command to one device went, as a sentence.
    package static func sentence(_ deed: CommandResult, _ context: HandlerContext) -> String {
        let device = deed.device
        var values = names(device, context)
        values["state"] = phrase(deed.command, device, context)
        switch deed.outcome {
        case .confirmed where deed.command == .verb(.stop): return context.replies("van.stopped_it", values)
        case .confirmed: return context.replies("van.confirmed", values)
        case .begun:
            if let position = deed.after.position, [.opening, .closing, .locking, .unlocking].contains(position) {
                values["state"] = context.replies("van.\(position)")
            } else {
                values["state"] = context.replies("van.\(motion(of: deed.command))")
            }
            return context.replies("van.confirmed", values)
        case .told where deed.command == .verb(.press): return context.replies("van.pressed", values)
        case .told: return context.replies("van.told", values)
        case .unconfirmed: return context.replies("van.unconfirmed", values)
        case .already: return context.replies("van.already", values)
        case .offline: return context.replies("van.offline", values)
        case .unsupported:
            let isSwitching = deed.command == .on || deed.command == .off
            return context.replies(isSwitching ? "van.unsupported" : "van.cannot_\(key(of: deed.command))", values)
        case .outOfRange(let low, let high):
            let unit = self.unit(of: deed.command, device)
            values["low"] = figure(low)
            values["high"] = quantity(high, unit, context)
            return context.replies("van.out_of_range", values)
        case .noOption(let options):
            values["list"] = context.spoken.choice(options)
            return context.replies("van.no_option", values)
        case .unreachable: return context.replies("van.unreachable")
        }
    }

    /// What a device does that has begun to obey and tells no more than that.
    private static func motion(of order: DeviceCommand) -> String {
        switch order {
        case .verb(.open): "opening"
        case .verb(.close): "closing"
        case .verb(.lock): "locking"
        case .verb(.unlock): "unlocking"
        default: "moving"
        }
    }

    private static func unit(of order: DeviceCommand, _ device: Device) -> String? {
        switch order {
        case .temperature: "°C"
        case .colourTemperature: "K"
        case .value: device.unit
        default: "%"
        }
    }

    /// How a command to several devices went: all of them, or how many, and what became of each of the others.
    package static func summary(_ results: [CommandResult], _ said: String, _ context: HandlerContext) -> String {
        guard let first = results.first else { return "" }
        // Of several, the others may have been left out.
        if results.count == 1 { return sentence(first, context) }
        if results.allSatisfy({ if case .unreachable = $0.outcome { true } else { false } }) {
            return context.replies("van.unreachable")
        }
        let good = results.filter { [.confirmed, .already].contains($0.outcome) }
        var values = [
            "count": "\(results.count)", "done": "\(good.count)", "noun": said,
            "state": phrase(first.command, first.device, context),
        ]
        if good.count == results.count {
            let key = results.allSatisfy { $0.outcome == .already } ? "van.all_already" : "van.all_done"
            return context.replies(key, values)
        }
        let rest = results.filter { ![.confirmed, .already].contains($0.outcome) }
        if rest.count == results.count, rest.allSatisfy({ $0.outcome == rest[0].outcome }) {
            switch rest[0].outcome {
            case .told: return context.replies("van.all_told", values)
            case .unconfirmed: return context.replies("van.all_unconfirmed", values)
            case .offline: return context.replies("van.all_offline", values)
            default: break
            }
        }
        values["rest"] = context.spoken.list(rest.map { left($0, context) })
        return context.replies(good.isEmpty ? "van.none_done" : "van.some_done", values).capitalisedFirst
    }

    /// What became of one device among several, as a part of a sentence.
    package static func left(_ deed: CommandResult, _ context: HandlerContext) -> String {
        var values = names(deed.device, context)
        values["has"] = context.replies(
            context.spoken.be(deed.device.name) == context.replies("verb.are") ? "van.have" : "van.has")
        switch deed.outcome {
        case .unconfirmed: return context.replies("van.left_unconfirmed", values)
        case .offline: return context.replies("van.left_offline", values)
        case .told: return context.replies("van.left_told", values)
        case .unreachable: return context.replies("van.left_unreachable", values)
        default:
            let sentence = sentence(deed, context)
            let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
            return text.prefix(1).lowercased() + text.dropFirst()
        }
    }

    // MARK: quantities

    private static let unitKeys = [
        "%": "percent", "°C": "celsius", "°F": "fahrenheit", "C": "celsius", "F": "fahrenheit", "V": "volts",
        "A": "amps", "W": "watts", "kW": "kilowatts", "Ah": "amp_hours", "Wh": "watt_hours", "kWh": "kilowatt_hours",
        "L": "litres", "l": "litres", "bar": "bar", "psi": "psi", "hPa": "hectopascals", "kPa": "kilopascals",
        "mbar": "millibar", "K": "kelvin", "ppm": "ppm", "°": "angle", "kg": "kilograms", "h": "hours",
        "min": "minutes", "m": "metres", "cm": "centimetres", "lx": "lux", "rpm": "rpm", "Hz": "hertz",
    ]

    /// A number for the recogniser: one decimal at most, and none above a hundred.
    package static func figure(_ value: Double) -> String {
        Scale.text(abs(value) >= 100 ? value.rounded() : (value * 10).rounded() / 10)
    }

    /// A number with its unit: “30 percent”, “1 degree”, “12.6 volts”.
    package static func quantity(_ value: Double, _ unit: String?, _ context: HandlerContext) -> String {
        let values = ["value": figure(value), "unit": unit ?? ""]
        guard let unit else { return figure(value) }
        return context.replies(unitKeys[unit].map { "van.unit_\($0)" } ?? "van.unit_other", values)
    }
}
