import Domain

/// Victron's Venus OS, which describes nothing: what it publishes is what it has. Source: Victron's documentation of
/// its MQTT topics, and of the D-Bus paths that they mirror.
public struct VictronDiscovery: DeviceConvention {
    /// How often it expects a keepalive; after twice as long it stops publishing.
    public static let keepaliveInterval: Duration = .seconds(30)
    /// An installation that has published nothing and answered no keepalive for so long is off or out of reach.
    static let silenceLimit: Duration = .seconds(75)
    private static let portalLimit = 4, serviceLimit = 64

    /// `victron`.
    public let name = "victron"
    /// The topics that show that an installation is online, and the values that are devices here.
    public let filters: [String]

    /// What is known of one part of an installation, such as a tank.
    private var services: [VictronService.Key: VictronService] = [:]
    /// The installations that have published something.
    public private(set) var portals: [String] = []
    private let names: VictronNames

    /// - Parameters:
    ///   - portal: the installation's id, where it is known; others are not listened to.
    ///   - names: what its parts are called where the owner has not named them.
    public init(portal: String? = nil, names: VictronNames = VictronNames()) {
        let place = portal.flatMap { DiscoveredText.isPlain($0) ? $0 : nil }
        filters = VictronService.topics.map { "N/\(place ?? "+")/\($0)" }
        if let place { portals = [place] }
        self.names = names
    }

    /// What has to be published so that the installations continue to publish.
    /// - Parameter isFirst: true after a connection: everything is published once. Later, only what changes, and what
    ///   the keepalive asks for.
    public func keepalive(isFirst: Bool) -> [BusRequest] {
        guard !isFirst else { return portals.map { BusRequest(topic: "R/\($0)/keepalive") } }
        return portals.flatMap { portal in
            [
                BusRequest(
                    topic: "R/\(portal)/keepalive", payload: "{\"keepalive-options\":[\"suppress-republish\"]}"),
                BusRequest(topic: "R/\(portal)/\(VictronService.sign)"),
            ]
        }
    }

    /// What a value adds to the devices; nil where that is nothing new.
    public mutating func read(_ message: BusMessage) -> Discovery? {
        let parts = message.topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == "N", DiscoveredText.isPlain(parts[1]) else { return nil }
        let portal = String(parts[1])
        var discovery = Discovery(source: "N/\(portal)")
        if !portals.contains(portal) {
            guard portals.count < Self.portalLimit else { return nil }
            portals.append(portal)
            discovery.requests = [BusRequest(topic: "R/\(portal)/keepalive")]
        }
        guard parts.count >= 5, let key = VictronService.Key(portal: portal, parts[2], parts[3]) else {
            return discovery.requests.isEmpty ? nil : discovery
        }
        discovery.source = key.topic
        let path = parts[4...].joined(separator: "/")
        let isNew = note(message, path, key, &discovery)
        return isNew || !discovery.requests.isEmpty || !discovery.complaints.isEmpty ? discovery : nil
    }

    /// Stores one value, and describes its service; true where that changes a device.
    private mutating func note(
        _ message: BusMessage, _ path: String, _ key: VictronService.Key, _ discovery: inout Discovery
    ) -> Bool {
        let isKnown = services[key] != nil
        guard isKnown || services.count < Self.serviceLimit else {
            discovery.complain("\(key.topic): more than \(Self.serviceLimit) parts")
            return false
        }
        var service = services[key] ?? VictronService()
        let before = isKnown ? service.devices(key, names, origin: name) : []
        do { try service.note(message.payload, path) } catch { discovery.complain("\(message.topic): \(error)") }
        services[key] = service.isEmpty ? nil : service
        discovery.devices = service.devices(key, names, origin: name)
        // Its value may have come before it was known what it is, and is published again only when it changes.
        for device in discovery.devices where !before.contains(where: { $0.id == device.id }) {
            guard let topic = device.stateTopic else { continue }
            discovery.requests.append(BusRequest(topic: "R\(topic.dropFirst())"))
        }
        return discovery.devices != before
    }
}

/// What the parts of an installation are called. English where nothing else is given; the owner's own names, which
/// the installation may have, come before.
public struct VictronNames: Sendable {
    /// Of the values of the whole system, by device class.
    public var system = [
        "battery": "leisure battery", "voltage": "battery voltage", "battery_current": "battery current",
        "battery_power": "battery power", "battery_temperature": "battery temperature", "solar": "solar power",
        "load_power": "power draw",
    ]
    /// Of tanks, by device class.
    public var tanks = [
        "fresh_water": "fresh water tank", "grey_water": "grey water tank", "black_water": "black water tank",
        "gas": "gas bottle", "fuel": "fuel tank", "diesel": "diesel tank", "oil": "oil tank",
        "live_well": "live well", "lng": "gas tank", "hydraulic_oil": "hydraulic oil tank",
        "raw_water": "raw water tank",
    ]
    /// Of thermometers, by device class.
    public var thermometers = [
        "temperature": "temperature", "temperature_outside": "outside temperature",
        "battery_temperature": "battery temperature", "fridge_temperature": "fridge temperature",
        "freezer_temperature": "freezer temperature", "water_temperature": "water temperature",
    ]

    /// The English names.
    public init() {}
}
