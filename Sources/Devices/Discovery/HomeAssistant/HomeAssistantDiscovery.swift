import Domain

/// Home Assistant's discovery, by which ESPHome, bridges and many devices describe themselves, one entity a message or
/// a whole device at once. Source: Home Assistant's documentation of MQTT discovery.
public struct HomeAssistantDiscovery: DeviceConvention {
    /// Bytes of a description that are read at most.
    public static let sizeLimit = 262_144
    /// Entities of a device that are read at most.
    private static let entityLimit = 500

    /// `home_assistant`.
    public static let convention = "home_assistant"
    /// `home_assistant`.
    public let name = HomeAssistantDiscovery.convention
    /// Descriptions with and without a node in their topic.
    public let filters: [String]
    private let prefix: String
    private let ignored: Set<String>

    /// - Parameters:
    ///   - prefix: the topic under which descriptions stand; Home Assistant's own where nothing is set.
    ///   - ignored: ids of objects that are not read, because a convention of their own describes them.
    public init(prefix: String = "homeassistant", ignoring ignored: Set<String> = []) {
        self.prefix = prefix
        self.ignored = ignored
        filters = ["\(prefix)/+/+/config", "\(prefix)/+/+/+/config"]
    }

    /// What a description says; an empty one, and one that hands over to the description of the whole device, leave
    /// nothing of what was described before.
    public func read(_ message: BusMessage) -> Discovery? {
        guard let place = Place(message.topic, prefix), !ignored.contains(place.id) else { return nil }
        var discovery = Discovery(source: message.topic)
        guard !message.payload.isEmpty else { return discovery }
        func complain(_ what: String) -> Discovery {
            discovery.complain("\(message.topic.prefix(200)): \(what)")
            return discovery
        }
        guard place.isPlain else { return complain("an id has other signs than a-z, A-Z, 0-9, _ and -") }
        guard message.payload.count <= Self.sizeLimit else { return complain("longer than \(Self.sizeLimit) bytes") }
        guard let root = JSONValue(message.payload, limit: Self.sizeLimit)?.object else {
            return complain("not a JSON object")
        }
        // Another message describes the whole device from now on; two descriptions would be two devices.
        if root["migrate_discovery"] == .truth(true) { return discovery }
        let entries = HomeAssistantKeys.withBase(HomeAssistantKeys.expanded(root))
        let device = entries["device"]?.object.map { HomeAssistantKeys.expanded($0, HomeAssistantKeys.device) }
        guard place.component == "device" else {
            let entity = HomeAssistantEntity(entries, device: device ?? [:])
            add(entity, place.component, place.id, to: &discovery, place: message.topic)
            return discovery
        }
        guard let device, entries["origin"]?.object != nil, let components = entries["components"]?.object else {
            return complain("“device”, “origin” or “components” is missing")
        }
        guard components.count <= Self.entityLimit else { return complain("more than \(Self.entityLimit) entities") }
        for (key, value) in components.sorted(by: { $0.key < $1.key }) {
            let entry = "\(message.topic): \(key)"
            guard DiscoveredText.isPlain(key), let own = value.object.map({ HomeAssistantKeys.expanded($0) }),
                let platform = own["platform"]?.string
            else {
                discovery.complain("\(entry): no component with a “platform”")
                continue
            }
            // Nothing but its platform: the entity was removed.
            guard own.count > 1 else { continue }
            let entity = HomeAssistantEntity(Self.merged(own, into: entries), device: device)
            add(entity, platform, "\(place.id)_\(key)", to: &discovery, place: entry)
        }
        return discovery
    }

    /// What the entities of a device have from it where they say nothing themselves.
    private static let availabilityKeys = [
        "availability", "availability_topic", "availability_mode", "availability_template", "payload_available",
        "payload_not_available",
    ]
    private static let sharedKeys = ["command_topic", "state_topic"]

    private static func merged(
        _ own: [String: JSONValue], into root: [String: JSONValue]
    ) -> [String: JSONValue] {
        var entries = own
        // One's own availability is not mixed with the device's.
        let isOwn = own["availability"] != nil || own["availability_topic"] != nil
        for key in sharedKeys + (isOwn ? [] : availabilityKeys) where own[key] == nil { entries[key] = root[key] }
        if entries["~"] == nil { entries["~"] = root["~"] }
        return HomeAssistantKeys.withBase(entries)
    }

    private func add(
        _ entity: HomeAssistantEntity, _ component: String, _ objectID: String, to discovery: inout Discovery,
        place: String
    ) {
        do {
            let device = try entity.device(component, objectID, origin: name)
            guard !discovery.devices.contains(where: { $0.id == device.id }) else {
                throw DiscoveryError(detail: "another entity has the id “\(device.id)”")
            }
            discovery.devices.append(device)
        } catch { discovery.complain("\(place.prefix(200)): \(error)") }
    }
}

/// What the topic of a description says: `<prefix>/<component>/[<node>/]<object>/config`.
private struct Place {
    let component: String
    /// The ids of node and object.
    let ids: [String]

    var id: String { ids.joined(separator: "_") }
    var isPlain: Bool { ids.allSatisfy { DiscoveredText.isPlain($0) } }

    init?(_ topic: String, _ prefix: String) {
        guard topic.hasPrefix("\(prefix)/") else { return nil }
        let parts = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), parts.last == "config" else { return nil }
        component = String(parts[0])
        ids = parts[1..<parts.count - 1].map(String.init)
    }
}
