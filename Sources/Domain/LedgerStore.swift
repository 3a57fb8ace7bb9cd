import Foundation

/// One entry of the ledger.
public struct LedgerEntry: Sendable, Equatable, Codable {
    /// Which way the money went.
    public enum Kind: String, Sendable, Codable {
        /// Money spent.
        case expense
        /// Money received.
        case income
    }

    /// The store's number for it; 0 until it is stored.
    public var id: Int64
    /// Expense or income.
    public var kind: Kind
    /// Always positive; `kind` gives the direction.
    public var amount: Money
    /// The category's canonical name, such as `diesel`.
    public var category: String?
    /// Where it was spent.
    public var merchant: String?
    /// Anything else.
    public var note: String?
    /// The account's name; nil for the usual one.
    public var account: String?
    /// How much was filled in, in millilitres.
    public var millilitres: Int64?
    /// When it happened.
    public var date: Date
    /// True when the board's clock was not known to be right as the entry was made.
    public var timeUncertain: Bool

    /// An entry that is not stored yet.
    public init(
        id: Int64 = 0, kind: Kind, amount: Money, category: String? = nil, merchant: String? = nil, note: String? = nil,
        account: String? = nil, millilitres: Int64? = nil, date: Date, timeUncertain: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.amount = amount
        self.category = category
        self.merchant = merchant
        self.note = note
        self.account = account
        self.millilitres = millilitres
        self.date = date
        self.timeUncertain = timeUncertain
    }
}

/// Which entries of the ledger are meant; what is nil does not matter.
public struct LedgerQuery: Sendable, Equatable {
    /// Expense or income.
    public var kind: LedgerEntry.Kind?
    /// The category's canonical name.
    public var category: String?
    /// Where it was spent; upper and lower case are one.
    public var merchant: String?
    /// The account's name.
    public var account: String?
    /// When; the start belongs to it, the end does not.
    public var period: DateInterval?

    /// A query.
    public init(
        kind: LedgerEntry.Kind? = nil, category: String? = nil, merchant: String? = nil, account: String? = nil,
        period: DateInterval? = nil
    ) {
        self.kind = kind
        self.category = category
        self.merchant = merchant
        self.account = account
        self.period = period
    }
}

/// The ledger.
public protocol LedgerStore: Sendable {
    /// Stores the entry and returns it with its number. It is safe on the disk when the call returns.
    func add(_ entry: LedgerEntry) async throws -> LedgerEntry
    /// Replaces the entry with the same number; false when there is none.
    func update(_ entry: LedgerEntry) async throws -> Bool
    /// Removes an entry; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool
    /// The entry of this number, or nil.
    func entry(id: Int64) async throws -> LedgerEntry?
    /// The latest entry by time of logging, or nil.
    func last() async throws -> LedgerEntry?
    /// The newest entries first, by date.
    func entries(limit: Int) async throws -> [LedgerEntry]
    /// The entries that `query` means, newest first by date, at most `limit` of them.
    func entries(_ query: LedgerQuery, limit: Int) async throws -> [LedgerEntry]
    /// The sums of the entries that `query` means, without regard to their kind, for each currency that occurs.
    func totals(_ query: LedgerQuery) async throws -> [Money]
    /// The largest of the entries that `query` means, one for each currency that occurs.
    func largest(_ query: LedgerQuery) async throws -> [LedgerEntry]
    /// The newest expense at a shop, by date, or nil; upper and lower case are one.
    func latest(at merchant: String) async throws -> LedgerEntry?
    /// The date of the earliest entry, or nil.
    func firstDate() async throws -> Date?
    /// Income less expenses, for each currency that occurs.
    func balances() async throws -> [Money]
    /// Income less expenses of one account, or with nil of all, for each currency that occurs.
    func balances(account: String?) async throws -> [Money]
    /// The names of the accounts that occur.
    func accounts() async throws -> [String]
    /// What was spent, for each currency that occurs; nil for `category` means all, nil for `period` means ever.
    func spent(category: String?, in period: DateInterval?) async throws -> [Money]
}

/// A line of a table that can be stored.
public struct LedgerTableRow: Sendable, Equatable {
    /// The line of the file.
    public var line: Int
    /// The entry; its number is the one that the file has, 0 where it has none.
    public var entry: LedgerEntry
    /// How many milliseconds behind its date the entry may lie, since the file is not more precise: a second, a
    /// minute or a day.
    public var span: Int64
    /// Its occurrence index among lines of the same content, from 1.
    public var copy: Int

    /// A line.
    public init(line: Int, entry: LedgerEntry, span: Int64, copy: Int) {
        self.line = line
        self.entry = entry
        self.span = span
        self.copy = copy
    }
}

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
