import NIOCore
import Synchronization

/// What waits for one watcher, bounded. Any thread puts events in; one task takes them out.
final class WatchQueue: Sendable {
    /// A task that waits for the next event. It is resumed by the code that took it, never under a lock.
    typealias Reader = CheckedContinuation<Void, Never>

    private struct State {
        var events = CircularBuffer<WatchEvent>()
        var reader: Reader?
        /// More came than fits.
        var isLate = false
        /// Nobody reads any more.
        var isOver = false
    }

    private enum Next {
        case event(WatchEvent), late, over, none
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// A queue of at most `capacity` events.
    init(capacity: Int) { self.capacity = capacity }

    /// Adds an event.
    /// - Returns: whether more may follow, and who waits for it.
    func put(_ event: WatchEvent) -> (isTaken: Bool, reader: Reader?) {
        state.withLock { state in
            guard !state.isOver, !state.isLate else { return (false, nil) }
            if state.events.count >= capacity {
                state.isLate = true
            } else {
                state.events.append(event)
            }
            defer { state.reader = nil }
            return (!state.isLate, state.reader)
        }
    }

    /// The next event, or nil once the task is cancelled or `end` was called.
    /// - Throws: `ControlError` of code `slow-watcher`, after what had been waiting.
    func next() async throws -> WatchEvent? {
        while true {
            let next = state.withLock { state -> Next in
                if state.isOver { return .over }
                if let event = state.events.popFirst() { return .event(event) }
                return state.isLate ? .late : .none
            }
            switch next {
            case .event(let event): return event
            case .over: return nil
            case .none: await wait()
            case .late:
                throw ControlError(
                    code: ControlError.Code.slowWatcher,
                    message:
                        "The watcher fell more than \(capacity) events behind and was disconnected; watch again."
                )
            }
        }
    }

    /// Takes nothing more, and lets the reader go.
    func end() {
        let reader = state.withLock { state in
            state.isOver = true
            state.events.removeAll()
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let hasCome = state.withLock { state in
                    if state.isOver || state.isLate || !state.events.isEmpty { return true }
                    state.reader = reader
                    return false
                }
                if hasCome { reader.resume() }
            }
        } onCancel: {
            end()
        }
    }
}
