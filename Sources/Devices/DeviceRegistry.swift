/// All devices of the van: those of the owner's file, and those that described themselves.
///
/// What several sources describe is one device: a lamp of Zigbee2MQTT announces itself to Home Assistant as well. The
/// owner's description takes precedence, then the conventions in their order.
struct DeviceRegistry {
    /// No van has more devices; later ones are ignored.
    static let limit = 3_000

    private struct Source: Hashable {
        let convention: Int
        let topic: String
    }

    private let owners: [Device]
    private let adjustments: [DeviceAdjustment]
    private var found: [Source: [Device]] = [:]
    private(set) var complaints: [String: [String]] = [:]
    private var count = 0

    /// - Parameters:
    ///   - owners: the devices of the owner's file.
    ///   - adjustments: what it says of the others.
    init(owners: [Device], adjustments: [DeviceAdjustment] = []) {
        self.owners = owners
        self.adjustments = adjustments
    }

    /// Takes what a source says; what it said before is forgotten.
    /// - Parameter convention: its rank among the conventions.
    /// - Returns: true where that changes any device.
    mutating func take(_ discovery: Discovery, of convention: Int) -> Bool {
        complaints[discovery.source] = discovery.complaints.isEmpty ? nil : discovery.complaints
        let source = Source(convention: convention, topic: discovery.source)
        let before = found[source] ?? []
        guard discovery.devices != before else { return false }
        guard discovery.devices.count <= before.count || count - before.count + discovery.devices.count <= Self.limit
        else {
            complaints[discovery.source] = ["more than \(Self.limit) devices; these are left out"]
            return false
        }
        count += discovery.devices.count - before.count
        found[source] = discovery.devices.isEmpty ? nil : discovery.devices
        return true
    }

    /// The topics on which a device describes itself.
    func descriptions(of device: Device) -> [String] {
        found.filter { $0.value.contains { $0.origin == device.origin && $0.voice == device.voice } }.map(\.key.topic)
            .sorted()
    }

    /// The devices, each once: the owner's in the order of the file, the others by convention and topic.
    var devices: [Device] {
        var result = owners, ids = Set(owners.map(\.id))
        var spoken = Set(owners.compactMap(\.voice)), topics = Set(owners.flatMap(\.topics))
        let sources = found.sorted { ($0.key.convention, $0.key.topic) < ($1.key.convention, $1.key.topic) }
        var convention = -1, own: Set<String> = []
        for (source, devices) in sources {
            if source.convention != convention {
                topics.formUnion(own)
                (convention, own) = (source.convention, [])
            }
            for var device in devices {
                // Within one convention many devices share a topic; between two it is the same device.
                guard !device.topics.contains(where: topics.contains),
                    device.voice.map({ !spoken.contains($0) }) ?? true
                else { continue }
                if let voice = device.voice { spoken.insert(voice) }
                own.formUnion(device.topics)
                if let adjustment = adjustments.first(where: { $0.applies(to: device) }) {
                    if adjustment.isHidden { continue }
                    device = adjustment.applied(to: device)
                }
                var number = 2
                let id = device.id
                while !ids.insert(device.id).inserted {
                    device.id = "\(id)-\(number)"
                    number += 1
                }
                result.append(device)
            }
        }
        return result
    }
}

extension Device {
    /// The topics that identify it, without its availability, which a whole bridge may share.
    fileprivate var topics: [String] { [commandTopic, level?.commandTopic].compactMap { $0 } + sources.map(\.topic) }

    /// What distinguishes it from others that share its topics: command topic and payload, or the part of a state.
    fileprivate var voice: String? {
        if let commandTopic { return "> \(commandTopic) \(payloadOn)" }
        return stateTopic.map { "< \($0) \(valueTemplate.map { "\($0)" } ?? "") \(kind)" }
    }
}
