import Foundation
import NIOCore
import NIOPosix

/// Reaches the daemon, with patience while it starts.
struct ControlConnector {
    typealias Connection = NIOAsyncChannel<InboundLine, ByteBuffer>

    /// Between two attempts.
    private static let pause = Duration.milliseconds(50)
    /// How long the greeting may take once connected.
    private static let greetingLimit = Duration.seconds(5)

    let path: String
    let patience: Duration
    let silence: Duration
    let group: MultiThreadedEventLoopGroup

    /// Connects, trying again while nobody listens.
    /// - Parameter verdict: learns when the daemon is given up because nothing comes from it.
    /// - Throws: `DaemonUnreachable`.
    func connect(_ verdict: ServerPing.Verdict) async throws -> Connection {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await attempt(verdict)
            } catch let error as IOError {
                // No listener yet, or its queue is full. Waiting does not help with anything else.
                let mayComeUp = [ENOENT, ECONNREFUSED, EAGAIN].contains(error.errnoCode)
                guard mayComeUp, ContinuousClock.now < deadline else {
                    throw DaemonUnreachable(
                        path: path, detail: String(cString: strerror(error.errnoCode)),
                        isForbidden: error.errnoCode == EACCES)
                }
            } catch is SocketAddressError {
                throw DaemonUnreachable(path: path, detail: "a socket's path has at most 107 bytes")
            } catch let error as ChannelError {
                throw DaemonUnreachable(path: path, detail: "\(error)")
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    private func attempt(_ verdict: ServerPing.Verdict) async throws -> Connection {
        try await ClientBootstrap(group: group).connect(unixDomainSocketPath: path) { [silence] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    ByteToMessageHandler(LineDecoder(limit: ControlLimits.lineBytes)),
                    ServerPing(silence: silence, verdict: verdict),
                ])
                return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
            }
        }
    }

    /// Reads the greeting and compares the versions of the protocol.
    /// - Returns: how the owner writes times and amounts, where the daemon says so.
    /// - Throws: `DaemonUnreachable` when it does not come, `ControlError` when it is another version's or a refusal.
    static func greet(_ lines: LineReader, channel: any Channel, path: String) async throws -> OwnerLocale? {
        let deadline = ContinuousClock.now + greetingLimit
        let limit = channel.eventLoop.scheduleTask(in: TimeAmount(greetingLimit)) { channel.close(promise: nil) }
        defer { limit.cancel() }
        guard let line = try await lines.next() else {
            try Task.checkCancellation()
            guard ContinuousClock.now < deadline else {
                throw DaemonUnreachable(path: path, silentFor: greetingLimit)
            }
            throw DaemonUnreachable(path: path, detail: "it closed the connection without a greeting")
        }
        if let refusal = try? ControlJSON.decode(AnswerLine<Empty>.self, from: line).error { throw refusal }
        let greeting: Greeting
        do {
            greeting = try ControlJSON.decode(Greeting.self, from: line)
        } catch let error as DecodingError {
            throw ControlConnection.notUnderstood(error)
        }
        guard greeting.protocol == ControlLimits.protocolVersion else {
            throw ControlError(
                code: ControlError.Code.wrongProtocol,
                message:
                    "vanorbd \(greeting.vanorb) speaks version \(greeting.protocol) of the control protocol, and this "
                    + "vanorb version \(ControlLimits.protocolVersion). After an upgrade: systemctl restart vanorb"
            )
        }
        return greeting.owner
    }
}

/// The lines of a connection, one reader.
final class LineReader: @unchecked Sendable {
    // Unchecked: used by one task at a time, within one `executeThenClose`.
    private var iterator: NIOAsyncChannelInboundStream<InboundLine>.AsyncIterator

    init(_ inbound: NIOAsyncChannelInboundStream<InboundLine>) { iterator = inbound.makeAsyncIterator() }

    /// The next line, or nil at the end.
    /// - Throws: `ControlError` when the line exceeds the limit, or the connection's error.
    func next() async throws -> Data? {
        switch try await iterator.next() {
        case .line(let line): Data(line.readableBytesView)
        case .tooLong:
            throw ControlError(
                code: ControlError.Code.lineTooLong,
                message: "The daemon sent a line of more than \(ControlLimits.lineBytes) bytes."
            )
        case nil: nil
        }
    }
}
