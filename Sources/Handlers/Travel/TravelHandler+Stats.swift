import Domain
import Foundation

/// What trips were like, in numbers.
extension TravelHandler {
    func nights(_ reference: TravelIntent.ExtentReference) async throws -> Reply {
        let extent = try await extent(reference)
        if let missing = extent.missing { return .failed(missing) }
        var values = extent.values
        if let trip = extent.trip {
            values["nights"] = "\(nights(of: trip))"
            let none = values["nights"]?.wording == "0" ? "no_" : ""
            return Reply(replies("travel.\(none)nights\(trip.end == nil ? "" : "_of")", values))
        }
        let sum = try await trips.trips().reduce(0) { $0 + nights(of: $1, in: extent.interval) }
        values["nights"] = "\(sum)"
        return Reply(replies(sum == 0 ? "travel.no_nights_in" : "travel.nights_in", values))
    }

    func countries(_ reference: TravelIntent.ExtentReference) async throws -> Reply {
        let isTripKnown = try await trips.current() != nil
        let extent = try await extent(reference, standard: isTripKnown ? .currentTrip : .everything)
        if let missing = extent.missing { return .failed(missing) }
        let found = try await countries(in: extent)
        guard !found.isEmpty else { return .failed(replies("travel.no_countries", extent.values)) }
        var values = extent.values
        values["count"] = "\(found.count)"
        values["list"] = spoken.list(found.map { replies.country($0) })
        return Reply(replies("travel.countries", values))
    }

    /// The countries of one trip.
    package func countries(of trip: Trip) async throws -> [String] {
        try await countries(in: extent(of: trip))
    }

    /// From the stops that the receiver noted, and from the trips' destinations; in the order of the first visit.
    private func countries(in extent: Extent) async throws -> [String] {
        var visits = try await trips.stops(in: extent.interval).compactMap { stop in
            stop.country.map { (date: stop.date, code: $0) }
        }
        var all = extent.trip.map { [$0] } ?? []
        if extent.trip == nil { all = try await trips.trips() }
        for trip in all {
            if extent.trip == nil, let interval = extent.interval,
                !interval.intersects(Nights.interval(of: trip, environment))
            {
                continue
            }
            if let code = replies.country(of: trip.destination) { visits.append((trip.start, code)) }
        }
        var seen = Set<String>()
        return visits.sorted { $0.date < $1.date }.map(\.code).filter { seen.insert($0).inserted }
    }

    func list(_ reference: TravelIntent.ExtentReference) async throws -> Reply {
        let all = try await trips.trips()
        guard !all.isEmpty else { return Reply(replies("travel.no_trips")) }
        let extent = try await extent(reference, standard: .everything)
        if let missing = extent.missing { return .failed(missing) }
        let trips = all.filter { trip in
            extent.interval.map { $0.intersects(Nights.interval(of: trip, environment)) } ?? true
        }
        var values = extent.values
        values["count"] = "\(trips.count)"
        guard !trips.isEmpty else { return Reply(replies("travel.no_trips_in", values)) }
        let shown = trips.prefix(5).map(\.destination)
        values["list"] = spoken.list(shown)
        values["rest"] = "\(trips.count - shown.count)"
        return Reply(replies(trips.count > 5 ? "travel.list_more" : "travel.list", values))
    }

    func stats(_ reference: TravelIntent.ExtentReference) async throws -> Reply {
        let spoken = spoken
        var extent = try await extent(reference, standard: .everything)
        if let missing = extent.missing { return .failed(missing) }
        if extent.trip == nil, reference.period == nil, reference.which == nil {
            // Nothing was said: the trip under way, else the last one.
            guard let latest = try await trips.trips().first else {
                return Reply(replies("travel.no_trips"))
            }
            extent = self.extent(of: latest)
        }
        let nights =
            if let trip = extent.trip {
                self.nights(of: trip)
            } else {
                try await trips.trips().reduce(0) { $0 + self.nights(of: $1, in: extent.interval) }
            }
        var values = extent.values
        values["nights"] = "\(nights)"
        var parts = [replies("travel.stats_nights", values)]
        let metres = try await driven.metres(in: extent.interval)
        if let metres {
            values["distance"] = distance(metres: metres)
            parts.append(replies("travel.stats_distance", values))
        } else {
            parts.append(replies("travel.stats_no_distance"))
        }
        let spent = try await ledger.spent(category: nil, in: extent.interval)
            .sorted { $0.currency == homeCurrency && $1.currency != homeCurrency }
        if spent.isEmpty {
            parts.append(replies("travel.stats_no_spend"))
        } else {
            values["amount"] = spoken.money(spent)
            parts.append(replies("travel.stats_spend", values))
            values["each"] = nights > 0 ? spoken.money(spent.map { Self.share($0, of: Double(nights)) }) : nil
            let hundreds = Double(metres ?? 0) / (100 * environment.region.distanceUnit.metres)
            if nights > 0 { parts.append(replies("travel.stats_per_night", values)) }
            if hundreds >= 0.1 {
                values["each"] = spoken.money(spent.map { Self.share($0, of: hundreds) })
                values["unit"] = replies("travel.unit_\(environment.region.distanceUnit.rawValue)")
                parts.append(replies("travel.stats_per_hundred", values))
            }
        }
        let countries = try await countries(in: extent)
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

    func whereAmI() async throws -> Reply {
        guard let here = await Whereabouts.find(location, trips, environment) else {
            let trip = try await trips.current()
            guard let trip else { return .failed(replies("travel.nowhere")) }
            return Reply(
                replies(
                    "travel.nowhere_trip",
                    ["destination": trip.destination, "day": spoken.day(trip.start, now: now())]))
        }
        let values = [
            "place": here.place(location.places, environment), "ago": (here.ago(replies) ?? "").capitalisedFirst,
            "coordinates": here.coordinates(decimals: 3, spelled: false, replies),
        ]
        return Reply(replies(here.isCurrent ? "travel.here" : "travel.here_last", values))
    }
}
