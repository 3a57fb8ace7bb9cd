import Devices
import Domain

/// States and quantities in words.
extension DevicePhrasing {
    /// A state in words: “on at 40 percent”, “closed”, “set to 20 degrees, and it's 17 now”; nil for none.
    package func words(for report: DeviceReport, _ device: Device) -> Wording? {
        let level = report.level.map { quantity($0, "%") }
        switch report.state {
        case .unknown, .invalid: return nil
        case .on:
            if device.isOpening(environment.books.words.deviceClass) { return replies("van.open") }
            if device.isHeating, let heat = heat(report, device) {
                return replies("van.on_and", ["more": heat])
            }
            return level.map { replies("van.on_at", ["value": $0]) } ?? word("on", device)
        case .off:
            return device.isOpening(environment.books.words.deviceClass) ? replies("van.closed") : word("off", device)
        case .value(let text):
            if device.isHeating, let heat = heat(report, device) { return heat }
            if let position = report.position {
                // Half open is given in percent.
                if let level = report.level, device.kind == .cover, level > 1, level < 99, position != .closed {
                    return replies("van.open_by", ["value": quantity(level, "%")])
                }
                return replies("van.\(position)")
            }
            if let number = report.number, device.unit != nil { return quantity(number, device.unit) }
            return Wording(text)
        }
    }

    private func heat(_ report: DeviceReport, _ device: Device) -> Wording? {
        var parts: [Wording] = []
        if let option = report.option { parts.append(replies("van.set_to", ["value": option])) }
        if let target = report.target {
            parts.append(replies("van.set_to", ["value": quantity(target, "°C")]))
        }
        if let current = report.current {
            parts.append(replies("van.it_is", ["value": quantity(current, "°C")]))
        }
        return parts.isEmpty ? nil : spoken.list(parts)
    }

    // MARK: quantities

    private static let unitKeys = [
        "%": "percent", "°C": "celsius", "°F": "fahrenheit", "C": "celsius", "F": "fahrenheit", "V": "volts",
        "A": "amps", "W": "watts", "kW": "kilowatts", "Ah": "amp_hours", "Wh": "watt_hours", "kWh": "kilowatt_hours",
        "L": "litres", "l": "litres", "bar": "bar", "psi": "psi", "hPa": "hectopascals", "kPa": "kilopascals",
        "mbar": "millibar", "K": "kelvin", "ppm": "ppm", "°": "angle", "kg": "kilograms", "h": "hours",
        "min": "minutes", "m": "metres", "cm": "centimetres", "lx": "lux", "rpm": "rpm", "Hz": "hertz",
    ]

    /// A number as it is spoken: one decimal at most, and none from a hundred on.
    package static func figure(_ value: Double) -> String {
        Scale.text(abs(value) >= 100 ? value.rounded() : (value * 10).rounded() / 10)
    }

    /// A number with its unit: “30 percent”, “1 degree”, “12.6 volts”.
    package func quantity(_ value: Double, _ unit: String?) -> Wording {
        let values = ["value": Self.figure(value), "unit": unit ?? ""]
        guard let unit else { return Wording(Self.figure(value)) }
        return replies(Self.unitKeys[unit].map { "van.unit_\($0)" } ?? "van.unit_other", values)
    }
}
