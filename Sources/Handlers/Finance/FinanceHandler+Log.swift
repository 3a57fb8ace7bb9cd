import Domain
import Foundation

/// Writing down what was spent and received.
extension FinanceHandler {
    /// Above this, in major units at home, an amount is more likely misheard than meant, and a yes is asked for.
    static let surprising: Int64 = 10_000

    package static func log(_ command: Command, _ kind: LedgerEntry.Kind, _ context: HandlerContext) async throws
        -> Reply
    {
        let replies = context.replies
        guard let amount = command.slots["money"], case .money(let minor, let currency) = amount.content else {
            return Reply(replies("finance.ask_amount"), question: .slot("money", of: command))
        }
        guard minor > 0 else { return Reply(replies("finance.not_positive")) }
        let money = Money(minorUnits: minor, currency: currency ?? context.homeCurrency)
        let shop = merchant(command)
        let purpose =
            command.slots["category"] ?? command.slots["note"] ?? command.slots["filled"] ?? command.slots["source"]
        if kind == .expense, purpose == nil, shop == nil {
            return Reply(replies("finance.ask_category"), question: .slot("category", of: command))
        }
        let litres: Int64?
        switch millilitres(command) {
        case .none: litres = nil
        case .some(let value):
            guard let value else { return Reply(replies("finance.bad_litres")) }
            litres = value
        }
        let date: Date
        switch day(of: command, context) {
        case .day(let found): date = found
        case .reply(let reply): return reply
        }
        var category = command.text("category") ?? command.text("filled") ?? command.text("source")
        if category == nil, purpose == nil, let shop {
            // What was bought there the last time is the likeliest again.
            category = try await context.stores.ledger.latest(at: shop)?.category
        }
        let said = command.slots["category"]?.spoken ?? command.slots["note"]?.text ?? command.slots["payer"]?.text
        let entry = LedgerEntry(
            kind: kind, amount: money, category: category, merchant: shop, note: said.map(\.capitalisedFirst),
            account: command.text("account"), millilitres: litres, date: date,
            timeUncertain: !context.isTimeCertain())
        if let question = try await askIfSurprising(entry, command, context) { return question }
        return try await stored(entry, command, context)
    }

    private static func stored(_ entry: LedgerEntry, _ command: Command, _ context: HandlerContext) async throws
        -> Reply
    {
        let stored = try await context.stores.ledger.add(entry)
        let effect =
            "ledger: \(stored.kind.rawValue) \(stored.id), \(stored.amount.minorUnits) \(stored.amount.currency)"
        let text =
            stored.kind == .expense
            ? context.replies("finance.logged", ["entry": told(stored, context)])
                + (await budgetWarning(after: stored, context))
            : incomeText(stored, command, context)
        let undone = context.replies("finance.undo_log", ["entry": told(stored, context, withDay: false)])
        return Reply(text, effects: [effect], undo: Undo(undone))
    }

    private static func incomeText(_ entry: LedgerEntry, _ command: Command, _ context: HandlerContext) -> String {
        let from = command.slots["source"]?.spoken ?? command.slots["payer"]?.text
        let now = context.now()
        let isToday = context.calendar.isDate(entry.date, inSameDayAs: now)
        let day = isToday ? "" : context.replies("finance.part_day", ["day": context.spoken.day(entry.date, now: now)])
        let account = entry.account.map { context.replies("finance.part_account", ["account": $0]) } ?? ""
        let values = [
            "amount": context.spoken.money(entry.amount), "source": from ?? "", "day": day, "account": account,
        ]
        return context.replies(from == nil ? "finance.logged_income" : "finance.logged_income_from", values)
    }

    /// The question for an amount that is larger than anybody spends on the road; nil for others.
    static func askIfSurprising(_ entry: LedgerEntry, _ command: Command, _ context: HandlerContext) async throws
        -> Reply?
    {
        guard !command.isConfirmed else { return nil }
        let amount = try await Exchange(context).home(entry.amount) ?? entry.amount
        let scale = (0..<Money.exponent(of: amount.currency)).reduce(Int64(1)) { product, _ in product * 10 }
        guard amount.minorUnits > surprising * scale else { return nil }
        return Reply(
            context.replies("finance.confirm_amount", ["entry": told(entry, context)]),
            question: .confirmation(of: command))
    }

    /// The litres that were said, as millilitres: nil inside for an amount that makes no sense, nil outside for none.
    package static func millilitres(_ command: Command) -> Int64?? {
        guard let litres = command.slots["litres"]?.number else { return .none }
        // A lorry's tank holds less.
        guard litres > 0, litres <= 10_000 else { return .some(nil) }
        return .some(max(1, Int64((litres * 1_000).rounded())))
    }

    package enum Day {
        case day(Date)
        case reply(Reply)
    }

    /// The moment that an entry belongs to.
    package static func day(of command: Command, _ context: HandlerContext) -> Day {
        let now = context.now(), replies = context.replies
        guard let period = command.slots["date"]?.period else { return .day(now) }
        guard let interval = period.interval(now: now, calendar: context.calendar) else {
            return .reply(Reply(replies("finance.bad_date")))
        }
        guard interval.start <= now else { return .reply(Reply(replies("finance.future_date"))) }
        if interval.contains(now) { return .day(now) }
        guard context.calendar.isDate(interval.start, inSameDayAs: interval.end.addingTimeInterval(-1)) else {
            return .reply(Reply(replies("finance.ask_day"), question: .slot("date", of: command)))
        }
        // A day other than today has no better time than its noon.
        return .day(interval.start.addingTimeInterval(12 * 3600))
    }
}
