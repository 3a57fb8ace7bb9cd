import Domain
import Handlers
import Dialogue
import Control

/// Calls that list and change the ledger, its accounts and the budgets.
struct LedgerCalls: Sendable {
    let ledger: TypedLedger
    let budgets: TypedBudgets
    let store: any LedgerStore

    init(_ conversation: Conversation, _ context: HandlerContext) {
        ledger = TypedLedger(conversation)
        budgets = TypedBudgets(conversation)
        store = context.stores.ledger
    }

    func register(in table: inout CallTable) {
        table.register(LedgerListCall.self) { [self] arguments in try await typed { try await list(arguments) } }
        table.register(LedgerChangeCall.self) { [self] arguments in
            try await typed { Acknowledgement(try await change(arguments)) }
        }
        table.register(AccountsCall.self) { [self] _ in
            AccountsResult(
                accounts: try await ledger.accounts().map { account in
                    AccountRow(name: account.name, balances: account.balances.map { MoneyAmount($0) })
                })
        }
        table.register(BudgetsCall.self) { [self] _ in
            let rows = try await budgets.all().map { facts in
                BudgetRow(
                    category: facts.budget.category, amount: MoneyAmount(facts.budget.amount),
                    left: facts.left.map { MoneyAmount($0) }, percent: facts.percent)
            }
            return BudgetsResult(budgets: rows, daysLeft: budgets.daysLeft)
        }
        table.register(BudgetSetCall.self) { [self] arguments in
            try await typed {
                guard let words = arguments.words else {
                    return Acknowledgement(try await budgets.remove(category: arguments.category))
                }
                return Acknowledgement(try await budgets.set(words))
            }
        }
    }

    private func list(_ arguments: LedgerListArguments) async throws -> LedgerListResult {
        var typed = TypedQuery()
        (typed.category, typed.merchant, typed.account) = (arguments.category, arguments.merchant, arguments.account)
        (typed.from, typed.to, typed.period) = (arguments.from, arguments.to, arguments.period)
        typed.trip = arguments.trip
        let query = try await ledger.query(typed), isPart = query != LedgerQuery()
        var (spent, received) = (query, query)
        (spent.kind, received.kind) = (.expense, .income)
        return LedgerListResult(
            entries: try await store.entries(query, limit: arguments.limit ?? 20).map { LedgerRow($0) },
            balances: try await store.balances().map { MoneyAmount($0) },
            spent: isPart ? try await store.totals(spent).map { MoneyAmount($0) } : nil,
            received: isPart ? try await store.totals(received).map { MoneyAmount($0) } : nil)
    }

    private func change(_ change: LedgerChangeArguments) async throws -> Reply {
        let entry = TypedEntry(change.entry ?? EntryText()), isConfirmed = change.confirmed == true
        return switch change.action {
        case .add: try await ledger.add(entry, isConfirmed: isConfirmed)
        case .correct: try await ledger.correct(change.number, entry, isConfirmed: isConfirmed)
        case .delete: try await ledger.delete(change.number)
        }
    }
}

extension TypedEntry {
    fileprivate init(_ entry: EntryText) {
        self.init()
        (words, category, merchant, note) = (entry.words, entry.category, entry.merchant, entry.note)
        (account, litres, date, isIncome) = (entry.account, entry.litres, entry.date, entry.income)
    }
}
