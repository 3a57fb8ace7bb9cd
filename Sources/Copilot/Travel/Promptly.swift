import Synchronization

/// Waits for an answer that must not hold up what is urgent.
enum Promptly {
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

    /// What `body` answers within `limit`, else nil; an error counts as no answer. A body that cannot be cancelled is
    /// left behind, not waited for: a broken disk or a stalled broker must not silence an emergency.
    static func value<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value?
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            let alarm = Task {
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                race.end(nil)
            }
            Task {
                race.end((try? await body()) ?? nil)
                alarm.cancel()
            }
        }
    }
}
