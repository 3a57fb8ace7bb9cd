import Dispatch
import Synchronization

/// Runs an actor's jobs on a queue of its own, so that C that computes for a while never occupies a thread of Swift's
/// shared pool. (`DispatchSerialQueue` is a ready-made executor on Apple's systems and does not exist on Linux.)
///
/// An actor uses it by `nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }`.
public final class QueueExecutor: SerialExecutor, Heartbeat {
    private let queue: DispatchQueue
    private let asked = Mutex<SuspendingClock.Instant?>(nil)

    /// Its name, for a person.
    public let loopName: String
    /// How long it may be without a sign of life.
    public let patience: Duration?

    /// An executor on a new serial queue named `label`.
    /// - Parameter patience: how long one job may take before the watchdog takes the queue for stuck. What works in the
    ///   background (`.utility`) may have ten minutes: a large vocabulary takes long on a small board.
    public init(
        label: String, qos: DispatchQoS = .userInitiated, patience: Duration? = nil, signs: HeartbeatRegistry = .process
    ) {
        loopName = label
        self.patience = patience ?? .seconds(qos == .utility ? 600 : 60)
        queue = DispatchQueue(label: label, qos: qos)
        signs.add(self)
    }

    /// Puts the job on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// How long the queue has owed an answer.
    public func silence() -> Duration {
        let since = asked.withLock { asked -> SuspendingClock.Instant? in
            defer { asked = asked ?? .now }
            return asked
        }
        if let since { return since.duration(to: .now) }
        queue.async { [weak self] in self?.asked.withLock { $0 = nil } }
        return .zero
    }
}
