import ArgumentParser
import Control

/// `vanorb ledger`
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Manage the ledger.",
        subcommands: [List.self, Add.self, Correct.self, Delete.self],
        defaultSubcommand: List.self
    )

    /// `vanorb ledger list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the newest entries and the balance.",
            discussion: """
                Dates and periods are typed as they are said: yesterday, 3 May, last Monday, 2026-05-03; for
                --period also last month, this year, the last 30 days.
                Examples:
                  vanorb ledger list --period "last month" --category diesel
                """)
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("How many entries, 1 to \(ControlLimits.listEntries).", valueName: "count"))
        var limit = 20
        @Option(help: "Only entries of this category, such as diesel.") var category: String?
        @Option(help: "Only entries of this merchant.") var merchant: String?
        @Option(help: "Only entries of this account.") var account: String?
        @Option(help: ArgumentHelp("Only entries on or after this day.", valueName: "day")) var from: String?
        @Option(help: ArgumentHelp("Only entries on or before this day.", valueName: "day")) var to: String?
        @Option(help: ArgumentHelp("Only entries in this period.", valueName: "time")) var period: String?
        @Option(help: ArgumentHelp("Only entries of this trip: its number or destination.", valueName: "trip"))
        var trip: String?

        func validate() throws {
            guard (1...ControlLimits.listEntries).contains(limit) else {
                throw ValidationError("--limit must be 1 to \(ControlLimits.listEntries).")
            }
            guard [trip, period, from ?? to].count(where: { $0 != nil }) <= 1 else {
                throw ValidationError("Use only one of --trip, --period, and --from with --to.")
            }
        }

        func run() async throws {
            var arguments = LedgerListArguments(limit: limit)
            (arguments.category, arguments.merchant, arguments.account) = (category, merchant, account)
            (arguments.from, arguments.to, arguments.period, arguments.trip) = (from, to, period, trip)
            let asked = arguments
            try await global.run { client, output in
                try output.show(try await client.call(LedgerListCall.self, asked), Self.lines)
            }
        }

        static func lines(_ list: LedgerListResult) -> [String] {
            guard !list.entries.isEmpty else {
                return [
                    list.spent == nil
                        ? "The ledger is empty. Add an entry: vanorb ledger add 50 diesel" : "No matching entries."
                ]
            }
            // What no entry has takes no room.
            let hasAccounts = list.entries.contains { $0.account != nil }
            var columns: [(title: String, alignment: Table.Alignment)] = [
                ("no", .right), ("date", .left), ("amount", .right), ("category", .left), ("merchant", .left),
            ]
            if hasAccounts { columns.append(("account", .left)) }
            var table = Table(columns + [("note", .left)])
            for entry in list.entries {
                let litres = entry.millilitres.map { Text.decimal(Double($0) / 1_000, places: 1) + " l" }
                table.add(
                    [
                        "\(entry.id)", Text.date(entry.date) + (entry.timeUncertain ? " ?" : ""),
                        (entry.kind == .income ? "+" : "") + Text.money(entry.amount), entry.category ?? "",
                        entry.merchant ?? "",
                    ] + (hasAccounts ? [entry.account ?? ""] : [])
                        + [[entry.note, litres].compactMap { $0 }.joined(separator: ", ")])
            }
            let uncertain = list.entries.contains(where: \.timeUncertain) ? ["? time uncertain"] : []
            var sums: [String] = []
            if let spent = list.spent, !spent.isEmpty { sums.append("spent     \(Text.money(spent))") }
            if let received = list.received, !received.isEmpty { sums.append("received  \(Text.money(received))") }
            if list.spent == nil { sums.append("balance  \(Text.money(list.balances))") }
            return table.lines + uncertain + [""] + sums
        }
    }

    /// An entry's fields, in addition to its words.
    struct EntryOptions: ParsableArguments {
        @Option(help: "The category, such as diesel, if the words do not contain it.") var category: String?
        @Option(help: "The merchant.") var merchant: String?
        @Option(help: "A note.") var note: String?
        @Option(help: "The account, such as card or cash.") var account: String?
        @Option(help: "Litres of fuel.") var litres: String?
        @Option(help: "The date, such as yesterday, 3 May or 2026-05-03.") var date: String?
        @Flag(help: "Accept an unusual amount.") var yes = false

        func entry(_ words: [String], income: Bool?) -> EntryText {
            var entry = EntryText()
            entry.words = words.isEmpty ? nil : words.sentence
            (entry.category, entry.merchant, entry.note) = (category, merchant, note)
            (entry.account, entry.litres, entry.date, entry.income) = (account, litres, date, income)
            return entry
        }
    }

    /// `vanorb ledger add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an expense or income.",
            discussion: """
                Give the amount first, then what it was for.
                Examples:
                  vanorb ledger add 50 diesel
                  vanorb ledger add £12.50 lunch at the pub
                  vanorb ledger add 12,50 EUR groceries --merchant Lidl --date yesterday
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The amount, and what it was for.") var words: [String]
        @Flag(help: "Record income instead of an expense.") var income = false
        @OptionGroup var options: EntryOptions

        func run() async throws {
            try await global.acknowledge(
                LedgerChangeCall.self,
                LedgerChangeArguments(
                    .add, entry: options.entry(words, income: income), confirmed: options.yes))
        }
    }

    /// Which way the money went.
    enum Direction: String, EnumerableFlag {
        case income
        case expense
    }

    /// `vanorb ledger correct`
    struct Correct: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "correct", abstract: "Change an entry; fields that are not given stay.",
            discussion: """
                Examples:
                  vanorb ledger correct 42 £15
                  vanorb ledger correct last --merchant Aldi
                """,
            aliases: ["edit"])
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number in the list, or last.") var number: EntryNumber
        @Argument(help: "The amount, or what it was for, or both.") var words: [String] = []
        @Flag(help: "Make it income or an expense.") var direction: Direction?
        @OptionGroup var options: EntryOptions

        func run() async throws {
            let income = direction.map { $0 == .income }
            try await global.acknowledge(
                LedgerChangeCall.self,
                LedgerChangeArguments(
                    .correct, number: number.value, entry: options.entry(words, income: income),
                    confirmed: options.yes))
        }
    }

    /// `vanorb ledger delete`
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete an entry. `vanorb undo` brings it back.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number in the list, or last.") var number: EntryNumber

        func run() async throws {
            try await global.acknowledge(
                LedgerChangeCall.self, LedgerChangeArguments(.delete, number: number.value))
        }
    }
}

/// The number of an entry, or the word for the one that was logged last.
struct EntryNumber: ExpressibleByArgument {
    /// Nil for the last.
    let value: Int64?

    init?(argument: String) {
        guard argument != "last" else {
            value = nil
            return
        }
        guard let number = Int64(argument), number > 0 else { return nil }
        value = number
    }
}
