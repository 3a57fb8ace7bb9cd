import Foundation

/// Feeds systemd's watchdog while every loop and thread answers. What waits for Swift's shared pool is asked through
/// it, and the watchdog itself runs on it: a pool whose threads are all taken is not fed either.
public struct Watchdog: Sendable {
    private let loops: [HeartbeatRegistry]
    private let interval: Duration
    private let feed: @Sendable () -> Void
    private let complain: @Sendable ([String]) -> Void

    /// A watchdog.
    /// - Parameters:
    ///   - interval: between two looks.
    ///   - feed: called after each check in which no loop was overdue.
    ///   - complain: called instead, with who is.
    public init(
        loops: [HeartbeatRegistry], interval: Duration, feed: @escaping @Sendable () -> Void,
        complain: @escaping @Sendable ([String]) -> Void
    ) {
        self.loops = loops
        self.interval = interval
        self.feed = feed
        self.complain = complain
    }

    /// Between two looks: a third of the time after which systemd loses its patience (`WATCHDOG_USEC`, sd_notify(3));
    /// nil where there is no watchdog, or it is meant for another process.
    public static func interval(environment: [String: String], process: Int32) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let limit = Int64(text), limit > 0 else { return nil }
        if let owner = environment["WATCHDOG_PID"], owner != String(process) { return nil }
        return .microseconds(limit / 3)
    }

    /// Asks all once.
    public func look() {
        let overdue = loops.flatMap { $0.overdue() }
        if overdue.isEmpty { feed() } else { complain(overdue) }
    }

    /// Looks until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            look()
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        }
    }
}
