import Domain
import CMosquitto
import Threads

/// One connection from start to end. Used on the bus's thread only.
final class MosquittoConnection {
    private let bus: MosquittoBus
    private let thread: PumpThread
    private let began = ContinuousClock.now
    private var connectedAt: ContinuousClock.Instant?
    private var endedAt: ContinuousClock.Instant?
    /// The packets of topic filters whose answers are awaited, by their number.
    private var subscriptions: [Int32: [String]] = [:]
    /// How many of the bus's later filters are among them.
    private var filterCount = 0
    /// Messages that came before the subscription's answer (mosquitto sends the retained ones first): they follow
    /// `connected`, so that a consumer that resets there loses none.
    private var held: [BusMessage] = []
    private var heldBytes = 0
    /// The library reported the end without an error of `mosquitto_loop`.
    private var ended: MosquittoError?
    private var complaint: String?

    init(bus: MosquittoBus, thread: PumpThread) {
        self.bus = bus
        self.thread = thread
    }

    /// How long all subscriptions were confirmed; zero if they never were.
    var connectedFor: Duration { connectedAt.map { $0.duration(to: endedAt ?? .now) } ?? .zero }

    /// Connects and stays until the connection is lost or the thread must stop.
    /// - Returns: why it ended, for people.
    func run() -> String {
        var inbox: Inbox?
        do {
            let handle = try MosquittoHandle(clientID: bus.configuration.clientID)
            inbox = handle.inbox
            defer { discard(handle) }
            try handle.configure(bus.configuration)
            try handle.connect(bus.configuration)
            while !thread.shouldStop {
                try process(handle)
                try checkDeadlines()
            }
            if connectedAt != nil { finishDisconnect(handle) }
            return "shut down"
        } catch {
            // A connection that fails at once, because of an untrusted certificate for example, has left its reason in
            // the inbox.
            for case .complaint(let text) in inbox?.drain() ?? [] { complaint = text }
            return reason(for: error)
        }
    }

    /// Waits for the network once and handles what came, also what came just before the connection was lost: an
    /// acknowledgement is valid, and the broker's refusal says more than the library's "connection lost".
    private func process(_ handle: MosquittoHandle) throws(MosquittoError) {
        var lost: MosquittoError?
        do {
            try handle.loop(patience)
        } catch {
            lost = error
        }
        try act(on: handle.inbox.drain(), handle)
        if let lost = lost ?? ended { throw lost }
    }

    /// How long to wait for the network. A publication wakes the loop, which then asks again.
    private var patience: Duration {
        guard connectedAt != nil else { return .milliseconds(100) }
        let deadline = bus.state.withLock { $0.publications.nextDeadline }
        return min(.seconds(1), max(.zero, deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(1)))
    }

    private func act(on events: [Incoming], _ handle: MosquittoHandle) throws(MosquittoError) {
        for event in events {
            switch event {
            case .connected(0): try subscribe(handle)
            case .connected(let code): throw MosquittoError.refused(code, by: bus.configuration.broker)
            case .subscribed(let number, let granted):
                // One that was made later, while the connection stood, has no entry.
                guard let filters = subscriptions.removeValue(forKey: number) else { continue }
                for (filter, quality) in zip(filters, granted) where quality > 2 {
                    bus.logger.warning("the broker refuses the subscription to \(filter). Check its access rules")
                }
                if subscriptions.isEmpty { complete(handle) }
            case .acknowledged(let message):
                bus.state.withLock { $0.publications.acknowledged(message) }?.resume()
            case .message(let message): take(message)
            case .tooLarge(let topic, let bytes):
                bus.logger.warning("message skipped: topic or payload too large (\(bytes) bytes): \(topic)")
            case .disconnected(let code):
                ended = MosquittoError(call: "connection", code: code, errno: 0)
            case .complaint(let text): complaint = text
            }
        }
    }

    private func subscribe(_ handle: MosquittoHandle) throws(MosquittoError) {
        let later = bus.state.withLock { $0.filters }
        filterCount = later.count
        let packets = MosquittoBus.batches(bus.configuration.session.subscriptions + later)
        if packets.isEmpty { return complete(handle) }
        for filters in packets { subscriptions[try handle.subscribe(filters)] = filters }
    }

    private func complete(_ handle: MosquittoHandle) {
        connectedAt = .now
        let (isStopping, missing) = bus.state.withLock { state in
            if !state.isStopping { state.handle = handle }
            return (state.isStopping, state.filters.dropFirst(filterCount))
        }
        // `shutdown` came first and found no connection to close.
        if isStopping { return handle.disconnect() }
        // What was requested while these were on their way.
        for filters in MosquittoBus.batches(Array(missing)) { _ = try? handle.subscribe(filters) }
        bus.logger.info("connected to the broker")
        bus.emit(.connected)
        held.forEach { bus.emit(.message($0)) }
        held.removeAll()
    }

    private func take(_ message: BusMessage) {
        if connectedAt != nil {
            bus.emit(.message(message))
        } else if held.count < Limits.waitingEvents, heldBytes < Limits.waitingBytes {
            held.append(message)
            heldBytes += message.payload.count
        }
    }

    private func checkDeadlines() throws(MosquittoError) {
        let timeout = Int32(MOSQ_ERR_TIMEOUT.rawValue)
        if connectedAt == nil, began.duration(to: .now) > Limits.connecting {
            throw MosquittoError(call: "CONNECT", code: timeout, detail: "no answer within \(Limits.connecting)")
        }
        let (deadline, isCondemned) = bus.state.withLock { ($0.publications.nextDeadline, $0.isCondemned) }
        if let deadline, deadline <= .now {
            throw MosquittoError(
                call: "PUBLISH", code: timeout, detail: "no acknowledgement within \(Limits.acknowledgement)")
        }
        if isCondemned {
            throw MosquittoError(
                call: "mosquitto_publish", code: Int32(MOSQ_ERR_CONN_LOST.rawValue), detail: "the connection is broken")
        }
    }

    /// Sends the DISCONNECT that `shutdown` queued; the library reports the end as a disconnection.
    private func finishDisconnect(_ handle: MosquittoHandle) {
        let deadline = ContinuousClock.now + Limits.goodbye
        while ContinuousClock.now < deadline {
            guard (try? handle.loop(ContinuousClock.now.duration(to: deadline))) != nil else { return }
            for case .disconnected in handle.inbox.drain() { return }
        }
    }

    /// Takes the connection away from the publishers, fails those that wait, and drops what was not sent.
    private func discard(_ handle: MosquittoHandle) {
        endedAt = .now
        let waiters = bus.state.withLock { state in
            state.handle = nil
            state.isCondemned = false
            return state.publications.removeAll()
        }
        if !thread.shouldStop { handle.dropOnClose() }
        let failure = BusFailure(
            detail: "the connection to \(bus.configuration.broker) was lost before the message was acknowledged")
        waiters.forEach { $0.resume(throwing: failure) }
    }

    private func reason(for error: MosquittoError) -> String {
        let reason = error.reason(bus.configuration.broker)
        guard let complaint, error.call != "CONNACK" else { return reason }
        return "\(reason); \(complaint)"
    }
}
