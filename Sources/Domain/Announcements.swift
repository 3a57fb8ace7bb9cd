import Foundation
import Synchronization

/// Something to tell the owner at the next opportunity, without a question.
public struct Announcement: Sendable, Equatable {
    /// Its identity; each is announced once.
    public let id: String
    /// Asks whether to date entries of an unset clock today.
    public static let uncertainEntries = "uncertain entries"
    /// The text's key in `replies`.
    public let replyKey: String
    /// What is filled in.
    public let values: [String: Wording]
    /// Dates that are filled in as they are spoken.
    public let dates: [String: Date]

    /// An announcement.
    public init(_ id: String, replyKey: String, values: [String: Wording] = [:], dates: [String: Date] = [:]) {
        self.id = id
        self.replyKey = replyKey
        self.values = values
        self.dates = dates
    }
}

/// What waits to be announced in the next session. Each is announced once in the life of the process, however often it
/// is added.
public final class Announcements: Sendable {
    private let state = Mutex<(waiting: [Announcement], known: Set<String>)>(([], []))

    /// Nothing waits.
    public init() {}

    /// Adds an announcement, unless it was added before.
    public func add(_ announcement: Announcement) {
        state.withLock { state in
            guard state.known.insert(announcement.id).inserted else { return }
            state.waiting.append(announcement)
        }
    }

    /// Adds an announcement that may recur: it is announced each time, and waits once.
    public func addAgain(_ announcement: Announcement) {
        state.withLock { state in
            guard !state.waiting.contains(where: { $0.id == announcement.id }) else { return }
            state.waiting.append(announcement)
        }
    }

    /// Removes and returns what waits, in order; the caller must announce it.
    public func take() -> [Announcement] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
