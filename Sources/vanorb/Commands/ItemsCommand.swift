import ArgumentParser
import Control

/// `vanorb items`
struct ItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "What is aboard.",
        subcommands: [List.self, Show.self, Add.self, Set.self, Remove.self], defaultSubcommand: List.self
    )

    /// `vanorb items list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists what is aboard and where.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Words of their names; all items without any.") var words: [String] = []
        @Option(help: "Only those in a place.") var place: String?

        func run() async throws {
            let text = words.isEmpty ? nil : words.sentence
            try await global.run { client, output in
                guard text != nil || place != nil else {
                    try output.show(try await client.call(ItemsListCall.self), Self.lines)
                    return
                }
                let found = try await client.call(ItemsFindCall.self, ItemsFindArguments(place: place, text: text))
                try output.show(found) { $0.items.isEmpty ? ["There is no such item."] : Self.lines($0) }
            }
        }

        static func lines(_ list: ItemsListResult) -> [String] {
            guard !list.items.isEmpty else {
                return ["Nothing is listed. Try: vanorb items add tow rope --place garage"]
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

    /// `vanorb items show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows an item with all that is known of it.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number or name.") var item: [String]

        func run() async throws {
            try await global.run { client, output in
                let answer = try await client.call(ItemShowCall.self, ItemArguments(item: item.sentence))
                try output.show(answer, Self.lines)
            }
        }

        static func lines(_ item: ItemRow) -> [String] {
            var table = Table([("", .left), ("", .left)])
            let rows: [(String, String)] = [
                ("item", "\(item.name) (\(item.id))"), ("quantity", "\(item.quantity)"),
                ("each", item.unitGrams.map { Text.weight(grams: $0) } ?? "unknown"),
                ("place", item.place ?? "unknown"), ("also called", item.aliases.joined(separator: ", ")),
                ("category", item.category ?? ""), ("notes", item.notes ?? ""),
            ]
            for (name, value) in rows where !value.isEmpty { table.add([name, value]) }
            return Array(table.lines.dropFirst())
        }
    }

    /// What can be said of an item.
    struct ItemOptions: ParsableArguments {
        @Option(help: "How many.") var quantity: Int?
        @Option(help: "What one weighs, such as 1.5 kg or 300 g.") var weight: String?
        @Option(help: "Where it is kept.") var place: String?
        @Option(help: "What sort of thing it is.") var category: String?
        @Option(help: "Anything else.") var notes: String?
        @Option(
            name: .customLong("alias"),
            help: "Another name; may be repeated. All others go.") var aliases: [String] = []

        /// True where nothing is said.
        var isEmpty: Bool {
            quantity == nil && [weight, place, category, notes].allSatisfy { $0 == nil } && aliases.isEmpty
        }

        func validate() throws {
            guard quantity.map({ (0...100_000).contains($0) }) ?? true else {
                throw ValidationError("--quantity: 0 to 100000 is expected.")
            }
        }

        func fields(name: String?) -> ItemText {
            var item = ItemText()
            item.name = name
            (item.quantity, item.weight, item.place) = (quantity, weight, place)
            (item.category, item.notes) = (category, notes)
            item.aliases = aliases.isEmpty ? nil : aliases
            return item
        }
    }

    /// `vanorb items add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stores an item.",
            discussion: """
                Examples:
                  vanorb items add magic carpet --place "roof box" --weight 1.5 --alias rug
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its name.") var name: [String]
        @OptionGroup var options: ItemOptions

        func run() async throws {
            try await global.acknowledge(
                ItemChangeCall.self, ItemChangeArguments(.add, fields: options.fields(name: name.sentence)))
        }
    }

    /// `vanorb items set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes what is known of an item; what is not said stays.",
            discussion: """
                An empty text takes away what was there.
                Examples:
                  vanorb items set rug --quantity 2
                  vanorb items set rug --place ""
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number or name.") var item: [String]
        @Option(help: "A new name.") var name: String?
        @OptionGroup var options: ItemOptions

        func validate() throws {
            guard name != nil || !options.isEmpty else { throw ValidationError("Nothing is said that should change.") }
        }

        func run() async throws {
            try await global.acknowledge(
                ItemChangeCall.self,
                ItemChangeArguments(.set, item: item.sentence, fields: options.fields(name: name)))
        }
    }

    /// `vanorb items remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes an item. vanorb undo brings it back.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number or name.") var item: [String]

        func run() async throws {
            try await global.acknowledge(ItemChangeCall.self, ItemChangeArguments(.remove, item: item.sentence))
        }
    }
}
