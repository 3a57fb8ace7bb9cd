import ArgumentParser
import Control

/// `vanorb modes`
struct ModesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modes", abstract: "List, check and set the van's modes.",
        subcommands: [List.self, Show.self, Set.self, Check.self], defaultSubcommand: List.self)

    /// `vanorb modes list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the modes.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(ModesCall.self)) { result in
                    var table = Table([
                        ("mode", .left), ("checks", .right), ("devices set", .right), ("also called", .left),
                    ])
                    for mode in result.modes {
                        table.add([
                            mode.name + (mode.name == result.current ? " *" : ""), "\(mode.checks)", "\(mode.actions)",
                            mode.aliases.joined(separator: ", "),
                        ])
                    }
                    return table.lines + [result.current == nil ? "No mode is set." : "* current mode"]
                }
            }
        }
    }

    /// `vanorb modes show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the current mode.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(ModesCall.self)) { [$0.current ?? "No mode is set."] }
            }
        }
    }

    /// `vanorb modes set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the mode, after the checks that a spoken command makes.",
            discussion: "If a check fails, or an action is risky, nothing is done without --yes.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The mode.") var mode: [String]
        @Flag(help: "Ignore failed checks, and carry out risky actions.") var yes = false

        func run() async throws {
            try await global.acknowledge(ModeSetCall.self, ModeArguments(mode: mode.sentence, confirmed: yes))
        }
    }

    /// `vanorb modes check`
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run a mode's checks. Exits 1 if one fails.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The mode; driving by default.") var mode: [String] = []

        func run() async throws {
            try await global.acknowledge(
                ModeCheckCall.self, ModeArguments(mode: mode.isEmpty ? nil : mode.sentence))
        }
    }
}
