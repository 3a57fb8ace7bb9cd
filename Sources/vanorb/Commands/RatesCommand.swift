import ArgumentParser
import Control
import Foundation

/// `vanorb rates`
struct RatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates", abstract: "Manage exchange rates.",
        subcommands: [List.self, Set.self, Remove.self],
        defaultSubcommand: List.self)

    /// `vanorb rates list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the exchange rates.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(RatesCall.self)) { table in
                    guard !table.rates.isEmpty else { return ["No exchange rates. Set one: vanorb rates set EUR 0.86"] }
                    return table.rates.map {
                        "1 \($0.currency) = \(Text.millionths($0.millionths)) \(table.home)"
                    }
                }
            }
        }
    }

    /// `vanorb rates set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set an exchange rate.",
            discussion: """
                Examples:
                  vanorb rates set EUR 0.86
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The currency, such as EUR.") var currency: String
        @Argument(help: "What one of it is worth, such as 0.86.") var worth: String

        func run() async throws {
            try await global.acknowledge(
                RateSetCall.self, RateSetArguments(currency: currency.uppercased(), worth: worth))
        }
    }

    /// `vanorb rates remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an exchange rate.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The currency, such as EUR.") var currency: String

        func run() async throws {
            try await global.acknowledge(
                RateSetCall.self, RateSetArguments(currency: currency.uppercased(), worth: nil))
        }
    }
}
