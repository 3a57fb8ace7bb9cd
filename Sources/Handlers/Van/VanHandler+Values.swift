import Domain
import Devices

/// What sensors measure, and how long the battery will last.
extension VanHandler {
    func value(_ measurement: VanIntent.Measurement, _ command: Command) async -> Reply {
        let reference = measurement.target
        if let device = reference.device, !device.things.isEmpty {
            switch targets(reference, for: nil, command) {
            case .one(let device): return await value(device)
            case .reply(let reply): return reply
            case .many: return await state(reference, command)
            }
        }
        guard let classes = measurement.classes else {
            return Reply(replies("van.ask_device"), question: VanIntent.question(for: .device, of: command))
        }
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var found: [Device] = []
        for deviceClass in classes where found.isEmpty { found = measuring(deviceClass, in: reference.area) }
        guard !found.isEmpty else { return .failed(replies("van.no_sensor")) }
        var texts: [Wording] = []
        for device in found.prefix(4) { texts.append(await value(device).wording) }
        return Reply(texts.joined(separator: " "))
    }

    /// The sensors of a class. `temperature_inside` and `temperature_outside` are those whose area or name says so, and
    /// inside is also what heaters measure.
    private func measuring(_ deviceClass: String, in area: String?) -> [Device] {
        let devices = van.devices.filter { area == nil || $0.area == area }
        let exact = devices.filter {
            [.sensor, .binarySensor, .number].contains($0.kind) && $0.deviceClass == deviceClass
        }
        if !exact.isEmpty || deviceClass != "temperature" { return exact }
        let feeling = devices.filter { $0.current != nil }
        return area == nil ? Array(feeling.prefix(1)) : feeling
    }

    private func value(_ device: Device) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let report = await van.report(on: device)
        var values = names(device)
        guard report.isAvailable else { return Reply(replies("van.is_offline", values)) }
        let value: Wording?
        if let current = report.current {
            value = quantity(current, "°C")
        } else if let number = report.number {
            value = quantity(number, device.unit)
        } else if let level = report.level, report.state != .off {
            value = quantity(level, "%")
        } else {
            return await state(device)
        }
        guard let value else { return Reply(replies("van.unknown", values)) }
        values["value"] = value
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        if report.isStale { return Reply(replies("van.value_stale", values)) }
        // The sign says which way it goes.
        if [Self.batteryPower, Self.batteryCurrent].contains(device.deviceClass), let number = report.number,
            number != 0
        {
            values["value"] = quantity(abs(number), device.unit)
            return Reply(replies(number < 0 ? "van.drawn" : "van.charged", values))
        }
        // A tank's litres say more than its percentage, where the owner wrote down what it holds.
        if let capacity = device.capacity, capacity.unit == .litres, device.unit == "%", let share = report.number {
            values["amount"] = quantity((share / 100 * capacity.amount).rounded(), "L")
            return Reply(replies("van.value_litres", values))
        }
        return Reply(measured(device, values))
    }

    /// “It's 17.5 degrees inside”, “the battery voltage is 13.1 volts”; what is no quantity by its name is at a value.
    private func measured(_ device: Device, _ values: [String: any Worded]) -> Wording {
        let words = device.name.split(separator: " ")
        func isOne(_ word: Substring, of key: String) -> Bool { replies(key).spoken.split(separator: " ").contains(word) }
        guard let last = words.last, isOne(last, of: "van.quantities") else { return replies("van.value", values) }
        guard words.count == 2, isOne(words[0], of: "van.sides"), isOne(last, of: "van.felt") else {
            return replies("van.value_of", values)
        }
        return replies("van.felt_at", values.merging(["side": String(words[0])]) { $1 })
    }

    // MARK: how long the battery will last

    /// Device classes of the sensors that it takes. Signs as Victron has them: a battery's power and current are
    /// positive while it is charged; a load's power is positive while it draws.
    private static let charge = "battery", batteryPower = "battery_power", batteryCurrent = "battery_current"
    private static let loadPower = "load_power", voltage = "voltage"
    /// Volts of a leisure battery where no sensor reports it; the answer says “about” in any case.
    private static let nominalVoltage = 12.8
    /// Watts; less is taken for nothing.
    private static let idleWatts = 1.0

    func timeLeft() async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let sensors = van.devices.filter { $0.kind == .sensor }
        func reading(_ deviceClass: String) async -> (device: Device, value: Double)? {
            for device in sensors where device.deviceClass == deviceClass {
                let report = await van.report(on: device)
                if report.isKnown, let value = report.number { return (device, value) }
            }
            return nil
        }
        guard
            let battery = sensors.first(where: { $0.deviceClass == Self.charge && $0.capacity != nil })
                ?? sensors.first(where: { $0.deviceClass == Self.charge })
        else { return .failed(replies("van.no_battery")) }
        let report = await van.report(on: battery)
        guard report.isKnown, let percent = report.number else {
            return .failed(replies("van.no_charge", names(battery)))
        }
        var values = names(battery)
        values["value"] = quantity(percent, "%")
        guard let capacity = battery.capacity, capacity.unit != .litres else {
            return .failed(replies("van.no_capacity", values))
        }
        let volts = await reading(Self.voltage)?.value ?? Self.nominalVoltage
        let drawn: Double?
        if let power = await reading(Self.batteryPower) {
            drawn = -power.value
        } else if let current = await reading(Self.batteryCurrent) {
            drawn = -current.value * volts
        } else {
            drawn = await reading(Self.loadPower)?.value
        }
        guard let drawn else { return .failed(replies("van.no_draw", values)) }
        if drawn < -Self.idleWatts { return Reply(replies("van.charging", values)) }
        guard drawn > Self.idleWatts else { return Reply(replies("van.no_load", values)) }
        // Energy left over power drawn: capacity × share of charge ÷ draw.
        let wattHours = capacity.amount * (capacity.unit == .ampHours ? volts : 1)
        let hours = wattHours * min(max(percent, 0), 100) / 100 / drawn
        values["draw"] = quantity(drawn, "W")
        values["time"] = span(hours: hours)
        return Reply(replies("van.time_left", values))
    }

    private func span(hours: Double) -> Wording {
        if hours > 24 * 99 { return replies("van.very_long") }
        if hours >= 48 { return replies("van.span_days", ["count": "\(Int((hours / 24).rounded()))"]) }
        if hours >= 1.5 { return replies("van.span_hours", ["count": "\(Int(hours.rounded()))"]) }
        return replies("van.span_minutes", ["count": "\(max(1, Int((hours * 60).rounded())))"])
    }
}
