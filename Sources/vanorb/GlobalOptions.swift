import ArgumentParser
import Control
import Foundation

/// What every subcommand takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket; the default can be set in VANORB_SOCKET.", valueName: "path"
        )
    )
    var socket: String = ProcessInfo.processInfo.environment["VANORB_SOCKET"] ?? "/run/vanorb/control.sock"

    @Flag(help: "Print JSON.")
    var json = false

    /// Runs `body` with a client, and turns what it throws into a message and an exit code.
    func run(_ body: (ControlClient, Output) async throws -> Void) async throws {
        let output = Output(json: json)
        do {
            try await body(ControlClient(path: socket) { Text.conventions = Conventions($0) }, output)
        } catch is OutputClosed {
            // The reader has closed its end.
            return
        } catch let error as DaemonUnreachable {
            output.complain(ControlError(code: "daemon-unreachable", message: error.description))
            throw ExitCode(2)
        } catch let error as ControlError {
            output.complain(error)
            throw ExitCode.failure
        }
    }
}

extension GlobalOptions {
    /// Makes a call that only says what it did. Exits 1 when there was nothing to do.
    func acknowledge<Call: ControlCall>(
        _ call: Call.Type, _ arguments: Call.Arguments
    ) async throws where Call.Result == Acknowledgement {
        try await run { client, output in
            let answer = try await client.call(call, arguments)
            try output.show(answer) { [$0.message] }
            guard answer.done else { throw ExitCode.failure }
        }
    }
}
