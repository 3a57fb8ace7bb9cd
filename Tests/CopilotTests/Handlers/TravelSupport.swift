@testable import Domain
@testable import Language
@testable import Handlers
@testable import Dialogue
import Foundation
import Synchronization

/// A receiver that says what the test tells it.
final class FakeReceiver: PositionSource {
    private let state: Mutex<(fix: PositionFix?, metres: Double)>

    init(_ fix: PositionFix? = nil) { state = Mutex((fix, 0)) }

    convenience init(_ latitude: Double, _ longitude: Double, age: Duration = .zero, isCurrent: Bool = true) {
        let position = Position(latitude: latitude, longitude: longitude, time: VanBench.now)
        self.init(PositionFix(position: position, age: age, isCurrent: isCurrent))
    }

    func latest() async -> PositionFix? { state.withLock { $0.fix } }
    func distance() async -> Double { state.withLock { $0.metres } }

    func drive(metres: Double, to latitude: Double, _ longitude: Double) {
        state.withLock { state in
            state.metres += metres
            let position = Position(latitude: latitude, longitude: longitude, time: VanBench.now)
            state.fix = PositionFix(position: position, age: .zero, isCurrent: true)
        }
    }
}

extension VanBench {
    /// The same van with a receiver, elsewhere, or with another odometer.
    func with(
        _ position: (any PositionSource)? = nil, country: String = "GB", unit: DistanceUnit = .kilometres,
        places: Places? = .few, now: Date = VanBench.now, bus: (any Bus)? = nil
    ) -> HandlerContext {
        HandlerContext(
            stores: stores, van: van, bus: bus ?? self.bus,
            location: LocationSources(receiver: position, places: places),
            environment: HandlerEnvironment(
                books: books,
                region: RegionalSettings(country: country, distanceUnit: unit, calendar: Self.calendar),
                time: WallTime(now: { now })))
    }

    /// The reply to a sentence in that van, with no names of the owner's: as in an emergency.
    func ask(_ text: String, _ context: HandlerContext) async throws -> Reply {
        let names = (try? await OwnerNamesReader.names(context)) ?? OwnerNames()
        let index = PhraseIndex(books: books, names: names)
        guard let chosen = Router(index: index, classifier: nil).route(text).chosen,
            let handler = HandlerTable.handler(chosen.handler)
        else { throw NeverUnderstood(text: text) }
        return try await handler.act(
            on: Command(handler: chosen.handler, intent: chosen.intent, slots: chosen.slots), in: context)
    }

    /// Stores a trip that is over.
    @discardableResult
    func trip(_ destination: String, from start: Date, to end: Date?) async throws -> Trip {
        try await stores.trips.start(Trip(destination: destination, start: start, end: end))
    }

    /// Stores a reading of the odometer in kilometres.
    func reading(_ kilometres: Int64, on date: Date) async throws {
        _ = try await stores.trips.add(OdometerReading(metres: kilometres * 1_000, date: date))
    }
}

struct NeverUnderstood: Error {
    let text: String
}
