import Foundation
import Synchronization

/// Real-time priority for the threads that must not be late: those of the sound. Off until the program asks for it.
public final class RealTimePriority: Sendable {
    /// This process's.
    public static let process = RealTimePriority()
    /// Of 1 to 99: above every ordinary thread, below what the kernel and sound servers use.
    public static let level: Int32 = 10

    private struct State {
        var isWanted = false
        var refusal: Int32?
    }
    private let state = Mutex(State())
    private let request: @Sendable () -> Int32

    /// - Parameter request: gives the calling thread the priority, and returns an errno, or 0.
    public init(request: @escaping @Sendable () -> Int32 = RealTimePriority.scheduleFirst) { self.request = request }

    /// Wants it from now on, for the threads that start.
    public func want() { state.withLock { $0.isWanted = true } }

    /// Why it was refused the last time, as an errno; nil where it was not.
    public var refusal: Int32? { state.withLock { $0.refusal } }

    /// Requests it for the calling thread, if it is enabled. Otherwise the thread keeps its priority.
    public func take() {
        guard state.withLock({ $0.isWanted }) else { return }
        let code = request()
        state.withLock { $0.refusal = code == 0 ? nil : code }
    }

    /// SCHED_FIFO (sched(7)), which a process may choose where RLIMIT_RTPRIO lets it.
    public static let scheduleFirst: @Sendable () -> Int32 = {
        var parameter = sched_param()
        parameter.sched_priority = level
        return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
    }
}
