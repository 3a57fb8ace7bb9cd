import Control
import Foundation
import SystemTestKit
import Testing

/// Collects the events of `events.watch`.
final class Watcher: @unchecked Sendable {
    // Unchecked: `collected` and `failed` are guarded by `lock`; `reading` is set once.
    private let lock = NSLock()
    private var collected: [WatchEvent] = []
    private var failed: String?
    private var reading: Task<Void, Never>?

    /// Begins to watch, and returns once events arrive: the first come at once and say how things are.
    init(_ client: ControlClient) async throws {
        let stream = client.stream(EventsWatch.self)
        reading = Task { [weak self] in
            do { for try await event in stream { self?.add(event) } } catch { self?.fail("\(error)") }
        }
        try await eventually("the first events, there came \(self.failure ?? "nothing")") { !self.events.isEmpty }
    }

    deinit { reading?.cancel() }

    private func fail(_ reason: String) { lock.withLock { failed = reason } }

    /// Why the stream ended, if it has.
    var failure: String? { lock.withLock { failed } }

    private func add(_ event: WatchEvent) { lock.withLock { collected.append(event) } }

    /// The events so far.
    var events: [WatchEvent] { lock.withLock { collected } }

    /// How many events there are: a place to look on from.
    var count: Int { lock.withLock { collected.count } }

    /// Waits for an event after the first `skip`.
    @discardableResult
    func event(
        _ what: String, after skip: Int = 0, within limit: Duration = .seconds(60),
        where isWanted: (WatchEvent) -> Bool
    ) async throws -> WatchEvent {
        var found: WatchEvent?
        try await eventually("the event: \(what); there were \(lines(after: skip))", within: limit) {
            found = events.dropFirst(skip).first(where: isWanted)
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until the appliance is in a state that it reached after the first `skip` events.
    func state(_ state: ApplianceState, after skip: Int = 0) async throws {
        try await event("state \(state)", after: skip) { $0.kind == WatchEvent.Kind.status && $0.state == state }
    }

    /// Waits until a turn has joined the history: its reply has been spoken.
    func spoken(_ turn: Int) async throws {
        try await event("history of turn \(turn)") { $0.kind == WatchEvent.Kind.history && $0.entry?.turn == turn }
    }

    /// The events as words, for comparing their order and for messages.
    func lines(after skip: Int = 0) -> [String] { events.dropFirst(skip).map(\.line) }
}

extension WatchEvent {
    /// Kind and what is in it, shortly.
    var line: String {
        switch kind {
        case Kind.ring: "ring \(look ?? "")"
        case Kind.status: "status \(state?.rawValue ?? "")"
        case Kind.turn: "turn \(turn?.outcome.rawValue ?? "")"
        case Kind.history: "history \(entry?.turn ?? 0)"
        default: "\(kind) \(text ?? "")"
        }
    }
}
