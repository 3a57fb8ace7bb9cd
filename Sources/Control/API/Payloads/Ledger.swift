/// An entry of the ledger as a person writes it; what is nil is not said. The daemon reads it as it reads speech.
public struct EntryText: Codable, Sendable, Equatable {
    /// Amount and purpose in one: “50 diesel”.
    public var words: String?
    /// The name of a category; where; anything else; from which account.
    public var category: String?, merchant: String?, note: String?, account: String?
    /// How much was filled in, and when.
    public var litres: String?, date: String?
    /// True for money received, false for money spent.
    public var income: Bool?

    /// Nothing said yet.
    public init() {}

    func check() throws(ControlError) {
        let fields = [
            ("category", category), ("merchant", merchant), ("note", note), ("account", account), ("litres", litres),
            ("date", date), ("words", words),
        ]
        for (name, text) in fields { if let text { try ControlLimits.check(text, "entry.\(name)") } }
    }
}

/// A change of the ledger.
public struct LedgerChangeArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What is done.
    public enum Action: String, Codable, Sendable, Equatable, CaseIterable {
        /// Writes `entry` down.
        case add
        /// Changes the entry of `number` as `entry` says.
        case correct
        /// Removes the entry of `number`.
        case delete

        /// - Throws: `DecodingError` that lists the actions.
        public init(from decoder: any Decoder) throws { self = try decoder.choice() }
    }

    /// What is done.
    public var action: Action
    /// The entry's number; nil for the last.
    public var number: Int64?
    /// What it is to be.
    public var entry: EntryText?
    /// True where a yes is given to whatever would be asked.
    public var confirmed: Bool?

    /// A change.
    public init(_ action: Action, number: Int64? = nil, entry: EntryText? = nil, confirmed: Bool? = nil) {
        self.action = action
        self.number = number
        self.entry = entry
        self.confirmed = confirmed
    }

    /// - Throws: when there is no entry where one is needed, or a text is empty or too long.
    public func check() throws(ControlError) {
        guard action == .delete || entry != nil else {
            throw .badArguments("arguments.entry: what the entry is to be is expected")
        }
        try entry?.check()
    }
}

/// An account of the ledger.
public struct AccountRow: Codable, Sendable, Equatable {
    /// Its name; nil for entries that name none.
    public let name: String?
    /// Income less expenses, for each currency.
    public let balances: [MoneyAmount]

    /// An account.
    public init(name: String?, balances: [MoneyAmount]) {
        self.name = name
        self.balances = balances
    }
}

/// The accounts.
public struct AccountsResult: Codable, Sendable, Equatable {
    /// The one without a name first.
    public let accounts: [AccountRow]

    /// Accounts.
    public init(accounts: [AccountRow]) { self.accounts = accounts }
}

/// What may be spent in a month.
public struct BudgetRow: Codable, Sendable, Equatable {
    /// The category; nil for everything together.
    public let category: String?
    /// The budget.
    public let amount: MoneyAmount
    /// What is left of it this month, negative when overspent; nil where an exchange rate is missing.
    public let left: MoneyAmount?
    /// How much of it is spent, in percent; nil as above.
    public let percent: Int64?

    /// A budget.
    public init(category: String?, amount: MoneyAmount, left: MoneyAmount?, percent: Int64?) {
        self.category = category
        self.amount = amount
        self.left = left
        self.percent = percent
    }
}

/// The budgets.
public struct BudgetsResult: Codable, Sendable, Equatable {
    /// The one for everything first.
    public let budgets: [BudgetRow]
    /// Days that the month has left after today.
    public let daysLeft: Int

    /// Budgets.
    public init(budgets: [BudgetRow], daysLeft: Int) {
        self.budgets = budgets
        self.daysLeft = daysLeft
    }
}

/// A budget to set, or to remove.
public struct BudgetSetArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What may be spent in a month, as a person writes it, and behind it the category; nil removes a budget.
    public var words: String?
    /// Whose budget is removed; nil for the one for everything.
    public var category: String?

    /// Sets a budget.
    public init(words: String) { self.words = words }

    /// Removes a budget.
    public init(removing category: String?) { self.category = category }

    /// - Throws: when a text is empty or too long.
    public func check() throws(ControlError) {
        if let words { try ControlLimits.check(words, "words") }
        if let category { try ControlLimits.check(category, "category") }
    }
}
