import Domain

/// Zigbee2MQTT's own description of its devices and groups. Source: Zigbee2MQTT's documentation of its MQTT topics and
/// of `exposes`.
public struct Zigbee2MQTTDiscovery: DeviceConvention {
    /// Bytes of a description that are read at most; one message describes all devices.
    public static let sizeLimit = 4_194_304
    private static let deviceLimit = 500

    /// `zigbee2mqtt`.
    public let name = "zigbee2mqtt"
    /// The lists of devices and of groups, and the states that follow them at once: a sensor that sleeps reports its
    /// own once in an hour.
    public var filters: [String] { [devicesTopic, groupsTopic, "\(base)/+"] }
    private let base: String
    private var devicesTopic: String { "\(base)/bridge/devices" }
    private var groupsTopic: String { "\(base)/bridge/groups" }

    /// What the lists said last; each comes alone, and a device is in both.
    private var nodes: [Zigbee2MQTTNode] = [], groups: [Zigbee2MQTTGroup] = []
    private var nodeComplaints: [String] = [], groupComplaints: [String] = []

    /// - Parameter base: Zigbee2MQTT's base topic.
    public init(base: String = "zigbee2mqtt") { self.base = base }

    /// What the lists say together, whichever of them came; its source is the list of devices.
    public mutating func read(_ message: BusMessage) -> Discovery? {
        let isNodes = message.topic == devicesTopic
        guard isNodes || message.topic == groupsTopic else { return nil }
        var complaints: [String] = []
        let list = elements(message, &complaints)
        if isNodes {
            nodes = []
            for element in list {
                do { if let node = try Zigbee2MQTTNode(element) { nodes.append(node) } } catch {
                    complaints.append("\(message.topic): \(error)")
                }
            }
            nodeComplaints = complaints
        } else {
            groups = list.compactMap { Zigbee2MQTTGroup($0) }
            if groups.count < list.count { complaints.append("\(message.topic): a group without a name") }
            groupComplaints = complaints
        }
        return discovery(asking: isNodes)
    }

    private func elements(_ message: BusMessage, _ complaints: inout [String]) -> [JSONValue] {
        if message.payload.isEmpty { return [] }
        guard let list = JSONValue(message.payload, limit: Self.sizeLimit)?.list else {
            complaints.append("\(message.topic): not a JSON list, or longer than \(Self.sizeLimit) bytes")
            return []
        }
        if list.count > Self.deviceLimit { complaints.append("\(message.topic): more than \(Self.deviceLimit)") }
        return Array(list.prefix(Self.deviceLimit))
    }

    /// - Parameter isAsking: true where the devices are new and have to be asked for their states.
    private func discovery(asking isAsking: Bool) -> Discovery {
        var discovery = Discovery(source: devicesTopic)
        for complaint in nodeComplaints + groupComplaints { discovery.complain(complaint) }
        var ids: Set<String> = []
        for node in nodes {
            let names = groups.filter { $0.members.contains(node.address) }.map(\.name)
            let exposes = Zigbee2MQTTExposes(node: node, base: base, groups: names, origin: name)
            do {
                let found = try exposes.devices()
                discovery.devices += found.devices.filter { ids.insert($0.id).inserted }
                for complaint in found.complaints { discovery.complain("\(devicesTopic): \(complaint)") }
                if isAsking, let question = found.question { discovery.requests.append(question) }
            } catch { discovery.complain("\(devicesTopic): \(node.address): \(error)") }
        }
        for group in groups {
            do {
                discovery.devices += try group.scenes(base: base, origin: name).filter { ids.insert($0.id).inserted }
            } catch { discovery.complain("\(groupsTopic): \(error)") }
        }
        return discovery
    }
}

/// One device of the network.
struct Zigbee2MQTTNode: Sendable {
    /// Its address in the network, which it keeps for ever.
    let address: String
    /// Its topic under the base, which may have slashes.
    let friendlyName: String
    /// What it is called.
    let spokenName: String
    let manufacturer: String?, model: String?
    let exposes: [JSONValue]

    /// Nil for the coordinator and for disabled devices.
    init?(_ json: JSONValue) throws(DiscoveryError) {
        guard json.object != nil else { throw DiscoveryError(detail: "a device is not a JSON object") }
        guard json["type"]?.string != "Coordinator", json["disabled"] != .truth(true) else { return nil }
        guard let address = json["ieee_address"]?.string, DiscoveredText.isPlain(address) else {
            throw DiscoveryError(detail: "a device without “ieee_address”")
        }
        guard let friendlyName = json["friendly_name"]?.string else {
            throw DiscoveryError(detail: "\(address): “friendly_name” is missing")
        }
        _ = try DiscoveredText.topic(friendlyName)
        guard let definition = json["definition"], let exposes = definition["exposes"]?.list else {
            throw DiscoveryError(detail: "\(address): not supported, or its interview is not done")
        }
        self.address = address
        self.friendlyName = friendlyName
        self.exposes = exposes
        manufacturer = definition["vendor"]?.string.map { String($0.prefix(80)) }
        model = definition["model"]?.string.map { String($0.prefix(80)) }
        // An address is not a spoken name; its model is used until the owner names it.
        let named = DiscoveredText.spoken(friendlyName)
        let described = DiscoveredText.spoken(definition["description"]?.string ?? "")
        spokenName = friendlyName == address && !described.isEmpty ? described : named
        guard !spokenName.isEmpty else { throw DiscoveryError(detail: "\(address): it has no name") }
    }
}

/// A group of the network: what its members are called together, and the scenes that it keeps.
struct Zigbee2MQTTGroup: Sendable {
    /// The name as people say it.
    let name: String
    private let friendlyName: String
    /// The addresses of its members.
    let members: Set<String>
    private let kept: [(id: Int, name: String)]

    init?(_ json: JSONValue) {
        guard let friendlyName = json["friendly_name"]?.string else { return nil }
        self.friendlyName = friendlyName
        name = DiscoveredText.spoken(friendlyName)
        guard !name.isEmpty else { return nil }
        members = Set((json["members"]?.list ?? []).compactMap { $0["ieee_address"]?.string })
        kept = (json["scenes"]?.list ?? []).prefix(50).compactMap { scene in
            guard let id = scene["id"]?.int, let name = scene["name"]?.string else { return nil }
            return (id, DiscoveredText.spoken(name))
        }
    }

    func scenes(base: String, origin: String) throws(DiscoveryError) -> [Device] {
        let topic = try DiscoveredText.topic("\(base)/\(friendlyName)/set")
        return kept.compactMap { scene in
            guard !scene.name.isEmpty, let id = DiscoveredText.id(origin, "group", friendlyName, "scene_\(scene.id)")
            else { return nil }
            var device = Device(id: id, name: scene.name, kind: .scene, origin: origin)
            device.commandTopic = topic
            device.verbs[.press] = "{\"scene_recall\":\(scene.id)}"
            return device
        }
    }
}
