import Foundation
import NIOCore

/// One connection to the daemon over a sequence of calls, one after the other. What the daemon keeps for a connection,
/// such as the files that were sent on it, it drops when the connection closes.
public final class ControlConnection {
    private let lines: LineReader
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let lost: DaemonUnreachable
    /// The number of the last request; 0 is the heartbeat's.
    private var lastID = 0

    init(_ lines: LineReader, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, lost: DaemonUnreachable) {
        self.lines = lines
        self.outbound = outbound
        self.lost = lost
    }

    /// Makes a call and returns its result.
    /// - Throws: `DaemonUnreachable`, or `ControlError` when the call failed.
    public func call<Call: ControlCall>(_ call: Call.Type, _ arguments: Call.Arguments) async throws -> Call.Result {
        try await send(Call.name, arguments)
        while let line = try await lines.next() {
            let answer = try Self.decode(AnswerLine<Call.Result>.self, line)
            if let error = answer.error { throw error }
            if let result = answer.result { return result }
        }
        try Task.checkCancellation()
        throw lost
    }

    /// Makes a call without arguments.
    /// - Throws: `DaemonUnreachable`, or `ControlError` when the call failed.
    public func call<Call: ControlCall>(_ call: Call.Type) async throws -> Call.Result where Call.Arguments == Empty {
        try await self.call(call, Empty())
    }

    /// Opens a stream and hands each event to `take` until the daemon ends it. Where `take` throws, the stream goes on
    /// unread and the connection is good for nothing more: let the error leave it.
    /// - Throws: `DaemonUnreachable`, `ControlError` when the stream failed, or what `take` throws.
    public func stream<Stream: ControlStream>(
        _ stream: Stream.Type, _ arguments: Stream.Arguments, take: (Stream.Event) async throws -> Void
    ) async throws {
        try await events(of: Stream.name, arguments, take: take)
    }

    func events<Event: Codable & Sendable>(
        of name: String, _ arguments: some Encodable, take: (Event) async throws -> Void
    ) async throws {
        try await send(name, arguments)
        while let line = try await lines.next() {
            let answer = try Self.decode(StreamLine<Event>.self, line)
            if let error = answer.error { throw error }
            guard let event = answer.event else { return }
            try await take(event)
        }
        try Task.checkCancellation()
        throw lost
    }

    /// Sends a file in pieces.
    /// - Parameters:
    ///   - name: what messages call the file.
    ///   - progress: is given the share that has been sent, 0 to 1.
    /// - Returns: its number, for the call on this connection that uses it.
    /// - Throws: `DaemonUnreachable`, or `ControlError` where the file is not taken.
    public func upload(
        _ content: Data, name: String, progress: (_ share: Double) -> Void = { _ in }
    ) async throws -> Int {
        let upload = try await call(UploadBeginCall.self, UploadBeginArguments(name: name, bytes: content.count)).upload
        var rest = content[...]
        while !rest.isEmpty {
            let piece = rest.prefix(ControlLimits.pieceBytes)
            _ = try await call(UploadDataCall.self, UploadDataArguments(upload: upload, bytes: piece))
            rest = rest.dropFirst(piece.count)
            progress(1 - Double(rest.count) / Double(content.count))
        }
        return upload
    }

    private func send(_ name: String, _ arguments: some Encodable) async throws {
        try (arguments as? any CheckedArguments)?.check()
        lastID += 1
        let request = try Request(id: lastID, call: name, arguments: arguments).line
        do {
            try await outbound.write(request)
        } catch {
            // A daemon that has closed the connection has said why before.
            while let line = try? await lines.next() {
                if let reason = try? ControlJSON.decode(AnswerLine<Empty>.self, from: line).error { throw reason }
            }
            throw error
        }
    }

    private static func decode<Answer: Decodable>(_ type: Answer.Type, _ line: Data) throws -> Answer {
        do {
            return try ControlJSON.decode(type, from: line)
        } catch let error as DecodingError {
            throw notUnderstood(error)
        }
    }

    static func notUnderstood(_ error: DecodingError) -> ControlError {
        ControlError(
            code: ControlError.Code.wrongProtocol,
            message: "Can't read the daemon's answer (\(error)). "
                + "Check that vanorb and vanorbd have the same version: vanorb version"
        )
    }
}
