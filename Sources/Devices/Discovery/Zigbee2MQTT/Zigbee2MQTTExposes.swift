/// What a device of the network can do, as its `exposes` say. One of them may be several devices: a double switch, a
/// plug that measures.
struct Zigbee2MQTTExposes {
    let node: Zigbee2MQTTNode
    let base: String
    let groups: [String]
    let origin: String

    private var stateTopic: String { "\(base)/\(node.friendlyName)" }
    private var commandTopic: String { "\(base)/\(node.friendlyName)/set" }

    func devices() throws(DiscoveryError) -> (devices: [Device], complaints: [String], question: BusRequest?) {
        _ = try DiscoveredText.topic(commandTopic)
        var devices: [Device] = [], complaints: [String] = [], isAskable = false
        for expose in node.exposes.prefix(200) {
            guard let type = expose["type"]?.string else {
                complaints.append("\(node.address): an entry of “exposes” without a type")
                continue
            }
            do {
                let features = Zigbee2MQTTFeatures(expose, topic: stateTopic, commandTopic: commandTopic)
                guard let device = try device(type, expose, features) else { continue }
                guard device.isUseful else {
                    throw DiscoveryError(detail: "nothing of a \(type) is published or can be set")
                }
                devices.append(device)
                if features.isAskable { isAskable = true }
            } catch { complaints.append("\(node.address): \(error)") }
        }
        let question = isAskable ? BusRequest(topic: "\(stateTopic)/get", payload: "{\"state\":\"\"}") : nil
        return (devices, complaints, question)
    }

    /// Nil for settings, and for what people do not ask for.
    private func device(
        _ type: String, _ expose: JSONValue, _ features: Zigbee2MQTTFeatures
    ) throws(DiscoveryError) -> Device? {
        switch type {
        case "light":
            guard var device = blank(.light, expose) else { return nil }
            try features.fillPower(&device)
            device.level = try features.scale("brightness", (0, 254))
            device.colourTemperature = try features.scale("color_temp", (153, 500), unit: Scale.mired)
            device.colour = features.colour()
            return device
        case "switch":
            guard var device = blank(.switch, expose) else { return nil }
            try features.fillPower(&device)
            if device.commandTopic == nil { device.kind = .binarySensor }
            return device
        case "fan":
            guard var device = blank(.fan, expose) else { return nil }
            try features.fillPower(&device, isNeeded: false)
            device.level = try features.scale("speed", (0, 254))
            try features.fillModes("mode", &device)
            return device
        case "cover":
            guard var device = blank(.cover, expose) else { return nil }
            try features.fillCover(&device)
            return device
        case "lock":
            guard var device = blank(.lock, expose) else { return nil }
            try features.fillLock(&device)
            return device
        case "climate":
            guard var device = blank(.climate, expose) else { return nil }
            try features.fillClimate(&device)
            return device
        case "binary", "numeric": return try sensor(expose, features)
        case "enum", "text", "composite", "list": return nil
        default: throw DiscoveryError(detail: "“\(type.prefix(40))” is not supported")
        }
    }

    /// A device of the node without its topics.
    private func blank(_ kind: Device.Kind, _ expose: JSONValue, own: String? = nil, key: String? = nil) -> Device? {
        let endpoint = expose["endpoint"]?.string
        let name = DiscoveredText.name(of: own ?? endpoint, on: node.spokenName)
        let key = [key ?? kind.rawValue, endpoint].compactMap { $0 }.joined(separator: "_")
        guard !name.isEmpty, let id = DiscoveredText.id(origin, node.address, key) else { return nil }
        var device = Device(id: id, name: name, kind: kind, origin: origin)
        device.manufacturer = node.manufacturer
        device.model = node.model
        device.groups = groups
        // An installation that does not publish availability is not expected to.
        device.availability = [
            Device.Availability(topic: "\(base)/bridge/state"),
            Device.Availability(topic: "\(stateTopic)/availability"),
        ]
        device.availabilityMode = .all
        return device
    }

    // MARK: sensors

    /// Properties of the radio, and diagnostics.
    private static let radio: Set<String> = ["linkquality", "last_seen", "update", "update_available", "identify"]

    /// The class by which people ask for it, where the property is called otherwise. A device's own cell and voltage
    /// are not the battery that people mean.
    private static let classes = [
        "battery": "device_battery", "voltage": "device_voltage", "battery_low": "device_battery_low",
        "pressure": "atmospheric_pressure", "co2": "carbon_dioxide", "water_leak": "moisture",
        "illuminance_lux": "illuminance", "presence": "occupancy",
    ]

    private func sensor(_ expose: JSONValue, _ features: Zigbee2MQTTFeatures) throws(DiscoveryError) -> Device? {
        let feature = try features.itself()
        guard feature.isPublished, !feature.isSettable, expose["category"]?.string != "config",
            !Self.radio.contains(feature.name)
        else { return nil }
        let isContact = feature.name == "contact"
        // A contact reports what is open; its name says what that is.
        let own = isContact ? expose["endpoint"]?.string : expose["label"]?.string ?? feature.property
        let kind: Device.Kind = expose["type"]?.string == "binary" ? .binarySensor : .sensor
        guard var device = blank(kind, expose, own: own, key: feature.property) else { return nil }
        device.groups = []
        device.stateTopic = stateTopic
        device.valueTemplate = ValueTemplate(path: [feature.property])
        if kind == .binarySensor {
            device.stateOn = feature.on
            device.stateOff = feature.off
        } else {
            device.unit = expose["unit"]?.string.map { String($0.prefix(20)) }
        }
        device.deviceClass = Self.classes[feature.name] ?? Device.spokenClass(feature.name, kind)
        if isContact {
            device.deviceClass = Device.openings.contains(device.noun) ? device.noun : Device.anyOpening
        }
        return device
    }
}
