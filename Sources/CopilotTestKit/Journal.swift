import Synchronization

/// What was awaited did not come to pass in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// What was awaited, and what happened instead.
    public let description: String

    /// An error that says what was awaited.
    public init(description: String) { self.description = description }
}

/// Notes what happens, in order, and lets a test await that something has happened, without sleeping.
public final class Journal<Entry: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let isMet: @Sendable ([Entry]) -> Bool
        let continuation: CheckedContinuation<[Entry], any Error>
    }
    private struct State: Sendable {
        var entries: [Entry] = []
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())
    private let name: String

    /// A journal without entries; the name is for messages.
    public init(_ name: String) { self.name = name }

    /// Everything so far.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// Notes one more thing.
    public func note(_ entry: Entry) {
        let met = state.withLock { state in
            state.entries.append(entry)
            let met = state.waiters.filter { $0.value.isMet(state.entries) }
            for number in met.keys { state.waiters[number] = nil }
            return met.values.map { ($0.continuation, state.entries) }
        }
        for (continuation, entries) in met { continuation.resume(returning: entries) }
    }

    /// Returns once `isMet` holds for all that has been noted.
    /// - Parameter deadline: generous; only a failing test waits that long.
    /// - Throws: `NeverHappened` at the deadline.
    @discardableResult
    public func until(
        _ what: String, within deadline: Duration = .seconds(20), _ isMet: @escaping @Sendable ([Entry]) -> Bool
    ) async throws -> [Entry] {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let watchdog = Task {
            // The deadline of a failing test; a passing one cancels it.
            guard (try? await ContinuousClock().sleep(for: deadline)) != nil else { return }
            self.giveUp(number, what, deadline)
        }
        defer { watchdog.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let entries = state.withLock { state -> [Entry]? in
                if isMet(state.entries) { return state.entries }
                state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
                return nil
            }
            if let entries { continuation.resume(returning: entries) }
        }
    }

    /// Returns the first entry for which `isMet` holds, once there is one.
    /// - Throws: `NeverHappened` at the deadline.
    @discardableResult
    public func first(
        _ what: String, from start: Int = 0, _ isMet: @escaping @Sendable (Entry) -> Bool
    ) async throws -> Entry {
        let entries = try await until(what) { $0.dropFirst(start).contains(where: isMet) }
        guard let entry = entries.dropFirst(start).first(where: isMet) else {
            throw NeverHappened(description: "\(name): \(what)")
        }
        return entry
    }

    private func giveUp(_ number: Int, _ what: String, _ deadline: Duration) {
        let (waiter, entries) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.entries) }
        let last = entries.suffix(12).map { "  \($0)" }.joined(separator: "\n")
        waiter?.continuation.resume(
            throwing: NeverHappened(
                description: "\(name): “\(what)” did not happen within \(deadline); the last entries:\n\(last)"))
    }
}

/// Holds up a fake until the test lets it go on.
public final class Gate: Sendable {
    private let state: Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>
    private let arrivals = Journal<Int>("gate")

    /// A gate; an open one holds nobody up.
    public init(isOpen: Bool) { state = Mutex((isOpen, [])) }

    /// Lets everybody pass from now on.
    public func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Holds up whoever comes from now on.
    public func close() { state.withLock { $0.isOpen = false } }

    /// Returns once the gate is open. Does not heed cancellation: what it stands for does not, either.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            arrivals.note(1)
            if isOpen { continuation.resume() }
        }
    }

    /// Returns once `count` callers have come to the gate, held up or not.
    /// - Throws: `NeverHappened`.
    public func arrived(_ count: Int = 1) async throws {
        try await arrivals.until("\(count) arrivals") { $0.count >= count }
    }
}
