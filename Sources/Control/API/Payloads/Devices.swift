import Foundation

/// A device of the van.
public struct DeviceRow: Codable, Sendable, Equatable {
    /// Its identifier, unique.
    public var id: String
    /// As the owner says it.
    public var name: String
    /// Such as `light` or `switch`.
    public var kind: String
    /// Where it is; nil when unknown.
    public var area: String?
    /// Its state as a person reads it, such as `on, 40 %`; nil when unknown.
    public var state: String?
    /// False when it is known to be offline.
    public var online: Bool
    /// Where it was learnt from, such as `zigbee2mqtt` or `devices.yaml`.
    public var source: String
    /// How old the state is, seconds; nil when unknown.
    public var ageSeconds: Double?

    /// A device; the rest is set where it is known.
    public init(id: String, name: String, kind: String, state: String? = nil, online: Bool = true, source: String) {
        self.id = id
        self.name = name
        self.kind = kind
        self.state = state
        self.online = online
        self.source = source
    }
}

/// The van's devices.
public struct DevicesListResult: Codable, Sendable, Equatable {
    /// By area and name.
    public var devices: [DeviceRow]

    /// A list of devices.
    public init(devices: [DeviceRow]) { self.devices = devices }
}

/// One of a device's topics.
public struct TopicRow: Codable, Sendable, Equatable {
    /// What it is for: `command`, `state`, `brightness`, `availability`, `description` and so on.
    public var use: String
    /// The topic.
    public var topic: String
    /// What came on it last, at most 512 bytes; nil where nothing came.
    public var payload: String?

    /// A topic.
    public init(use: String, topic: String, payload: String? = nil) {
        (self.use, self.topic, self.payload) = (use, topic, payload)
    }
}

/// Names a device by its id or its name.
public struct DeviceArguments: Codable, Sendable, Equatable {
    /// Id or name.
    public var device: String

    /// Names a device.
    public init(device: String) { self.device = device }
}

/// A device with everything that is known of it.
public struct DeviceShowResult: Codable, Sendable, Equatable {
    /// The device.
    public var device: DeviceRow
    /// Other names, and the groups that it belongs to.
    public var aliases: [String], groups: [String]
    /// Who made it and what they call it.
    public var model: String?
    /// Where it is spoken to and speaks.
    public var topics: [TopicRow]
    /// What may be wrong with it, a sentence each.
    public var problems: [String]

    /// A device.
    public init(
        device: DeviceRow, aliases: [String], groups: [String], model: String?, topics: [TopicRow], problems: [String]
    ) {
        (self.device, self.aliases, self.groups) = (device, aliases, groups)
        (self.model, self.topics, self.problems) = (model, topics, problems)
    }
}

/// Tells a device something.
public struct DeviceSetArguments: Codable, Sendable, Equatable {
    /// Id or name.
    public var device: String
    /// `on`, `off`, `open`, `close`, `stop`, `lock`, `unlock`, `press`, a number (percent, degrees or its own unit) or
    /// an option.
    public var value: String
    /// True where what is risky needs no question.
    public var confirmed: Bool?

    /// Tells a device something.
    public init(device: String, value: String, confirmed: Bool? = nil) {
        (self.device, self.value, self.confirmed) = (device, value, confirmed)
    }
}

/// What may be wrong with devices.
public struct DevicesTestResult: Codable, Sendable, Equatable {
    /// A sentence each, with what to do.
    public var problems: [String]
    /// How many devices were looked at.
    public var count: Int

    /// What was found.
    public init(problems: [String], count: Int) { (self.problems, self.count) = (problems, count) }
}

/// Removes what devices that are gone have left on the broker.
public struct DevicesPurgeArguments: Codable, Sendable, Equatable {
    /// True to remove it; false to say what would be removed.
    public var removes: Bool

    /// - Parameter removes: see there.
    public init(removes: Bool) { self.removes = removes }
}

/// Descriptions on the broker that nobody stands behind.
public struct DevicesPurgeResult: Codable, Sendable, Equatable {
    /// Their topics.
    public var topics: [String]
    /// True when they were removed.
    public var isRemoved: Bool

    /// Descriptions.
    public init(topics: [String], isRemoved: Bool) { (self.topics, self.isRemoved) = (topics, isRemoved) }
}
