import Synchronization

/// A clock that stands still until the test moves it.
public final class ManualClock: Clock, Sendable {
    /// A moment of the clock: the time since it was made.
    public struct Instant: InstantProtocol {
        /// Since the clock was made.
        public let elapsed: Duration

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        /// How much later `other` is.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        /// By time.
        public static func < (one: Instant, other: Instant) -> Bool { one.elapsed < other.elapsed }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State: Sendable {
        var now = Instant(elapsed: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var nextSleeper = 0
    }

    private let state = Mutex(State())
    private let deadlines = Journal<Duration>("clock")

    /// A clock at zero.
    public init() {}

    /// Where the test has moved it.
    public var now: Instant { state.withLock { $0.now } }
    /// The clock is exact.
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// The deadlines of those who sleep now, soonest first.
    public var sleeping: [Duration] { state.withLock { $0.sleepers.values.map(\.deadline.elapsed).sorted() } }

    /// Sleeps until the test has moved the clock to `deadline`.
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enum Fate { case sleeps, over, cancelled }
                let fate = state.withLock { state -> Fate in
                    if state.cancelled.remove(number) != nil { return .cancelled }
                    if deadline <= state.now { return .over }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return .sleeps
                }
                switch fate {
                case .sleeps: deadlines.note(deadline.elapsed)
                case .over: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock and wakes those whose time has come, in order.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns once somebody has gone to sleep for `duration` from the present, or from at most `earlier` before it:
    /// what a tap sets going may have gone on before the tap's release.
    /// - Throws: `NeverHappened`.
    public func sleeperRegistered(for duration: Duration, earlier: Duration = .milliseconds(100)) async throws {
        let deadline = now.elapsed + duration
        try await deadlines.until("a sleeper until \(deadline)") { deadlines in
            deadlines.contains { (deadline - earlier...deadline).contains($0) }
        }
    }
}
