import ArgumentParser
import Control
import Foundation

/// What every subcommand takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket. VANORB_SOCKET names another default.", valueName: "path"
        )
    )
    var socket: String = ProcessInfo.processInfo.environment["VANORB_SOCKET"] ?? "/run/vanorb/control.sock"

    @Flag(help: "Answer in JSON.")
    var json = false

    /// Runs `body` with a client, and turns what it throws into a message and an exit code.
    func run(_ body: (ControlClient, Output) async throws -> Void) async throws {
        let output = Output(json: json)
        do {
            try await body(ControlClient(path: socket) { Text.conventions = Conventions($0) }, output)
        } catch is OutputClosed {
            // Whoever read has enough.
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
