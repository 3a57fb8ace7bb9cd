/// What may be spent in a calendar month.
public struct Budget: Sendable, Equatable, Codable {
    /// The category's canonical name; nil for everything together.
    public var category: String?
    /// The amount for each calendar month.
    public var amount: Money

    /// A budget for each calendar month.
    public init(category: String?, amount: Money) {
        self.category = category
        self.amount = amount
    }
}

/// The owner's budgets: at most one for a category, and one for everything.
public protocol BudgetStore: Sendable {
    /// All budgets, the one for everything first.
    func budgets() async throws -> [Budget]
    /// Sets a budget in the place of the one that its category has.
    func setBudget(_ budget: Budget) async throws
    /// Removes a category's budget, or with nil the one for everything; false when there is none.
    func removeBudget(category: String?) async throws -> Bool
}
