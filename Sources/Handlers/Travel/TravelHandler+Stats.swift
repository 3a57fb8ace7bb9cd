import Domain
import Foundation

/// What trips were like, in numbers.
extension TravelHandler {
    package static func nights(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let extent = try await Extent.find(command, context)
        if let missing = extent.missing { return .failed(missing) }
        var values = extent.values
        if let trip = extent.trip {
            values["nights"] = "\(Nights.count(of: trip, context))"
            let none = values["nights"] == "0" ? "no_" : ""
            return Reply(context.replies("travel.\(none)nights\(trip.end == nil ? "" : "_of")", values))
        }
        let trips = try await context.stores.trips.trips()
        let sum = trips.reduce(0) { $0 + Nights.count(of: $1, in: extent.interval, context) }
        values["nights"] = "\(sum)"
        return Reply(context.replies(sum == 0 ? "travel.no_nights_in" : "travel.nights_in", values))
    }

    package static func countries(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        let isTripKnown = try await context.stores.trips.current() != nil
        let extent = try await Extent.find(command, context, standard: isTripKnown ? .currentTrip : .everything)
        if let missing = extent.missing { return .failed(missing) }
        let found = try await countries(in: extent, context)
        guard !found.isEmpty else { return .failed(replies("travel.no_countries", extent.values)) }
        var values = extent.values
        values["count"] = "\(found.count)"
        values["list"] = context.spoken.list(found.map { replies.country($0) })
        return Reply(replies("travel.countries", values))
    }

    /// The countries of one trip.
    package static func countries(of trip: Trip, _ context: HandlerContext) async throws -> [String] {
        try await countries(in: Extent(trip: trip, interval: Nights.interval(of: trip, context)), context)
    }

    /// From the stops that the receiver noted, and from the trips' destinations; in the order of the first visit.
    private static func countries(in extent: Extent, _ context: HandlerContext) async throws -> [String] {
        let trips = context.stores.trips
        var visits = try await trips.stops(in: extent.interval).compactMap { stop in
            stop.country.map { (date: stop.date, code: $0) }
        }
        var all = extent.trip.map { [$0] } ?? []
        if extent.trip == nil { all = try await trips.trips() }
        for trip in all {
            if extent.trip == nil, let interval = extent.interval,
                !interval.intersects(Nights.interval(of: trip, context))
            {
                continue
            }
            if let code = context.replies.country(of: trip.destination) { visits.append((trip.start, code)) }
        }
        var seen = Set<String>()
        return visits.sorted { $0.date < $1.date }.map(\.code).filter { seen.insert($0).inserted }
    }

    package static func list(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        let all = try await context.stores.trips.trips()
        guard !all.isEmpty else { return Reply(replies("travel.no_trips")) }
        let extent = try await Extent.find(command, context, standard: .everything)
        if let missing = extent.missing { return .failed(missing) }
        let trips = all.filter { trip in
            extent.interval.map { $0.intersects(Nights.interval(of: trip, context)) } ?? true
        }
        var values = extent.values
        values["count"] = "\(trips.count)"
        guard !trips.isEmpty else { return Reply(replies("travel.no_trips_in", values)) }
        let shown = trips.prefix(5).map(\.destination)
        values["list"] = context.spoken.list(shown)
        values["rest"] = "\(trips.count - shown.count)"
        return Reply(replies(trips.count > 5 ? "travel.list_more" : "travel.list", values))
    }

    static func stats(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies, spoken = context.spoken
        var extent = try await Extent.find(command, context, standard: .everything)
        if let missing = extent.missing { return .failed(missing) }
        if extent.trip == nil, command.slots["period"] == nil, command.text("which") == nil {
            // Nothing was said: the trip under way, else the last one.
            guard let latest = try await context.stores.trips.trips().first else {
                return Reply(replies("travel.no_trips"))
            }
            var named = command
            named.slots["trip"] = SlotValue(
                text: latest.destination, content: .names([OwnerName(name: latest.destination, id: "\(latest.id)")]))
            extent = try await Extent.find(named, context)
        }
        var nights = extent.trip.map { Nights.count(of: $0, context) } ?? 0
        if extent.trip == nil {
            let trips = try await context.stores.trips.trips()
            nights = trips.reduce(0) { $0 + Nights.count(of: $1, in: extent.interval, context) }
        }
        var values = extent.values
        values["nights"] = "\(nights)"
        var parts = [replies("travel.stats_nights", values)]
        let metres = try await Driven(context).metres(in: extent.interval)
        if let metres {
            values["distance"] = spoken.distance(metres: Double(metres), context.distanceUnit)
            parts.append(replies("travel.stats_distance", values))
        } else {
            parts.append(replies("travel.stats_no_distance"))
        }
        let spent = try await context.stores.ledger.spent(category: nil, in: extent.interval)
            .sorted { $0.currency == context.homeCurrency && $1.currency != context.homeCurrency }
        if spent.isEmpty {
            parts.append(replies("travel.stats_no_spend"))
        } else {
            values["amount"] = spoken.money(spent)
            parts.append(replies("travel.stats_spend", values))
            values["each"] = nights > 0 ? spoken.money(spent.map { share($0, of: Double(nights)) }) : nil
            let hundreds = Double(metres ?? 0) / (100 * context.distanceUnit.metres)
            if nights > 0 { parts.append(replies("travel.stats_per_night", values)) }
            if hundreds >= 0.1 {
                values["each"] = spoken.money(spent.map { share($0, of: hundreds) })
                values["unit"] = replies("travel.unit_\(context.distanceUnit.rawValue)")
                parts.append(replies("travel.stats_per_hundred", values))
            }
        }
        let countries = try await countries(in: extent, context)
        if !countries.isEmpty {
            values["count"] = "\(countries.count)"
            values["list"] = spoken.list(countries.map { replies.country($0) })
            parts.append(replies("travel.stats_countries", values))
        }
        return Reply(parts.joined(separator: " "))
    }

    /// An equal share, to the nearest minor unit.
    package static func share(_ amount: Money, of parts: Double) -> Money {
        Money(minorUnits: Int64((Double(amount.minorUnits) / parts).rounded()), currency: amount.currency)
    }

    static func whereAmI(_ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        guard let here = await Whereabouts.find(context) else {
            let trip = try await context.stores.trips.current()
            guard let trip else { return .failed(replies("travel.nowhere")) }
            return Reply(
                replies(
                    "travel.nowhere_trip",
                    ["destination": trip.destination, "day": context.spoken.day(trip.start, now: context.now())]))
        }
        let values = [
            "place": here.place(context), "ago": (here.ago(context) ?? "").capitalisedFirst,
            "coordinates": here.coordinates(context, decimals: 3, spelled: false),
        ]
        return Reply(replies(here.isCurrent ? "travel.here" : "travel.here_last", values))
    }
}
