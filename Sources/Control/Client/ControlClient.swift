import Foundation
import NIOCore
import NIOPosix

/// The command line's end of the control socket. Each call has a connection of its own.
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
        let request = try Request(id: 1, call: Call.name, arguments: arguments).line
        return try await exchange(request) { lines in
            while let line = try await lines.next() {
                let answer = try ControlJSON.decode(AnswerLine<Call.Result>.self, from: line)
                if let error = answer.error { throw error }
                if let result = answer.result { return result }
            }
            try Task.checkCancellation()
            throw self.lost
        }
    }

    /// Makes a call without arguments.
    /// - Throws: `DaemonUnreachable`, or `ControlError` when the call failed.
    public func call<Call: ControlCall>(_ call: Call.Type) async throws -> Call.Result where Call.Arguments == Nothing {
        try await self.call(call, Nothing())
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
                    let request = try Request(id: 1, call: name, arguments: arguments).line
                    try await exchange(request) { try await self.relay(Stream.Event.self, from: $0, to: continuation) }
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
    ) -> AsyncThrowingStream<Stream.Event, any Error> where Stream.Arguments == Nothing {
        self.stream(stream, Nothing())
    }

    private func relay<Event: Codable & Sendable>(
        _ type: Event.Type, from lines: LineReader, to continuation: AsyncThrowingStream<Event, any Error>.Continuation
    ) async throws {
        while let line = try await lines.next() {
            let answer = try ControlJSON.decode(StreamLine<Event>.self, from: line)
            if let error = answer.error { throw error }
            guard let event = answer.event else { return }
            if case .dropped = continuation.yield(event) {
                throw ControlError(
                    code: ControlError.Code.slowWatcher, message: "The events were not taken in time; watch again."
                )
            }
        }
        try Task.checkCancellation()
        throw lost
    }

    private var lost: DaemonUnreachable { DaemonUnreachable(path: path, detail: "it closed the connection") }

    /// Connects, checks the greeting, sends `request` and lets `body` read the answers.
    private func exchange<Value: Sendable>(
        _ request: ByteBuffer, _ body: @Sendable (LineReader) async throws -> Value
    ) async throws -> Value {
        let verdict = Heartbeat.Verdict()
        let connector = ControlConnector(path: path, patience: patience, silence: silence, group: group)
        let connection = try await connector.connect(verdict)
        do {
            return try await connection.executeThenClose { inbound, outbound in
                let lines = LineReader(inbound)
                let owner = try await ControlConnector.greet(lines, channel: connection.channel, path: self.path)
                if let owner { self.learned(owner) }
                try await outbound.write(request)
                return try await body(lines)
            }
        } catch _ where verdict.hasGivenUp {
            try Task.checkCancellation()
            throw DaemonUnreachable(path: path, silentFor: silence)
        } catch let error as IOError {
            throw DaemonUnreachable(path: path, detail: "\(error)")
        } catch let error as ChannelError {
            throw DaemonUnreachable(path: path, detail: "\(error)")
        } catch let error as DecodingError {
            throw ControlError(
                code: ControlError.Code.wrongProtocol,
                message: "The daemon's answer was not understood (\(error)). "
                    + "Are vanorb and vanorbd of the same version?"
            )
        }
    }
}
