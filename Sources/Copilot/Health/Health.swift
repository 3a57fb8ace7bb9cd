import Synchronization

/// How one part of the appliance is.
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
    /// How it is.
    public let state: State
    /// What is known.
    public let detail: String
    /// What to do; nil when nothing.
    public let advice: String?
}

/// What is known of the appliance's parts; every room reports here, and status and doctor read it.
public final class Health: Sendable {
    /// What has to be said without being asked.
    public let announcements = Announcements()
    private let parts = Mutex<[(name: String, health: PartHealth)]>([])

    /// Nothing known yet.
    public init() {}

    /// Says how a part is from now on.
    public func report(_ name: String, _ state: PartHealth.State, _ detail: String, advice: String? = nil) {
        let health = PartHealth(name: name, state: state, detail: detail, advice: advice)
        parts.withLock { parts in
            if let place = parts.firstIndex(where: { $0.name == name }) {
                parts[place].health = health
            } else {
                parts.append((name, health))
            }
        }
    }

    /// Says that a part failed, unless it is known to have failed already: the first cause explains what follows.
    public func reportFailure(_ name: String, _ detail: String, advice: String? = nil) {
        guard !all.contains(where: { $0.name == name && $0.state == .failed }) else { return }
        report(name, .failed, detail, advice: advice)
    }

    /// All parts, in the order in which they first reported.
    public var all: [PartHealth] { parts.withLock { $0.map(\.health) } }
}
