/// One part of an installation – the system as a whole, a tank, a thermometer – by what it has published so far.
struct VictronService: Sendable {
    /// Which part it is.
    package struct Key: Hashable, Sendable {
        package enum Kind: String, Sendable {
            case system, tank, temperature
        }
        let portal: String, kind: Kind, instance: String

        /// Nil for a part that is not a device here.
        init?(portal: String, _ kind: Substring, _ instance: Substring) {
            guard let kind = Kind(rawValue: String(kind)), DiscoveredText.isPlain(instance) else { return nil }
            self.portal = portal
            self.kind = kind
            self.instance = String(instance)
        }

        /// The topic above its values.
        var topic: String { "N/\(portal)/\(kind.rawValue)/\(instance)" }
    }

    /// The topics that are listened to, under that of an installation. The first ones come without being asked for.
    static let topics =
        ["keepalive", "heartbeat", "full_publish_completed", sign]
        + system.map { "system/0/\($0.path)" }
        + ["Level", "Capacity", "FluidType", "CustomName"].map { "tank/+/\($0)" }
        + ["Temperature", "TemperatureType", "CustomName"].map { "temperature/+/\($0)" }

    /// What every installation has and publishes when it is asked.
    static let sign = "system/0/Serial"

    /// What the system says of itself. Signs are Victron's: a battery's power is positive while it is charged.
    private static let system: [(path: String, deviceClass: String, unit: String)] = [
        ("Dc/Battery/Soc", "battery", "%"), ("Dc/Battery/Voltage", "voltage", "V"),
        ("Dc/Battery/Power", "battery_power", "W"), ("Dc/Battery/Current", "battery_current", "A"),
        ("Dc/Battery/Temperature", "battery_temperature", "°C"), ("Dc/Pv/Power", "solar", "W"),
        ("Dc/System/Power", "load_power", "W"),
    ]

    /// What is in a tank, by Victron's number.
    private static let fluids = [
        "fuel", "fresh_water", "grey_water", "live_well", "oil", "black_water", "fuel", "diesel", "gas", "lng",
        "hydraulic_oil", "raw_water",
    ]

    /// Where a thermometer is, by Victron's number.
    private static let thermometers = [
        "battery_temperature", "fridge_temperature", "temperature", "temperature", "temperature_outside",
        "water_temperature", "freezer_temperature",
    ]

    /// What is known of a value apart from its amount.
    private enum Fact: Sendable, Equatable {
        /// It is measured, and was valid once.
        case measured
        /// It is there, and was never valid.
        case invalid
        case number(Double)
        case text(String)
    }
    private var facts: [String: Fact] = [:]

    /// True where all of its values are gone.
    var isEmpty: Bool { facts.isEmpty }

    /// Stores a value: `{"value": …}`. Null means that it is invalid now, an empty payload that it is gone.
    mutating func note(_ payload: [UInt8], _ path: String) throws(DiscoveryError) {
        let isSystem = Self.system.contains { $0.path == path }
        let facts: Set<String> = ["Level", "Capacity", "FluidType", "CustomName", "Temperature", "TemperatureType"]
        guard isSystem || facts.contains(path) else { return }
        guard !payload.isEmpty else {
            self.facts[path] = nil
            return
        }
        guard let value = JSONValue(payload)?["value"] else { throw DiscoveryError(detail: "not JSON with a “value”") }
        if isSystem || path == "Level" || path == "Temperature" {
            // Once valid, it is known to be measured, whatever comes.
            if self.facts[path] != .measured { self.facts[path] = value == .null ? .invalid : .measured }
        } else if path == "CustomName" {
            self.facts[path] = value.string.map { .text($0) }
        } else {
            self.facts[path] = value.double.map { .number($0) }
        }
    }

    func devices(_ key: Key, _ names: VictronNames, origin: String) -> [Device] {
        switch key.kind {
        case .system:
            // A system without a battery monitor or solar panels publishes their values, too: as null, for ever.
            return Self.system.compactMap { path, deviceClass, unit in
                guard key.instance == "0", facts[path] == .measured else { return nil }
                return sensor(key, path, (deviceClass, unit), names.system[deviceClass] ?? deviceClass, origin)
            }
        case .tank: return tank(key, names, origin).map { [$0] } ?? []
        case .temperature: return thermometer(key, names, origin).map { [$0] } ?? []
        }
    }

    private func sensor(
        _ key: Key, _ path: String, _ meaning: (deviceClass: String, unit: String), _ name: String, _ origin: String
    ) -> Device? {
        let spoken = DiscoveredText.spoken(name)
        guard !spoken.isEmpty,
            let id = DiscoveredText.id(origin, key.portal, key.kind.rawValue, key.instance, path)
        else { return nil }
        var device = Device(id: id, name: spoken, kind: .sensor, origin: origin)
        device.stateTopic = "\(key.topic)/\(path)"
        device.valueTemplate = ValueTemplate(path: ["value"])
        device.deviceClass = meaning.deviceClass
        device.unit = meaning.unit
        device.manufacturer = "Victron"
        device.pulse = Device.Pulse(root: "N/\(key.portal)", limit: VictronDiscovery.silenceLimit)
        return device
    }

    private func tank(_ key: Key, _ names: VictronNames, _ origin: String) -> Device? {
        // People ask by what is in it, which is not known before it is published.
        guard facts["Level"] != nil, case .number(let fluid)? = facts["FluidType"], let index = Int(exactly: fluid),
            Self.fluids.indices.contains(index)
        else { return nil }
        let deviceClass = Self.fluids[index], name = ownName ?? names.tanks[deviceClass] ?? deviceClass
        var device = sensor(key, "Level", (deviceClass, "%"), name, origin)
        // Cubic metres.
        if case .number(let capacity)? = facts["Capacity"], capacity > 0, capacity < 100 {
            device?.capacity = Device.Capacity(amount: capacity * 1_000, unit: .litres)
        }
        return device
    }

    private func thermometer(_ key: Key, _ names: VictronNames, _ origin: String) -> Device? {
        guard facts["Temperature"] != nil else { return nil }
        var deviceClass = "temperature"
        if case .number(let type)? = facts["TemperatureType"], let index = Int(exactly: type),
            Self.thermometers.indices.contains(index)
        {
            deviceClass = Self.thermometers[index]
        }
        let name = ownName ?? names.thermometers[deviceClass] ?? deviceClass
        return sensor(key, "Temperature", (deviceClass, "°C"), name, origin)
    }

    /// What the owner called it.
    private var ownName: String? {
        guard case .text(let name)? = facts["CustomName"], !DiscoveredText.spoken(name).isEmpty else { return nil }
        return name
    }
}
