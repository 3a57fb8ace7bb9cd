import Foundation
import Logging
import SystemTestKit
import Testing

@testable import Control

/// A turn in which `text` was typed and repeated.
func echo(_ text: String) -> TraceRecord {
    TraceRecord(
        .init(turn: 1, source: .text, startedAt: Date(timeIntervalSince1970: 0)), heard: .init(text),
        result: .init(reply: text, outcome: .done))
}

/// Calls that answer without a daemon behind them.
func echoCalls() -> CallTable {
    var calls = CallTable()
    calls.register(VersionCall.self) { _ in VersionResult(version: "1.2.3") }
    calls.register(SayCall.self) { arguments in echo(arguments.text) }
    calls.register(PressCall.self) { arguments in
        Acknowledgement(message: arguments.gesture.rawValue)
    }
    calls.register(TraceCall.self) { arguments in
        TraceResult(turns: Array(repeating: echo("again"), count: arguments.count ?? 1))
    }
    calls.register(UndoCall.self) { _ in throw ControlError(code: "empty", message: "There is nothing to undo.") }
    calls.register(CloseCall.self) { _ in
        // Ends only when it is cancelled.
        try await Task.sleep(for: .seconds(3_600))
        return Acknowledgement(message: "unexpected")
    }
    return calls
}

/// Runs a server on a socket in a folder of its own while `body` runs, and waits for its end.
func withServer<Value: Sendable>(
    owner: OwnerLocale? = nil, calls: CallTable = echoCalls(), watch: WatchHub = WatchHub(),
    patience: Duration = .seconds(10), alive: @escaping @Sendable () async -> Void = {},
    places: Places? = nil, _ body: @escaping @Sendable (_ path: String) async throws -> Value
) async throws -> Value {
    try await withFolder { folder in
        let path = "\(folder)/control.sock"
        var server = ControlServer(
            socket: .init(path: path, patience: patience), identity: .init(version: "1.2.3", owner: owner),
            calls: calls,
            watch: watch, alive: alive, logger: Logger(label: "test")
        )
        if let places {
            server.peerUser = { $0.eventLoop.makeSucceededFuture(places.user) }
            server.now = { places.now }
        }
        return try await withRunning(server) { try await body(path) }
    }
}

/// Runs `server` while `body` runs, and waits for its end.
func withRunning<Value: Sendable>(
    _ server: ControlServer, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let (ready, signal) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
        defer { signal.finish() }
        try await server.run { signal.yield() }
    }
    var isReady = false
    for await _ in ready {
        isReady = true
        break
    }
    // Without a server there is only its error to report.
    if !isReady { try await running.value }
    do {
        let value = try await body()
        running.cancel()
        try await running.value
        return value
    } catch {
        running.cancel()
        _ = await running.result
        throw error
    }
}
