import Synchronization

extension Task where Failure == any Error {
    /// The task's result, or nil where it has none within `limit`, measured by `clock`. The task itself is not
    /// cancelled: what cannot be cancelled (a broken disk, a stalled broker) is left behind instead of waited for.
    package func result(within limit: Duration, clock: any Clock<Duration>) async -> Result<Success, any Error>? {
        await withCheckedContinuation { continuation in
            let first = FirstResume(continuation)
            let timeout = Task<Void, Never> {
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                first.resume(returning: nil)
            }
            Task<Void, Never> {
                first.resume(returning: await result)
                timeout.cancel()
            }
        }
    }
}

/// What `body` returns within `limit`, measured by `clock`, else nil; an error counts as no value. After that the body
/// is neither cancelled nor waited for, and cancelling the caller does not cancel it: what is committed is reported as
/// done. It must not change anything.
package func withTimeout<Value: Sendable>(
    _ limit: Duration, clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value?
) async -> Value? {
    let task = Task { try await body() }
    return (try? await task.result(within: limit, clock: clock)?.get()) ?? nil
}

/// `withTimeout` with the second that a spoken reply may wait for what it says in addition to what was done.
package func withReplyTimeout<Value: Sendable>(
    clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value?
) async -> Value? {
    await withTimeout(.seconds(1), clock: clock, body)
}

/// Resumes a continuation once, by the first of several that try.
private final class FirstResume<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { waiting = Mutex(continuation) }

    func resume(returning value: Value) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}
