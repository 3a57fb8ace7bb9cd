import Domain
import Foundation

/// Trips, the odometer, and where the van is.
package struct TravelHandler: Handler {
    package static let name = "travel"
    package static let intents = TravelIntent.names

    let trips: any TripStore
    /// For what a trip cost, and what fuel was bought.
    let ledger: any LedgerStore
    let location: LocationSources
    package let environment: HandlerEnvironment

    package func act(on command: Command) async throws -> Reply {
        switch try TravelIntent(command) {
        case .start(let trip): try await start(trip, command)
        case .end(let reading): try await end(reading, command)
        case .currentTrip: try await currentTrip()
        case .logOdometer(let reading): try await logOdometer(reading, command)
        case .distance(let extent): try await distance(extent)
        case .nights(let extent): try await nights(extent)
        case .countries(let extent): try await countries(extent)
        case .stats(let extent): try await stats(extent)
        case .fuelUse(let extent): try await fuelUse(extent)
        case .whereAmI: try await whereAmI()
        case .list(let extent): try await list(extent)
        }
    }

    /// A distance in the unit that was asked for, else in the owner's.
    func distance(metres: Int64, in unit: DistanceUnit? = nil) -> Wording {
        spoken.distance(metres: Double(metres), unit ?? environment.region.distanceUnit)
    }

    // MARK: beginning and end

    /// Characters; a longer destination is not the name of a place.
    private static let nameLimit = 60

    private func start(_ start: TravelIntent.Start, _ command: Command) async throws -> Reply {
        let said = start.destination
        guard !said.isEmpty else {
            return Reply(
                replies("travel.ask_destination"), question: TravelIntent.question(for: .destination, of: command))
        }
        guard said.count <= Self.nameLimit, said.contains(where: \.isLetter) else {
            let again = TravelIntent.withoutDestination(command)
            return Reply(
                replies("travel.no_destination"), question: TravelIntent.question(for: .destination, of: again))
        }
        let begin: Date
        switch try await self.begin(on: start.date) {
        case .at(let date): begin = date
        case .refused(let reply): return reply
        }
        let name = environment.books.words.titled(said)
        let reading = try await check(start.reading)
        if let refusal = reading?.refusal { return .failed(refusal) }
        let current = try await trips.current()
        var doubts = [reading?.doubt].compactMap { $0 }
        if let current {
            doubts.append(replies("travel.under_way", ["destination": current.destination, "new": name]))
        }
        // “Start a trip on Saturday” may mean the next one, and “we started it on Saturday” may not.
        let analysis = command.analysis
        let isTold = analysis.mood != .command && !command.slots.values.contains { $0.spoken == analysis.cue }
        if doubts.isEmpty, !isTold, start.date?.unit == .weekday,
            !calendar.isDate(begin, inSameDayAs: environment.time.now())
        {
            let day = spoken.day(begin, now: environment.time.now())
            doubts.append(replies("travel.begun_before", ["destination": name, "day": day]))
        }
        if !doubts.isEmpty, !command.isConfirmed {
            return Reply(doubts.joined(separator: " "), question: .confirmation(of: command))
        }
        return try await started(Trip(destination: name, start: begin), insteadOf: current, at: reading?.metres)
    }

    /// Stores a trip that begins, and answers.
    private func started(_ trip: Trip, insteadOf current: Trip?, at metres: Int64?) async throws -> Reply {
        let now = environment.time.now()
        let started = try await trips.start(
            trip, insteadOfCurrent: current != nil,
            at: metres.map { OdometerReading(metres: $0, date: now) })
        let values: [String: any Worded] = [
            "destination": trip.destination, "old": current?.destination ?? "",
            "day": spoken.day(trip.start, now: now),
        ]
        let isToday = calendar.isDate(trip.start, inSameDayAs: now)
        let key = current != nil ? "travel.started_instead" : isToday ? "travel.started" : "travel.started_on"
        return Reply(
            replies(key, values),
            effects: ["trip: \(started.id), \(trip.destination)"] + (current.map { ["trip: ended \($0.id)"] } ?? []),
            undo: Undo(replies("travel.undo_start", values)), changesNames: true)
    }

    private enum Begin { case at(Date), refused(Reply) }

    /// When a trip begins: now, or on the day that was said, unless that is still to come or lies in another trip.
    private func begin(on period: Period?) async throws -> Begin {
        let now = environment.time.now()
        guard let period else { return .at(now) }
        guard let day = period.interval(now: now, calendar: calendar) else {
            return .refused(.failed(replies("travel.bad_date")))
        }
        if day.contains(now) { return .at(now) }
        guard day.start < now else { return .refused(.failed(replies("travel.not_yet"))) }
        let noon = day.start.addingTimeInterval(12 * 3600)
        let other = try await trips.trips().first { ($0.end ?? $0.start) > noon }
        guard let other else { return .at(noon) }
        return .refused(.failed(replies("travel.overlaps", ["destination": other.destination])))
    }

    private func end(_ said: TravelIntent.SaidReading?, _ command: Command) async throws -> Reply {
        guard var current = try await trips.current() else { return .failed(replies("travel.none")) }
        let reading = try await check(said)
        if let refusal = reading?.refusal { return .failed(refusal) }
        if let doubt = reading?.doubt, !command.isConfirmed {
            return Reply(doubt, question: .confirmation(of: command))
        }
        let last = reading?.metres.map { OdometerReading(metres: $0, date: now()) }
        guard try await trips.setEnd(now(), id: current.id, at: last) else {
            return .failed(replies("travel.none"))
        }
        current.end = environment.time.now()
        var values: [String: any Worded] = ["destination": current.destination, "nights": "\(nights(of: current))"]
        var key = "travel.ended"
        let interval = Nights.interval(of: current, environment)
        if let metres = await environment.readForReply({ try await driven.metres(in: interval) }) {
            values["distance"] = distance(metres: metres)
            key = "travel.ended_distance"
        }
        return Reply(
            replies(key, values), effects: ["trip: ended \(current.id)"],
            undo: Undo(replies("travel.undo_end", values)), changesNames: true)
    }

    /// The nights of a trip, of those in `period` only where one is given.
    func nights(of trip: Trip, in period: DateInterval? = nil) -> Int {
        Nights.count(of: trip, in: period, environment)
    }

    private func currentTrip() async throws -> Reply {
        guard let current = try await trips.current() else {
            return Reply(replies("travel.none"))
        }
        return Reply(
            replies(
                "travel.current",
                ["nights": "\(nights(of: current))", "destination": current.destination]))
    }

}

/// The nights of trips. A night is a midnight of the owner's calendar, so that clock changes do not matter.
package enum Nights {
    /// The time of a trip, until now where it goes on; empty where the clock was set back meanwhile.
    package static func interval(of trip: Trip, _ environment: HandlerEnvironment) -> DateInterval {
        DateInterval(start: trip.start, end: max(trip.start, trip.end ?? environment.time.now()))
    }

    /// The nights of a trip, of those in `period` only where one is given.
    package static func count(
        of trip: Trip, in period: DateInterval? = nil, _ environment: HandlerEnvironment
    ) -> Int {
        let calendar = environment.region.calendar, whole = interval(of: trip, environment)
        let start = max(whole.start, period?.start ?? whole.start)
        let end = min(whole.end, period?.end ?? whole.end)
        guard start < end else { return 0 }
        let days = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: start), to: calendar.startOfDay(for: end))
        return max(0, days.day ?? 0)
    }
}
