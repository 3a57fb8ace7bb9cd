import Domain
import Foundation

/// The ledger: what was spent and received, and what is left.
package struct FinanceHandler: Handler {
    package static let name = "finance"
    package static let intents = FinanceIntent.names

    let entries: EntryKeeper
    let budgets: BudgetKeeper
    let questions: LedgerQuestions
    package let environment: HandlerEnvironment

    package func act(on command: Command) async throws -> Reply {
        var reply =
            switch try FinanceIntent(command) {
            case .log(let kind, let details): try await entries.log(kind, details, command)
            case .correctLast(let details): try await entries.correctLast(details, command)
            case .delete(let id): try await entries.delete(id: id, command)
            case .deleteMany: Reply(replies("finance.delete_one_by_one"))
            case .balance(let account): try await questions.balance(account: account)
            case .spent(let filter): try await questions.spent(filter)
            case .biggestExpense(let filter): try await questions.biggestExpense(filter)
            case .averagePerDay(let filter): try await questions.averagePerDay(filter)
            case .runway: try await questions.runway()
            case .setBudget(let change): try await budgets.set(change, command)
            case .budgetLeft(let category): try await budgets.left(category: category)
            case .listRecent(let filter, let count, let isOne):
                try await questions.listRecent(filter, count: count, isOne: isOne)
            case .tripCost(let trip): try await questions.tripCost(trip)
            }
        reply.palette = .finance
        return reply
    }
}
