import Foundation

/// An amount of money: whole minor units of one currency.
public struct MoneyAmount: Codable, Sendable, Equatable {
    /// Pence, cents; negative when owed.
    public var minorUnits: Int64
    /// ISO 4217 code, upper case.
    public var currency: String
    /// Decimal places of the currency's minor unit: 2 for GBP, 0 for JPY.
    public var exponent: Int

    /// An amount.
    public init(minorUnits: Int64, currency: String, exponent: Int = 2) {
        self.minorUnits = minorUnits
        self.currency = currency
        self.exponent = exponent
    }
}

/// How much of the ledger is wanted.
public struct LedgerListArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// 1…1000 entries; nil for 20.
    public var limit: Int?
    /// Only those of a category, a shop, an account; as a person writes it.
    public var category: String?, merchant: String?, account: String?
    /// Only those between two days, in a stretch of time, or on a trip; as a person writes it.
    public var from: String?, to: String?, period: String?, trip: String?

    /// The newest `limit` entries.
    public init(limit: Int? = nil) { self.limit = limit }

    /// - Throws: when `limit` is out of range, or a text is empty or too long.
    public func check() throws(ControlError) {
        let texts = [
            ("category", category), ("merchant", merchant), ("account", account), ("from", from), ("to", to),
            ("period", period), ("trip", trip),
        ]
        for (name, text) in texts { if let text { try ControlLimits.check(text, name) } }
        guard let limit, !(1...ControlLimits.listEntries).contains(limit) else { return }
        throw .badArguments("arguments.limit: 1 to \(ControlLimits.listEntries) is expected, not \(limit)")
    }
}

/// An entry of the ledger.
public struct LedgerRow: Codable, Sendable, Equatable {
    /// Which way the money went.
    public enum Kind: String, Codable, Sendable, Equatable {
        /// Money spent.
        case expense
        /// Money received.
        case income
    }

    /// Its number.
    public var id: Int64
    /// Expense or income.
    public var kind: Kind
    /// Always positive; `kind` gives the direction.
    public var amount: MoneyAmount
    /// The category's canonical name.
    public var category: String?
    /// Where it was spent.
    public var merchant: String?
    /// Anything else.
    public var note: String?
    /// The account's name; nil for entries that name none.
    public var account: String?
    /// How much was filled in, in millilitres.
    public var millilitres: Int64?
    /// When it happened; whole seconds on the wire.
    public var date: Date
    /// True when the board's clock was not known to be right.
    public var timeUncertain = false

    /// An entry of the ledger's minimum; the rest is set where it is known.
    public init(id: Int64, kind: Kind, amount: MoneyAmount, category: String? = nil, date: Date) {
        self.id = id
        self.kind = kind
        self.amount = amount
        self.category = category
        self.date = date
    }
}

/// The ledger's newest entries.
public struct LedgerListResult: Codable, Sendable, Equatable {
    /// Newest first.
    public var entries: [LedgerRow]
    /// Income less expenses over the whole ledger, for each currency.
    public var balances: [MoneyAmount]
    /// What was spent and received by all entries that were asked for, also those beyond the limit; nil where all were.
    public var spent: [MoneyAmount]?, received: [MoneyAmount]?

    /// Entries and balances.
    public init(
        entries: [LedgerRow], balances: [MoneyAmount], spent: [MoneyAmount]? = nil, received: [MoneyAmount]? = nil
    ) {
        self.entries = entries
        self.balances = balances
        self.spent = spent
        self.received = received
    }
}

/// A thing aboard.
public struct ItemRow: Codable, Sendable, Equatable {
    /// Its number.
    public var id: Int64
    /// As the owner says it.
    public var name: String
    /// How many.
    public var quantity: Int
    /// Weight of one, in grams; nil when unknown.
    public var unitGrams: Int?
    /// Where it is kept; nil when unknown.
    public var place: String?
    /// Other names.
    public var aliases: [String] = []
    /// What sort of thing it is; nil where none was given.
    public var category: String?
    /// Whatever else the owner wants to know of it.
    public var notes: String?

    /// An item; the rest is set where it is known.
    public init(id: Int64, name: String, quantity: Int, unitGrams: Int? = nil, place: String? = nil) {
        self.id = id
        self.name = name
        self.quantity = quantity
        self.unitGrams = unitGrams
        self.place = place
    }
}

/// What is aboard.
public struct ItemsListResult: Codable, Sendable, Equatable {
    /// By name.
    public var items: [ItemRow]

    /// A list of items.
    public init(items: [ItemRow]) { self.items = items }
}
