import NIOCore
import Synchronization

/// The connections and the calls under way on them, so that the server can end them all before its thread ends.
final class OpenConnections: Sendable {
    /// What a new connection is told.
    enum Admission {
        case welcome
        /// There are as many as are allowed.
        case tooMany
        /// The server is ending.
        case closing
    }

    fileprivate struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var calls = 0
        var isClosing = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Counts a connection until its channel closes.
    func enter(_ channel: any Channel) -> Admission {
        let id = ObjectIdentifier(channel)
        let admission = state.withLock { state -> Admission in
            guard !state.isClosing else { return .closing }
            state.channels[id] = channel
            return state.channels.count <= ControlLimits.connections ? .welcome : .tooMany
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in _ = state.channels.removeValue(forKey: id) }
        }
        return admission
    }

    /// Counts a call until `callEnded`.
    func callBegan() { state.withLock { $0.calls += 1 } }

    /// The call will not touch its connection again.
    func callEnded() {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.calls -= 1
            return state.calls == 0 ? state.takeWaiter() : nil
        }
        waiter?.resume(returning: true)
    }

    /// Closes every connection, which cancels the calls on them, and waits for these to end.
    /// - Returns: false when some have not ended after `patience`.
    func closeAll(patience: Duration) async -> Bool {
        let channels = state.withLock { state in
            state.isClosing = true
            return Array(state.channels.values)
        }
        for channel in channels {
            channel.close(promise: nil)
            try? await channel.closeFuture.get()
        }
        let limit = Task {
            try? await Task.sleep(for: patience)
            state.withLock { $0.takeWaiter() }?.resume(returning: false)
        }
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.calls > 0 { state.waiter = continuation }
                return state.calls == 0
            }
            if isDone { continuation.resume(returning: true) }
        }
    }
}

extension OpenConnections.State {
    fileprivate mutating func takeWaiter() -> CheckedContinuation<Bool, Never>? {
        defer { waiter = nil }
        return waiter
    }
}
