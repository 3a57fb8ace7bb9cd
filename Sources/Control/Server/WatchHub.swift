import Synchronization

/// Passes each event on to everybody who watches.
///
/// Publishing never waits. A watcher that lets more than `capacity` events pile up is dropped: it gets what was
/// waiting, then `slow-watcher`, and its connection closes. A new watcher first gets the latest status, hint, ring
/// and night, so that it need not wait for the next change to know how things are.
///
/// Nobody is woken under the lock: to wake a task takes that task's own lock, and the runtime holds that one while a
/// cancelled task takes leave here. Under the lock events are only laid into the watchers' queues.
public final class WatchHub: Sendable {
    private struct State {
        var nextID = 0
        var watchers: [Int: WatchQueue] = [:]
        var latest: [String: WatchEvent] = [:]
    }

    private static let lastingKinds = [
        WatchEvent.Kind.night, WatchEvent.Kind.status, WatchEvent.Kind.hint, WatchEvent.Kind.ring,
    ]
    private let capacity: Int
    private let state = Mutex(State())

    /// A hub whose watchers may each be `capacity` events behind.
    public init(capacity: Int = ControlLimits.waitingEvents) { self.capacity = max(8, capacity) }

    /// How many watch.
    public var watcherCount: Int { state.withLock { $0.watchers.count } }

    /// Passes `event` on. Events published one after the other arrive in that order.
    public func publish(_ event: WatchEvent) {
        let readers = state.withLock { state -> [WatchQueue.Reader] in
            if Self.lastingKinds.contains(event.kind) { state.latest[event.kind] = event }
            var readers: [WatchQueue.Reader] = []
            for (id, watcher) in state.watchers {
                let (isTaken, reader) = watcher.put(event)
                if let reader { readers.append(reader) }
                if !isTaken { state.watchers[id] = nil }
            }
            return readers
        }
        for reader in readers { reader.resume() }
    }

    /// Everything published from now on. The watch ends when the stream is dropped or its reader is cancelled.
    public func subscribe() -> AsyncThrowingStream<WatchEvent, any Error> {
        let queue = WatchQueue(capacity: capacity)
        let id = state.withLock { state in
            state.nextID += 1
            for event in Self.lastingKinds.compactMap({ state.latest[$0] }) { _ = queue.put(event) }
            state.watchers[state.nextID] = queue
            return state.nextID
        }
        let watch = Watch(queue: queue) { [weak self] in self?.forget(id) }
        return AsyncThrowingStream { try await watch.queue.next() }
    }

    private func forget(_ id: Int) {
        // Out of the lock with it, whatever its end does.
        let watcher = state.withLock { $0.watchers.removeValue(forKey: id) }
        watcher?.end()
    }

    /// What a stream holds: when the stream goes, the hub forgets the watcher.
    private final class Watch: Sendable {
        let queue: WatchQueue
        private let onEnd: @Sendable () -> Void

        init(queue: WatchQueue, onEnd: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.onEnd = onEnd
        }

        deinit { onEnd() }
    }
}
