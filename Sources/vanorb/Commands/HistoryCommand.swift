import ArgumentParser
import Control

/// `vanorb history`
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What was said and answered last.",
        subcommands: [List.self, Speak.self], defaultSubcommand: List.self
    )

    /// `vanorb history list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Shows what was said and answered last.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(HistoryCall.self)) { history in
                    guard !history.entries.isEmpty else { return ["Nothing has been said yet."] }
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
            abstract: "Speaks a reply again, and prints it when it has been heard.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The turn's number, as the history has it.") var turn: Int

        func run() async throws {
            try await global.acknowledge(HistorySpeakCall.self, HistorySpeakArguments(turn: turn))
        }
    }
}
