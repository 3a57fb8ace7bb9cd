import Domain

/// A convention by which devices describe themselves on the bus. Pure: it reads messages, and returns what has to be
/// sent.
public protocol DeviceConvention: Sendable {
    /// Its name in settings and diagnostics: `home_assistant`, `zigbee2mqtt`, `tasmota`, `victron`.
    var name: String { get }
    /// The topic filters of descriptions (not of states).
    var filters: [String] { get }
    /// What a message describes; nil where its topic does not belong to this convention, or where it adds nothing new.
    mutating func read(_ message: BusMessage) -> Discovery?
    /// What has to be published regularly so that its devices continue to report their states; never retained.
    /// - Parameter isFirst: true after a connection.
    func keepalive(isFirst: Bool) -> [BusRequest]
}

extension DeviceConvention {
    /// Most report without being asked.
    public func keepalive(isFirst: Bool) -> [BusRequest] { [] }
}

/// All devices that one source describes now; they replace those that it described before.
public struct Discovery: Sendable, Equatable {
    /// The topic that identifies the source.
    public var source: String
    /// The devices that it describes.
    public var devices: [Device]
    /// What was skipped, where, and why; for diagnostics.
    public var complaints: [String]
    /// What has to be published now for states to come, never retained.
    public var requests: [BusRequest]

    /// A source's devices.
    public init(
        source: String, devices: [Device] = [], complaints: [String] = [], requests: [BusRequest] = []
    ) {
        self.source = source
        self.devices = devices
        self.complaints = complaints
        self.requests = requests
    }

    /// How many complaints of one message are kept: text from elsewhere must not fill the diagnostics.
    package static let complaintLimit = 100

    /// Notes what was skipped.
    package mutating func complain(_ what: String) {
        if complaints.count < Self.complaintLimit { complaints.append(String(what.prefix(300))) }
    }
}

/// Something to publish so that devices report their states; never retained.
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
