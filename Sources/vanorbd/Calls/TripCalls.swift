import Domain
import Handlers
import Dialogue
import Control

/// Calls that list and change the trips.
struct TripCalls: Sendable {
    let trips: TypedTrips
    let unit: DistanceUnitName

    init(_ conversation: Conversation, _ context: HandlerContext) {
        trips = TypedTrips(conversation)
        unit = context.distanceUnit == .miles ? .miles : .kilometres
    }

    func register(in table: inout CallTable) {
        table.register(TripsCall.self) { [self] _ in
            TripsResult(trips: try await trips.all(limit: ControlLimits.listEntries).map { TripRow($0) }, unit: unit)
        }
        table.register(TripShowCall.self) { [self] arguments in
            try await typed {
                let trip = try await trips.find(arguments.trip), facts = try await trips.facts(of: trip)
                return TripShowResult(
                    trip: TripRow(facts), countries: try await trips.countries(of: trip),
                    perNight: facts.perNight.map { MoneyAmount($0) }, unit: unit)
            }
        }
        table.register(TripChangeCall.self) { [self] arguments in
            try await typed { Acknowledgement(try await change(arguments)) }
        }
    }

    private func change(_ change: TripChangeArguments) async throws -> Reply {
        let isConfirmed = change.confirmed == true
        return switch change.action {
        case .start:
            try await trips.start(
                change.destination ?? "", on: change.date, odometer: change.odometer, isConfirmed: isConfirmed)
        case .end: try await trips.end(odometer: change.odometer, isConfirmed: isConfirmed)
        case .odometer: try await trips.note(odometer: change.odometer ?? "", isConfirmed: isConfirmed)
        case .delete: try await trips.delete(change.number ?? 0, isConfirmed: isConfirmed)
        }
    }
}

extension TripRow {
    fileprivate init(_ facts: TripFacts) {
        self.init(
            id: facts.trip.id, destination: facts.trip.destination, start: facts.trip.start, end: facts.trip.end,
            nights: facts.nights, spent: facts.spent.map { MoneyAmount($0) })
        metres = facts.metres
    }
}
