import Domain
import Devices

/// What sensors measure, and how long the battery will last.
extension VanHandler {
    package static func value(_ command: Command, _ context: HandlerContext) async -> Reply {
        if let slot = command.slots["device"], !slot.names.isEmpty {
            switch targets(of: command, for: nil, context) {
            case .one(let device): return await value(device, context)
            case .reply(let reply): return reply
            case .many: return await state(command, context)
            }
        }
        guard let what = command.slots["what"] else {
            return Reply(context.replies("van.ask_device"), question: .slot("device", of: command))
        }
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        // The phrasebook's list says which classes a word stands for, the likeliest first: “grey_water waste_water”.
        var found: [Device] = []
        for meaning in what.text.split(separator: " ").map(String.init) where found.isEmpty {
            found = measuring(meaning, in: command.slots["area"]?.names.first?.name, context)
        }
        guard !found.isEmpty else {
            return .failed(context.replies("van.no_sensor"))
        }
        var texts: [String] = []
        for device in found.prefix(4) { texts.append(await value(device, context).text) }
        return Reply(texts.joined(separator: " "))
    }

    /// The sensors of a class. `temperature_inside` and `temperature_outside` are those whose area or name says so, and
    /// inside is also what heaters measure.
    private static func measuring(_ meaning: String, in area: String?, _ context: HandlerContext) -> [Device] {
        let devices = context.van.devices.filter { area == nil || $0.area == area }
        let exact = devices.filter { [.sensor, .binarySensor, .number].contains($0.kind) && $0.deviceClass == meaning }
        if !exact.isEmpty || meaning != "temperature" { return exact }
        let feeling = devices.filter { $0.current != nil }
        return area == nil ? Array(feeling.prefix(1)) : feeling
    }

    private static func value(_ device: Device, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let report = await context.van.report(on: device)
        var values = names(device, context)
        guard report.isAvailable else { return Reply(context.replies("van.is_offline", values)) }
        let value: String?
        if let current = report.current {
            value = quantity(current, "°C", context)
        } else if let number = report.number {
            value = quantity(number, device.unit, context)
        } else if let level = report.level, report.state != .off {
            value = quantity(level, "%", context)
        } else {
            return await state(device, context)
        }
        guard let value else { return Reply(context.replies("van.unknown", values)) }
        values["value"] = value
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        if report.isStale { return Reply(context.replies("van.value_stale", values)) }
        // The sign says which way it goes.
        if [batteryPower, batteryCurrent].contains(device.deviceClass), let number = report.number, number != 0 {
            values["value"] = quantity(abs(number), device.unit, context)
            return Reply(context.replies(number < 0 ? "van.drawn" : "van.charged", values))
        }
        // A tank's litres say more than its percentage, where the owner wrote down what it holds.
        if let capacity = device.capacity, capacity.unit == .litres, device.unit == "%", let share = report.number {
            values["amount"] = quantity((share / 100 * capacity.amount).rounded(), "L", context)
            return Reply(context.replies("van.value_litres", values))
        }
        return Reply(context.replies("van.value", values))
    }

    // MARK: how long the battery will last

    /// Device classes of the sensors that it takes. Signs as Victron has them: a battery's power and current are
    /// positive while it is charged; a load's power is positive while it draws.
    private static let charge = "battery", batteryPower = "battery_power", batteryCurrent = "battery_current"
    private static let loadPower = "load_power", voltage = "voltage"
    /// Volts of a leisure battery where no sensor tells; the answer says “about” in any case.
    private static let nominalVoltage = 12.8
    /// Watts below which nothing is drawn worth counting.
    private static let idleWatts = 1.0

    static func timeLeft(_ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let sensors = context.van.devices.filter { $0.kind == .sensor }
        func reading(_ deviceClass: String) async -> (device: Device, value: Double)? {
            for device in sensors where device.deviceClass == deviceClass {
                let report = await context.van.report(on: device)
                if report.isKnown, let value = report.number { return (device, value) }
            }
            return nil
        }
        guard
            let battery = sensors.first(where: { $0.deviceClass == charge && $0.capacity != nil })
                ?? sensors.first(where: { $0.deviceClass == charge })
        else { return .failed(context.replies("van.no_battery")) }
        let report = await context.van.report(on: battery)
        guard report.isKnown, let percent = report.number else {
            return .failed(context.replies("van.no_charge", names(battery, context)))
        }
        var values = names(battery, context)
        values["value"] = quantity(percent, "%", context)
        guard let capacity = battery.capacity, capacity.unit != .litres else {
            return .failed(context.replies("van.no_capacity", values))
        }
        let volts = await reading(voltage)?.value ?? nominalVoltage
        let drawn: Double?
        if let power = await reading(batteryPower) {
            drawn = -power.value
        } else if let current = await reading(batteryCurrent) {
            drawn = -current.value * volts
        } else {
            drawn = await reading(loadPower)?.value
        }
        guard let drawn else { return .failed(context.replies("van.no_draw", values)) }
        if drawn < -idleWatts { return Reply(context.replies("van.charging", values)) }
        guard drawn > idleWatts else { return Reply(context.replies("van.no_load", values)) }
        // Energy left over power drawn: capacity × share of charge ÷ draw.
        let wattHours = capacity.amount * (capacity.unit == .ampHours ? volts : 1)
        let hours = wattHours * min(max(percent, 0), 100) / 100 / drawn
        values["draw"] = quantity(drawn, "W", context)
        values["time"] = span(hours: hours, context)
        return Reply(context.replies("van.time_left", values))
    }

    private static func span(hours: Double, _ context: HandlerContext) -> String {
        if hours > 24 * 99 { return context.replies("van.very_long") }
        if hours >= 48 { return context.replies("van.span_days", ["count": "\(Int((hours / 24).rounded()))"]) }
        if hours >= 1.5 { return context.replies("van.span_hours", ["count": "\(Int(hours.rounded()))"]) }
        return context.replies("van.span_minutes", ["count": "\(max(1, Int((hours * 60).rounded())))"])
    }
}
