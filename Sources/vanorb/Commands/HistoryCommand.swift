import ArgumentParser
import Control

/// `vanorb history`
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show or repeat the last turns.",
        subcommands: [List.self, Speak.self], defaultSubcommand: List.self
    )

    /// `vanorb history list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the last turns.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(HistoryCall.self)) { history in
                    guard !history.entries.isEmpty else { return ["No turns yet."] }
                    var table = Table([("turn", .right), ("", .left), ("", .left)])
                    for entry in history.entries {
                        table.add(["\(entry.turn)", "you", entry.user])
                        table.add(["", "VanOrb", entry.assistant])
                    }
                    return table.lines
                }
            }
        }
    }

    /// `vanorb history speak`
    struct Speak: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Speak a reply again.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The turn's number in the history.") var turn: Int

        func run() async throws {
            try await global.acknowledge(HistorySpeakCall.self, HistorySpeakArguments(turn: turn))
        }
    }
}
