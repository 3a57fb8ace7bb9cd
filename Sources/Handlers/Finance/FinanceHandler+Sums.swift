import Domain
import Foundation

/// What is there, and what was spent.
extension FinanceHandler {
    /// Which entries a question is about, and the words that say so in its answer.
    struct Scope {
        var query: LedgerQuery
        /// “ on diesel at Lidl this month”, or empty.
        var about: String
        /// What is said instead of an answer: a day that does not exist, a trip that nobody knows.
        var refusal: Reply?
    }

    package static func balance(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let account = command.text("account")
        let balances = try await context.stores.ledger.balances(account: account)
        if let account, balances.isEmpty {
            return Reply(context.replies("finance.account_empty", ["account": context.spoken.the(account)]))
        }
        guard !balances.isEmpty else { return Reply(context.replies("finance.empty")) }
        let exchange = try await Exchange(context)
        let values = account.map { ["account": context.spoken.the($0)] } ?? [:]
        return exchange.reply(
            account == nil ? "finance.balance" : "finance.balance_of", values, exchange.sum(balances), context)
    }

    package static func spent(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let scope = try await scope(command, context)
        if let refusal = scope.refusal { return refusal }
        let amounts = try await context.stores.ledger.totals(scope.query)
        guard !amounts.isEmpty else {
            return Reply(context.replies("finance.spent_nothing", ["about": scope.about]))
        }
        let exchange = try await Exchange(context)
        return exchange.reply("finance.spent", ["about": scope.about], exchange.sum(amounts), context)
    }

    static func biggestExpense(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let scope = try await scope(command, context)
        if let refusal = scope.refusal { return refusal }
        let exchange = try await Exchange(context)
        let largest = try await context.stores.ledger.largest(scope.query)
        let compared = largest.compactMap { entry in exchange.home(entry.amount).map { (entry, $0.minorUnits) } }
        let apart = largest.filter { exchange.home($0.amount) == nil }
        let best = compared.max { $0.1 < $1.1 }?.0 ?? apart.first
        guard let best else { return Reply(context.replies("finance.spent_nothing", ["about": scope.about])) }
        let values = ["about": scope.about, "entry": told(best, context)]
        let rest = apart.filter { $0.id != best.id }.map(\.amount)
        return Reply(context.replies("finance.biggest", values) + exchange.notCounted(rest, context))
    }

    static func listRecent(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        // The indexes on categories and shops begin with the kind.
        let isNarrow = command.slots["category"] != nil || merchant(command) != nil
        let scope = try await scope(command, context, kind: isNarrow ? .expense : nil)
        if let refusal = scope.refusal { return refusal }
        // More than five are not for the recogniser; a screen shows them all.
        let count = command.slots["count"]?.number.map { Int(min(max($0, 1), 5)) } ?? 3
        let isOne = command.slots["only"] != nil
        let entries = try await context.stores.ledger.entries(scope.query, limit: isOne ? 1 : count)
        guard !entries.isEmpty else {
            return Reply(
                context.replies(
                    scope.about.isEmpty ? "finance.empty" : "finance.none_about",
                    [
                        "about": scope.about
                    ]))
        }
        let lines = entries.map { entry in
            told(entry, context, withDay: false)
                + context.replies(
                    "finance.part_day", ["day": context.spoken.day(entry.date, now: context.now())])
        }
        return Reply(
            context.replies(isOne ? "finance.recent_one" : "finance.recent", ["list": lines.joined(separator: "; ")]),
            action: AppAction(kind: "tab", target: "ledger"))
    }

    /// What the command's slots narrow a question down to.
    static func scope(_ command: Command, _ context: HandlerContext, kind: LedgerEntry.Kind? = .expense) async throws
        -> Scope
    {
        let replies = context.replies
        var scope = Scope(query: LedgerQuery(kind: kind), about: "")
        if let category = command.slots["category"] {
            scope.query.category = category.text
            scope.about += replies("finance.part_on", ["category": category.spoken])
        }
        if let merchant = merchant(command) {
            scope.query.merchant = merchant
            scope.about += replies("finance.part_at", ["merchant": merchant])
        }
        if let account = command.text("account") {
            scope.query.account = account
            scope.about += replies("finance.part_from", ["account": context.spoken.the(account)])
        }
        if command.slots["trip"] != nil || command.slots["this_trip"] != nil {
            guard let trip = try await trip(command, context) else {
                scope.refusal = noTrip(command, context)
                return scope
            }
            scope.query.period = time(of: trip, context)
            scope.about += replies("finance.part_trip", ["destination": trip.destination])
        } else if let said = command.slots["period"], let period = said.period {
            scope.query.period = period.interval(now: context.now(), calendar: context.calendar)
            if scope.query.period == nil, period.unit != .all { scope.refusal = Reply(replies("finance.no_such_time")) }
            if let start = scope.query.period?.start, start > context.now() {
                scope.refusal = Reply(replies("finance.future_period"))
            }
            scope.about += replies("finance.part_period", ["period": context.spoken.period(said)])
        }
        return scope
    }
}
