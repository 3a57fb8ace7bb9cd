import Dispatch

/// Runs an actor's jobs on a queue of its own, so that C that computes for a while never occupies a thread of Swift's
/// shared pool. (`DispatchSerialQueue` is a ready-made executor on Apple's systems and does not exist on Linux.)
///
/// An actor uses it by `nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }`.
public final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor on a new serial queue named `label`.
    public init(label: String, qos: DispatchQoS = .userInitiated) {
        queue = DispatchQueue(label: label, qos: qos)
    }

    /// Puts the job on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
