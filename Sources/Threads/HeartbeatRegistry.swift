import Foundation
import Synchronization

/// A loop or thread that shows that it is alive.
public protocol Heartbeat: AnyObject, Sendable {
    /// Tells it from others, for a person.
    var loopName: String { get }
    /// How long it may be silent; nil where its silence says nothing.
    var patience: Duration? { get }
    /// How long it has been silent, zero where it has answered; asks it again.
    func silence() -> Duration
}

/// The loops of a process that are monitored, each for as long as it exists.
public final class HeartbeatRegistry: Sendable {
    /// Those of this process: every `PumpThread` and `QueueExecutor`.
    public static let process = HeartbeatRegistry()

    private struct Entry {
        weak var loop: (any Heartbeat)?
    }
    private let entries = Mutex<[Entry]>([])
    private let asked: [ProbedHeartbeat]

    /// Those that must be asked, and are held; others are added.
    public init(asking asked: [ProbedHeartbeat] = []) {
        self.asked = asked
        for loop in asked { add(loop) }
    }

    /// Monitors this one until it is released or removed.
    public func add(_ loop: any Heartbeat) {
        entries.withLock { entries in
            entries.removeAll { $0.loop == nil }
            entries.append(Entry(loop: loop))
        }
    }

    /// Looks at this one no more.
    public func remove(_ loop: any Heartbeat) {
        entries.withLock { $0.removeAll { $0.loop === loop || $0.loop == nil } }
    }

    /// Asks all; in words those that have been silent for too long, such as “vanorb-ring (61 s)”.
    public func overdue() -> [String] {
        entries.withLock { $0.compactMap(\.loop) }.compactMap { loop in
            let silence = loop.silence()
            guard let patience = loop.patience, silence > patience else { return nil }
            return "\(loop.loopName) (\(silence.components.seconds) s)"
        }
    }
}

/// A loop that is asked by something it does in its turn: an actor, an event loop, a database's writer.
public final class ProbedHeartbeat: Heartbeat {
    /// Its name, for a person.
    public let loopName: String
    /// How long it may be without a sign of life.
    public let patience: Duration?
    private let ask: @Sendable () async -> Void
    private let asked = Mutex<SuspendingClock.Instant?>(nil)

    /// A loop that has answered when `ask` returns.
    public init(_ name: String, patience: Duration = .seconds(60), ask: @escaping @Sendable () async -> Void) {
        loopName = name
        self.patience = patience
        self.ask = ask
    }

    /// How long it has owed an answer; asks again once it has answered.
    public func silence() -> Duration {
        let since = asked.withLock { asked -> SuspendingClock.Instant? in
            defer { asked = asked ?? .now }
            return asked
        }
        if let since { return since.duration(to: .now) }
        Task {
            await ask()
            asked.withLock { $0 = nil }
        }
        return .zero
    }
}
