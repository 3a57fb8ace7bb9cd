/// An entity of Home Assistant's discovery as a device, of whatever kind it is.
extension HomeAssistantEntity {
    /// - Parameters:
    ///   - component: its kind in Home Assistant's words.
    ///   - objectID: what identifies it where it has no unique id.
    /// - Throws: `DiscoveryError`, which says why it cannot be used.
    func device(_ component: String, _ objectID: String, origin: String) throws(DiscoveryError) -> Device {
        guard let kind = Self.kinds[component] else {
            throw DiscoveryError(detail: "“\(component)” is not supported")
        }
        if entries["enabled_by_default"] == .truth(false) { throw DiscoveryError(detail: "disabled by default") }
        guard let id = DiscoveredText.id(origin, try text("unique_id") ?? objectID) else {
            throw DiscoveryError(detail: "“unique_id” is empty or too long")
        }
        let deviceClass = try text("device_class"), own = try ownName(deviceClass)
        var name = DiscoveredText.name(of: own, on: ofDevice("name"))
        if name.isEmpty { name = DiscoveredText.spoken(objectID) }
        guard !name.isEmpty else { throw DiscoveryError(detail: "it has no name") }
        var device = Device(id: id, name: name, kind: kind, origin: origin)
        device.aliases = DiscoveredText.aliases(of: own, on: ofDevice("name"))
        device.area = ofDevice("suggested_area").map { DiscoveredText.spoken($0) }.flatMap { $0.isEmpty ? nil : $0 }
        device.manufacturer = ofDevice("manufacturer")
        device.model = ofDevice("model")
        device.deviceClass = spokenClass(deviceClass, kind)
        device.availability = try availability()
        if let mode = try text("availability_mode") {
            guard let mode = Device.Availability.Mode(rawValue: mode) else {
                throw DiscoveryError(detail: "“availability_mode” is not one of latest, all, any")
            }
            device.availabilityMode = mode
        }
        try fill(&device)
        guard device.isUseful else { throw DiscoveryError(detail: "it has no topic") }
        return device
    }

    private static let kinds: [String: Device.Kind] = [
        "switch": .switch, "binary_sensor": .binarySensor, "light": .light, "cover": .cover, "lock": .lock,
        "fan": .fan, "climate": .climate, "sensor": .sensor, "number": .number, "select": .select,
        "button": .button, "scene": .scene,
    ]

    /// Its own name; nil where it has the device's. Without one it is named after what it measures.
    private func ownName(_ deviceClass: String?) throws(DiscoveryError) -> String? {
        isRefused("name") ? nil : try text("name") ?? deviceClass
    }

    /// The battery of a door sensor, published as a diagnostic, is not the battery that people ask for.
    private func spokenClass(_ deviceClass: String?, _ kind: Device.Kind) -> String? {
        let spoken = Device.spokenClass(deviceClass, kind)
        let isUpkeep = entries["entity_category"] == .text("diagnostic")
        return isUpkeep && ["battery", "voltage"].contains(spoken) ? spoken.map { "device_\($0)" } : spoken
    }

    private func fill(_ device: inout Device) throws(DiscoveryError) {
        switch device.kind {
        case .switch:
            try fillPower(&device)
            device.valueTemplate = try template("value_template")
        case .binarySensor: try fillBinarySensor(&device)
        case .light: try fillLight(&device)
        case .fan: try fillFan(&device)
        case .cover: try fillCover(&device)
        case .lock: try fillLock(&device)
        case .climate, .heater: try fillClimate(&device)
        case .sensor: try fillSensor(&device)
        case .number: try fillNumber(&device)
        case .select: try fillSelect(&device)
        case .button:
            device.commandTopic = try required("command_topic")
            device.verbs[.press] = try command("command_template").filled(try text("payload_press", "PRESS"))
        case .scene:
            device.commandTopic = try required("command_topic")
            device.verbs[.press] = try text("payload_on", "ON")
        }
    }

    /// On and off by one of two payloads on a topic.
    func fillPower(_ device: inout Device) throws(DiscoveryError) {
        device.commandTopic = try required("command_topic")
        device.stateTopic = try topic("state_topic")
        let on = try text("payload_on", "ON"), off = try text("payload_off", "OFF")
        device.stateOn = try text("state_on", on)
        device.stateOff = try text("state_off", off)
        let template = try command("command_template")
        device.payloadOn = template.filled(on)
        device.payloadOff = template.filled(off)
    }

    private func fillBinarySensor(_ device: inout Device) throws(DiscoveryError) {
        device.stateTopic = try required("state_topic")
        device.stateOn = try text("payload_on", "ON")
        device.stateOff = try text("payload_off", "OFF")
        device.valueTemplate = try template("value_template")
        device.expiresAfter = try seconds("expire_after")
        device.offAfter = try seconds("off_delay")
    }

    private func fillSensor(_ device: inout Device) throws(DiscoveryError) {
        device.stateTopic = try required("state_topic")
        device.valueTemplate = try template("value_template")
        device.unit = try text("unit_of_measurement")
        device.expiresAfter = try seconds("expire_after")
    }

    private func fillNumber(_ device: inout Device) throws(DiscoveryError) {
        device.commandTopic = try required("command_topic")
        device.stateTopic = try topic("state_topic")
        device.valueTemplate = try template("value_template")
        device.unit = try text("unit_of_measurement")
        device.value = try scale(
            device.commandTopic, device.stateTopic, device.valueTemplate, try command("command_template"),
            (try number("min", 1), try number("max", 100), try number("step", 1)), unit: device.unit)
    }

    private func fillSelect(_ device: inout Device) throws(DiscoveryError) {
        device.commandTopic = try required("command_topic")
        device.stateTopic = try topic("state_topic")
        device.valueTemplate = try template("value_template")
        device.options = Options(
            commandTopic: device.commandTopic, stateTopic: device.stateTopic, template: device.valueTemplate,
            payload: try command("command_template"), all: Options.named(try texts("options") ?? []))
        if device.options?.all.isEmpty == true { throw DiscoveryError(detail: "“options” is missing or empty") }
    }

    /// A time after which something expires; nil for zero.
    private func seconds(_ key: String) throws(DiscoveryError) -> Duration? {
        guard let seconds = try number(key), seconds > 0 else { return nil }
        return .seconds(seconds)
    }

    /// A quantity; its ends must differ.
    func scale(
        _ commandTopic: String?, _ stateTopic: String?, _ template: ValueTemplate?, _ payload: CommandTemplate,
        _ limits: (minimum: Double, maximum: Double, step: Double), unit: String? = nil
    ) throws(DiscoveryError) -> Scale {
        guard limits.minimum != limits.maximum, limits.step >= Scale.smallestStep else {
            throw DiscoveryError(detail: "its range is empty")
        }
        return Scale(
            commandTopic: commandTopic, stateTopic: stateTopic, template: template, payload: payload,
            minimum: limits.minimum, maximum: limits.maximum, step: limits.step, unit: unit)
    }
}
