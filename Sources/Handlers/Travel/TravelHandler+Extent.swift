import Domain
import Foundation

/// What a question about travelling is about: a trip, a period, or everything.
struct Extent {
    /// What is meant where nothing is said.
    enum Standard { case currentTrip, everything }

    /// The trip, where it is one.
    var trip: Trip?
    /// Its time; nil means ever.
    var interval: DateInterval?
    /// For the replies: `extent`, how it is said (“this month”, “on the trip to Spain”).
    var values: [String: any Worded] = [:]
    /// Why nothing can be said.
    var missing: Wording?

}

extension TravelHandler {
    /// What a reference means.
    func extent(
        _ reference: TravelIntent.ExtentReference, standard: Extent.Standard = .currentTrip
    ) async throws -> Extent {
        if let ids = reference.trip?.ids, !ids.isEmpty {
            // Of several to one place the latest is meant.
            guard let trip = try await trips.trips().first(where: { ids.contains("\($0.id)") }) else {
                return Extent(missing: replies("travel.no_trips"))
            }
            return extent(of: trip)
        }
        if let place = reference.destination {
            let name = environment.books.words.titled(place)
            guard let trip = try await trips.trips().first(where: { $0.destination == name }) else {
                return Extent(missing: replies("travel.unknown", ["destination": name]))
            }
            return extent(of: trip)
        }
        switch reference.which {
        case .last:
            guard let trip = try await trips.trips().first(where: { $0.end != nil }) else {
                return Extent(missing: replies("travel.no_trips"))
            }
            return extent(of: trip)
        case .current:
            guard let trip = try await trips.current() else { return Extent(missing: replies("travel.none")) }
            return extent(of: trip)
        case .ever: return Extent(values: ["extent": replies("travel.extent_ever")])
        case nil: break
        }
        // “So far” goes with the trip, “in total” with everything.
        let isLoose = reference.period.map { $0.spoken == replies("travel.said_so_far").spoken } ?? true
        if !isLoose, let slot = reference.period, let period = slot.period {
            guard period.unit != .all else { return Extent(values: ["extent": replies("travel.extent_ever")]) }
            guard let interval = period.interval(now: now(), calendar: calendar) else {
                return Extent(missing: replies("travel.bad_period"))
            }
            guard interval.start <= environment.time.now() else {
                return Extent(missing: replies("travel.future_period"))
            }
            return Extent(
                interval: DateInterval(start: interval.start, end: min(interval.end, now())),
                values: ["extent": spoken.period(slot)])
        }
        if standard == .currentTrip {
            if let trip = try await trips.current() { return extent(of: trip) }
            // Back home, “the trip” is the last one; the answer names it.
            guard let last = try await trips.trips().first else {
                return Extent(missing: replies("travel.none"))
            }
            return extent(of: last)
        }
        return Extent(values: ["extent": replies("travel.extent_ever")])
    }

    func extent(of trip: Trip) -> Extent {
        Extent(
            trip: trip, interval: Nights.interval(of: trip, environment),
            values: [
                "extent": replies("travel.extent_trip", ["destination": trip.destination]),
                "destination": trip.destination,
            ])
    }
}
