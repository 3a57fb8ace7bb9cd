import Foundation
import NIOCore
import NIOPosix

/// The command line's end of the control socket. A call has a connection of its own, unless it is made on one
/// that stays open over several (`connected`).
///
/// A call may take as long as it wants, while the daemon shows that it lives: where nothing comes it is asked, and
/// given up when it does not answer either.
public final class ControlClient: Sendable {
    /// How long a daemon may say nothing at all: a board that is busy learning words has answered long before.
    public static let silence = Duration.seconds(20)

    private let path: String
    private let patience: Duration
    private let silence: Duration
    private let learned: @Sendable (OwnerLocale) -> Void
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// A client of the daemon on the socket `path`.
    /// - Parameters:
    ///   - patience: how long to try again while nobody answers, as the daemon may be starting.
    ///   - silence: how long the daemon may say nothing, asked whether it lives, before it is given up.
    ///   - learned: called before the first answer of each call, where the daemon says how its owner writes times.
    public init(
        path: String, patience: Duration = .seconds(2), silence: Duration = ControlClient.silence,
        learned: @escaping @Sendable (OwnerLocale) -> Void = { _ in }
    ) {
        self.path = path
        self.patience = patience
        self.silence = silence
        self.learned = learned
    }

    deinit { group.shutdownGracefully { _ in } }

    /// Makes a call and returns its result. Cancelling the task hangs up, which cancels the call in the daemon.
    /// - Throws: `DaemonUnreachable`, or `ControlError` when the call failed.
    public func call<Call: ControlCall>(_ call: Call.Type, _ arguments: Call.Arguments) async throws -> Call.Result {
        try (arguments as? any CheckedArguments)?.check()
        return try await connected { try await $0.call(call, arguments) }
    }

    /// Makes a call without arguments.
    /// - Throws: `DaemonUnreachable`, or `ControlError` when the call failed.
    public func call<Call: ControlCall>(_ call: Call.Type) async throws -> Call.Result where Call.Arguments == Empty {
        try await self.call(call, Empty())
    }

    /// Opens a stream. It ends when the daemon ends it, and fails with `DaemonUnreachable` or `ControlError`; a reader
    /// that falls thousands of events behind fails with `slow-watcher`. Dropping the stream hangs up.
    public func stream<Stream: ControlStream>(
        _ stream: Stream.Type, _ arguments: Stream.Arguments
    ) -> AsyncThrowingStream<Stream.Event, any Error> {
        let name = Stream.name
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(4_096)) { continuation in
            let reading = Task {
                do {
                    try (arguments as? any CheckedArguments)?.check()
                    try await connected { connection in
                        try await connection.events(of: name, arguments) { (event: Stream.Event) in
                            try Self.pass(event, to: continuation)
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    /// Opens a stream that takes no arguments.
    public func stream<Stream: ControlStream>(
        _ stream: Stream.Type
    ) -> AsyncThrowingStream<Stream.Event, any Error> where Stream.Arguments == Empty {
        self.stream(stream, Empty())
    }

    private static func pass<Event: Sendable>(
        _ event: Event, to continuation: AsyncThrowingStream<Event, any Error>.Continuation
    ) throws {
        if case .dropped = continuation.yield(event) {
            throw ControlError(
                code: ControlError.Code.slowWatcher, message: "The events were not taken in time; watch again."
            )
        }
    }

    /// Connects and hands the connection to `body`, for calls that belong together; it is closed afterwards. A
    /// connection on which nothing is asked for ten seconds from the start is closed by the daemon.
    /// - Throws: `DaemonUnreachable`, `ControlError`, or what `body` throws.
    public func connected<Value: Sendable>(_ body: (ControlConnection) async throws -> Value) async throws -> Value {
        let verdict = ServerPing.Verdict()
        let connector = ControlConnector(path: path, patience: patience, silence: silence, group: group)
        let connection = try await connector.connect(verdict)
        do {
            return try await connection.executeThenClose { inbound, outbound in
                let lines = LineReader(inbound)
                let owner = try await ControlConnector.greet(lines, channel: connection.channel, path: self.path)
                if let owner { self.learned(owner) }
                let lost = DaemonUnreachable(path: self.path, detail: "it closed the connection")
                return try await body(ControlConnection(lines, outbound, lost: lost))
            }
        } catch _ where verdict.hasGivenUp {
            try Task.checkCancellation()
            throw DaemonUnreachable(path: path, silentFor: silence)
        } catch let error as IOError {
            throw DaemonUnreachable(path: path, detail: "\(error)")
        } catch let error as ChannelError {
            throw DaemonUnreachable(path: path, detail: "\(error)")
        }
    }
}
