import Domain
import Configuration

/// Reads one device of the owner's file.
struct DeviceReader {
    private static let keys =
        [
            "name", "id", "kind", "area", "groups", "aliases", "device_class", "unit", "risk", "capacity", "value_path",
            "command_topic", "state_topic", "availability_topic", "payload_on", "payload_off", "state_on", "state_off",
            "payload_available", "payload_not_available", "expire_after", "expires_after", "min", "max", "step",
            "payload", "options", "brightness", "speed", "position", "colour_temperature", "temperature", "current",
        ] + Device.Verb.allCases.map { "payload_\($0)" } + Device.Position.allCases.map { "state_\($0)" }

    /// Keys that only some kinds have; the others have no use for them.
    private static let ownKeys: [String: [Device.Kind]] = [
        "brightness": [.light], "colour_temperature": [.light], "speed": [.fan], "position": [.cover],
        "temperature": [.heater, .climate], "current": [.heater, .climate], "min": [.number], "max": [.number],
        "step": [.number], "payload": [.number, .select], "options": [.heater, .climate, .select, .switch, .fan],
        "capacity": [.sensor], "unit": [.sensor, .number],
    ]

    private let node: ConfigurationNode
    private let entry: [String: ConfigurationNode]

    init(_ node: ConfigurationNode) throws {
        self.node = node
        entry = try node.entries(allowed: Self.keys)
    }

    func device() throws -> Device {
        guard let name = try entry["name"]?.string().lowercased(), !name.isEmpty else {
            throw node.error("“name” is missing")
        }
        guard let kindNode = entry["kind"] else { throw node.error("“kind” is missing") }
        guard let kind = Device.Kind(rawValue: try kindNode.string()) else {
            let kinds = Device.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw kindNode.error("unknown kind “\(try kindNode.string())”; expected one of: \(kinds)")
        }
        try requireFitting(kind)
        let payloadOn = try text("payload_on", "ON"), payloadOff = try text("payload_off", "OFF")
        var device = Device(
            id: try text("id", name.replacing(" ", with: "_")), name: name, aliases: try names("aliases"), kind: kind,
            area: try entry["area"]?.string().lowercased(), commandTopic: try topic("command_topic", of: entry),
            stateTopic: try topic("state_topic", of: entry), availability: try availability(),
            payloadOn: payloadOn, payloadOff: payloadOff, stateOn: try text("state_on", payloadOn),
            stateOff: try text("state_off", payloadOff), expiresAfter: try expiry(),
            groups: try names("groups"), deviceClass: try entry["device_class"]?.string().lowercased(),
            unit: try entry["unit"]?.string(), isRisky: try entry["risk"]?.bool() ?? false,
            capacity: try entry["capacity"].map { try Device.Capacity($0) }, valueTemplate: try template(entry))
        try readWords(into: &device)
        device.level = try (entry["brightness"] ?? entry["speed"] ?? entry["position"]).map { try scale($0) }
        device.colourTemperature = try entry["colour_temperature"].map {
            try scale($0, limits: (2000, 6500), unit: "K")
        }
        device.target = try entry["temperature"].map { try scale($0, limits: (5, 30), unit: "°C") }
        device.current = try entry["current"].map { try scale($0, limits: (-50, 100), unit: "°C") }
        if kind == .number { device.value = try number(device) }
        if let options = entry["options"] { device.options = try self.options(options, device) }
        if kind == .select, device.options == nil { throw node.error("“\(name)” is a select without “options”") }
        guard
            device.commandTopic != nil || !device.sources.isEmpty || device.level?.commandTopic != nil
                || device.target?.commandTopic != nil || device.options?.commandTopic != nil
        else {
            throw node.error("“\(name)” has neither command_topic nor state_topic")
        }
        return device
    }

    private func requireFitting(_ kind: Device.Kind) throws {
        for (key, kinds) in Self.ownKeys.sorted(by: { $0.key < $1.key }) where !kinds.contains(kind) {
            if let node = entry[key] {
                let names = kinds.map(\.rawValue).joined(separator: ", ")
                throw node.error("a \(kind.rawValue) has no “\(key)”; only these have: \(names)")
            }
        }
        if [.button, .scene].contains(kind), entry["command_topic"] == nil {
            throw node.error("a \(kind.rawValue) needs a “command_topic”")
        }
        if [.sensor, .binarySensor].contains(kind), entry["state_topic"] == nil, entry["command_topic"] == nil {
            let name = try entry["name"]?.string().lowercased() ?? ""
            throw node.error("“\(name)” has neither command_topic nor state_topic")
        }
    }

    // MARK: pieces

    private func text(_ key: String, _ standard: String) throws -> String { try entry[key]?.string() ?? standard }

    private func names(_ key: String) throws -> [String] { try entry[key]?.strings().map { $0.lowercased() } ?? [] }

    private func topic(_ key: String, of entry: [String: ConfigurationNode]) throws -> String? {
        guard let node = entry[key] else { return nil }
        let topic = try node.string()
        guard !topic.isEmpty, !topic.contains("+"), !topic.contains("#") else {
            throw node.error("“\(topic)” is not the topic of one device: it is empty or has a wildcard")
        }
        return topic
    }

    private func availability() throws -> [Device.Availability] {
        guard let topic = try topic("availability_topic", of: entry) else { return [] }
        return [
            Device.Availability(
                topic: topic, payloadAvailable: try text("payload_available", "online"),
                payloadNotAvailable: try text("payload_not_available", "offline"))
        ]
    }

    /// The owner names a value in a JSON payload by its path.
    private func template(_ entry: [String: ConfigurationNode]) throws -> ValueTemplate? {
        try entry["value_path"].map { ValueTemplate(dottedPath: try $0.string()) }
    }

    private func expiry() throws -> Duration? {
        guard let node = entry["expires_after"] ?? entry["expire_after"] else { return nil }
        let seconds = try node.double()
        guard seconds > 0 else { throw node.error("expected seconds above zero") }
        return .seconds(seconds)
    }

    /// The payloads of verbs, of which `~` says that the device does not know it, and those of states.
    private func readWords(into device: inout Device) throws {
        let verbs: [Device.Verb], positions: [Device.Position]
        switch device.kind {
        case .cover: (verbs, positions) = ([.open, .close, .stop], [.open, .closed, .opening, .closing, .stopped])
        case .lock: (verbs, positions) = ([.lock, .unlock], [.locked, .unlocked, .locking, .unlocking, .jammed])
        case .button: (verbs, positions) = ([.press], [])
        case .scene:
            device.verbs[.press] = device.payloadOn
            (verbs, positions) = ([], [])
        default: (verbs, positions) = ([], [])
        }
        for verb in Device.Verb.allCases {
            let key = "payload_\(verb)", node = entry[key]
            guard verbs.contains(verb) else {
                if let node { throw node.error("a \(device.kind.rawValue) has no “\(key)”") }
                continue
            }
            if node?.isNull == true { continue }
            device.verbs[verb] = try node?.string() ?? verb.rawValue.uppercased()
        }
        for position in Device.Position.allCases {
            let key = "state_\(position)", node = entry[key]
            guard positions.contains(position) else {
                if let node { throw node.error("a \(device.kind.rawValue) has no “\(key)”") }
                continue
            }
            // The conventions: a cover speaks in lower case, a lock in capitals.
            let standard = device.kind == .lock ? position.rawValue.uppercased() : position.rawValue
            let payload = try node?.string() ?? standard
            if device.stateWords[payload] != nil { throw (node ?? self.node).error("“\(payload)” has two meanings") }
            device.stateWords[payload] = position
        }
    }

    // MARK: quantities and options

    private func scale(
        _ node: ConfigurationNode, limits: (Double, Double) = (0, 100), unit: String? = nil
    ) throws -> Scale {
        let entry = try node.entries(
            allowed: ["command_topic", "state_topic", "value_path", "payload", "min", "max", "step", "unit"])
        var scale = Scale(
            commandTopic: try topic("command_topic", of: entry), stateTopic: try topic("state_topic", of: entry),
            template: try template(entry), minimum: limits.0, maximum: limits.1,
            unit: try entry["unit"]?.string() ?? unit)
        guard scale.commandTopic != nil || scale.stateTopic != nil else {
            throw node.error("neither command_topic nor state_topic is given")
        }
        if scale.isFahrenheit { (scale.minimum, scale.maximum) = (scale.own(limits.0), scale.own(limits.1)) }
        try read(entry, into: &scale, node)
        return scale
    }

    private func read(
        _ entry: [String: ConfigurationNode], into scale: inout Scale, _ node: ConfigurationNode
    ) throws {
        scale.minimum = try entry["min"]?.double() ?? scale.minimum
        scale.maximum = try entry["max"]?.double() ?? scale.maximum
        scale.step = try entry["step"]?.double() ?? scale.step
        guard scale.minimum != scale.maximum else { throw node.error("“min” and “max” are the same") }
        guard scale.step > 0 else { throw (entry["step"] ?? node).error("expected a step above zero") }
        if let payload = entry["payload"] { scale.payload = try self.payload(payload) }
    }

    private func payload(_ node: ConfigurationNode) throws -> CommandTemplate {
        let payload = PlaceholderText(try node.string())
        guard payload.names == ["value"] else { throw node.error("the payload must have {value} in it, and no other") }
        return CommandTemplate(payload)
    }

    private func number(_ device: Device) throws -> Scale {
        var scale = Scale(
            commandTopic: device.commandTopic, stateTopic: device.stateTopic, template: device.valueTemplate,
            unit: device.unit)
        try read(entry, into: &scale, node)
        guard scale.minimum < scale.maximum else { throw node.error("“min” is not below “max”") }
        return scale
    }

    /// A select's options go through its own topics; those of other kinds have theirs.
    private func options(_ node: ConfigurationNode, _ device: Device) throws -> Options {
        var options = Options(
            commandTopic: device.commandTopic, stateTopic: device.stateTopic, template: device.valueTemplate, all: [])
        var list = node
        if let payload = entry["payload"], device.kind == .select { options.payload = try self.payload(payload) }
        if device.kind != .select {
            let own = try node.entries(
                allowed: ["command_topic", "state_topic", "value_path", "payload", "names"])
            guard let names = own["names"] else { throw node.error("“names” is missing: what it may be set to") }
            list = names
            options.commandTopic = try topic("command_topic", of: own)
            options.stateTopic = try topic("state_topic", of: own)
            options.template = try template(own)
            if let payload = own["payload"] { options.payload = try self.payload(payload) }
        }
        options.all = try list.elements().map(option)
        guard !options.all.isEmpty else { throw list.error("the list is empty") }
        let names = options.all.flatMap { [$0.name] + $0.aliases }
        guard Set(names).count == names.count else { throw list.error("a name occurs twice") }
        return options
    }

    private func option(_ node: ConfigurationNode) throws -> Options.Option {
        guard node.isMapping else {
            let name = try node.string()
            return Options.Option(name: name.lowercased(), aliases: [], payload: name)
        }
        let entry = try node.entries(allowed: ["name", "aliases", "payload"])
        guard let name = try entry["name"]?.string() else { throw node.error("“name” is missing") }
        return Options.Option(
            name: name.lowercased(), aliases: try entry["aliases"]?.strings().map { $0.lowercased() } ?? [],
            payload: try entry["payload"]?.string() ?? name)
    }
}
