/// The features of one entry of `exposes`, by their names.
struct Zigbee2MQTTFeatures {
    /// One property of a device's state, and what may be done with it.
    struct Feature {
        private static let published = 1, settable = 2, gettable = 4

        let name: String, property: String
        private let access: Int
        let json: JSONValue

        init(_ json: JSONValue) throws(DiscoveryError) {
            guard let name = json["name"]?.string, let property = json["property"]?.string ?? json["name"]?.string,
                DiscoveredText.isPlain(property)
            else { throw DiscoveryError(detail: "a feature without a name") }
            self.name = name
            self.property = property
            self.json = json
            access = json["access"]?.int ?? 0
        }

        var isPublished: Bool { access & Self.published != 0 }
        var isSettable: Bool { access & Self.settable != 0 }
        var isGettable: Bool { access & Self.gettable != 0 }
        /// What it says when it is on, and when it is not.
        var on: String { json["value_on"]?.text ?? "ON" }
        var off: String { json["value_off"]?.text ?? "OFF" }

        /// The payload that sets it to the value that it has under a key, such as `value_on`.
        func payload(_ key: String, _ standard: String) -> String {
            "{\(JSONValue.quoted(property)):\(json[key]?.literal ?? JSONValue.quoted(standard))}"
        }

        /// The payload that sets it to one of its words.
        func payload(_ word: String) -> String { "{\(JSONValue.quoted(property)):\(JSONValue.quoted(word))}" }
    }

    private let expose: JSONValue
    private let features: [String: Feature]
    private let topic: String, commandTopic: String

    /// - Parameters:
    ///   - topic: the topic of the device's state.
    ///   - commandTopic: the topic of its commands.
    init(_ expose: JSONValue, topic: String, commandTopic: String) {
        self.expose = expose
        self.topic = topic
        self.commandTopic = commandTopic
        var features: [String: Feature] = [:]
        for json in (expose["features"]?.list ?? []).prefix(50) {
            // An invalid one is left out; what needs it reports that it is missing.
            guard let feature = try? Feature(json) else { continue }
            if features[feature.name] == nil { features[feature.name] = feature }
        }
        self.features = features
    }

    /// The entry itself, of those without features.
    func itself() throws(DiscoveryError) -> Feature { try Feature(expose) }

    /// True where the device can be asked for its state.
    var isAskable: Bool { features["state"]?.isGettable == true }

    /// - Parameter isNeeded: false for a kind that may be driven by its modes alone.
    func fillPower(_ device: inout Device, isNeeded: Bool = true) throws(DiscoveryError) {
        guard let state = features["state"] else {
            guard isNeeded else { return }
            throw DiscoveryError(detail: "a \(device.kind.rawValue) without “state”")
        }
        setState(from: state, of: &device)
        device.stateOn = state.on
        device.stateOff = state.off
        guard state.isSettable else { return }
        device.commandTopic = commandTopic
        device.payloadOn = state.payload("value_on", "ON")
        device.payloadOff = state.payload("value_off", "OFF")
    }

    private func setState(from feature: Feature, of device: inout Device) {
        guard feature.isPublished else { return }
        device.stateTopic = topic
        device.valueTemplate = ValueTemplate(path: [feature.property])
    }

    /// A quantity; nil where the device has none.
    func scale(
        _ name: String, _ limits: (minimum: Double, maximum: Double), step: Double = 1, unit: String? = nil
    ) throws(DiscoveryError) -> Scale? {
        guard let feature = features[name], feature.isPublished || feature.isSettable else { return nil }
        let minimum = feature.json["value_min"]?.double ?? limits.minimum
        let maximum = feature.json["value_max"]?.double ?? limits.maximum
        let step = feature.json["value_step"]?.double ?? step
        guard minimum < maximum, step >= Scale.smallestStep, max(abs(minimum), abs(maximum)) < 1e9 else {
            throw DiscoveryError(detail: "“\(feature.property)” has an empty range")
        }
        return Scale(
            commandTopic: feature.isSettable ? commandTopic : nil, stateTopic: feature.isPublished ? topic : nil,
            template: ValueTemplate(path: [feature.property]), payload: CommandTemplate(key: feature.property),
            minimum: minimum, maximum: maximum, step: step, unit: unit)
    }

    /// A lamp's colour, by x and y where it has both ways; nil where it has none.
    func colour() -> ColourControl? {
        let layouts: [(name: String, model: ColourControl.Model, keys: [String], mode: String)] = [
            ("color_xy", .chromaticity, ["x", "y"], "xy"), ("color_hs", .hueSaturation, ["hue", "saturation"], "hs"),
        ]
        for layout in layouts {
            guard let feature = features[layout.name], feature.isSettable else { continue }
            let form = ColourControl.Layout(model: layout.model, keys: layout.keys, path: [feature.property])
            // It reports the same colour in both ways, and says by which it was set.
            return ColourControl(
                commandTopic: commandTopic, stateTopic: feature.isPublished ? topic : nil, command: form, state: form,
                modeWords: ["xy", "hs"])
        }
        return nil
    }

    func fillCover(_ device: inout Device) throws(DiscoveryError) {
        if let state = features["state"] {
            setState(from: state, of: &device)
            device.stateWords = ["OPEN": .open, "CLOSE": .closed, "STOP": .stopped]
            let values = state.json["values"]?.list?.compactMap(\.string) ?? ["OPEN", "CLOSE", "STOP"]
            if state.isSettable {
                device.commandTopic = commandTopic
                for (verb, value) in [(Device.Verb.open, "OPEN"), (.close, "CLOSE"), (.stop, "STOP")]
                where values.contains(value) { device.verbs[verb] = state.payload(value) }
            }
        }
        device.level = try scale("position", (0, 100))
        device.tilt = try scale("tilt", (0, 100))
        // Those with a position report it in between, too, where the words know the two ends only.
        guard device.isUseful else { throw DiscoveryError(detail: "a cover without “state” and “position”") }
    }

    func fillLock(_ device: inout Device) throws(DiscoveryError) {
        guard let state = features["state"], state.isSettable else {
            throw DiscoveryError(detail: "a lock whose “state” cannot be set")
        }
        device.commandTopic = commandTopic
        device.verbs[.lock] = state.payload("value_on", "LOCK")
        device.verbs[.unlock] = state.payload("value_off", "UNLOCK")
        if let bolt = features["lock_state"], bolt.isPublished {
            // Where the bolt is, rather than the last command. A bolt that is half out does not lock.
            setState(from: bolt, of: &device)
            device.stateWords = ["locked": .locked, "unlocked": .unlocked, "not_fully_locked": .unlocked]
        } else {
            setState(from: state, of: &device)
            device.stateWords = ["LOCK": .locked, "UNLOCK": .unlocked]
        }
    }

    func fillClimate(_ device: inout Device) throws(DiscoveryError) {
        for setpoint in ["occupied_heating_setpoint", "current_heating_setpoint"] where device.target == nil {
            let unit = features[setpoint].map(unit)
            device.target = try scale(setpoint, (5, 30), step: 0.5, unit: unit)
        }
        device.current = try scale(
            "local_temperature", (-50, 100), step: 0.1, unit: features["local_temperature"].map(unit))
        try fillModes("system_mode", &device)
        guard device.isUseful else { throw DiscoveryError(detail: "a climate without setpoint and mode") }
    }

    private func unit(_ feature: Feature) -> String { feature.json["unit"]?.string == "°F" ? "°F" : "°C" }

    /// The modes of a heater or a fan; where it has no other power, one of them means off.
    func fillModes(_ name: String, _ device: inout Device) throws(DiscoveryError) {
        guard let mode = features[name], mode.isPublished || mode.isSettable else { return }
        // What would have to be escaped in JSON is not the name of a mode.
        let modes = (mode.json["values"]?.list ?? []).compactMap(\.string).filter {
            JSONValue.quoted($0).utf8.count == $0.utf8.count + 2
        }
        let all = Options.named(modes)
        guard !all.isEmpty else { return }
        let template = ValueTemplate(path: [mode.property]), payload = CommandTemplate(key: mode.property, isText: true)
        device.options = Options(
            commandTopic: mode.isSettable ? commandTopic : nil, stateTopic: mode.isPublished ? topic : nil,
            template: template, payload: payload, all: all)
        guard device.commandTopic == nil, mode.isSettable, let power = Device.power(ofModes: modes) else { return }
        device.commandTopic = commandTopic
        device.stateTopic = device.options?.stateTopic
        device.valueTemplate = template
        device.stateOn = power.on
        device.stateOff = power.off
        device.payloadOn = payload.filled(power.on)
        device.payloadOff = payload.filled(power.off)
    }
}
