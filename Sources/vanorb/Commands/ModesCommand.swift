import ArgumentParser
import Control

/// `vanorb modes`
struct ModesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modes", abstract: "The van's modes.",
        subcommands: [List.self, Show.self, Set.self, Check.self], defaultSubcommand: List.self)

    /// `vanorb modes list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the modes.")
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
                    return table.lines + [result.current == nil ? "No mode is set." : "* the van's mode"]
                }
            }
        }
    }

    /// `vanorb modes show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows the mode that the van is in.")
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
            abstract: "Switches to a mode, after the checks that a spoken command makes.",
            discussion: "Where a check fails, or something risky would be done, nothing is; --yes does it anyway.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The mode.") var mode: [String]
        @Flag(help: "Do what is risky, and pass over checks that fail.") var yes = false

        func run() async throws {
            try await global.acknowledge(ModeSetCall.self, ModeArguments(mode: mode.sentence, confirmed: yes))
        }
    }

    /// `vanorb modes check`
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what stands against a mode. Exits 1 where something does.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The mode; driving without one.") var mode: [String] = []

        func run() async throws {
            try await global.acknowledge(
                ModeCheckCall.self, ModeArguments(mode: mode.isEmpty ? nil : mode.sentence))
        }
    }
}
