import ArgumentParser
import Control

/// `vanorb items`
struct ItemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "items", abstract: "Manage the inventory.",
        subcommands: [List.self, Show.self, Add.self, Set.self, Remove.self], defaultSubcommand: List.self
    )

    /// `vanorb items list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the inventory.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Only items with these words in their names.") var words: [String] = []
        @Option(help: "Only items in this place.") var place: String?

        func run() async throws {
            let text = words.isEmpty ? nil : words.sentence
            try await global.run { client, output in
                guard text != nil || place != nil else {
                    try output.show(try await client.call(ItemsListCall.self), Self.lines)
                    return
                }
                let found = try await client.call(ItemsFindCall.self, ItemsFindArguments(place: place, text: text))
                try output.show(found) { $0.items.isEmpty ? ["No matching items."] : Self.lines($0) }
            }
        }

        static func lines(_ list: ItemsListResult) -> [String] {
            guard !list.items.isEmpty else {
                return ["No items. Add one: vanorb items add tow rope --place garage"]
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
        static let configuration = CommandConfiguration(abstract: "Show an item.")
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
        @Option(help: "Its category.") var category: String?
        @Option(help: "A note.") var notes: String?
        @Option(
            name: .customLong("alias"),
            help: "Another name; may be repeated. Replaces all present aliases.") var aliases: [String] = []

        /// True where nothing is said.
        var isEmpty: Bool {
            quantity == nil && [weight, place, category, notes].allSatisfy { $0 == nil } && aliases.isEmpty
        }

        func validate() throws {
            guard quantity.map({ (0...100_000).contains($0) }) ?? true else {
                throw ValidationError("--quantity must be 0 to 100000.")
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
            abstract: "Add an item.",
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
            abstract: "Change an item; fields that are not given stay.",
            discussion: """
                An empty text clears the field.
                Examples:
                  vanorb items set rug --quantity 2
                  vanorb items set rug --place ""
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number or name.") var item: [String]
        @Option(help: "A new name.") var name: String?
        @OptionGroup var options: ItemOptions

        func validate() throws {
            guard name != nil || !options.isEmpty else {
                throw ValidationError("Nothing to change. Give at least one option.")
            }
        }

        func run() async throws {
            try await global.acknowledge(
                ItemChangeCall.self,
                ItemChangeArguments(.set, item: item.sentence, fields: options.fields(name: name)))
        }
    }

    /// `vanorb items remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove an item. `vanorb undo` brings it back.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number or name.") var item: [String]

        func run() async throws {
            try await global.acknowledge(ItemChangeCall.self, ItemChangeArguments(.remove, item: item.sentence))
        }
    }
}
