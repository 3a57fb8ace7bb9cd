import Foundation

/// Brings the outcome of opening a device from the thread that uses it to the one that asked for it.
final class Opening: @unchecked Sendable {
    // Unchecked: `outcome` is guarded by `condition`.
    private let condition = NSCondition()
    private var outcome: Result<Void, any Error>?

    /// Called by the thread; only the first call counts.
    func report(_ outcome: Result<Void, any Error>) {
        condition.withLock {
            if self.outcome == nil { self.outcome = outcome }
            condition.broadcast()
        }
    }

    /// Waits for the thread's first report and throws what it met.
    func wait() throws {
        try condition.withLock {
            while true {
                if let outcome { return try outcome.get() }
                condition.wait()
            }
        }
    }
}
