import Control

/// The daemon's events over its restarts: one that goes away is looked for again.
struct WatchFollower: Sendable {
    /// What a follower sees.
    enum Sight: Sendable {
        /// An event; whether it is the first since the daemon was found.
        case event(WatchEvent, isFirst: Bool)
        /// The daemon is away, why, and nil where it ended the events in order. It is looked for again.
        case lost((any Error)?)
    }

    /// Between two attempts to reach the daemon, in addition to the client's own retries.
    private static let pause = Duration.seconds(1)

    let client: ControlClient

    /// Tells what is seen until the task is cancelled or `body` throws.
    /// - Throws: `CancellationError`, or what `body` throws.
    func run(_ body: (Sight) async throws -> Void) async throws {
        while true {
            let reason = try await watch(body)
            // A stream whose reader is cancelled just ends.
            try Task.checkCancellation()
            try await body(.lost(reason))
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Watches for as long as one connection lasts.
    /// - Returns: why it ended.
    private func watch(_ body: (Sight) async throws -> Void) async throws -> (any Error)? {
        var events = client.stream(EventsWatch.self).makeAsyncIterator()
        var isFirst = true
        while true {
            let event: WatchEvent?
            // A failure here is the connection's; one below is the consumer's.
            do { event = try await events.next() } catch { return error }
            guard let event else { return nil }
            try await body(.event(event, isFirst: isFirst))
            isFirst = false
        }
    }
}
