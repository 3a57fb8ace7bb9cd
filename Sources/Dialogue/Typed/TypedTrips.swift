import Domain
import Handlers
import Foundation

/// The trips, from the keyboard.
public struct TypedTrips: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext

    /// The trips of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    /// The newest trips, at most `limit` of them, in numbers.
    public func all(limit: Int) async throws -> [TripFacts] {
        var facts: [TripFacts] = []
        for trip in try await context.stores.trips.trips().prefix(limit) {
            facts.append(try await self.facts(of: trip))
        }
        return facts
    }

    /// The trip of a number, else the latest to a destination; with nothing, the one under way or the last.
    /// - Throws: `TypedRefusal` where there is none.
    public func find(_ typed: String?) async throws -> Trip {
        let trips = try await context.stores.trips.trips()
        guard !trips.isEmpty else { throw TypedRefusal(context.replies("travel.no_trips").written) }
        guard let typed else { return trips.first { $0.end == nil } ?? trips[0] }
        let number = Int64(typed)
        let found =
            trips.first { $0.destination.lowercased() == typed.lowercased() } ?? trips.first { $0.id == number }
        guard let found else {
            throw TypedRefusal("There is no trip called \(typed), nor of that number. Try: vanorb trips")
        }
        return found
    }

    /// A trip in numbers, as “trip stats” tells them.
    public func facts(of trip: Trip) async throws -> TripFacts {
        let interval = Nights.interval(of: trip, context.environment)
        let nights = Nights.count(of: trip, context.environment)
        let spent = try await context.stores.ledger.spent(category: nil, in: interval)
        return TripFacts(
            trip: trip, nights: nights, metres: try await DrivenDistance(context.stores.trips).metres(in: interval),
            spent: spent,
            perNight: nights > 0 ? spent.map { TravelHandler.share($0, of: Double(nights)) } : [])
    }

    /// The countries of a trip by name, in the order of the first visit.
    public func countries(of trip: Trip) async throws -> [String] {
        try await TravelHandler(context).countries(of: trip).map { context.replies.country($0) }
    }

    /// Starts a trip; where one is under way, with a yes.
    public func start(
        _ destination: String, on date: String?, odometer: String?, isConfirmed: Bool
    ) async throws -> Reply {
        var slots = try odometer.map { try TypedValues(context).odometer($0, "--odometer") } ?? [:]
        slots[.destination] = SlotValue(text: destination.trimming(\.isWhitespace))
        if let date { slots[.date] = try TypedValues(context).period(date, "--date") }
        return try await act(.startTrip, slots, isConfirmed)
    }

    /// Ends the trip under way.
    public func end(odometer: String?, isConfirmed: Bool) async throws -> Reply {
        let slots = try odometer.map { try TypedValues(context).odometer($0, "--odometer") } ?? [:]
        return try await act(.endTrip, slots, isConfirmed)
    }

    /// Notes what the odometer reads.
    public func note(odometer: String, isConfirmed: Bool) async throws -> Reply {
        try await act(.logOdometer, try TypedValues(context).odometer(odometer, "The odometer"), isConfirmed)
    }

    /// Removes a trip, with a yes. What was spent and driven on it stays.
    public func delete(_ id: Int64, isConfirmed: Bool) async throws -> Reply {
        try await changes.change(of: TravelHandler.name) { [self] in
            let trips = context.stores.trips, replies = context.replies
            guard let trip = try await trips.trips().first(where: { $0.id == id }) else {
                throw TypedRefusal("There is no trip of the number \(id). Try: vanorb trips")
            }
            let values = ["destination": trip.destination]
            guard isConfirmed else {
                return Reply(
                    replies("travel.confirm_remove", values),
                    question: .confirmation(of: TravelIntent.command(.endTrip)))
            }
            guard try await trips.remove(id: id) else { return .failed(replies("travel.no_trips")) }
            return Reply(
                replies("travel.removed", values), effects: ["trip: removed \(id)"],
                undo: Undo(replies("travel.undo_remove", values)), changesNames: true)
        }
    }

    private func act(
        _ intent: TravelIntent.Name, _ slots: [TravelIntent.Slot: SlotValue], _ isConfirmed: Bool
    ) async throws -> Reply {
        try await changes.carryOut(typed: TravelIntent.command(intent, slots, isConfirmed: isConfirmed))
    }
}
