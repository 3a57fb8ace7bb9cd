/// Reads the owner's device file: `devices:`, a list of mappings. Every complaint names file and line.
public enum DeviceFile {
    private static let keys = [
        "name", "id", "kind", "area", "aliases", "command_topic", "state_topic", "availability_topic", "payload_on",
        "payload_off", "state_on", "state_off", "payload_available", "payload_not_available", "expire_after",
    ]

    /// Reads devices from a parsed file.
    /// - Throws: `ConfigurationError`.
    public static func devices(_ root: ConfigurationNode) throws -> [Device] {
        guard let list = try root.entries(allowed: ["devices"])["devices"] else { return [] }
        var ids: [String: String] = [:]
        return try list.elements().map { node in
            let device = try device(node)
            if let other = ids[device.id] {
                throw node.error("“\(device.name)” has the id “\(device.id)” of “\(other)”; give it another id")
            }
            ids[device.id] = device.name
            return device
        }
    }

    private static func device(_ node: ConfigurationNode) throws -> Device {
        let entry = try node.entries(allowed: keys)
        guard let name = try entry["name"]?.string().lowercased(), !name.isEmpty else {
            throw node.error("“name” is missing")
        }
        guard let kindNode = entry["kind"] else { throw node.error("“kind” is missing") }
        guard let kind = Device.Kind(rawValue: try kindNode.string()) else {
            let kinds = Device.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw kindNode.error("unknown kind “\(try kindNode.string())”; expected one of: \(kinds)")
        }
        func topic(_ key: String) throws -> String? {
            guard let node = entry[key] else { return nil }
            let topic = try node.string()
            guard !topic.isEmpty, !topic.contains("+"), !topic.contains("#") else {
                throw node.error("“\(topic)” is no topic of one device: it is empty or has a wildcard")
            }
            return topic
        }
        func text(_ key: String, _ standard: String) throws -> String { try entry[key]?.string() ?? standard }
        let payloadOn = try text("payload_on", "ON"), payloadOff = try text("payload_off", "OFF")
        let device = Device(
            id: try text("id", name.replacing(" ", with: "_")), name: name,
            aliases: try entry["aliases"]?.strings().map { $0.lowercased() } ?? [], kind: kind,
            area: try entry["area"]?.string().lowercased(), commandTopic: try topic("command_topic"),
            stateTopic: try topic("state_topic"), availabilityTopic: try topic("availability_topic"),
            payloadOn: payloadOn, payloadOff: payloadOff, stateOn: try text("state_on", payloadOn),
            stateOff: try text("state_off", payloadOff), payloadAvailable: try text("payload_available", "online"),
            payloadNotAvailable: try text("payload_not_available", "offline"),
            expiresAfter: try entry["expire_after"].map { .seconds(try $0.double()) })
        guard device.commandTopic != nil || device.stateTopic != nil else {
            throw node.error("“\(name)” has neither command_topic nor state_topic")
        }
        return device
    }
}
