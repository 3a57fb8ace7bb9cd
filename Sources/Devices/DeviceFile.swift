import Configuration

/// What the owner's device file describes.
public struct VanFile: Sendable, Equatable {
    /// The devices, in the order of the file.
    public var devices: [Device]
    /// What the owner says of devices that describe themselves.
    public var adjustments: [DeviceAdjustment]
    /// The owner's scenes.
    public var scenes: [Scene]
    /// The modes: the four that every van has first, then the owner's own.
    public var modes: [Mode]

    /// A van of these devices; the default has none.
    public init(
        devices: [Device] = [], adjustments: [DeviceAdjustment] = [], scenes: [Scene] = [], modes: [Mode] = Mode.plain
    ) {
        self.devices = devices
        self.adjustments = adjustments
        self.scenes = scenes
        self.modes = modes
    }
}

/// Reads the owner's device file: `devices:`, `discovered:`, `scenes:` and `modes:`, each a list of mappings. Every
/// error names file and line.
public enum DeviceFile {
    /// Reads the devices of a parsed file.
    /// - Throws: `ConfigurationError`.
    public static func devices(_ root: ConfigurationNode) throws -> [Device] { try read(root).devices }

    /// Reads a parsed file.
    /// - Throws: `ConfigurationError`.
    public static func read(_ root: ConfigurationNode) throws -> VanFile {
        let sections = try root.entries(allowed: ["devices", "discovered", "scenes", "modes"])
        var file = VanFile()
        var ids: [String: String] = [:]
        file.devices = try (sections["devices"]?.elements() ?? []).map { node in
            let device = try DeviceReader(node).device()
            if let other = ids[device.id] {
                throw node.error("“\(device.name)” has the id “\(device.id)” of “\(other)”; give it another id")
            }
            ids[device.id] = device.name
            return device
        }
        file.adjustments = try (sections["discovered"]?.elements() ?? []).map { try DeviceAdjustment($0) }
        let reader = ModeReader(devices: file.devices, adjustments: file.adjustments)
        file.scenes = try reader.scenes(sections["scenes"])
        file.modes = try reader.modes(sections["modes"], standard: file.modes)
        return file
    }
}
