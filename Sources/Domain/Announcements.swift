import Foundation
import Synchronization

/// Something that the owner has to be told, without being asked, at the next opportunity.
public struct Announcement: Sendable, Equatable {
    /// Tells it from others; the same is told once.
    public let id: String
    /// The one that asks whether entries of an unset clock shall be dated today.
    public static let uncertainEntries = "uncertain entries"
    /// The text's key in `replies`.
    public let replyKey: String
    /// What is filled in.
    public let values: [String: String]
    /// Dates that are filled in as they are spoken.
    public let dates: [String: Date]

    /// An announcement.
    public init(_ id: String, replyKey: String, values: [String: String] = [:], dates: [String: Date] = [:]) {
        self.id = id
        self.replyKey = replyKey
        self.values = values
        self.dates = dates
    }
}

/// What waits to be said in the next session. Each is said once in the life of the process, however often it is handed
/// in.
public final class Announcements: Sendable {
    private let state = Mutex<(waiting: [Announcement], known: Set<String>)>(([], []))

    /// Nothing waits.
    public init() {}

    /// Hands in what has to be said.
    public func add(_ announcement: Announcement) {
        state.withLock { state in
            guard state.known.insert(announcement.id).inserted else { return }
            state.waiting.append(announcement)
        }
    }

    /// Hands in what may come about again and again: it is said each time, and waits once.
    public func addAgain(_ announcement: Announcement) {
        state.withLock { state in
            guard !state.waiting.contains(where: { $0.id == announcement.id }) else { return }
            state.waiting.append(announcement)
        }
    }

    /// Takes what waits, in order; whoever takes it says it.
    public func take() -> [Announcement] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
