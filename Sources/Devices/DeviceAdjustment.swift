import Configuration

/// What the owner says of a device that describes itself: what it is called here, where it is, and what to ask before.
public struct DeviceAdjustment: Sendable, Equatable {
    /// The device's own id, or its name as it is discovered, lower case.
    public var device: String
    /// Its id here, which scenes and modes use.
    public var id: String?
    /// As the owner says it.
    public var name: String?
    /// See `Device`; nil for what stays as it is.
    public var aliases: [String]?, area: String?, groups: [String]?, deviceClass: String?
    /// See `Device`.
    public var isRisky: Bool?, capacity: Device.Capacity?
    /// True where the device is hidden from speech.
    public var isHidden = false

    /// What scenes and modes may call it.
    package var names: [String] { [device] + [id, name].compactMap { $0 } + (aliases ?? []) }

    /// What it is known by to scenes and modes.
    var reference: String { id ?? device }

    func applies(to other: Device) -> Bool { other.id.lowercased() == device || other.name == device }

    /// The device as the owner wants it.
    package func applied(to other: Device) -> Device {
        var result = other
        // Scenes and modes were read before it was discovered.
        result.id = reference
        if let name { result.name = name }
        if let aliases { result.aliases = aliases }
        if let area { result.area = area }
        if let groups { result.groups = groups }
        if let deviceClass { result.deviceClass = deviceClass }
        if let isRisky { result.isRisky = isRisky }
        if let capacity { result.capacity = capacity }
        return result
    }

    /// The adjustment that an entry of `discovered:` describes.
    /// - Throws: `ConfigurationError`.
    package init(_ node: ConfigurationNode) throws {
        let entry = try node.entries(
            allowed: [
                "device", "id", "name", "aliases", "area", "groups", "device_class", "risk", "capacity", "hidden",
            ])
        guard let device = try entry["device"]?.string().lowercased(), !device.isEmpty else {
            throw node.error("“device” is missing: the id or the name that “vanorb devices” shows")
        }
        self.device = device
        id = try entry["id"]?.string()
        name = try entry["name"]?.string().lowercased()
        aliases = try entry["aliases"]?.strings().map { $0.lowercased() }
        area = try entry["area"]?.string().lowercased()
        groups = try entry["groups"]?.strings().map { $0.lowercased() }
        deviceClass = try entry["device_class"]?.string().lowercased()
        isRisky = try entry["risk"]?.bool()
        capacity = try entry["capacity"].map { try Device.Capacity($0) }
        isHidden = try entry["hidden"]?.bool() ?? false
    }
}

extension Device.Capacity {
    /// “200 Ah”, “90 L”.
    package init(_ node: ConfigurationNode) throws {
        let parts = try node.string().split(separator: " ")
        guard parts.count == 2, let amount = Double(parts[0]), amount > 0, amount.isFinite,
            let unit = Unit(rawValue: String(parts[1]))
        else { throw node.error("expected an amount and its unit, such as 200 Ah, 2500 Wh or 90 L") }
        self.init(amount: amount, unit: unit)
    }
}
