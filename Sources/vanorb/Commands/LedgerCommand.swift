import ArgumentParser
import Control

/// `vanorb ledger`
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "The money.", subcommands: [List.self], defaultSubcommand: List.self
    )

    /// `vanorb ledger list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the newest entries and the balance.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("How many entries, 1 to \(ControlLimits.listEntries).", valueName: "count"))
        var limit = 20

        func validate() throws {
            guard (1...ControlLimits.listEntries).contains(limit) else {
                throw ValidationError("--limit: 1 to \(ControlLimits.listEntries) is expected.")
            }
        }

        func run() async throws {
            try await global.run { client, output in
                let list = try await client.call(LedgerListCall.self, LedgerListArguments(limit: limit))
                try output.show(list, Self.lines)
            }
        }

        static func lines(_ list: LedgerListResult) -> [String] {
            guard !list.entries.isEmpty else { return ["The ledger is empty. Try: vanorb say log diesel for £50"] }
            var table = Table([
                ("no", .right), ("date", .left), ("amount", .right), ("category", .left), ("merchant", .left),
                ("note", .left),
            ])
            for entry in list.entries {
                table.add([
                    "\(entry.id)", Text.date(entry.date) + (entry.timeUncertain ? " ?" : ""),
                    (entry.kind == .income ? "+" : "") + Text.money(entry.amount), entry.category ?? "",
                    entry.merchant ?? "", entry.note ?? "",
                ])
            }
            let balances = list.balances.map(Text.money).joined(separator: ", ")
            let uncertain = list.entries.contains(where: \.timeUncertain) ? ["? time uncertain"] : []
            return table.lines + uncertain + ["", "balance  \(balances)"]
        }
    }
}
