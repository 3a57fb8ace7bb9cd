import Foundation

/// A named thread for C code that blocks: it opens, uses and closes its own handle, and checks `shouldStop` between
/// waits.
///
/// The body runs once. `stop` asks it to end; `join` waits until it has, so that whatever it borrowed may be freed.
/// Each check of `shouldStop`, each `wait` and each `beat` shows that it is alive.
public final class PumpThread: Heartbeat, @unchecked Sendable {
    // Unchecked: everything that changes is guarded by `condition`.
    private let condition = NSCondition()
    private var stopping = false
    private var ended = false
    private var isWaiting = false
    private var lastBeat = SuspendingClock.now

    /// Its name, for a person.
    public let loopName: String
    /// How long it may be without a sign of life.
    public let patience: Duration?

    /// Starts a thread named `name` (the kernel keeps 15 characters) that runs `body`.
    /// - Parameters:
    ///   - isUrgent: asks for real-time priority; see `RealTimePriority`.
    ///   - patience: how long it may be without a sign of life.
    public init(
        name: String, isUrgent: Bool = false, patience: Duration = .seconds(60),
        signs: HeartbeatRegistry = .process, body: @escaping @Sendable (PumpThread) -> Void
    ) {
        loopName = name
        self.patience = patience
        let thread = Thread { [self] in
            // The kernel learns the name only from the thread itself.
            Thread.current.name = name
            if isUrgent { RealTimePriority.process.take() }
            body(self)
            signs.remove(self)
            condition.withLock {
                ended = true
                condition.broadcast()
            }
        }
        signs.add(self)
        thread.start()
    }

    /// True once `stop` was called.
    public var shouldStop: Bool {
        condition.withLock {
            lastBeat = .now
            return stopping
        }
    }

    /// Called by the body: shows that it is alive where it does not check `shouldStop`.
    public func beat() { condition.withLock { lastBeat = .now } }

    /// How long it has been since the last sign of life; zero while it waits in `wait`.
    public func silence() -> Duration {
        condition.withLock { ended || isWaiting ? .zero : lastBeat.duration(to: .now) }
    }

    /// Asks the body to end. Returns at once; may be called again.
    public func stop() {
        condition.withLock {
            stopping = true
            condition.broadcast()
        }
    }

    /// Called by the body: waits until `deadline` or until `stop` is called.
    /// - Returns: true when it must stop.
    public func wait(until deadline: Date) -> Bool {
        condition.withLock {
            isWaiting = true
            while !stopping, condition.wait(until: deadline) {}
            isWaiting = false
            lastBeat = .now
            return stopping
        }
    }

    /// Waits until the body has returned. Never call it from the body or from Swift's shared pool in a hot path.
    public func join() {
        condition.withLock {
            while !ended { condition.wait() }
        }
    }
}
