import Domain
import Foundation

/// What may be spent in a calendar month, and what is left of it.
package struct BudgetKeeper: Converting {
    let budgets: any BudgetStore
    let ledger: any LedgerStore
    package let rates: any RateStore
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (budgets, ledger, rates) = (context.stores.budgets, context.stores.ledger, context.stores.rates)
        environment = context.environment
    }

    private var words: LedgerWords { LedgerWords(environment: environment) }

    /// From this share of a budget on, in percent, each expense says how much of it is gone.
    private static let nearlySpent: Int64 = 90

    func set(_ change: FinanceIntent.BudgetChange, _ command: Command) async throws -> Reply {
        let category = change.category
        let old = try await budgets.budgets().first { $0.category == category }
        var values = ["name": budgetName(category)]
        if let old { values["old"] = spoken.money(old.amount) }
        if change.isRemoval {
            guard try await budgets.removeBudget(category: category) else {
                return Reply(replies("finance.no_budget", values))
            }
            return Reply(
                replies("finance.budget_removed", values), effects: ["budget: removed \(category ?? "overall")"],
                undo: Undo(replies("finance.undo_budget_removed", values)))
        }
        guard !change.isForAnotherSpan else { return Reply(replies("finance.budget_month_only")) }
        guard let said = change.amount else {
            return Reply(
                replies("finance.ask_budget", values), question: FinanceIntent.question(for: .money, of: command))
        }
        guard said.minorUnits > 0 else { return Reply(replies("finance.budget_not_positive")) }
        let amount = said.money(else: homeCurrency)
        guard try await exchange().home(amount) != nil else { return Reply(replies("finance.budget_no_rate")) }
        try await budgets.setBudget(Budget(category: category, amount: amount))
        values["amount"] = spoken.money(amount)
        let key = old == nil ? "finance.undo_budget_new" : "finance.undo_budget"
        return Reply(
            replies(old == nil || old?.amount == amount ? "finance.budget_set" : "finance.budget_changed", values),
            effects: ["budget: \(category ?? "overall"), \(amount.minorUnits) \(amount.currency)"],
            undo: Undo(replies(key, values)))
    }

    func left(category: String?) async throws -> Reply {
        let budgets = try await budgets.budgets()
        guard !budgets.isEmpty else { return Reply(replies("finance.no_budgets")) }
        var asked = budgets
        if let category {
            asked = budgets.filter { $0.category == category }
            guard !asked.isEmpty else { return Reply(replies("finance.no_budget", ["name": budgetName(category)])) }
        } else if let overall = budgets.first(where: { $0.category == nil }) {
            asked = [overall]
        }
        let exchange = try await self.exchange()
        var sentences: [Wording] = [], unconverted: [Money] = []
        // Nobody listens to more than five.
        for budget in asked.prefix(5) {
            guard let state = try await state(of: budget, exchange) else {
                sentences.append(replies("finance.budget_no_rate"))
                continue
            }
            unconverted += state.unconverted
            let values = values(of: state, budget)
            sentences.append(replies(state.left < 0 ? "finance.budget_over" : "finance.budget_left", values))
        }
        let days = daysLeft()
        sentences.append(replies(days == 0 ? "finance.last_day" : "finance.days_left", ["days": "\(days)"]))
        return Reply(sentences.joined(separator: " ") + words.notCounted(asked.count == 1 ? unconverted : []))
    }

    /// What an expense that is stored did to the budgets that it belongs to: “ That's 12 pounds over …”. Empty where
    /// there is nothing to say or it cannot be read in time: the expense is reported all the same.
    func warning(after entry: LedgerEntry) async -> Wording {
        await environment.readForReply { try await unlimitedWarning(after: entry) } ?? ""
    }

    private func unlimitedWarning(after entry: LedgerEntry) async throws -> Wording {
        guard thisMonth()?.contains(entry.date) == true else { return "" }
        let budgets = try await budgets.budgets()
        guard !budgets.isEmpty else { return "" }
        let exchange = try await self.exchange()
        // The category's own budget says more than the one over everything.
        let own = budgets.filter { $0.category == entry.category && $0.category != nil }
        for budget in own + budgets.filter({ $0.category == nil }) {
            guard let state = try await state(of: budget, exchange), state.percent >= Self.nearlySpent else {
                continue
            }
            let key = state.left < 0 ? "finance.warn_over" : "finance.warn_near"
            return " " + replies(key, values(of: state, budget))
        }
        return ""
    }

    /// How much of a budget is spent and left this month.
    package struct State {
        /// In the owner's currency, in minor units; negative when overspent.
        package let left: Int64
        package let percent: Int64
        package let unconverted: [Money]
    }

    /// What is left of a budget this month; nil where its amount cannot be converted to the owner's currency.
    package func state(of budget: Budget, _ exchange: Exchange) async throws
        -> State?
    {
        guard let allowed = exchange.home(budget.amount)?.minorUnits, allowed > 0, let month = thisMonth() else {
            return nil
        }
        let amounts = try await ledger.spent(category: budget.category, in: month)
        let sum = exchange.sum(amounts)
        let spent = sum.home?.minorUnits ?? 0
        let percent = Int64(clamping: Int128(spent) * 100 / Int128(allowed))
        return State(left: allowed - spent, percent: percent, unconverted: sum.unconverted)
    }

    private func values(of state: State, _ budget: Budget) -> [String: Wording] {
        let left = Money(minorUnits: abs(state.left), currency: homeCurrency)
        return [
            "amount": spoken.money(left), "percent": spoken.percent(state.percent),
            "name": budgetName(budget.category), "budget": spoken.money(budget.amount),
        ]
    }

    private func budgetName(_ category: String?) -> Wording {
        category.map { replies("finance.budget_name", ["category": $0]) }
            ?? replies("finance.budget_name_all")
    }

    private func thisMonth() -> DateInterval? {
        calendar.dateInterval(of: .month, for: now())
    }

    /// Days of the month after today.
    package func daysLeft() -> Int {
        guard let end = thisMonth()?.end else { return 0 }
        let today = calendar.startOfDay(for: now())
        return max(0, (calendar.dateComponents([.day], from: today, to: end).day ?? 1) - 1)
    }
}
