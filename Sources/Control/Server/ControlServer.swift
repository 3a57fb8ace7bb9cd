import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The daemon's end of the control socket: JSON lines over a Unix socket, one thread.
///
/// A client that does not read is disconnected: a watcher once it is `WatchHub`'s capacity of events behind, anybody
/// after `patience` without taking a byte that waits. What waits for one client is bounded meanwhile. Places are shared
/// by user (`OpenConnections`), and a client that says nothing for `ControlLimits.silentSeconds` after connecting
/// loses its place.
public struct ControlServer: Sendable {
    /// How long calls may take to notice that they were cancelled.
    private static let callPatience = Duration.seconds(5)

    /// Where the server listens.
    public struct Socket: Sendable {
        let path: String, patience: TimeAmount

        /// A Unix socket, of permissions 0660.
        /// - Parameters:
        ///   - path: its folder must exist. At most about 95 bytes.
        ///   - patience: how long a client may leave what waits for it.
        public init(path: String, patience: Duration = .seconds(10)) {
            (self.path, self.patience) = (path, TimeAmount(patience))
        }
    }

    /// What the greeting says of the daemon.
    public struct Identity: Sendable {
        let version: String, owner: OwnerLocale?

        /// - Parameter owner: how the owner writes times and amounts.
        public init(version: String, owner: OwnerLocale? = nil) { (self.version, self.owner) = (version, owner) }
    }

    private static let mode: UInt32 = 0o660

    private let path: String
    private let greeting: Greeting
    private let calls: CallTable
    private let patience: TimeAmount
    private let logger: Logger
    private let pulse = ServerPulse()
    /// Who connects, and the clock by which connections are idle; tests put their own in place.
    var peerUser: @Sendable (any Channel) -> EventLoopFuture<UInt32> = PeerUser.of
    var now: @Sendable () -> NIODeadline = { .now() }

    /// A server of `calls`, and of `events.watch` on `watch`.
    /// - Parameters:
    ///   - socket: where it listens.
    ///   - identity: what it says of itself in the greeting.
    ///   - alive: returns when the daemon's parts have answered; `ping` waits for it.
    public init(
        socket: Socket, identity: Identity, calls: CallTable, watch: WatchHub,
        alive: @escaping @Sendable () async -> Void = {}, logger: Logger
    ) {
        path = socket.path
        patience = socket.patience
        greeting = Greeting(
            vanorb: identity.version, protocol: ControlLimits.protocolVersion, owner: identity.owner)
        var calls = calls
        calls.register(EventsWatch.self) { _ in watch.subscribe() }
        calls.register(PingCall.self) { _ in
            // The hub, too: watchers depend on it.
            _ = watch.watcherCount
            await alive()
            return Empty()
        }
        self.calls = calls
        self.logger = logger
    }

    /// Serves until the task is cancelled; then removes the socket, disconnects everybody, waits up to 5 s for the
    /// cancelled calls and returns.
    /// - Parameters:
    ///   - claim: the claim to the socket's path, where it was made before; it ends with this call.
    ///   - ready: called once the socket answers.
    /// - Throws: `ControlServerError` when another daemon answers on the socket, or it cannot be opened.
    public func run(claim: SocketClaim? = nil, ready: @Sendable () -> Void = {}) async throws {
        let file = try claim?.file ?? SocketFile(claiming: path)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        pulse.follow(group.next())
        defer { pulse.follow(nil) }
        let open = OpenConnections(now: now)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await serve(on: file, open, group: group, ready: ready))
        } catch {
            outcome = .failure(error)
        }
        file.remove()
        if await open.closeAll(patience: Self.callPatience) {
            await Self.shutDown(group)
        } else {
            // The thread stays for them: they may still want to write.
            logger.warning("calls on the control socket ignore their cancellation")
        }
        // Not left to the last reference, which a cancellation handler may hold a moment longer than this call lasts.
        file.release()
        try outcome.get()
    }

    /// Returns when the server's thread has come to it; at once while it does not run.
    public func answer() async { await pulse.answer() }

    private func serve(
        on file: SocketFile, _ open: OpenConnections, group: MultiThreadedEventLoopGroup, ready: @Sendable () -> Void
    ) async throws {
        let listener = try await bind(to: file.temporaryPath, open, group: group)
        try file.publish(mode: Self.mode)
        logger.info("control socket open", metadata: ["path": "\(path)"])
        ready()
        try await withTaskCancellationHandler {
            try await listener.closeFuture.get()
        } onCancel: {
            file.remove()
            listener.close(promise: nil)
        }
        guard Task.isCancelled else {
            throw ControlServerError(call: "accept", code: 0, path: path, advice: "The listener closed by itself.")
        }
    }

    private func bind(
        to path: String, _ open: OpenConnections, group: MultiThreadedEventLoopGroup
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One small read at a time, so that back pressure sets in before a flood of bad lines is answered.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 << 10))
            .childChannelInitializer { [greeting, calls, patience, logger, peerUser] channel in
                peerUser(channel).flatMapThrowing { user in
                    let admission = open.enter(channel, user: user)
                    try channel.pipeline.syncOperations.addHandlers([
                        StallGuard(patience: patience),
                        BackPressureHandler(),
                        ByteToMessageHandler(LineDecoder(limit: ControlLimits.lineBytes)),
                        try ConnectionHandler(
                            greeting: greeting, calls: calls, admission: admission, open: open, logger: logger),
                    ])
                }
            }
        do {
            return try await bootstrap.bind(unixDomainSocketPath: path).get()
        } catch let error as IOError {
            throw ControlServerError(
                call: "bind", code: error.errnoCode, path: path, advice: "Check the folder's permissions."
            )
        } catch is SocketAddressError {
            throw ControlServerError(
                call: "bind", code: ENAMETOOLONG, path: path, advice: "A socket's path has at most 107 bytes."
            )
        }
    }

    private static func shutDown(_ group: MultiThreadedEventLoopGroup) async {
        await withCheckedContinuation { continuation in
            group.shutdownGracefully { _ in continuation.resume() }
        }
    }
}

/// Lets the server's thread be asked whether it goes on.
final class ServerPulse: Sendable {
    private let loop = Mutex<(any EventLoop)?>(nil)

    /// The loop that is asked from now on; nil for none.
    func follow(_ next: (any EventLoop)?) { loop.withLock { $0 = next } }

    /// Returns when the loop has come to it, at once where there is none.
    func answer() async { try? await loop.withLock { $0 }?.submit {}.get() }
}
