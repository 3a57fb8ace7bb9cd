/// What a Tasmota device says of itself.
struct TasmotaConfig: Sendable {
    /// What a relay drives.
    enum Relay: Int, Sendable {
        case none = 0, `switch`, light, shutter
    }

    private static let relayLimit = 32

    let deviceName: String
    private let friendlyNames: [String?]
    let relays: [Int]
    /// The lamp's channels: 0 none, 1 dimmable, 2 cold and warm, 3 red, green and blue, 4 with white, 5 with both.
    private let lightType: Int
    private let options: JSONValue?
    private let stateOff: String, stateOn: String
    private let online: String, offline: String
    private let commandPrefix: String, statePrefix: String, telePrefix: String
    let model: String?

    init(_ json: JSONValue) throws(DiscoveryError) {
        guard json.object != nil else { throw DiscoveryError(detail: "not a JSON object") }
        guard let topic = json["t"]?.string, let full = json["ft"]?.string,
            let prefixes = json["tp"]?.list?.map(\.string), prefixes.count >= 3,
            let command = prefixes[0], let state = prefixes[1], let tele = prefixes[2]
        else { throw DiscoveryError(detail: "“t”, “ft” or “tp” is missing") }
        let parts = (topic: topic, host: json["hn"]?.string ?? "", address: json["mac"]?.string ?? "")
        commandPrefix = try Self.topic(full, command, parts)
        statePrefix = try Self.topic(full, state, parts)
        telePrefix = try Self.topic(full, tele, parts)
        guard Set([commandPrefix, statePrefix, telePrefix]).count == 3 else {
            throw DiscoveryError(detail: "“ft” does not distinguish commands from states")
        }
        friendlyNames = (json["fn"]?.list ?? []).map(\.string)
        let names = [json["dn"]?.string, friendlyNames.first ?? nil, topic].map { DiscoveredText.spoken($0 ?? "") }
        guard let name = names.first(where: { !$0.isEmpty }) else { throw DiscoveryError(detail: "it has no name") }
        deviceName = name
        relays = (json["rl"]?.list ?? []).prefix(Self.relayLimit).map { $0.int ?? 0 }
        lightType = json["lt_st"]?.int ?? 0
        options = json["so"]
        let words = (json["state"] ?? json["st"])?.list?.map(\.string) ?? []
        stateOff = words.first.flatMap { $0 } ?? "OFF"
        stateOn = words.dropFirst().first.flatMap { $0 } ?? "ON"
        online = (json["onln"] ?? json["on"])?.string ?? "Online"
        offline = (json["ofln"] ?? json["of"])?.string ?? "Offline"
        model = json["md"]?.string.map { String($0.prefix(80)) }
    }

    // MARK: topics

    /// The owner may have put the parts of topics in any order.
    private static func topic(
        _ full: String, _ prefix: String, _ parts: (topic: String, host: String, address: String)
    ) throws(DiscoveryError) -> String {
        var text = full
        for (sign, part) in [
            ("%prefix%", prefix), ("%topic%", parts.topic), ("%hostname%", parts.host),
            ("%id%", String(parts.address.suffix(6))),
        ] { text = text.replacing(sign, with: part) }
        guard !text.contains("%") else { throw DiscoveryError(detail: "“ft” has a part that is not supported") }
        return try DiscoveredText.topic(text.hasSuffix("/") ? text : text + "/")
    }

    /// The topic of a command.
    func command(_ name: String) -> String { commandPrefix + name }
    /// The topic of the sensors' regular report.
    var sensorTopic: String { telePrefix + "SENSOR" }
    /// Where the device, or the broker for it, says that it is there.
    var availability: [Device.Availability] {
        [Device.Availability(topic: telePrefix + "LWT", payloadAvailable: online, payloadNotAvailable: offline)]
    }

    // MARK: relays

    private func isOn(_ option: String) -> Bool { options?[option]?.int == 1 }

    /// The relays and lamps as devices, with the questions for their states: they are not retained.
    func describe(_ address: String, origin: String, into discovery: inout Discovery) {
        let count = relays.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let isOnly = relays.filter { $0 != 0 }.count == 1 && count == 1
        var hasLevel = false
        for (index, number) in relays.prefix(count).enumerated() where number != 0 {
            let place = "\(discovery.source): relay \(index + 1)"
            guard let relay = Relay(rawValue: number), relay != .shutter else {
                discovery.complain("\(place): a shutter, or another kind that is not supported")
                continue
            }
            guard let id = DiscoveredText.id(origin, address, "relay_\(index + 1)") else { continue }
            // Setting 30: relays that switch lamps.
            let kind: Device.Kind = relay == .light || isOn("30") ? .light : .switch
            var device = Device(id: id, name: name(of: index, isOnly), kind: kind, origin: origin)
            let power = isOnly ? "POWER" : "POWER\(index + 1)"
            device.commandTopic = command(power)
            device.stateTopic = statePrefix + power
            (device.stateOn, device.stateOff) = (stateOn, stateOff)
            device.availability = availability
            device.model = model
            discovery.requests.append(BusRequest(topic: command(power)))
            // One brightness is for all lamps; setting 68 gives each channel its own, which is described elsewhere.
            if relay == .light, lightType > 0, !hasLevel, !isOn("68") {
                hasLevel = true
                addLevels(to: &device)
                discovery.requests.append(BusRequest(topic: command("Dimmer")))
            }
            discovery.devices.append(device)
        }
    }

    /// Brightness and colour temperature stand in the command's result alone.
    private func addLevels(to device: inout Device) {
        func scale(_ name: String, _ minimum: Double, _ maximum: Double, unit: String? = nil) -> Scale {
            Scale(
                commandTopic: command(name), stateTopic: statePrefix + (isOn("4") ? name.uppercased() : "RESULT"),
                template: ValueTemplate(path: [name]), minimum: minimum, maximum: maximum, unit: unit)
        }
        device.level = scale("Dimmer", 0, 100)
        if lightType >= 3 {
            // Color2 keeps the brightness. The result has red, green and blue with the brightness in them, and the hue.
            device.colour = ColourControl(
                commandTopic: command("Color2"), stateTopic: statePrefix + (isOn("4") ? "COLOR" : "RESULT"),
                command: ColourControl.Layout(model: .rgb),
                state: ColourControl.Layout(model: .hueSaturation, path: ["HSBColor"]))
        }
        guard lightType == 2 || lightType == 5 else { return }
        // Setting 82: the range that Alexa knows.
        device.colourTemperature =
            isOn("82") ? scale("CT", 200, 380, unit: Scale.mired) : scale("CT", 153, 500, unit: Scale.mired)
    }

    private func name(of index: Int, _ isOnly: Bool) -> String {
        let own = index < friendlyNames.count ? DiscoveredText.spoken(friendlyNames[index] ?? "") : ""
        if !own.isEmpty { return own }
        return isOnly ? deviceName : "\(deviceName) \(index + 1)"
    }
}
