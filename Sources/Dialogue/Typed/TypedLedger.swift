import Domain
import Handlers
import Foundation

/// An entry of the ledger as it was typed; what is nil was not said.
public struct TypedEntry: Sendable {
    /// Amount and purpose in one: “50 diesel”.
    public var words: String?
    /// What it was for, by the name of a category; where; anything else; from which account.
    public var category: String?, merchant: String?, note: String?, account: String?
    /// How much was filled in, and when.
    public var litres: String?, date: String?
    /// Whether money came in.
    public var isIncome: Bool?

    /// Nothing said yet.
    public init() {}
}

/// Which entries are wanted, as it was typed; what is nil does not matter.
public struct TypedQuery: Sendable {
    /// A category, a shop, an account.
    public var category: String?, merchant: String?, account: String?
    /// The first and the last day, or a stretch of time, or a trip by its number or destination.
    public var from: String?, to: String?, period: String?, trip: String?

    /// All entries.
    public init() {}
}

/// The ledger, from the keyboard.
public struct TypedLedger: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext
    private var values: TypedValues { TypedValues(context) }

    /// The ledger of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    // MARK: changing

    /// Writes an entry down; an amount that surprises, with a yes.
    public func add(_ entry: TypedEntry, isConfirmed: Bool) async throws -> Reply {
        let kind: LedgerEntry.Kind = entry.isIncome == true ? .income : .expense
        let slots = try await slots(of: entry, kind)
        guard slots[.money] != nil else {
            throw TypedRefusal(
                "“\(entry.words ?? "")” has no amount at its beginning; expected such as 50, £12.50 or 12,50 EUR.")
        }
        return try await changes.carryOut(
            typed: FinanceIntent.command(intent(kind), slots, isConfirmed: isConfirmed))
    }

    /// Changes an entry: that of a number, or with nil the last.
    public func correct(_ number: Int64?, _ change: TypedEntry, isConfirmed: Bool) async throws -> Reply {
        let old = try await entry(number)
        let kind = change.isIncome.map { $0 ? LedgerEntry.Kind.income : .expense } ?? old.kind
        var slots = try await slots(of: change, kind)
        if change.isIncome != nil { slots[.direction] = SlotValue(text: kind.rawValue) }
        if let source = slots.removeValue(forKey: .source) { slots[.category] = source }
        if slots[.category] == nil, change.words == nil, let note = slots.removeValue(forKey: .note),
            let category = old.category
        {
            // A new note alone leaves the category as it is.
            slots[.category] = SlotValue(text: category, spoken: note.text)
        }
        guard !slots.isEmpty else { throw TypedRefusal("Nothing is said that should change.") }
        let command = FinanceIntent.command(.correctLast, slots, isConfirmed: isConfirmed)
        let entries = EntryKeeper(context)
        return try await changes.change(of: FinanceHandler.name) { try await entries.correct(old, by: command) }
    }

    /// Removes an entry: that of a number, or with nil the last.
    public func delete(_ number: Int64?) async throws -> Reply {
        let entry = try await entry(number), entries = EntryKeeper(context)
        return try await changes.change(of: FinanceHandler.name) { try await entries.delete(entry) }
    }

    private func entry(_ number: Int64?) async throws -> LedgerEntry {
        let ledger = context.stores.ledger
        if let number {
            guard let entry = try await ledger.entry(id: number) else {
                throw TypedRefusal("There is no entry of the number \(number). Try: vanorb ledger")
            }
            return entry
        }
        guard let last = try await ledger.last() else { throw TypedRefusal(context.replies("finance.empty").written) }
        return last
    }

    // MARK: what is meant

    /// The slots that a spoken command would have.
    private func slots(of entry: TypedEntry, _ kind: LedgerEntry.Kind) async throws -> [FinanceIntent.Slot: SlotValue] {
        let purpose = purpose(kind)
        var slots: [FinanceIntent.Slot: SlotValue] = [:]
        if let words = entry.words, words.contains(where: { !$0.isWhitespace }) {
            let found = try values.money(in: words)
            slots[.money] = found?.money
            let rest = found?.rest ?? words
            if !rest.isEmpty {
                let known = await self.slots(in: rest, kind)
                // “40 2 beers” is forty for two beers: the amount is known, and what is left has none.
                let isPurpose = known != nil && known?[.money] == nil
                slots.merge(isPurpose ? known ?? [:] : [.note: SlotValue(text: rest)]) { mine, _ in mine }
            }
        }
        if let category = entry.category {
            slots[purpose] = try await self.category(category, kind)
            if slots[.note]?.text != nil, entry.note == nil {
                slots[purpose] = SlotValue(text: slots[purpose]?.text ?? "", spoken: slots[.note]?.text ?? "")
                slots[.note] = nil
            }
        }
        if let note = entry.note {
            if let known = slots[purpose] {
                slots[purpose] = SlotValue(text: known.text, spoken: note)
            } else {
                slots[.note] = SlotValue(text: note)
            }
        }
        if let merchant = entry.merchant { slots[.merchant] = SlotValue(text: await self.merchant(merchant)) }
        if let account = entry.account { slots[.account] = SlotValue(text: await self.account(account)) }
        if let litres = entry.litres {
            slots[.litres] = SlotValue(
                text: litres, content: .measure(try values.measure(.volume, litres, "--litres", "40 or 38.5")))
        }
        if let date = entry.date { slots[.date] = try values.period(date, "--date") }
        return slots
    }

    private func intent(_ kind: LedgerEntry.Kind) -> FinanceIntent.Name { kind == .income ? .logIncome : .logExpense }

    /// The slot that says what an entry is for or from.
    private func purpose(_ kind: LedgerEntry.Kind) -> FinanceIntent.Slot { kind == .income ? .source : .category }

    /// What a text means as slots of a new entry.
    private func slots(in text: String, _ kind: LedgerEntry.Kind) async -> [FinanceIntent.Slot: SlotValue]? {
        await changes.slots(in: text, FinanceHandler.name, intent(kind).rawValue).map(FinanceIntent.slots)
    }

    /// A category by its own name, or by what is said for it.
    /// - Throws: `TypedRefusal` that names the categories.
    package func category(_ typed: String, _ kind: LedgerEntry.Kind) async throws -> SlotValue {
        let slot = purpose(kind), all = context.books.values(of: slot.rawValue, FinanceHandler.name)
        if all.contains(typed.lowercased()) { return SlotValue(text: typed.lowercased()) }
        let found = await slots(in: typed, kind)
        guard let known = found?[slot], found?.count == 1 else {
            throw TypedRefusal(
                "“\(typed)” is no category; there are \(all.joined(separator: ", ")). Anything else goes in a note.")
        }
        return known
    }

    /// A shop by its own name where it is known, else as it was typed.
    private func merchant(_ typed: String) async -> String {
        let found = await slots(in: typed, .expense)
        return found?.count == 1 ? found?[.merchant]?.text ?? typed : typed
    }

    /// An account by its own name where it is known, else as it was typed, in small letters.
    private func account(_ typed: String) async -> String {
        let found = await slots(in: typed, .income)
        return (found?.count == 1 ? found?[.account]?.text : nil) ?? typed.lowercased()
    }

    // MARK: asking

    /// What a query means.
    /// - Throws: `TypedRefusal` that names what makes no sense in it.
    public func query(_ typed: TypedQuery) async throws -> LedgerQuery {
        var query = LedgerQuery()
        if let category = typed.category {
            do { query.category = try await self.category(category, .expense).text } catch {
                // Income has categories of its own.
                guard let income = try? await self.category(category, .income) else { throw error }
                query.category = income.text
            }
        }
        if let merchant = typed.merchant { query.merchant = await self.merchant(merchant) }
        if let account = typed.account { query.account = await self.account(account) }
        query.period = try await period(typed)
        return query
    }

    private func period(_ typed: TypedQuery) async throws -> DateInterval? {
        guard [typed.trip, typed.period, typed.from ?? typed.to].count(where: { $0 != nil }) <= 1 else {
            throw TypedRefusal("--trip, --period, and --from with --to exclude each other.")
        }
        if let trip = typed.trip {
            return Nights.interval(of: try await TypedTrips(changes).find(trip), context.environment)
        }
        if let period = typed.period {
            let said = try values.period(period, "--period").period
            return said?.unit == .all ? nil : try values.interval(period, "--period", context)
        }
        guard typed.from != nil || typed.to != nil else { return nil }
        let start = try typed.from.map { try values.interval($0, "--from", context).start } ?? .distantPast
        let end = try typed.to.map { try values.interval($0, "--to", context).end } ?? .distantFuture
        guard start < end else { throw TypedRefusal("--to lies before --from.") }
        return DateInterval(start: start, end: end)
    }

    /// The accounts with their balances, the one without a name first.
    public func accounts() async throws -> [(name: String?, balances: [Money])] {
        let ledger = context.stores.ledger
        var usual = Dictionary(
            try await ledger.balances().map { ($0.currency, $0.minorUnits) }, uniquingKeysWith: { $1 })
        var named: [(name: String?, balances: [Money])] = []
        for account in try await ledger.accounts() {
            let balances = try await ledger.balances(account: account)
            for balance in balances { usual[balance.currency, default: 0] -= balance.minorUnits }
            named.append((account, balances))
        }
        let rest = usual.sorted { $0.key < $1.key }.map { Money(minorUnits: $0.value, currency: $0.key) }
        let hasUnnamed = named.isEmpty || rest.contains { $0.minorUnits != 0 }
        return (hasUnnamed ? [(nil, rest)] : []) + named
    }
}
