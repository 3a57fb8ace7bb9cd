import Domain
import Foundation

/// How fast money goes, how long it lasts, and what a trip costs.
extension LedgerQuestions {
    /// The specification's burn rate: the last thirty days, or since the first entry.
    private static let burnDays = 30
    /// Days; a runway beyond ten years is not given in days.
    private static let farAway: Int64 = 3_650

    func averagePerDay(_ filter: FinanceIntent.Filter) async throws -> Reply {
        var scope = try await scope(filter)
        if let refusal = scope.refusal { return refusal }
        let window = try await window()
        scope.query.period = window.interval
        let amounts = try await ledger.totals(scope.query)
        guard !amounts.isEmpty else {
            return Reply(
                replies(
                    window.days == 1 ? "finance.burned_nothing_today" : "finance.burned_nothing",
                    ["about": scope.about, "days": "\(window.days)"]))
        }
        let sum = Self.perDay(try await exchange().sum(amounts), window.days)
        return words.reply("finance.burn_rate", ["about": scope.about, "days": "\(window.days)"], sum)
    }

    func runway() async throws -> Reply {
        let exchange = try await self.exchange()
        let balances = exchange.sum(try await ledger.balances())
        guard !balances.unconverted.isEmpty || balances.home != nil else { return Reply(replies("finance.empty")) }
        let window = try await window()
        let spent = exchange.sum(
            try await ledger.totals(LedgerQuery(kind: .expense, period: window.interval)))
        let suffix = words.notCounted(balances.unconverted)
        guard let balance = balances.home else {
            return Reply(spoken.money(balances.unconverted).capitalisedFirst + ". " + replies("finance.no_rate"))
        }
        let values = ["amount": spoken.money(balance)]
        guard balance.minorUnits > 0 else { return Reply(replies("finance.no_runway", values) + suffix) }
        guard let total = spent.home?.minorUnits, total > 0 else {
            return Reply(
                replies(
                    window.days == 1 ? "finance.endless_today" : "finance.endless",
                    values.merging(["days": "\(window.days)"]) { $1 }) + suffix)
        }
        let days = Int64(clamping: Int128(balance.minorUnits) * Int128(window.days) / Int128(total))
        guard days <= Self.farAway, let end = calendar.date(byAdding: .day, value: Int(days), to: now())
        else { return Reply(replies("finance.runway_far", values) + suffix) }
        let date = spoken.longDate(end, now: now())
        let rate = Money(
            minorUnits: total.dividedHalfEven(by: Int64(window.days)) ?? total, currency: exchange.home)
        let more = ["days": "\(days)", "date": date, "rate": spoken.money(rate)]
        return Reply(replies("finance.runway", values.merging(more) { $1 }) + suffix)
    }

    /// The balance, and what was spent a day over the last thirty days, as far as they can be converted to the home
    /// currency.
    package func standing() async throws -> (balance: Money?, perDay: Money?) {
        let exchange = try await self.exchange(), window = try await window()
        let spent = exchange.sum(try await ledger.totals(LedgerQuery(kind: .expense, period: window.interval)))
        return (exchange.sum(try await ledger.balances()).home, Self.perDay(spent, window.days).home)
    }

    func tripCost(_ reference: FinanceIntent.TripReference) async throws -> Reply {
        guard let trip = try await trip(reference) else { return noTrip(reference) }
        let amounts = try await ledger.totals(LedgerQuery(kind: .expense, period: time(of: trip)))
        let start = calendar.startOfDay(for: trip.start)
        let end = calendar.startOfDay(for: trip.end ?? now())
        let nights = max(0, calendar.dateComponents([.day], from: start, to: end).day ?? 0)
        var values: [String: any Worded] = ["destination": trip.destination, "nights": "\(nights)"]
        guard !amounts.isEmpty else { return Reply(replies("finance.trip_nothing", values)) }
        let sum = try await exchange().sum(amounts), each = Self.perDay(sum, max(1, nights))
        values["each"] = each.home.map { spoken.money($0) } ?? spoken.money(each.unconverted)
        let key =
            trip.end == nil
            ? (nights == 0 ? "finance.trip_no_night" : "finance.trip_so_far")
            : (nights == 0 ? "finance.trip_cost_no_night" : "finance.trip_cost")
        return words.reply(key, values, sum)
    }

    /// The trip that was named, the latest of its name; else the one under way; else the last, unless this one was
    /// asked for.
    func trip(_ reference: FinanceIntent.TripReference) async throws -> Trip? {
        if let named = reference.named { return try await trips.trips().first { named.ids.contains("\($0.id)") } }
        if let place = reference.place?.lowercased() {
            return try await trips.trips().first { $0.destination.lowercased() == place }
        }
        if reference.which == .last { return try await trips.trips().first { $0.end != nil } }
        if let current = try await trips.current() { return current }
        return reference.which == .current ? nil : try await trips.trips().first
    }

    func noTrip(_ reference: FinanceIntent.TripReference) -> Reply {
        guard let place = reference.place ?? reference.named?.text else {
            return Reply(replies("finance.no_trip"))
        }
        return Reply(replies("finance.unknown_trip", ["destination": place.capitalisedFirst]))
    }

    /// A trip's time; empty where the clock was set back meanwhile.
    func time(of trip: Trip) -> DateInterval {
        DateInterval(start: trip.start, end: max(trip.start, trip.end ?? now().addingTimeInterval(1)))
    }

    private func window() async throws -> (interval: DateInterval?, days: Int) {
        let now = environment.time.now()
        let interval = Period(unit: .lastDays, offset: Self.burnDays).interval(now: now, calendar: calendar)
        let oldest = try await ledger.firstDate() ?? now
        let elapsed = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: oldest), to: calendar.startOfDay(for: now)
        ).day
        return (interval, max(1, min(Self.burnDays, (elapsed ?? 0) + 1)))
    }

    private static func perDay(_ sum: Exchange.Sum, _ days: Int) -> Exchange.Sum {
        func share(_ amount: Money) -> Money {
            let minor = amount.minorUnits.dividedHalfEven(by: Int64(days)) ?? amount.minorUnits
            return Money(minorUnits: minor, currency: amount.currency)
        }
        return Exchange.Sum(home: sum.home.map(share), unconverted: sum.unconverted.map(share))
    }
}
