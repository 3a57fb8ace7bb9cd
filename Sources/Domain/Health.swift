import Synchronization

/// The health of one part of the appliance.
public struct PartHealth: Sendable, Equatable {
    /// Whether the owner needs to care.
    public enum State: String, Sendable {
        /// It works, or has not been needed yet.
        case ok
        /// It works in part, or the appliance does without it.
        case warning
        /// It does not work.
        case failed
    }

    /// The part's name, such as `microphone`.
    public let name: String
    /// Its state.
    public let state: State
    /// The details.
    public let detail: String
    /// What to do; nil when nothing.
    public let advice: String?
}

/// The health of the appliance's parts; every component reports here, and status and doctor read it.
public final class Health: Sendable {
    /// What has to be announced.
    public let announcements = Announcements()
    private let parts = Mutex<[(name: String, health: PartHealth)]>([])
    private let watchers = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])

    /// Nothing known yet.
    public init() {}

    /// Sets a part's health.
    public func report(_ name: String, _ state: PartHealth.State, _ detail: String, advice: String? = nil) {
        let health = PartHealth(name: name, state: state, detail: detail, advice: advice)
        let hasChanged = parts.withLock { parts in
            guard let place = parts.firstIndex(where: { $0.name == name }) else {
                parts.append((name, health))
                return true
            }
            defer { parts[place].health = health }
            return parts[place].health.state != state
        }
        if hasChanged { watchers.withLock { Array($0.values) }.forEach { $0.yield() } }
    }

    /// Signals that some part's state has changed since the call; changes are merged until the consumer takes one.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = watchers.withLock { watchers in
            let number = (watchers.keys.max() ?? 0) + 1
            watchers[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.watchers.withLock { $0.removeValue(forKey: number) }
        }
        return stream
    }

    /// Reports a failure, unless the part has failed already: the first cause explains what follows.
    public func reportFailure(_ name: String, _ detail: String, advice: String? = nil) {
        guard !all.contains(where: { $0.name == name && $0.state == .failed }) else { return }
        report(name, .failed, detail, advice: advice)
    }

    /// All parts, in the order in which they first reported.
    public var all: [PartHealth] { parts.withLock { $0.map(\.health) } }
}
