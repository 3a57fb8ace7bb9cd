import Domain
import Foundation

/// Writes down what was spent and received.
package struct EntryKeeper: Converting {
    let ledger: any LedgerStore
    package let rates: any RateStore
    /// Says what an expense did to them.
    let budgets: BudgetKeeper
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (ledger, rates, budgets) = (context.stores.ledger, context.stores.rates, BudgetKeeper(context))
        environment = context.environment
    }

    var words: LedgerWords { LedgerWords(environment: environment) }

    /// Above this, in major units of the owner's currency, an amount is more likely misheard than meant, and has to be
    /// confirmed.
    private static let surprising: Int64 = 10_000

    func log(
        _ kind: LedgerEntry.Kind, _ details: FinanceIntent.EntryDetails, _ command: Command
    ) async throws -> Reply {
        guard let amount = details.amount else {
            return Reply(replies("finance.ask_amount"), question: FinanceIntent.question(for: .money, of: command))
        }
        guard amount.minorUnits > 0 else { return Reply(replies("finance.not_positive")) }
        var category = details.category?.text ?? details.filled ?? details.source?.text
        let hasPurpose = category != nil || details.note != nil, shop = details.merchant
        if kind == .expense, !hasPurpose, shop == nil {
            return Reply(
                replies("finance.ask_category"), question: FinanceIntent.question(for: .category, of: command))
        }
        let millilitres = details.litres.map(Self.millilitres)
        if case .some(.none) = millilitres { return Reply(replies("finance.bad_litres")) }
        let date: Date
        switch day(of: details.date, command) {
        case .day(let found): date = found
        case .reply(let reply): return reply
        }
        if !hasPurpose, let shop {
            // What was bought there the last time is the likeliest again.
            category = try await ledger.latest(at: shop)?.category
        }
        let note = details.category?.spoken ?? details.note ?? details.payer
        let entry = LedgerEntry(
            kind: kind, amount: amount.money(else: homeCurrency), category: category, merchant: shop,
            note: note.map(\.capitalisedFirst), account: details.account, millilitres: millilitres ?? nil, date: date,
            timeUncertain: !environment.time.isCertain())
        if let question = try await questionIfSurprising(entry, command) { return question }
        return try await store(entry, incomeFrom: details.source?.spoken ?? details.payer)
    }

    private func store(_ entry: LedgerEntry, incomeFrom source: String?) async throws -> Reply {
        let stored = try await ledger.add(entry)
        let effect =
            "ledger: \(stored.kind.rawValue) \(stored.id), \(stored.amount.minorUnits) \(stored.amount.currency)"
        let text =
            stored.kind == .expense
            ? replies("finance.logged", ["entry": words.phrase(for: stored)]) + (await budgets.warning(after: stored))
            : incomeText(stored, from: source)
        let undone = replies("finance.undo_log", ["entry": words.phrase(for: stored, withDay: false)])
        return Reply(text, effects: [effect], undo: Undo(undone))
    }

    private func incomeText(_ entry: LedgerEntry, from source: String?) -> Wording {
        let isToday = calendar.isDate(entry.date, inSameDayAs: now())
        let day = isToday ? "" : replies("finance.part_day", ["day": spoken.day(entry.date, now: now())])
        let account = entry.account.map { replies("finance.part_account", ["account": $0]) } ?? ""
        let values: [String: any Worded] = [
            "amount": spoken.money(entry.amount), "source": source ?? "", "day": day, "account": account,
        ]
        return replies(source == nil ? "finance.logged_income" : "finance.logged_income_from", values)
    }

    /// The question for an amount that is larger than anybody spends on the road, or a hundred times what such a thing
    /// usually costs: more likely it was misheard. Nil for others.
    func questionIfSurprising(_ entry: LedgerEntry, _ command: Command) async throws -> Reply? {
        guard !command.isConfirmed else { return nil }
        let amount = try await exchange().home(entry.amount) ?? entry.amount
        let scale = (0..<Money.exponent(of: amount.currency)).reduce(Int64(1)) { product, _ in product * 10 }
        let isLarge = amount.minorUnits > Self.surprising * scale
        if !isLarge, try await !isFarFromUsual(entry) { return nil }
        return Reply(
            replies("finance.confirm_amount", ["entry": words.phrase(for: entry)]),
            question: .confirmation(of: command))
    }

    /// What is usual is the middle one of the newest entries of its category and currency; of fewer than three nobody
    /// can tell.
    private func isFarFromUsual(_ entry: LedgerEntry) async throws -> Bool {
        let query = LedgerQuery(kind: entry.kind, category: entry.category)
        let amounts = try await ledger.entries(query, limit: Self.remembered)
            .filter { $0.category == entry.category && $0.amount.currency == entry.amount.currency }
            .map(\.amount.minorUnits).sorted()
        guard amounts.count >= Self.fewest else { return false }
        let (limit, overflows) = amounts[amounts.count / 2].multipliedReportingOverflow(by: Self.unusual)
        return !overflows && limit > 0 && entry.amount.minorUnits >= limit
    }

    /// How many entries tell what is usual, how few tell nothing, and how many times as much is asked about.
    private static let remembered = 20, fewest = 3, unusual: Int64 = 100

    /// Litres as millilitres; nil for an amount that no tank holds.
    static func millilitres(_ litres: Double) -> Int64? {
        // A lorry's tank holds less.
        guard litres > 0, litres <= 10_000 else { return nil }
        return max(1, Int64((litres * 1_000).rounded()))
    }

    enum EntryDay {
        case day(Date)
        case reply(Reply)
    }

    /// The moment that an entry belongs to: now where no day was said, else that day's noon.
    func day(of period: Period?, _ command: Command) -> EntryDay {
        let now = environment.time.now()
        guard let period else { return .day(now) }
        guard let interval = period.interval(now: now, calendar: calendar) else {
            return .reply(Reply(replies("finance.bad_date")))
        }
        guard interval.start <= now else { return .reply(Reply(replies("finance.future_date"))) }
        if interval.contains(now) { return .day(now) }
        guard calendar.isDate(interval.start, inSameDayAs: interval.end.addingTimeInterval(-1)) else {
            return .reply(
                Reply(replies("finance.ask_day"), question: FinanceIntent.question(for: .date, of: command)))
        }
        return .day(interval.start.addingTimeInterval(12 * 3600))
    }
}
