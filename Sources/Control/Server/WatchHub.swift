import Synchronization

/// Passes each event on to everybody who watches.
///
/// Publishing never waits. A watcher that lets more than `capacity` events pile up is dropped: it gets what was
/// waiting, then `slow-watcher`, and its connection closes. A new watcher first gets the latest status, hint, ring
/// and night, so that it need not wait for the next change to know how things are.
public final class WatchHub: Sendable {
    private typealias Continuation = AsyncThrowingStream<WatchEvent, any Error>.Continuation

    private struct State {
        var nextID = 0
        var watchers: [Int: Continuation] = [:]
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
        let late = state.withLock { state -> [Continuation] in
            if Self.lastingKinds.contains(event.kind) { state.latest[event.kind] = event }
            var late: [Continuation] = []
            for (id, watcher) in state.watchers {
                if case .dropped = watcher.yield(event) {
                    late.append(watcher)
                    state.watchers[id] = nil
                }
            }
            return late
        }
        // Outside the lock: finishing calls the termination handler, which takes it.
        for watcher in late {
            watcher.finish(
                throwing: ControlError(
                    code: ControlError.Code.slowWatcher,
                    message: "The watcher fell more than \(capacity) events behind and was disconnected; watch again."
                )
            )
        }
    }

    /// Everything published from now on.
    public func subscribe() -> AsyncThrowingStream<WatchEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: WatchEvent.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(capacity)
        )
        let id = state.withLock { state in
            state.nextID += 1
            for kind in Self.lastingKinds {
                if let event = state.latest[kind] { continuation.yield(event) }
            }
            state.watchers[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.watchers[id] = nil }
        }
        return stream
    }
}
