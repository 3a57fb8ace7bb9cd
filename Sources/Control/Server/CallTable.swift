import Foundation

/// The daemon's calls by name. Each entry decodes, calls and encodes; what it does is the handler's affair.
public struct CallTable: Sendable {
    /// A call's last line.
    struct Ending: Sendable {
        let line: Data
        /// True when the connection must be closed after it.
        var closesConnection = false
    }

    /// Sends one of several lines; returns once the kernel has taken it.
    typealias Writer = @Sendable (Data) async throws -> Void

    /// Answers one request line.
    typealias Entry =
        @Sendable (_ id: Int, _ line: Data, _ connection: ClientConnection, _ write: Writer) async
        -> Ending

    /// Two handlers for one name.
    struct DuplicateName: Error, Equatable {
        let name: String
    }

    private var entries: [String: Entry] = [:]
    private var departures: [@Sendable (ClientConnection) async -> Void] = []

    /// A table without calls.
    public init() {}

    /// The names, sorted.
    public var names: [String] { entries.keys.sorted() }

    func entry(_ name: String) -> Entry? { entries[name] }

    /// Adds a call. The handler runs in a task of its own, which is cancelled when the caller cancels or hangs up. It
    /// throws `ControlError` to say why it failed; any other error is sent as `failed` with its description.
    /// - Precondition: the name is new; two handlers for one call are a mistake in the program.
    public mutating func register<Call: ControlCall>(
        _ call: Call.Type, handler: @escaping @Sendable (Call.Arguments) async throws -> Call.Result
    ) {
        insist { table throws(DuplicateName) in try table.add(call, handler: handler) }
    }

    /// Adds a call whose handler learns on which connection it was made.
    /// - Precondition: the name is new; two handlers for one call are a mistake in the program.
    public mutating func registerForConnection<Call: ControlCall>(
        _ call: Call.Type, handler: @escaping @Sendable (Call.Arguments, ClientConnection) async throws -> Call.Result
    ) {
        insist { table throws(DuplicateName) in
            try table.insert(Call.name) { id, line, connection, _ in
                let arguments = try Self.arguments(Call.Arguments.self, of: line)
                return try Self.answer(ResultLine(id: id, result: try await handler(arguments, connection)))
            }
        }
    }

    /// Adds what is to be done when a connection has closed. It is done again when the last call on it has ended later
    /// than that, and the server does not end before it has been done.
    public mutating func onDisconnect(_ handler: @escaping @Sendable (ClientConnection) async -> Void) {
        departures.append(handler)
    }

    func disconnected(_ connection: ClientConnection) async {
        for departure in departures { await departure(connection) }
    }

    /// Adds a stream. The events flow until the sequence ends, the caller cancels or hangs up.
    /// - Precondition: the name is new; two handlers for one call are a mistake in the program.
    public mutating func register<Stream: ControlStream>(
        _ stream: Stream.Type,
        handler: @escaping @Sendable (Stream.Arguments) async throws -> AsyncThrowingStream<Stream.Event, any Error>
    ) {
        registerForConnection(stream) { arguments, _ in try await handler(arguments) }
    }

    /// Adds a stream whose handler learns on which connection it was asked for.
    /// - Precondition: the name is new; two handlers for one call are a mistake in the program.
    public mutating func registerForConnection<Stream: ControlStream>(
        _ stream: Stream.Type,
        handler:
            @escaping @Sendable (Stream.Arguments, ClientConnection) async throws
            -> AsyncThrowingStream<Stream.Event, any Error>
    ) {
        insist { table throws(DuplicateName) in try table.add(stream, handler: handler) }
    }

    private mutating func insist(_ add: (inout CallTable) throws(DuplicateName) -> Void) {
        do {
            try add(&self)
        } catch {
            preconditionFailure("The control socket has two handlers for \(error.name); remove one where it is wired.")
        }
    }

    mutating func add<Call: ControlCall>(
        _ call: Call.Type, handler: @escaping @Sendable (Call.Arguments) async throws -> Call.Result
    ) throws(DuplicateName) {
        try insert(Call.name) { id, line, _, _ in
            let arguments = try Self.arguments(Call.Arguments.self, of: line)
            let result = try await handler(arguments)
            return try Self.answer(ResultLine(id: id, result: result))
        }
    }

    mutating func add<Stream: ControlStream>(
        _ stream: Stream.Type,
        handler:
            @escaping @Sendable (Stream.Arguments, ClientConnection) async throws
            -> AsyncThrowingStream<Stream.Event, any Error>
    ) throws(DuplicateName) {
        try insert(Stream.name) { id, line, connection, write in
            let arguments = try Self.arguments(Stream.Arguments.self, of: line)
            for try await event in try await handler(arguments, connection) {
                try await write(try Self.bounded(EventLine(id: id, event: event)))
            }
            return try Self.bounded(ResultLine(id: id, result: Empty()))
        }
    }

    private mutating func insert(
        _ name: String, answer: @escaping @Sendable (Int, Data, ClientConnection, Writer) async throws -> Data
    ) throws(DuplicateName) {
        guard entries[name] == nil else { throw DuplicateName(name: name) }
        entries[name] = { id, line, connection, write in
            do {
                return Ending(line: try await answer(id, line, connection, write))
            } catch {
                let failure = Self.failure(error)
                return Ending(
                    line: ErrorLine(id: id, error: failure).data,
                    closesConnection: failure.code == ControlError.Code.slowWatcher
                )
            }
        }
    }

    private static func arguments<Arguments: Decodable>(_ type: Arguments.Type, of line: Data) throws -> Arguments {
        let arguments: Arguments
        do {
            if let given = try ControlJSON.decode(RequestBody<Arguments>.self, from: line).arguments {
                arguments = given
            } else if let none = try? ControlJSON.decode(Arguments.self, from: Data("{}".utf8)) {
                arguments = none
            } else {
                throw ControlError.badArguments("arguments: the field is missing")
            }
        } catch let error as DecodingError {
            throw ControlError.badArguments(error.explanation(of: line))
        }
        try (arguments as? any CheckedArguments)?.check()
        return arguments
    }

    /// A call's last line. The call has been carried out: where its answer is too long to be sent, that is said, so
    /// that nobody does again what was done.
    private static func answer(_ answer: some Encodable) throws -> Data {
        let line = try ControlJSON.encode(answer)
        guard line.count <= ControlLimits.lineBytes else {
            throw ControlError(
                code: ControlError.Code.lineTooLong,
                message: "The call was carried out, but its answer of \(line.count) bytes is over the limit of "
                    + "\(ControlLimits.lineBytes) and cannot be shown. If it was a change, that is done; "
                    + "if it was a list, ask for less, or use `vanorb export`."
            )
        }
        return line
    }

    private static func bounded(_ answer: some Encodable) throws -> Data {
        let line = try ControlJSON.encode(answer)
        guard line.count <= ControlLimits.lineBytes else {
            throw ControlError(
                code: ControlError.Code.lineTooLong,
                message:
                    "The answer has \(line.count) bytes, over the limit of \(ControlLimits.lineBytes); ask for less."
            )
        }
        return line
    }

    /// The longest message of an error, in characters.
    private static let messageCharacters = 4_000

    private static func failure(_ error: any Error) -> ControlError {
        let failure = anyFailure(error)
        guard failure.message.count > messageCharacters else { return failure }
        return ControlError(code: failure.code, message: "\(failure.message.prefix(messageCharacters))…")
    }

    private static func anyFailure(_ error: any Error) -> ControlError {
        switch error {
        case let error as ControlError: error
        case is CancellationError: ControlError(code: ControlError.Code.cancelled, message: "The call was cancelled.")
        default: ControlError(code: ControlError.Code.failed, message: "\(error)")
        }
    }
}

/// A connection on the control socket, as the handler of a call knows it: what belongs to it ends with it.
public struct ClientConnection: Sendable, Hashable {
    /// The administrator, for whom there is always a place.
    static let root: UInt32 = 0
    /// Users that the kernel does not name share one user's limits.
    static let unknownUser = UInt32.max

    /// Its number; none is given twice while the daemon runs.
    public let number: Int
    /// The user at the other end, by the kernel's word.
    public let user: UInt32

    /// The connection of this number and user.
    public init(number: Int, user: UInt32) {
        self.number = number
        self.user = user
    }
}
