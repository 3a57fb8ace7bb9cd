import Domain
import Synchronization

/// A broker that can be switched off, and devices behind it that answer as the test says.
public final class FakeBus: Bus {
    /// A message that was sent.
    public struct Publication: Sendable, Equatable {
        /// Topic and payload.
        public let topic: String, payload: String
        /// Whether it was retained.
        public let retain: Bool

        /// A message.
        public init(_ topic: String, _ payload: String, retain: Bool = false) {
            self.topic = topic
            self.payload = payload
            self.retain = retain
        }
    }

    private struct State: Sendable {
        var isConnected: Bool
        var failsFrom: Int?
        var continuation: AsyncStream<BusEvent>.Continuation?
        var answers: @Sendable (Publication) -> [BusMessage] = { _ in [] }
    }

    /// What was sent and taken by the broker.
    public let journal = Journal<Publication>("bus")
    /// Counts the consumers of the events, so that a test can wait for the van to listen.
    public let consumers = Journal<Int>("bus events")
    private let state: Mutex<State>

    /// A bus; `isConnected` is whether the broker is there.
    public init(isConnected: Bool = true) { state = Mutex(State(isConnected: isConnected)) }

    /// Whether the broker is there.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// What the devices say to a message; by default nothing.
    public func answer(_ answers: @escaping @Sendable (Publication) -> [BusMessage]) {
        state.withLock { $0.answers = answers }
    }

    /// Lets the broker come or go, and tells.
    public func reach(_ isConnected: Bool) {
        let continuation = state.withLock { state in
            state.isConnected = isConnected
            return state.continuation
        }
        continuation?.yield(isConnected ? .connected : .disconnected("the test took the broker away"))
    }

    /// The broker takes so many messages more and then refuses all.
    public func refuse(after count: Int) {
        let sent = journal.entries.count
        state.withLock { $0.failsFrom = sent + count }
    }

    /// A message from a device.
    public func deliver(_ topic: String, _ payload: String, isRetained: Bool = false) {
        deliver(BusMessage(topic: topic, payload: Array(payload.utf8), isRetained: isRetained))
    }

    /// A message from a device.
    public func deliver(_ message: BusMessage) { _ = state.withLock { $0.continuation }?.yield(.message(message)) }

    /// The filters that were subscribed to.
    public let subscriptions = Journal<String>("bus subscriptions")
    /// Notes the filters.
    public func subscribe(_ filters: [String]) { filters.forEach { subscriptions.note($0) } }

    /// The events.
    public func events() -> AsyncStream<BusEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: BusEvent.self)
        let isConnected = state.withLock { state in
            guard state.continuation == nil else { unexpected("Bus.events, a second consumer") }
            state.continuation = continuation
            return state.isConnected
        }
        if isConnected { continuation.yield(.connected) }
        consumers.note(1)
        return stream
    }

    /// Ends the events.
    public func close() { state.withLock { $0.continuation }?.finish() }

    /// Notes the message and lets the devices answer.
    /// - Throws: `BusFailure` while the broker is away or refuses.
    public func publish(topic: String, payload: String, retain: Bool) async throws {
        let publication = Publication(topic, payload, retain: retain)
        let sent = journal.entries.count
        let (answers, continuation) = try state.withLock { state in
            guard state.isConnected else { throw BusFailure(detail: "publish: not connected") }
            if let limit = state.failsFrom, sent >= limit { throw BusFailure(detail: "publish: refused") }
            return (state.answers(publication), state.continuation)
        }
        journal.note(publication)
        for answer in answers { continuation?.yield(.message(answer)) }
    }
}
