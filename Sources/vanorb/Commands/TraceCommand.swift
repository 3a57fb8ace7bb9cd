import ArgumentParser
import Control

/// `vanorb trace`
struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Shows how the last turns were understood, newest first."
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "How many turns, 1 to \(ControlLimits.traces).") var count = 1

    func validate() throws {
        guard (1...ControlLimits.traces).contains(count) else {
            throw ValidationError("1 to \(ControlLimits.traces) turns are expected.")
        }
    }

    func run() async throws {
        try await global.run { client, output in
            try output.show(try await client.call(TraceCall.self, TraceArguments(count: count))) { trace in
                trace.turns.isEmpty ? ["There has been no turn yet."] : trace.turns.flatMap(TurnText.full)
            }
        }
    }
}
