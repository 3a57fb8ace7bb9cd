import Devices
import Domain

/// How long the battery will last.
extension DeviceQuestions {
    /// Device classes of the sensors that it takes. Signs as Victron has them: a battery's power and current are
    /// positive while it is charged; a load's power is positive while it draws.
    static let charge = "battery", batteryPower = "battery_power", batteryCurrent = "battery_current"
    private static let loadPower = "load_power", voltage = "voltage"
    /// Volts of a leisure battery where no sensor reports it; the answer says “about” in any case.
    private static let nominalVoltage = 12.8
    /// Watts; less is taken for nothing.
    private static let idleWatts = 1.0

    func timeLeft(toFull: Bool) async -> Reply {
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
            return .failed(replies("van.no_charge", phrasing.names(battery)))
        }
        var values = phrasing.names(battery)
        values["value"] = phrasing.quantity(percent, "%")
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
            // What is drawn by loads says nothing of how the battery is charged.
            drawn = toFull ? nil : await reading(Self.loadPower)?.value
        }
        guard let drawn else { return .failed(replies("van.no_draw", values)) }
        if toFull { return untilFull(battery, percent, capacity, volts, -drawn, values) }
        if drawn < -Self.idleWatts { return Reply(replies("van.charging", values)) }
        guard drawn > Self.idleWatts else { return Reply(replies("van.no_load", values)) }
        // Energy left over power drawn: capacity × share of charge ÷ draw.
        let wattHours = capacity.amount * (capacity.unit == .ampHours ? volts : 1)
        let hours = wattHours * min(max(percent, 0), 100) / 100 / drawn
        values["draw"] = phrasing.quantity(drawn, "W")
        values["time"] = span(hours: hours)
        return Reply(replies("van.time_left", values))
    }

    /// When it will be full, if it goes on being charged as it is now.
    private func untilFull(
        _ battery: Device, _ percent: Double, _ capacity: Device.Capacity, _ volts: Double, _ charged: Double,
        _ values: [String: any Worded]
    ) -> Reply {
        if percent >= 100 { return Reply(replies("van.full", values)) }
        guard charged > Self.idleWatts else { return Reply(replies("van.not_charging", values)) }
        let wattHours = capacity.amount * (capacity.unit == .ampHours ? volts : 1)
        let more = [
            "draw": phrasing.quantity(charged, "W"), "time": span(hours: wattHours * (100 - percent) / 100 / charged),
        ]
        return Reply(replies("van.time_to_full", values.merging(more) { $1 }))
    }

    private func span(hours: Double) -> Wording {
        if hours > 24 * 99 { return replies("van.very_long") }
        if hours >= 48 { return replies("van.span_days", ["count": "\(Int((hours / 24).rounded()))"]) }
        if hours >= 1.5 { return replies("van.span_hours", ["count": "\(Int(hours.rounded()))"]) }
        return replies("van.span_minutes", ["count": "\(max(1, Int((hours * 60).rounded())))"])
    }
}
