/// The sensors of a Tasmota device, out of an example of the report that it sends regularly.
struct TasmotaSensors {
    let config: TasmotaConfig
    let address: String
    let origin: String

    private static let sensorLimit = 50

    /// What is measured, by the key in the report: its class and its unit. Nil units are given in the report.
    private static let quantities: [String: (deviceClass: String, unit: String?)] = [
        "Temperature": ("temperature", nil), "DewPoint": ("dew_point", nil), "Humidity": ("humidity", "%"),
        "Pressure": ("atmospheric_pressure", nil), "SeaPressure": ("sea_level_pressure", nil),
        "Illuminance": ("illuminance", "lx"), "CarbonDioxide": ("carbon_dioxide", "ppm"),
        "Distance": ("distance", "cm"), "Power": ("power", "W"), "Current": ("current", "A"),
        // A plug measures the mains, not a battery.
        "Voltage": ("mains_voltage", "V"), "Total": ("energy", "kWh"), "Today": ("energy_today", "kWh"),
    ]

    func devices(_ report: JSONValue) -> [Device] {
        guard let sensors = report.object else { return [] }
        var devices: [Device] = []
        for (key, values) in sensors.sorted(by: { $0.key < $1.key }) {
            for (quantity, value) in (values.object ?? [:]).sorted(by: { $0.key < $1.key }) {
                // The sensor is known also from a report without a number, such as `null`.
                guard let meaning = Self.quantities[quantity], value == .null || value.double != nil,
                    devices.count < Self.sensorLimit,
                    let id = DiscoveredText.id(origin, address, key, quantity)
                else { continue }
                let isAlone = sensors.values.filter { $0[quantity] != nil }.count == 1
                let own = isAlone ? meaning.deviceClass : "\(key) \(meaning.deviceClass)"
                let name = DiscoveredText.name(of: own, on: config.deviceName)
                var device = Device(id: id, name: name, kind: .sensor, origin: origin)
                device.stateTopic = config.sensorTopic
                device.valueTemplate = ValueTemplate(path: [key, quantity])
                device.deviceClass = meaning.deviceClass
                device.unit = meaning.unit ?? unit(of: quantity, report)
                device.availability = config.availability
                device.model = config.model
                devices.append(device)
            }
        }
        return devices
    }

    private func unit(of quantity: String, _ report: JSONValue) -> String {
        if quantity.hasSuffix("Pressure") {
            return report["PressureUnit"]?.string.map { String($0.prefix(20)) } ?? "hPa"
        }
        return report["TempUnit"]?.string == "F" ? "°F" : "°C"
    }
}
