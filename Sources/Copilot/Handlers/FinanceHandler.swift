import Foundation

/// The ledger: what was spent and received, and what is left.
enum FinanceHandler: Handler {
    static let name = "finance"
    static let intents = [
        "log_expense", "log_income", "balance", "spent", "average_per_day", "list_recent", "delete_last",
    ]

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        var reply =
            switch command.intent {
            case "log_expense": try await log(command, .expense, context)
            case "log_income": try await log(command, .income, context)
            case "balance": try await balance(context)
            case "spent": try await spent(command, context)
            case "average_per_day": try await averagePerDay(context)
            case "list_recent": try await listRecent(context)
            default: try await deleteLast(context)
            }
        reply.palette = .finance
        return reply
    }

    private static func log(_ command: Command, _ kind: LedgerEntry.Kind, _ context: HandlerContext) async throws
        -> Reply
    {
        let replies = context.replies, spoken = context.spoken
        guard let amount = command.slots["money"], case .money(let minor, let currency) = amount.content else {
            return Reply(replies("finance.ask_amount"), question: .slot("money", of: command))
        }
        guard minor > 0 else { return Reply(replies("finance.not_positive")) }
        let purpose = command.slots["category"] ?? command.slots["note"]
        if kind == .expense, purpose == nil {
            return Reply(replies("finance.ask_category"), question: .slot("category", of: command))
        }
        let now = context.now()
        var date = now
        if let period = command.slots["date"]?.period {
            guard let interval = period.interval(now: now, calendar: context.calendar) else {
                return Reply(replies("finance.bad_date"))
            }
            guard interval.start <= now else { return Reply(replies("finance.future_date")) }
            // A day other than today has no better time than its noon.
            if !interval.contains(now) { date = interval.start.addingTimeInterval(12 * 3600) }
        }
        let said = command.slots["category"].map(\.spoken) ?? command.slots["note"]?.text
        let entry = try await context.stores.ledger.add(
            LedgerEntry(
                kind: kind, amount: Money(minorUnits: minor, currency: currency ?? context.homeCurrency),
                category: command.text("category") ?? command.text("source"),
                note: said.map(\.capitalisedFirst), date: date, timeUncertain: !context.isTimeCertain()))
        let values = [
            "amount": spoken.money(entry.amount), "purpose": said ?? command.slots["source"]?.spoken ?? "",
            "day": spoken.day(date, now: now),
        ]
        let isToday = context.calendar.isDate(date, inSameDayAs: now)
        let key =
            kind == .expense
            ? (isToday ? "finance.logged" : "finance.logged_on")
            : (command.slots["source"] == nil ? "finance.logged_income" : "finance.logged_income_from")
        return Reply(
            replies(key, values), effects: ["ledger: \(kind.rawValue) \(entry.id), \(minor) \(entry.amount.currency)"],
            undo: Undo(replies("finance.undo_log", values)))
    }

    private static func balance(_ context: HandlerContext) async throws -> Reply {
        let balances = try await context.stores.ledger.balances()
        guard !balances.isEmpty else { return Reply(context.replies("finance.empty")) }
        return Reply(context.replies("finance.balance", ["amount": context.spoken.money(sorted(balances, context))]))
    }

    private static func spent(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let category = command.slots["category"]
        let period = command.slots["period"]
        let interval = period?.period?.interval(now: context.now(), calendar: context.calendar)
        let amounts = try await context.stores.ledger.spent(category: category?.text, in: interval)
        let values = [
            "amount": context.spoken.money(sorted(amounts, context)), "category": category?.spoken ?? "",
            "period": period?.spoken ?? "",
        ]
        let found = amounts.isEmpty ? "finance.spent_nothing" : "finance.spent"
        let suffix = (category == nil ? "" : "_on") + (period == nil ? "" : "_in")
        return Reply(context.replies(found + suffix, values))
    }

    private static func averagePerDay(_ context: HandlerContext) async throws -> Reply {
        // The specification's burn rate: the last thirty days, or since the first entry.
        let days = 30
        let now = context.now()
        let interval = Period(unit: .lastDays, offset: days).interval(now: now, calendar: context.calendar)
        let amounts = try await context.stores.ledger.spent(category: nil, in: interval)
        guard !amounts.isEmpty else { return Reply(context.replies("finance.spent_nothing")) }
        let oldest = try await context.stores.ledger.firstDate() ?? now
        let elapsed =
            (context.calendar.dateComponents(
                [.day], from: context.calendar.startOfDay(for: oldest), to: context.calendar.startOfDay(for: now)
            ).day ?? 0) + 1
        let span = Int64(max(1, min(days, elapsed)))
        let averages = amounts.map { Money(minorUnits: ($0.minorUnits + span / 2) / span, currency: $0.currency) }
        return Reply(
            context.replies(
                "finance.burn_rate", ["amount": context.spoken.money(sorted(averages, context)), "days": "\(span)"]))
    }

    private static func listRecent(_ context: HandlerContext) async throws -> Reply {
        let entries = try await context.stores.ledger.entries(limit: 3)
        guard !entries.isEmpty else { return Reply(context.replies("finance.empty")) }
        let lines = entries.map { entry in
            context.replies(
                "finance.recent_entry",
                [
                    "amount": context.spoken.money(entry.amount),
                    "purpose": (entry.note ?? entry.category ?? entry.kind.rawValue).lowercased(),
                    "day": context.spoken.day(entry.date, now: context.now()),
                ])
        }
        return Reply(context.replies("finance.recent", ["list": context.spoken.list(lines)]))
    }

    private static func deleteLast(_ context: HandlerContext) async throws -> Reply {
        let ledger = context.stores.ledger
        guard let last = try await ledger.last() else { return Reply(context.replies("finance.empty")) }
        let values = [
            "amount": context.spoken.money(last.amount),
            "purpose": (last.note ?? last.category ?? last.kind.rawValue).lowercased(),
        ]
        guard try await ledger.remove(id: last.id) else { return Reply(context.replies("finance.empty")) }
        return Reply(
            context.replies("finance.deleted", values), effects: ["ledger: deleted \(last.id)"],
            undo: Undo(context.replies("finance.undo_delete", values)))
    }

    /// The owner's currency first.
    private static func sorted(_ amounts: [Money], _ context: HandlerContext) -> [Money] {
        amounts.sorted { one, other in
            let home = context.homeCurrency
            return one.currency == home || (other.currency != home && one.currency < other.currency)
        }
    }
}
