import Domain
import Foundation

/// What may be spent in a calendar month, and what is left of it.
extension FinanceHandler {
    /// From this share of a budget on, in percent, each expense says how much of it is gone.
    static let nearlySpent: Int64 = 90

    package static func setBudget(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies, budgets = context.stores.budgets
        let category = command.slots["category"]?.text
        let old = try await budgets.budgets().first { $0.category == category }
        var values = ["name": budgetName(category, context)]
        if let old { values["old"] = context.spoken.money(old.amount) }
        if command.slots["clear"] != nil {
            guard try await budgets.removeBudget(category: category) else {
                return Reply(replies("finance.no_budget", values))
            }
            return Reply(
                replies("finance.budget_removed", values), effects: ["budget: removed \(category ?? "overall")"],
                undo: Undo(replies("finance.undo_budget_removed", values)))
        }
        guard command.slots["span"] == nil else { return Reply(replies("finance.budget_month_only")) }
        guard let said = command.slots["money"], case .money(let minor, let currency) = said.content else {
            return Reply(replies("finance.ask_budget", values), question: .slot("money", of: command))
        }
        guard minor > 0 else { return Reply(replies("finance.budget_not_positive")) }
        let amount = Money(minorUnits: minor, currency: currency ?? context.homeCurrency)
        guard try await Exchange(context).home(amount) != nil else { return Reply(replies("finance.budget_no_rate")) }
        try await budgets.setBudget(Budget(category: category, amount: amount))
        values["amount"] = context.spoken.money(amount)
        let key = old == nil ? "finance.undo_budget_new" : "finance.undo_budget"
        return Reply(
            replies(old == nil || old?.amount == amount ? "finance.budget_set" : "finance.budget_changed", values),
            effects: ["budget: \(category ?? "overall"), \(minor) \(amount.currency)"],
            undo: Undo(replies(key, values)))
    }

    static func budgetLeft(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        let budgets = try await context.stores.budgets.budgets()
        guard !budgets.isEmpty else { return Reply(replies("finance.no_budgets")) }
        var asked = budgets
        if let category = command.slots["category"] {
            asked = budgets.filter { $0.category == category.text }
            guard !asked.isEmpty else {
                return Reply(replies("finance.no_budget", ["name": budgetName(category.text, context)]))
            }
        } else if let overall = budgets.first(where: { $0.category == nil }) {
            asked = [overall]
        }
        let exchange = try await Exchange(context)
        var sentences: [String] = [], apart: [Money] = []
        // More than five are not for the recogniser.
        for budget in asked.prefix(5) {
            guard let state = try await state(of: budget, exchange, context) else {
                sentences.append(replies("finance.budget_no_rate"))
                continue
            }
            apart += state.apart
            let values = values(of: state, budget, context)
            sentences.append(replies(state.left < 0 ? "finance.budget_over" : "finance.budget_left", values))
        }
        let days = daysLeft(context)
        sentences.append(replies(days == 0 ? "finance.last_day" : "finance.days_left", ["days": "\(days)"]))
        return Reply(sentences.joined(separator: " ") + exchange.notCounted(asked.count == 1 ? apart : [], context))
    }

    /// What an expense that is stored did to the budgets that it belongs to: “ That's 12 pounds over …”, or nothing,
    /// also where that cannot be read in time: the expense is reported all the same.
    static func budgetWarning(after entry: LedgerEntry, _ context: HandlerContext) async -> String {
        await withReplyTimeout(clock: context.clock) { try await warning(after: entry, context) } ?? ""
    }

    private static func warning(after entry: LedgerEntry, _ context: HandlerContext) async throws -> String {
        guard thisMonth(context)?.contains(entry.date) == true else { return "" }
        let budgets = try await context.stores.budgets.budgets()
        guard !budgets.isEmpty else { return "" }
        let exchange = try await Exchange(context)
        // The category's own budget tells more than the one over everything.
        let own = budgets.filter { $0.category == entry.category && $0.category != nil }
        for budget in own + budgets.filter({ $0.category == nil }) {
            guard let state = try await state(of: budget, exchange, context), state.percent >= nearlySpent else {
                continue
            }
            let key = state.left < 0 ? "finance.warn_over" : "finance.warn_near"
            return " " + context.replies(key, values(of: state, budget, context))
        }
        return ""
    }

    /// What became of a budget this month.
    package struct State {
        /// In the owner's currency, in minor units; negative when overspent.
        package let left: Int64
        package let percent: Int64
        package let apart: [Money]
    }

    /// What became of a budget this month; nil where its amount cannot be told in the owner's currency.
    package static func state(of budget: Budget, _ exchange: Exchange, _ context: HandlerContext) async throws
        -> State?
    {
        guard let allowed = exchange.home(budget.amount)?.minorUnits, allowed > 0, let month = thisMonth(context) else {
            return nil
        }
        let amounts = try await context.stores.ledger.spent(category: budget.category, in: month)
        let sum = exchange.sum(amounts)
        let spent = sum.home?.minorUnits ?? 0
        let percent = Int64(clamping: Int128(spent) * 100 / Int128(allowed))
        return State(left: allowed - spent, percent: percent, apart: sum.apart)
    }

    private static func values(of state: State, _ budget: Budget, _ context: HandlerContext) -> [String: String] {
        let left = Money(minorUnits: abs(state.left), currency: context.homeCurrency)
        return [
            "amount": context.spoken.money(left), "percent": "\(state.percent)",
            "name": budgetName(budget.category, context), "budget": context.spoken.money(budget.amount),
        ]
    }

    private static func budgetName(_ category: String?, _ context: HandlerContext) -> String {
        category.map { context.replies("finance.budget_name", ["category": $0]) }
            ?? context.replies("finance.budget_name_all")
    }

    private static func thisMonth(_ context: HandlerContext) -> DateInterval? {
        context.calendar.dateInterval(of: .month, for: context.now())
    }

    /// Days of the month after today.
    package static func daysLeft(_ context: HandlerContext) -> Int {
        guard let end = thisMonth(context)?.end else { return 0 }
        let today = context.calendar.startOfDay(for: context.now())
        return max(0, (context.calendar.dateComponents([.day], from: today, to: end).day ?? 1) - 1)
    }
}
