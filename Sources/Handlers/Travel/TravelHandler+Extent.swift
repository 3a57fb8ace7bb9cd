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
    var values: [String: String] = [:]
    /// Why nothing can be said.
    var missing: String?

    /// What the slots of a command mean.
    static func find(
        _ command: Command, _ context: HandlerContext, standard: Standard = .currentTrip
    ) async throws -> Extent {
        let trips = context.stores.trips, replies = context.replies
        if let named = command.slots["trip"]?.names, !named.isEmpty {
            // Of several to one place the latest is meant.
            let ids = Set(named.map(\.id))
            guard let trip = try await trips.trips().first(where: { ids.contains("\($0.id)") }) else {
                return Extent(missing: replies("travel.no_trips"))
            }
            return of(trip, context)
        }
        if let place = command.text("destination") {
            let name = TravelHandler.titled(place)
            guard let trip = try await trips.trips().first(where: { $0.destination == name }) else {
                return Extent(missing: replies("travel.unknown", ["destination": name]))
            }
            return of(trip, context)
        }
        switch command.text("which") {
        case "last":
            guard let trip = try await trips.trips().first(where: { $0.end != nil }) else {
                return Extent(missing: replies("travel.no_trips"))
            }
            return of(trip, context)
        case "current":
            guard let trip = try await trips.current() else { return Extent(missing: replies("travel.none")) }
            return of(trip, context)
        case "ever": return Extent(values: ["extent": replies("travel.extent_ever")])
        default: break
        }
        // “So far” goes with the trip, “in total” with everything.
        let isLoose = command.slots["period"].map { $0.spoken == replies("travel.said_so_far") } ?? true
        if !isLoose, let slot = command.slots["period"], let period = slot.period {
            guard period.unit != .all else { return Extent(values: ["extent": replies("travel.extent_ever")]) }
            guard let interval = period.interval(now: context.now(), calendar: context.calendar) else {
                return Extent(missing: replies("travel.bad_period"))
            }
            guard interval.start <= context.now() else { return Extent(missing: replies("travel.future_period")) }
            return Extent(
                interval: DateInterval(start: interval.start, end: min(interval.end, context.now())),
                values: ["extent": context.spoken.period(slot)])
        }
        if standard == .currentTrip {
            if let trip = try await trips.current() { return of(trip, context) }
            // Back home, “the trip” is the last one; the answer names it.
            guard let last = try await trips.trips().first else {
                return Extent(missing: replies("travel.none"))
            }
            return of(last, context)
        }
        return Extent(values: ["extent": replies("travel.extent_ever")])
    }

    private static func of(_ trip: Trip, _ context: HandlerContext) -> Extent {
        Extent(
            trip: trip, interval: Nights.interval(of: trip, context),
            values: [
                "extent": context.replies("travel.extent_trip", ["destination": trip.destination]),
                "destination": trip.destination,
            ])
    }
}
