extension Device {
    /// A device as a convention describes it, without topics yet.
    package init(id: String, name: String, kind: Kind, origin: String) {
        self.init(
            id: id, name: name, aliases: [], kind: kind, area: nil, commandTopic: nil, stateTopic: nil,
            payloadOn: "ON", payloadOff: "OFF", stateOn: "ON", stateOff: "OFF", expiresAfter: nil)
        self.origin = origin
    }

    /// A device that scenes or modes name and that has not described itself.
    package static func missing(_ id: String, name: String) -> Device {
        Device(id: id, name: name, kind: .switch, origin: missingOrigin)
    }

    /// True where nothing is known of it but that it is named.
    var isMissing: Bool { origin == Self.missingOrigin }

    private static let missingOrigin = "missing"

    /// True where it has a topic.
    var isUseful: Bool {
        commandTopic != nil || !sources.isEmpty || level?.commandTopic != nil || target?.commandTopic != nil
            || options?.commandTopic != nil
    }

    /// What the names of modes mean for power: one is off, and “on” is the one that the others would choose first.
    /// - Parameter payloads: the modes as the device reads them.
    package static func power(ofModes payloads: [String]) -> (on: String, off: String)? {
        guard let off = payloads.first(where: { $0.lowercased() == "off" }) else { return nil }
        // Home Assistant's order.
        let on =
            ["heat_cool", "heat", "cool", "on", "auto"].first { payloads.contains($0) }
            ?? payloads.first { $0 != off }
        return on.map { ($0, off) }
    }

    /// The device class that people ask for, for those that conventions name differently.
    static func spokenClass(_ deviceClass: String?, _ kind: Kind) -> String? {
        guard let deviceClass, DiscoveredText.isPlain(deviceClass) else { return nil }
        switch (kind, deviceClass) {
        case (.cover, "shade"): return "blind"
        case (.switch, "outlet"): return "socket"
        case (.sensor, "co2"): return "carbon_dioxide"
        default: return deviceClass.lowercased()
        }
    }
}

extension Options {
    /// Options by the payloads that the device reads; one with the name of another is left out.
    package static func named(_ payloads: [String]) -> [Option] {
        var names: Set<String> = []
        return payloads.prefix(100).compactMap { payload in
            let name = DiscoveredText.spoken(payload)
            guard !name.isEmpty, payload.utf8.count <= 100, names.insert(name).inserted else { return nil }
            return Option(name: name, aliases: [], payload: payload)
        }
    }
}
