import Domain
import Foundation

/// How fast money goes, how long it lasts, and what a trip costs.
extension FinanceHandler {
    /// The specification's burn rate: the last thirty days, or since the first entry.
    private static let burnDays = 30
    /// Beyond ten years no runway is told in days.
    private static let farAway: Int64 = 3_650

    static func averagePerDay(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        var scope = try await scope(command, context)
        if let refusal = scope.refusal { return refusal }
        let window = try await window(context)
        scope.query.period = window.interval
        let amounts = try await context.stores.ledger.totals(scope.query)
        guard !amounts.isEmpty else {
            return Reply(
                context.replies(
                    window.days == 1 ? "finance.burned_nothing_today" : "finance.burned_nothing",
                    ["about": scope.about, "days": "\(window.days)"]))
        }
        let exchange = try await Exchange(context)
        let sum = perDay(exchange.sum(amounts), window.days)
        return exchange.reply(
            "finance.burn_rate", ["about": scope.about, "days": "\(window.days)"], sum, context)
    }

    static func runway(_ context: HandlerContext) async throws -> Reply {
        let replies = context.replies, exchange = try await Exchange(context)
        let balances = exchange.sum(try await context.stores.ledger.balances())
        guard !balances.apart.isEmpty || balances.home != nil else { return Reply(replies("finance.empty")) }
        let window = try await window(context)
        let spent = exchange.sum(
            try await context.stores.ledger.totals(LedgerQuery(kind: .expense, period: window.interval)))
        let suffix = exchange.notCounted(balances.apart, context)
        guard let balance = balances.home else {
            return Reply(context.spoken.money(balances.apart).capitalisedFirst + ". " + replies("finance.no_rate"))
        }
        let values = ["amount": context.spoken.money(balance)]
        guard balance.minorUnits > 0 else { return Reply(replies("finance.no_runway", values) + suffix) }
        guard let total = spent.home?.minorUnits, total > 0 else {
            return Reply(
                replies(
                    window.days == 1 ? "finance.endless_today" : "finance.endless",
                    values.merging(["days": "\(window.days)"]) { $1 }) + suffix)
        }
        let days = Int64(clamping: Int128(balance.minorUnits) * Int128(window.days) / Int128(total))
        guard days <= farAway, let end = context.calendar.date(byAdding: .day, value: Int(days), to: context.now())
        else { return Reply(replies("finance.runway_far", values) + suffix) }
        let date = context.spoken.longDate(end, now: context.now())
        let rate = Money(
            minorUnits: total.dividedHalfEven(by: Int64(window.days)) ?? total, currency: exchange.home)
        let told = ["days": "\(days)", "date": date, "rate": context.spoken.money(rate)]
        return Reply(replies("finance.runway", values.merging(told) { $1 }) + suffix)
    }

    /// The balance, and what is spent a day over the last thirty days, as far as they can be told in the home currency.
    package static func standing(_ context: HandlerContext) async throws -> (balance: Money?, perDay: Money?) {
        let exchange = try await Exchange(context), ledger = context.stores.ledger, window = try await window(context)
        let spent = exchange.sum(try await ledger.totals(LedgerQuery(kind: .expense, period: window.interval)))
        return (exchange.sum(try await ledger.balances()).home, perDay(spent, window.days).home)
    }

    static func tripCost(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let trip = try await trip(command, context) else { return noTrip(command, context) }
        let amounts = try await context.stores.ledger.totals(
            LedgerQuery(kind: .expense, period: time(of: trip, context)))
        let start = context.calendar.startOfDay(for: trip.start)
        let end = context.calendar.startOfDay(for: trip.end ?? context.now())
        let nights = max(0, context.calendar.dateComponents([.day], from: start, to: end).day ?? 0)
        var values = ["destination": trip.destination, "nights": "\(nights)"]
        guard !amounts.isEmpty else { return Reply(context.replies("finance.trip_nothing", values)) }
        let exchange = try await Exchange(context)
        let sum = exchange.sum(amounts), each = perDay(sum, max(1, nights))
        values["each"] = each.home.map { context.spoken.money($0) } ?? context.spoken.money(each.apart)
        let key =
            trip.end == nil
            ? (nights == 0 ? "finance.trip_no_night" : "finance.trip_so_far")
            : (nights == 0 ? "finance.trip_cost_no_night" : "finance.trip_cost")
        return exchange.reply(key, values, sum, context)
    }

    /// The trip that was named, the latest of its name; else the one under way; else the last, unless this one was
    /// asked for.
    package static func trip(_ command: Command, _ context: HandlerContext) async throws -> Trip? {
        let trips = context.stores.trips
        if let named = command.slots["trip"] {
            let ids = Set(named.names.map(\.id))
            return try await trips.trips().first { ids.contains("\($0.id)") }
        }
        guard command.slots["where"] == nil else { return nil }
        if command.text("this_trip") == "last" { return try await trips.trips().first { $0.end != nil } }
        if let current = try await trips.current() { return current }
        return command.text("this_trip") == "current" ? nil : try await trips.trips().first
    }

    static func noTrip(_ command: Command, _ context: HandlerContext) -> Reply {
        guard let place = command.text("where") ?? command.text("trip") else {
            return Reply(context.replies("finance.no_trip"))
        }
        return Reply(context.replies("finance.unknown_trip", ["destination": place.capitalisedFirst]))
    }

    /// A trip's days. One whose clock ran backwards has none.
    package static func time(of trip: Trip, _ context: HandlerContext) -> DateInterval {
        DateInterval(start: trip.start, end: max(trip.start, trip.end ?? context.now().addingTimeInterval(1)))
    }

    private static func window(_ context: HandlerContext) async throws -> (interval: DateInterval?, days: Int) {
        let now = context.now(), calendar = context.calendar
        let interval = Period(unit: .lastDays, offset: burnDays).interval(now: now, calendar: calendar)
        let oldest = try await context.stores.ledger.firstDate() ?? now
        let elapsed = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: oldest), to: calendar.startOfDay(for: now)
        ).day
        return (interval, max(1, min(burnDays, (elapsed ?? 0) + 1)))
    }

    private static func perDay(_ sum: Exchange.Sum, _ days: Int) -> Exchange.Sum {
        func share(_ amount: Money) -> Money {
            let minor = amount.minorUnits.dividedHalfEven(by: Int64(days)) ?? amount.minorUnits
            return Money(minorUnits: minor, currency: amount.currency)
        }
        return Exchange.Sum(home: sum.home.map(share), apart: sum.apart.map(share))
    }
}
