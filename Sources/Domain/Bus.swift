/// A message as it came from the van's broker.
public struct BusMessage: Sendable, Equatable {
    /// The topic.
    public let topic: String
    /// The payload's bytes, unchecked.
    public let payload: [UInt8]
    /// True when the broker retained it from before the subscription.
    public let isRetained: Bool

    /// A message on `topic`.
    public init(topic: String, payload: [UInt8], isRetained: Bool) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    /// The payload as UTF-8 text, or nil when it is not valid.
    public var text: String? { String(validating: payload, as: UTF8.self) }
}

/// What happens on the bus.
public enum BusEvent: Sendable, Equatable {
    /// The broker answered, and all subscriptions are confirmed.
    case connected
    /// The connection is lost; the reason, for people.
    case disconnected(String)
    /// A message arrived.
    case message(BusMessage)
}

/// The MQTT broker was not connected, or did not accept the message.
public struct BusFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, for people.
    public let detail: String

    /// A failure for a reason.
    public init(detail: String) { self.detail = detail }

    /// The detail.
    public var description: String { detail }
}

/// The MQTT bus of the vehicle. Subscriptions are renewed after every reconnect.
public protocol Bus: Sendable {
    /// True while the broker is connected.
    var isConnected: Bool { get }
    /// What happens; one consumer. A bus that connects before it has a consumer keeps what it receives for it: retained
    /// messages arrive only once. Bounded: the oldest messages are dropped when the consumer is late.
    func events() -> AsyncStream<BusEvent>
    /// Subscribes to these filters, too, now or with the next connection; those that stand already are left alone.
    /// Their retained messages follow.
    func subscribe(_ filters: [String])
    /// Sends at QoS 1 and returns once the broker has acknowledged.
    /// - Throws: `BusFailure` at once when there is no connection, or when it is lost before the acknowledgement.
    ///   Nothing of a failed call is ever sent later.
    func publish(topic: String, payload: String, retain: Bool) async throws
}
