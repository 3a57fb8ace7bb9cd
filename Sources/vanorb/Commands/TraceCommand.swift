import ArgumentParser
import Control

/// `vanorb trace`
struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Trace the last turns, newest first.",
        discussion: """
            The last \(ControlLimits.traces) turns are kept in memory. With the setting trace.keep_on_disk older ones, and \
            those from before a restart, are read from the disk.

            Examples:
              vanorb trace 10
              vanorb trace 50 --skip 50
            """
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "How many turns, 1 to \(ControlLimits.traces).") var count = 1
    @Option(help: "How many of the newest turns to leave out.") var skip = 0

    func validate() throws {
        guard (1...ControlLimits.traces).contains(count) else {
            throw ValidationError("The count must be 1 to \(ControlLimits.traces).")
        }
        guard (0...ControlLimits.skippedTraces).contains(skip) else {
            throw ValidationError("--skip must be 0 to \(ControlLimits.skippedTraces).")
        }
    }

    func run() async throws {
        let arguments = TraceArguments(count: count, skip: skip == 0 ? nil : skip)
        try await global.run { client, output in
            try output.show(try await client.call(TraceCall.self, arguments)) { trace in
                guard trace.turns.isEmpty else { return trace.turns.flatMap(TurnText.full) }
                return [skip == 0 ? "No turns yet." : "No older turns."]
            }
        }
    }
}
