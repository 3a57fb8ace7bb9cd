import Foundation
import Domain
import Synchronization

/// What the button's thread waits for.
protocol ButtonSource: AnyObject {
    /// True where the kernel debounces.
    var isDebounced: Bool { get }
    /// True while the line is active.
    func isActive() throws -> Bool
    /// Waits for a change, at most `timeout`.
    /// - Returns: the level it changed to, and when; nil at a timeout.
    func edge(within timeout: Duration) throws -> (isActive: Bool, at: ContinuousClock.Instant)?
}

/// A line whose edges the kernel reports.
final class EdgeSource: ButtonSource {
    private let handle: GPIOHandle

    init(_ handle: GPIOHandle) { self.handle = handle }

    var isDebounced: Bool { GPIOHandle.isDebounced }

    func isActive() throws -> Bool { try handle.isActive() }

    func edge(within timeout: Duration) throws -> (isActive: Bool, at: ContinuousClock.Instant)? {
        try handle.edge(within: timeout).map { ($0.isActive, KernelTime.instant(of: $0.time)) }
    }
}

/// A line that cannot report edges, as on a port expander without an interrupt: it is polled every 5 ms.
final class PolledSource: ButtonSource {
    /// The polling interval.
    static let pause = Duration.milliseconds(5)

    private let level: () throws -> Bool
    private var last: Bool

    /// - Parameter level: reads the line.
    init(_ level: @escaping () throws -> Bool) throws {
        self.level = level
        last = try level()
    }

    let isDebounced = false

    func isActive() throws -> Bool { try level() }

    func edge(within timeout: Duration) throws -> (isActive: Bool, at: ContinuousClock.Instant)? {
        let deadline = ContinuousClock.now + timeout
        while true {
            let now = try level()
            if now != last {
                last = now
                return (now, .now)
            }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return nil }
            Thread.sleep(forTimeInterval: min(rest, Self.pause) / .seconds(1))
        }
    }
}

/// The kernel's time stamps on this program's clock.
enum KernelTime {
    /// An older stamp is not from CLOCK_MONOTONIC: kernels before 5.7 stamp with the time of day.
    private static let oldest = Duration.seconds(60)

    /// The moment of a stamp of CLOCK_MONOTONIC in nanoseconds; now, where it is implausible.
    static func instant(of stamp: Int64) -> ContinuousClock.Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let age = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec) - .nanoseconds(stamp)
        return .now - ((Duration.zero...oldest).contains(age) ? age : .zero)
    }
}

/// Passes the button's edges to the last consumer. Edges without a consumer are dropped: a press from before
/// is not a press now.
final class EdgeOutlet: Sendable {
    private let continuation = Mutex<AsyncStream<TimedEdge>.Continuation?>(nil)

    /// The edges from now on; ends the stream of the consumer before.
    func edges() -> AsyncStream<TimedEdge> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TimedEdge.self, bufferingPolicy: .bufferingNewest(64))
        let previous = self.continuation.withLock { current in
            defer { current = continuation }
            return current
        }
        previous?.finish()
        return stream
    }

    func yield(_ edge: TimedEdge) {
        _ = continuation.withLock { $0 }?.yield(edge)
    }

    func finish() {
        let last = continuation.withLock { current in
            defer { current = nil }
            return current
        }
        last?.finish()
    }
}
