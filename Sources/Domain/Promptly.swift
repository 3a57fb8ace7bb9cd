import Synchronization

/// Waits for an answer that must not hold up what is urgent.
package enum Promptly {
    /// The first of two who come resumes the one who waits.
    private final class Race<Value: Sendable>: Sendable {
        private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

        func end(_ value: Value?) {
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: value)
        }
    }

    /// How long a reply waits for what it says beyond what was done.
    private static let replyPatience = Duration.seconds(1)

    /// What `body` reads for a reply, or nil where that fails or takes long. A cancelled turn does not cancel it: what
    /// is committed is reported as done, whatever comes after. It must not change anything.
    package static func forReply<Value: Sendable>(
        _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value?
    ) async -> Value? {
        await value(within: replyPatience, clock, body)
    }

    /// What `body` answers within `limit`, measured by `clock`, else nil; an error counts as no answer. A body that
    /// cannot be cancelled is left behind, not waited for: a broken disk or a stalled broker must not silence an
    /// emergency.
    package static func value<Value: Sendable>(
        within limit: Duration, _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value?
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            let alarm = Task {
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                race.end(nil)
            }
            Task {
                race.end((try? await body()) ?? nil)
                alarm.cancel()
            }
        }
    }

    /// What `task` comes to within `limit`, measured by `clock`, else nil. The task is left as it is.
    package static func result<Value: Sendable>(
        of task: Task<Value, any Error>, within limit: Duration, clock: any Clock<Duration>
    ) async -> Result<Value, any Error>? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            let alarm = Task {
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                race.end(nil)
            }
            Task {
                race.end(await task.result)
                alarm.cancel()
            }
        }
    }
}
