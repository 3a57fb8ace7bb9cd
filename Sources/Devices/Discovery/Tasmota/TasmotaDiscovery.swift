import Domain

/// Tasmota's own discovery: each device describes itself under its hardware address, and its sensors apart from it.
/// Source: Tasmota's documentation of discovery, and of its commands.
public struct TasmotaDiscovery: DeviceConvention {
    /// Bytes of a description that are read at most.
    public static let sizeLimit = 65_536
    /// Devices that are kept at most.
    private static let deviceLimit = 200

    /// `tasmota`.
    public let name = "tasmota"
    /// Descriptions of devices, and of their sensors.
    public var filters: [String] { ["\(prefix)/+/config", "\(prefix)/+/sensors"] }
    private let prefix: String

    /// What came for one hardware address.
    fileprivate struct Halves: Sendable {
        var config: TasmotaConfig?
        var sensors: JSONValue?
        var configComplaint: String?, sensorComplaint: String?
    }
    private var known: [String: Halves] = [:]

    /// - Parameter prefix: the topic under which descriptions stand.
    public init(prefix: String = "tasmota/discovery") { self.prefix = prefix }

    /// What both descriptions of a device say together; its source is that of the device.
    public mutating func read(_ message: BusMessage) -> Discovery? {
        guard message.topic.hasPrefix("\(prefix)/") else { return nil }
        let parts = message.topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "config" || parts[1] == "sensors" else { return nil }
        let address = String(parts[0]), isConfig = parts[1] == "config"
        var discovery = Discovery(source: "\(prefix)/\(address)/config")
        guard DiscoveredText.isPlain(address) else {
            discovery.complain("\(message.topic): “\(address)” is no hardware address")
            return discovery
        }
        guard known[address] != nil || known.count < Self.deviceLimit else {
            discovery.complain("\(message.topic): more than \(Self.deviceLimit) devices")
            return discovery
        }
        var halves = known[address] ?? Halves()
        if isConfig { halves.read(config: message) } else { halves.read(sensors: message) }
        known[address] = halves.config == nil && halves.sensors == nil ? nil : halves
        for complaint in [halves.configComplaint, halves.sensorComplaint] {
            if let complaint { discovery.complain(complaint) }
        }
        guard let config = halves.config else { return discovery }
        config.describe(address, origin: name, into: &discovery)
        guard let sensors = halves.sensors else { return discovery }
        let found = TasmotaSensors(config: config, address: address, origin: name).devices(sensors)
        guard !found.isEmpty else { return discovery }
        discovery.devices += found
        // Without a value, the command reports the sensors at once and leaves their period as it is.
        discovery.requests.append(BusRequest(topic: config.command("TelePeriod")))
        return discovery
    }
}

extension TasmotaDiscovery.Halves {
    fileprivate mutating func read(config message: BusMessage) {
        (config, configComplaint) = (nil, nil)
        guard !message.payload.isEmpty else { return }
        guard let json = JSONValue(message.payload, limit: TasmotaDiscovery.sizeLimit) else {
            configComplaint = "\(message.topic): not JSON, or longer than \(TasmotaDiscovery.sizeLimit) bytes"
            return
        }
        do { config = try TasmotaConfig(json) } catch { configComplaint = "\(message.topic): \(error)" }
    }

    fileprivate mutating func read(sensors message: BusMessage) {
        (sensors, sensorComplaint) = (nil, nil)
        guard !message.payload.isEmpty else { return }
        guard let json = JSONValue(message.payload, limit: TasmotaDiscovery.sizeLimit), json["sn"]?.object != nil else {
            sensorComplaint = "\(message.topic): not a JSON object with “sn”"
            return
        }
        sensors = json["sn"]
    }
}
