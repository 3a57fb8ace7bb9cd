import ArgumentParser
import Control

/// `vanorb budget`
struct BudgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "Manage monthly budgets.",
        subcommands: [List.self, Set.self, Remove.self], defaultSubcommand: List.self)

    /// `vanorb budget list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the budgets and what is left of them this month.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(BudgetsCall.self), Self.lines)
            }
        }

        static func lines(_ result: BudgetsResult) -> [String] {
            guard !result.budgets.isEmpty else { return ["No budgets. Set one: vanorb budget set 300 groceries"] }
            var table = Table([("for", .left), ("a month", .right), ("left", .right), ("spent", .right)])
            for budget in result.budgets {
                table.add([
                    budget.category ?? "everything", Text.money(budget.amount),
                    budget.left.map(Text.money) ?? "no rate", budget.percent.map { "\($0) %" } ?? "?",
                ])
            }
            return table.lines + ["", "\(result.daysLeft) days left this month"]
        }
    }

    /// `vanorb budget set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the monthly budget of a category, or of everything.",
            discussion: """
                Examples:
                  vanorb budget set 300 groceries
                  vanorb budget set 900
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The amount, such as 300 or €250, and the category; everything together without one.")
        var words: [String]

        func run() async throws {
            try await global.acknowledge(BudgetSetCall.self, BudgetSetArguments(words: words.sentence))
        }
    }

    /// `vanorb budget remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the budget of a category, or of everything.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The category; everything together without one.") var category: [String] = []

        func run() async throws {
            try await global.acknowledge(
                BudgetSetCall.self,
                BudgetSetArguments(removing: category.isEmpty ? nil : category.sentence))
        }
    }
}

/// `vanorb accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the accounts with their balances.",
        discussion: """
            An account exists once an entry names it.
            Examples:
              vanorb ledger add 50 diesel --account card
            """)
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            try output.show(try await client.call(AccountsCall.self)) { result in
                var table = Table([("account", .left), ("balance", .right)])
                for account in result.accounts {
                    table.add([
                        account.name ?? "(no account)",
                        account.balances.isEmpty ? "nothing" : Text.money(account.balances),
                    ])
                }
                return table.lines
            }
        }
    }
}
