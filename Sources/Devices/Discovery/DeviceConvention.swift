import Domain

/// A convention by which devices describe themselves on the bus. Pure: it reads messages, and says what should be sent.
public protocol DeviceConvention: Sendable {
    /// Its name in settings and diagnostics: `home_assistant`, `zigbee2mqtt`, `tasmota`, `victron`.
    var name: String { get }
    /// The topic filters that tell of devices (not of their states).
    var filters: [String] { get }
    /// What a message tells about devices; nil where its topic is none of this convention's, or where it tells nothing
    /// new about them.
    mutating func read(_ message: BusMessage) -> Discovery?
    /// What has to be published now and then so that its devices go on telling their states; never retained.
    /// - Parameter isFirst: true after a connection.
    func keepalive(isFirst: Bool) -> [BusRequest]
}

extension DeviceConvention {
    /// Most tell without being asked.
    public func keepalive(isFirst: Bool) -> [BusRequest] { [] }
}

/// All that one source says about devices now; it replaces what that source said before. Without devices, they are
/// gone.
public struct Discovery: Sendable, Equatable {
    /// The topic that stands for the source.
    public var source: String
    /// The devices that it describes.
    public var devices: [Device]
    /// What was skipped, where, and why; for diagnostics.
    public var complaints: [String]
    /// What has to be published now for states to come, never retained.
    public var requests: [BusRequest]

    /// What a source says.
    public init(
        source: String, devices: [Device] = [], complaints: [String] = [], requests: [BusRequest] = []
    ) {
        self.source = source
        self.devices = devices
        self.complaints = complaints
        self.requests = requests
    }

    /// The complaints of one message that are kept: a stranger's text must not fill the diagnostics.
    package static let complaintLimit = 100

    /// Notes what was skipped.
    package mutating func complain(_ what: String) {
        if complaints.count < Self.complaintLimit { complaints.append(String(what.prefix(300))) }
    }
}

/// Something to publish so that devices tell their states; never retained.
public struct BusRequest: Sendable, Equatable {
    /// The topic.
    public var topic: String
    /// The payload; often empty.
    public var payload: String

    /// A request.
    public init(topic: String, payload: String = "") {
        self.topic = topic
        self.payload = payload
    }
}

/// Why a description cannot be used; one device is skipped, the others stay.
struct DiscoveryError: Error, Equatable, CustomStringConvertible {
    let detail: String
    var description: String { detail }
}
