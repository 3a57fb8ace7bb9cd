import Domain
import Foundation

/// Trips, the odometer, and where the van is.
package enum TravelHandler: Handler {
    package static let name = "travel"
    package static let intents = [
        "start_trip", "end_trip", "current_trip", "log_odometer", "distance", "nights", "countries", "list_trips",
        "trip_stats", "fuel_use", "where_am_i",
    ]

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        switch command.intent {
        case "start_trip": try await start(command, context)
        case "end_trip": try await end(command, context)
        case "current_trip": try await currentTrip(context)
        case "log_odometer": try await logOdometer(command, context)
        case "distance": try await distance(command, context)
        case "nights": try await nights(command, context)
        case "countries": try await countries(command, context)
        case "trip_stats": try await stats(command, context)
        case "fuel_use": try await fuelUse(command, context)
        case "where_am_i": try await whereAmI(context)
        default: try await list(command, context)
        }
    }

    // MARK: beginning and end

    /// A destination longer than this is no place's name.
    private static let nameLimit = 60

    private static func start(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let trips = context.stores.trips, replies = context.replies
        let said = command.text("destination") ?? command.text("place") ?? ""
        guard !said.isEmpty else {
            return Reply(replies("travel.ask_destination"), question: .slot("destination", of: command))
        }
        guard said.count <= nameLimit, said.contains(where: \.isLetter) else {
            var again = command
            again.slots["destination"] = nil
            again.slots["place"] = nil
            return Reply(replies("travel.no_destination"), question: .slot("destination", of: again))
        }
        let begin: Date
        switch try await beginning(command, context) {
        case .at(let date): begin = date
        case .refused(let reply): return reply
        }
        let name = titled(said)
        let reading = try await odometer(command, context)
        if let refusal = reading?.refusal { return .failed(refusal) }
        let current = try await trips.current()
        var doubts = [reading?.doubt].compactMap { $0 }
        if let current {
            doubts.append(replies("travel.under_way", ["destination": current.destination, "new": name]))
        }
        if !doubts.isEmpty, !command.isConfirmed {
            return Reply(doubts.joined(separator: " "), question: .confirmation(of: command))
        }

        let trip = Trip(destination: name, start: begin)
        let started = try await trips.start(
            trip, insteadOfCurrent: current != nil,
            at: reading?.metres.map { OdometerReading(metres: $0, date: context.now()) })
        let now = context.now()
        let values = [
            "destination": name, "old": current?.destination ?? "", "day": context.spoken.day(begin, now: now),
        ]
        let isToday = context.calendar.isDate(begin, inSameDayAs: now)
        let key = current != nil ? "travel.started_instead" : isToday ? "travel.started" : "travel.started_on"
        return Reply(
            replies(key, values),
            effects: ["trip: \(started.id), \(name)"] + (current.map { ["trip: ended \($0.id)"] } ?? []),
            undo: Undo(replies("travel.undo_start", values)), changesNames: true)
    }

    private enum Beginning { case at(Date), refused(Reply) }

    /// When a trip begins: now, or on the day that was said, unless that is still to come or lies in another trip.
    private static func beginning(_ command: Command, _ context: HandlerContext) async throws -> Beginning {
        let now = context.now(), replies = context.replies
        guard let period = command.slots["date"]?.period else { return .at(now) }
        guard let day = period.interval(now: now, calendar: context.calendar) else {
            return .refused(.failed(replies("travel.bad_date")))
        }
        if day.contains(now) { return .at(now) }
        guard day.start < now else { return .refused(.failed(replies("travel.not_yet"))) }
        let noon = day.start.addingTimeInterval(12 * 3600)
        let other = try await context.stores.trips.trips().first { ($0.end ?? $0.start) > noon }
        guard let other else { return .at(noon) }
        return .refused(.failed(replies("travel.overlaps", ["destination": other.destination])))
    }

    private static func end(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let trips = context.stores.trips, replies = context.replies
        guard var current = try await trips.current() else { return .failed(replies("travel.none")) }
        let reading = try await odometer(command, context)
        if let refusal = reading?.refusal { return .failed(refusal) }
        if let doubt = reading?.doubt, !command.isConfirmed {
            return Reply(doubt, question: .confirmation(of: command))
        }
        let last = reading?.metres.map { OdometerReading(metres: $0, date: context.now()) }
        guard try await trips.setEnd(context.now(), id: current.id, at: last) else {
            return .failed(replies("travel.none"))
        }
        current.end = context.now()
        var values = ["destination": current.destination, "nights": "\(Nights.count(of: current, context))"]
        var key = "travel.ended"
        let interval = Nights.interval(of: current, context)
        let metres = await withReplyTimeout(clock: context.clock) { try await Driven(context).metres(in: interval) }
        if let metres {
            values["distance"] = context.spoken.distance(metres: Double(metres), context.distanceUnit)
            key = "travel.ended_distance"
        }
        return Reply(
            replies(key, values), effects: ["trip: ended \(current.id)"],
            undo: Undo(replies("travel.undo_end", values)), changesNames: true)
    }

    private static func currentTrip(_ context: HandlerContext) async throws -> Reply {
        guard let current = try await context.stores.trips.current() else {
            return Reply(context.replies("travel.none"))
        }
        return Reply(
            context.replies(
                "travel.current",
                ["nights": "\(Nights.count(of: current, context))", "destination": current.destination]))
    }

    static func titled(_ name: String) -> String {
        name.split(separator: " ").map { word in
            ["the", "of", "and"].contains(word) ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined(separator: " ")
    }
}

/// The nights of trips. A night is a midnight of the owner's calendar, so that clock changes do not matter.
package enum Nights {
    /// The time of a trip, until now where it goes on. A clock that ran back leaves an empty one.
    package static func interval(of trip: Trip, _ context: HandlerContext) -> DateInterval {
        DateInterval(start: trip.start, end: max(trip.start, trip.end ?? context.now()))
    }

    /// The nights of a trip, of those in `period` only where one is given.
    package static func count(of trip: Trip, in period: DateInterval? = nil, _ context: HandlerContext) -> Int {
        let calendar = context.calendar, whole = interval(of: trip, context)
        let start = max(whole.start, period?.start ?? whole.start)
        let end = min(whole.end, period?.end ?? whole.end)
        guard start < end else { return 0 }
        let days = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: start), to: calendar.startOfDay(for: end))
        return max(0, days.day ?? 0)
    }
}
