import Glibc
import NIOCore
import Synchronization

/// The connections and the calls under way on them: who gets a place, and that all end before the server's thread does.
///
/// No user can shut another out: each has a limit, some places are root's alone, and where all are taken the user who
/// holds most loses the connection that has been idle longest.
final class OpenConnections: Sendable {
    /// The answer to a new connection.
    enum Admission {
        case welcome(ClientConnection)
        /// Refused, with the reason.
        case refused(ClientConnection, String)
        /// The server is ending.
        case closing
    }

    /// Fired through the pipeline of a connection that gives its place to another.
    struct Displaced: Sendable {
        let reason: String
    }

    fileprivate struct Entry {
        let connection: ClientConnection
        let channel: any Channel
        /// When it came, or when a call on it began or ended last.
        var lastUsed: NIODeadline
        var calls = 0
        /// It has no place any more, and is only left to read why.
        var isLeaving = false
    }

    fileprivate struct State {
        var entries: [Int: Entry] = [:]
        var lastNumber = 0
        var calls = 0
        var isClosing = false
        var waiter: CheckedContinuation<Bool, Never>?
    }

    /// A connection that was used this lately is not displaced: its request may be on its way.
    static let graceTime = TimeAmount.seconds(1)
    /// So many may linger at a time to read why they were turned away; beyond that they are closed at once.
    static let lingering = 64

    private let now: @Sendable () -> NIODeadline
    private let state = Mutex(State())

    init(now: @escaping @Sendable () -> NIODeadline = { .now() }) { self.now = now }

    /// Counts a connection until its channel closes, and displaces another for it where that is fair.
    func enter(_ channel: any Channel, user: UInt32) -> Admission {
        let now = now()
        let (admission, displaced) = state.withLock { state -> (Admission, (any Channel, Displaced)?) in
            guard !state.isClosing else { return (.closing, nil) }
            state.lastNumber += 1
            let connection = ClientConnection(number: state.lastNumber, user: user)
            var entry = Entry(connection: connection, channel: channel, lastUsed: now)
            defer { state.entries[connection.number] = entry }
            guard let shortage = state.shortage(for: user) else { return (.welcome(connection), nil) }
            guard let idle = state.longestIdle(of: shortage.loser, before: now - Self.graceTime) else {
                entry.isLeaving = true
                return (.refused(connection, shortage.words + "; close one, then try again."), nil)
            }
            state.entries[idle.connection.number]?.isLeaving = true
            let reason = "This connection was idle and gave its place to a new one: \(shortage.words)."
            return (.welcome(connection), (idle.channel, Displaced(reason: reason)))
        }
        switch admission {
        case .welcome(let connection), .refused(let connection, _):
            channel.closeFuture.whenComplete { [self] _ in
                state.withLock { state in _ = state.entries.removeValue(forKey: connection.number) }
            }
        case .closing: break
        }
        // Out of the lock: what it sets off comes back here.
        if let (channel, event) = displaced { channel.pipeline.fireUserInboundEventTriggered(event) }
        return admission
    }

    /// Frees the connection's place.
    /// - Returns: whether it may stay a moment to read why it is closed; too many who stay are descriptors gone.
    func leave(_ connection: ClientConnection) -> Bool {
        state.withLock { state in
            state.entries[connection.number]?.isLeaving = true
            return state.entries.values.count { $0.isLeaving } <= Self.lingering
        }
    }

    /// Counts a call until `callEnded`.
    func callBegan(on connection: ClientConnection) {
        let now = now()
        state.withLock { state in
            state.calls += 1
            state.entries[connection.number]?.calls += 1
            state.entries[connection.number]?.lastUsed = now
        }
    }

    /// The call will not touch its connection again.
    func callEnded(on connection: ClientConnection) {
        let now = now()
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.calls -= 1
            state.entries[connection.number]?.calls -= 1
            state.entries[connection.number]?.lastUsed = now
            return state.calls == 0 ? state.takeWaiter() : nil
        }
        waiter?.resume(returning: true)
    }

    /// Closes every connection, which cancels the calls on them, and waits for these to end.
    /// - Returns: false when some have not ended after `patience`.
    func closeAll(patience: Duration) async -> Bool {
        let channels = state.withLock { state in
            state.isClosing = true
            return state.entries.values.map(\.channel)
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
    /// Why `user` gets no further connection, and which user loses one instead; nil while there is room.
    fileprivate func shortage(for user: UInt32) -> (words: String, loser: UInt32?)? {
        var held: [UInt32: Int] = [:]
        for entry in entries.values where !entry.isLeaving { held[entry.connection.user, default: 0] += 1 }
        let own = held[user] ?? 0
        guard own < ControlLimits.connectionsPerUser else {
            return ("You already have \(own) connections to VanOrb open, the most for one user", user)
        }
        let isRoot = user == ClientConnection.root
        let places = ControlLimits.connections - (isRoot ? 0 : ControlLimits.connectionsForRoot)
        let taken = held.values.reduce(0, +)
        guard taken >= places else { return nil }
        // Root never loses a connection, nor does a user with fewer than the one who asks.
        let most = held.filter { $0.key != ClientConnection.root || isRoot }.max {
            ($0.value, $1.key) < ($1.value, $0.key)
        }
        let loser = most.flatMap { $0.value > own + 1 ? $0.key : nil }
        return ("Already \(taken) connections to VanOrb are open, of all users", loser)
    }

    /// The connection of `user` without a call or a subscription under way that has not been used for longest.
    fileprivate func longestIdle(of user: UInt32?, before limit: NIODeadline) -> OpenConnections.Entry? {
        entries.values.filter {
            $0.connection.user == user && $0.calls == 0 && !$0.isLeaving && $0.lastUsed <= limit
        }.min { ($0.lastUsed, $0.connection.number) < ($1.lastUsed, $1.connection.number) }
    }

    fileprivate mutating func takeWaiter() -> CheckedContinuation<Bool, Never>? {
        defer { waiter = nil }
        return waiter
    }
}

/// Who is at the other end of a Unix socket, as the kernel noted when it was connected.
enum PeerUser {
    /// What Linux answers to `SO_PEERCRED`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// The user's number; `ClientConnection.unknownUser` where the kernel does not say.
    static func of(_ channel: any Channel) -> EventLoopFuture<UInt32> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(ClientConnection.unknownUser)
        }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: SO_PEERCRED))
        return credentials.map(\.user).recover { _ in ClientConnection.unknownUser }
    }
}
