import ArgumentParser
import Control

/// `vanorb items`
struct ItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "What is aboard.", subcommands: [List.self], defaultSubcommand: List.self
    )

    /// `vanorb items list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists what is aboard and where.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(ItemsListCall.self), Self.lines)
            }
        }

        static func lines(_ list: ItemsListResult) -> [String] {
            guard !list.items.isEmpty else {
                return ["Nothing is listed. Try: vanorb say add a tow rope to the garage"]
            }
            var table = Table([
                ("no", .right), ("item", .left), ("quantity", .right), ("each", .right), ("place", .left),
                ("also called", .left),
            ])
            for item in list.items {
                table.add([
                    "\(item.id)", item.name, "\(item.quantity)", item.unitGrams.map { Text.weight(grams: $0) } ?? "?",
                    item.place ?? "", item.aliases.joined(separator: ", "),
                ])
            }
            return table.lines
        }
    }
}
