import Domain
import CMosquitto
import Logging
import Synchronization
import Threads

/// The van's MQTT broker through libmosquitto.
///
/// `run` keeps one connection on a thread of its own, with `mosquitto_loop`. The library's own thread
/// (`mosquitto_loop_start`) is not used because it reconnects automatically and then sends what it still holds. Here
/// every connection has a fresh handle and a clean session, so nothing outlives the connection it was published on.
public final class MosquittoBus: Bus {
    typealias Waiter = CheckedContinuation<Void, any Error>

    struct State {
        /// The connection while all subscriptions stand.
        var handle: MosquittoHandle?
        var publications = Publications<Waiter>()
        /// A publication failed inside the library: the connection is to be given up.
        var isCondemned = false
        /// From the start on: the consumer may come later than the connection, and retained messages come only once.
        var events = EventBuffer()
        var hasConsumer = false
        /// Why there is no connection, once that is known.
        var disconnection: String?
        /// Filters subscribed in addition to the configuration's, in order.
        var filters: [String] = []
        var thread: PumpThread?
        var hasRun = false
        var isStopping = false
    }

    let configuration: MosquittoConfiguration
    let logger: Logger
    let state = Mutex(State())

    /// A bus that is not connected yet.
    /// - Throws: `MosquittoError` for a configuration that could never work.
    public init(configuration: MosquittoConfiguration, logger: Logger) throws {
        try configuration.validate()
        self.configuration = configuration
        var logger = logger
        logger[metadataKey: "broker"] = "\(configuration.broker)"
        self.logger = logger
    }

    /// True while the broker is connected and all subscriptions stand.
    public var isConnected: Bool { state.withLock { $0.handle != nil } }

    /// What happens, from the start on: what came before the first call is kept for it. A later call ends the earlier
    /// one's stream; its own begins with what is known of the broker: `connected`, or why it is not. It ends when `run`
    /// has returned. At most 4096 events and 8 MiB of messages wait; the oldest messages go.
    public func events() -> AsyncStream<BusEvent> {
        let (buffer, previous) = state.withLock { state -> (EventBuffer, EventBuffer?) in
            guard state.hasConsumer else {
                state.hasConsumer = true
                return (state.events, nil)
            }
            let buffer = EventBuffer()
            // It has no consumer yet, so that none is woken under the lock.
            if state.handle != nil {
                buffer.yield(.connected)
            } else if let reason = state.disconnection {
                buffer.yield(.disconnected(reason))
            }
            defer { state.events = buffer }
            return (buffer, state.events)
        }
        previous?.finish()
        return buffer.stream()
    }

    /// Keeps the connection until the task is cancelled or `shutdown` is called; it never gives up. Runs once.
    /// - Throws: `BusFailure` when it has been run before.
    public func run() async throws {
        guard
            state.withLock({ state in
                defer { state.hasRun = true }
                return !state.hasRun
            })
        else { throw BusFailure(detail: "the bus has been run before") }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                let thread = PumpThread(name: "vanorb-mqtt") { thread in
                    MosquittoLoop(bus: self, thread: thread).run()
                    ended.resume()
                }
                let isStopping = state.withLock { state in
                    state.thread = thread
                    return state.isStopping
                }
                if isStopping { thread.stop() }
            }
            // The body has returned but for its last line: this takes microseconds, and after it nothing runs on.
            state.withLock { $0.thread }?.join()
            emit(.disconnected("shut down"))
            state.withLock { $0.events }.finish()
        } onCancel: {
            shutdown()
        }
    }

    /// Says goodbye to the broker, the will's message first, and has `run` return within half a second. Publications
    /// fail from now on. Returns at once.
    public func shutdown() {
        let (handle, thread) = state.withLock { state in
            state.isStopping = true
            defer { state.handle = nil }
            return (state.handle, state.thread)
        }
        thread?.stop()
        guard let handle else { return }
        if let will = configuration.session.will {
            _ = try? handle.publish(topic: will.topic, payload: will.payload, qos: 0, retain: will.retain)
        }
        handle.disconnect()
    }

    /// Subscribes to these filters, too, now or with the next connection. A filter that no broker would take is left
    /// out with a warning.
    public func subscribe(_ filters: [String]) {
        let (handle, fresh) = state.withLock { state in
            var known = Set(state.filters).union(configuration.session.subscriptions)
            let fresh = filters.filter { Self.isFilter($0) && known.insert($0).inserted }
            state.filters += fresh
            return (state.handle, fresh)
        }
        for filter in filters where !Self.isFilter(filter) {
            logger.warning("“\(filter.prefix(80))” is not a topic filter; not subscribed")
        }
        guard let handle, !fresh.isEmpty else { return }
        // What fails here fails because the connection is lost, and is taken with the next one.
        for batch in Self.batches(fresh) { _ = try? handle.subscribe(batch) }
    }

    private static func isFilter(_ filter: String) -> Bool {
        !filter.isEmpty && filter.utf8.count <= Limits.topicBytes && !filter.utf8.contains(0)
            && mosquitto_sub_topic_check(filter) == Int32(MOSQ_ERR_SUCCESS.rawValue)
    }

    /// Filters in packets that a broker takes.
    static func batches(_ filters: [String]) -> [[String]] {
        stride(from: 0, to: filters.count, by: Limits.filtersInAPacket).map {
            Array(filters[$0..<min($0 + Limits.filtersInAPacket, filters.count)])
        }
    }

    /// Sends at QoS 1 and returns once the broker has acknowledged.
    /// - Throws: `BusFailure` at once without a connection or for a topic that cannot be published to; when the
    ///   connection is lost; and after two seconds without an acknowledgement, which ends the connection, because the
    ///   library cannot take a message back.
    public func publish(topic: String, payload: String, retain: Bool) async throws {
        do {
            try checkTopic(topic)
        } catch {
            throw error.failure
        }
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
            hand(topic: topic, payload: payload, retain: retain, waiter: waiter)
        }
    }

    private func hand(topic: String, payload: String, retain: Bool, waiter: Waiter) {
        // The ticket is taken under the same lock as the connection: from here on either the acknowledgement or
        // the connection's end resumes the waiter, whatever happens between.
        let begun = state.withLock { state -> (MosquittoHandle, Publications<Waiter>.Ticket)? in
            guard let handle = state.handle, !state.isCondemned else { return nil }
            return (handle, state.publications.begin(waiter, deadline: .now + Limits.acknowledgement))
        }
        guard let (handle, ticket) = begun else {
            waiter.resume(throwing: BusFailure(detail: "not connected to the broker at \(configuration.broker)"))
            return
        }
        do {
            let message = try handle.publish(topic: topic, payload: payload, qos: 1, retain: retain)
            state.withLock { $0.publications.sent(ticket, message: message) }?.resume()
        } catch {
            // The library may report an error and keep the message all the same.
            let waiter = state.withLock { state in
                if error.code != Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue) { state.isCondemned = true }
                return state.publications.withdraw(ticket)
            }
            waiter?.resume(throwing: error.failure)
        }
    }

    /// Passes an event on to the consumer, or keeps it until there is one.
    func emit(_ event: BusEvent) {
        let events = state.withLock { state in
            switch event {
            case .connected: state.disconnection = nil
            case .disconnected(let reason): state.disconnection = reason
            case .message: break
            }
            return state.events
        }
        if events.yield(event) { logger.warning("messages are not taken in time; the oldest are dropped") }
    }
}
