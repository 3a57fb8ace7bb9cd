import Foundation

/// A named thread for C that waits: it opens, uses and closes its own handle, and looks at `shouldStop` between waits.
///
/// The body runs once. `stop` asks it to end; `join` waits until it has, so that whatever it borrowed may be freed.
public final class PumpThread: @unchecked Sendable {
    // Unchecked: `stopping` and `ended` are guarded by `condition`; the rest never changes.
    private let condition = NSCondition()
    private var stopping = false
    private var ended = false

    /// Starts a thread named `name` (the kernel keeps 15 characters) that runs `body`.
    public init(name: String, body: @escaping @Sendable (PumpThread) -> Void) {
        let thread = Thread { [self] in
            // The kernel learns the name only from the thread itself.
            Thread.current.name = name
            body(self)
            condition.withLock {
                ended = true
                condition.broadcast()
            }
        }
        thread.start()
    }

    /// True once `stop` was called.
    public var shouldStop: Bool { condition.withLock { stopping } }

    /// Asks the body to end. Returns at once; may be called again.
    public func stop() {
        condition.withLock {
            stopping = true
            condition.broadcast()
        }
    }

    /// Called by the body: waits until `deadline` or until `stop` is called.
    /// - Returns: true when it shall stop.
    public func wait(until deadline: Date) -> Bool {
        condition.withLock {
            while !stopping, condition.wait(until: deadline) {}
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
