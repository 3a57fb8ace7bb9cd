import Copilot
import Synchronization

/// The events between the connection's thread and the one consumer, bounded in number and in bytes. When it is full
/// the oldest messages go; connections and disconnections stay, because they are few and nobody sends them again.
final class EventBuffer: Sendable {
    private struct State {
        var events: [BusEvent] = []
        var bytes = 0
        var dropped = 0
        var waiter: CheckedContinuation<BusEvent?, Never>?
        var finished = false
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let byteCapacity: Int

    init(capacity: Int = Limits.waitingEvents, byteCapacity: Int = Limits.waitingBytes) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Messages dropped so far.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Adds an event.
    /// - Returns: true when messages were dropped for it for the first time.
    @discardableResult func yield(_ event: BusEvent) -> Bool {
        let (waiter, isFirstDrop) = state.withLock { state -> (CheckedContinuation<BusEvent?, Never>?, Bool) in
            guard !state.finished else { return (nil, false) }
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, false)
            }
            state.events.append(event)
            state.bytes += event.bytes
            let before = state.dropped
            trim(&state)
            return (nil, before == 0 && state.dropped > 0)
        }
        waiter?.resume(returning: event)
        return isFirstDrop
    }

    /// Ends the stream after what is in it.
    func finish() {
        let waiter = state.withLock { state in
            state.finished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The stream of it, for one consumer.
    func stream() -> AsyncStream<BusEvent> {
        AsyncStream(unfolding: { await self.next() }, onCancel: { self.finish() })
    }

    private func next() async -> BusEvent? {
        await withCheckedContinuation { continuation in
            let (event, isOver) = state.withLock { state -> (BusEvent?, Bool) in
                if !state.events.isEmpty {
                    let event = state.events.removeFirst()
                    state.bytes -= event.bytes
                    return (event, true)
                }
                if state.finished { return (nil, true) }
                // One consumer: a second one ends the first one's wait rather than leave it hanging.
                state.waiter?.resume(returning: nil)
                state.waiter = continuation
                return (nil, false)
            }
            if isOver { continuation.resume(returning: event) }
        }
    }

    private func trim(_ state: inout State) {
        while state.events.count > capacity || state.bytes > byteCapacity {
            guard let oldest = state.events.firstIndex(where: { $0.isMessage }) else { break }
            state.bytes -= state.events.remove(at: oldest).bytes
            state.dropped += 1
        }
        // Only a bus that flaps for hours without a consumer comes here; then the newest state is what counts.
        while state.events.count > capacity { state.events.removeFirst() }
    }
}

extension BusEvent {
    fileprivate var isMessage: Bool { if case .message = self { true } else { false } }

    fileprivate var bytes: Int {
        guard case .message(let message) = self else { return 0 }
        return message.payload.count + message.topic.utf8.count
    }
}
