import Domain
import Foundation

/// Balances and sums of expenses.
package struct LedgerQuestions: Converting {
    let ledger: any LedgerStore
    package let rates: any RateStore
    let trips: any TripStore
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (ledger, rates, trips) = (context.stores.ledger, context.stores.rates, context.stores.trips)
        environment = context.environment
    }

    var words: LedgerWords { LedgerWords(environment: environment) }

    /// Which entries a question is about, and the words that say so in its answer.
    struct Scope {
        var query: LedgerQuery
        /// “ on diesel at Lidl this month”, or empty.
        var about: Wording
        /// What is said instead of an answer: the day does not exist, or the trip is unknown.
        var refusal: Reply?

        /// The key of a reply, or of the one about a time that has ended.
        func inTense(_ key: String, _ now: Date) -> String {
            guard let period = query.period, period.end <= now else { return key }
            return key + "_past"
        }
    }

    func balance(account: String?) async throws -> Reply {
        let balances = try await ledger.balances(account: account)
        if let account, balances.isEmpty {
            return Reply(replies("finance.account_empty", ["account": spoken.the(account)]))
        }
        guard !balances.isEmpty else { return Reply(replies("finance.empty")) }
        let values = account.map { ["account": spoken.the($0)] } ?? [:]
        return words.reply(
            account == nil ? "finance.balance" : "finance.balance_of", values, try await exchange().sum(balances))
    }

    func spent(_ filter: FinanceIntent.Filter) async throws -> Reply {
        let scope = try await scope(filter)
        if let refusal = scope.refusal { return refusal }
        let amounts = try await ledger.totals(scope.query)
        guard !amounts.isEmpty else {
            return Reply(replies(scope.inTense("finance.spent_nothing", now()), ["about": scope.about]))
        }
        return words.reply(
            scope.inTense("finance.spent", now()), ["about": scope.about], try await exchange().sum(amounts))
    }

    func biggestExpense(_ filter: FinanceIntent.Filter) async throws -> Reply {
        let scope = try await scope(filter)
        if let refusal = scope.refusal { return refusal }
        let exchange = try await self.exchange()
        let largest = try await ledger.largest(scope.query)
        let compared = largest.compactMap { entry in exchange.home(entry.amount).map { (entry, $0.minorUnits) } }
        let unconverted = largest.filter { exchange.home($0.amount) == nil }
        let best = compared.max { $0.1 < $1.1 }?.0 ?? unconverted.first
        guard let best else {
            return Reply(replies(scope.inTense("finance.spent_nothing", now()), ["about": scope.about]))
        }
        let values = ["about": scope.about, "entry": words.phrase(for: best)]
        let rest = unconverted.filter { $0.id != best.id }.map(\.amount)
        return Reply(replies("finance.biggest", values) + words.notCounted(rest))
    }

    func listRecent(_ filter: FinanceIntent.Filter, count: Double?, isOne: Bool) async throws -> Reply {
        // The indexes on categories and shops begin with the kind.
        let isNarrow = filter.category != nil || filter.merchant != nil
        let scope = try await scope(filter, kind: isNarrow ? .expense : filter.kind)
        if let refusal = scope.refusal { return refusal }
        // Nobody listens to more than five; a screen shows them all.
        let count = count.map { Int(min(max($0, 1), 5)) } ?? 3
        let entries = try await ledger.entries(scope.query, limit: isOne ? 1 : count)
        guard !entries.isEmpty else {
            return Reply(
                replies(scope.about.isEmpty ? "finance.empty" : "finance.none_about", ["about": scope.about]))
        }
        let lines = entries.map { entry in
            words.phrase(for: entry, withDay: false)
                + replies(
                    "finance.part_day", ["day": spoken.day(entry.date, now: now())])
        }
        return Reply(
            replies(isOne ? "finance.recent_one" : "finance.recent", ["list": lines.joined(separator: "; ")]),
            action: AppAction(kind: "tab", target: "ledger"))
    }

    /// The query that a filter means, and its words.
    func scope(_ filter: FinanceIntent.Filter, kind: LedgerEntry.Kind? = .expense) async throws -> Scope {
        var scope = Scope(query: LedgerQuery(kind: kind), about: "")
        if let category = filter.category {
            scope.query.category = category.text
            scope.about += replies("finance.part_on", ["category": category.spoken])
        }
        if let merchant = filter.merchant {
            scope.query.merchant = merchant
            scope.about += replies("finance.part_at", ["merchant": merchant])
        }
        if let account = filter.account {
            scope.query.account = account
            scope.about += replies("finance.part_from", ["account": spoken.the(account)])
        }
        if filter.trip.isSaid {
            guard let trip = try await trip(filter.trip) else {
                scope.refusal = noTrip(filter.trip)
                return scope
            }
            scope.query.period = time(of: trip)
            scope.about += replies("finance.part_trip", ["destination": trip.destination])
        } else if let said = filter.period, let period = said.period {
            scope.query.period = period.interval(now: now(), calendar: calendar)
            if scope.query.period == nil, period.unit != .all { scope.refusal = Reply(replies("finance.no_such_time")) }
            if let start = scope.query.period?.start, start > now() {
                scope.refusal = Reply(replies("finance.future_period"))
            }
            scope.about += replies("finance.part_period", ["period": spoken.period(said)])
        }
        return scope
    }
}
