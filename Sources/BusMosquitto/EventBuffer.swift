import Domain
import Synchronization

/// The events between the connection's thread and the one consumer, bounded in number and in bytes.
///
/// Under a flood a topic's newer message takes the place of its older one: only the newest state matters. When it is
/// full nevertheless, the oldest messages are dropped; connections and disconnections stay, because they are few and
/// nobody sends them again.
final class EventBuffer: Sendable {
    fileprivate struct State {
        /// What waits, behind what was taken; nil where a newer message of the topic came.
        var slots: [BusEvent?] = []
        /// How many slots are taken, and how many were ever taken before those.
        var head = 0, passed = 0
        /// What waits.
        var count = 0
        /// By topic, where its newest message waits, counted from the first event ever.
        var places: [String: Int] = [:]
        var bytes = 0
        var dropped = 0
        var waiter: CheckedContinuation<BusEvent?, Never>?
        var finished = false
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let byteCapacity: Int
    /// As long as fewer wait every message is delivered.
    private let calm: Int

    init(
        capacity: Int = Limits.waitingEvents, byteCapacity: Int = Limits.waitingBytes, calm: Int = Limits.calmEvents
    ) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
        self.calm = calm
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
            let before = state.dropped
            if state.count >= calm, let topic = event.topic, let place = state.places[topic] { state.remove(place) }
            state.append(event)
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
            // Resumed outside the lock, which a cancelled consumer's `finish` takes while it holds its task's own.
            let (event, ended) = state.withLock { state -> (BusEvent?, CheckedContinuation<BusEvent?, Never>?) in
                if let event = state.popFirst() { return (event, continuation) }
                if state.finished { return (nil, continuation) }
                // One consumer: a second one ends the first one's wait rather than leave it hanging.
                defer { state.waiter = continuation }
                return (nil, state.waiter)
            }
            ended?.resume(returning: event)
        }
    }

    private func trim(_ state: inout State) {
        guard state.count > capacity || state.bytes > byteCapacity else { return }
        // Only a bus that flaps for hours without a consumer has nothing but connections; then the oldest go, too.
        for dropsAll in [false, true] {
            for slot in state.head..<state.slots.count
            where state.count > capacity || (state.bytes > byteCapacity && !dropsAll) {
                guard let event = state.slots[slot], dropsAll || event.topic != nil else { continue }
                state.remove(slot - state.head + state.passed)
                if !dropsAll { state.dropped += 1 }
            }
        }
    }
}

extension EventBuffer.State {
    fileprivate mutating func append(_ event: BusEvent) {
        if slots.count - head > 2 * count + 1_024 { closeRanks() }
        if let topic = event.topic { places[topic] = passed + slots.count - head }
        slots.append(event)
        count += 1
        bytes += event.bytes
    }

    /// Takes away what waits at a place.
    fileprivate mutating func remove(_ place: Int) {
        let slot = place - passed + head
        guard slots.indices.contains(slot), let event = slots[slot] else { return }
        slots[slot] = nil
        remove(event, place)
    }

    fileprivate mutating func popFirst() -> BusEvent? {
        while head < slots.count {
            let event = slots[head]
            slots[head] = nil
            head += 1
            passed += 1
            // What was taken is cleared away now and then, so that it costs nothing for each event.
            if head > 1_024, head * 2 > slots.count {
                slots.removeFirst(head)
                head = 0
            }
            guard let event else { continue }
            remove(event, passed - 1)
            return event
        }
        return nil
    }

    /// Clears away the slots whose messages were replaced: without a consumer they would grow without bound.
    private mutating func closeRanks() {
        slots = slots[head...].filter { $0 != nil }
        head = 0
        places.removeAll(keepingCapacity: true)
        for (slot, event) in slots.enumerated() { if let topic = event?.topic { places[topic] = passed + slot } }
    }

    private mutating func remove(_ event: BusEvent, _ place: Int) {
        count -= 1
        bytes -= event.bytes
        if let topic = event.topic, places[topic] == place { places[topic] = nil }
    }
}

extension BusEvent {
    /// Of a message.
    fileprivate var topic: String? { if case .message(let message) = self { message.topic } else { nil } }

    fileprivate var bytes: Int {
        guard case .message(let message) = self else { return 0 }
        return message.payload.count + message.topic.utf8.count
    }
}
