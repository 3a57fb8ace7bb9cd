import Domain
import Handlers

/// A budget and what is left of it this month.
public struct BudgetFacts: Sendable {
    /// The budget.
    public let budget: Budget
    /// In the owner's currency, negative when overspent; nil where no exchange rate is known.
    public let left: Money?
    /// How much of it is spent; nil as above.
    public let percent: Int64?
}

/// The budgets, from the keyboard.
public struct TypedBudgets: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext

    /// The budgets of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    /// All budgets with what is left of them.
    public func all() async throws -> [BudgetFacts] {
        let keeper = BudgetKeeper(context), exchange = try await keeper.exchange()
        var facts: [BudgetFacts] = []
        for budget in try await context.stores.budgets.budgets() {
            let state = try await keeper.state(of: budget, exchange)
            facts.append(
                BudgetFacts(
                    budget: budget, left: state.map { Money(minorUnits: $0.left, currency: context.homeCurrency) },
                    percent: state?.percent))
        }
        return facts
    }

    /// How many days the month has left after today.
    public var daysLeft: Int { BudgetKeeper(context).daysLeft() }

    /// Sets the budget of a category, or without one that for everything: “300 groceries”.
    public func set(_ words: String) async throws -> Reply {
        guard let found = try TypedValues(context).money(in: words) else {
            throw TypedRefusal("“\(words)” has no amount at its beginning; expected such as 300 groceries.")
        }
        var slots = try await slots(found.rest.isEmpty ? nil : found.rest)
        slots[.money] = found.money
        return try await act(slots)
    }

    /// Removes the budget of a category, or with nil the one for everything.
    public func remove(category: String?) async throws -> Reply {
        var slots = try await slots(category)
        slots[.clear] = SlotValue(text: "")
        return try await act(slots)
    }

    private func slots(_ category: String?) async throws -> [FinanceIntent.Slot: SlotValue] {
        guard let category else { return [:] }
        return [.category: try await TypedLedger(changes).category(category, .expense)]
    }

    private func act(_ slots: [FinanceIntent.Slot: SlotValue]) async throws -> Reply {
        try await changes.carryOut(typed: FinanceIntent.command(.setBudget, slots))
    }
}
