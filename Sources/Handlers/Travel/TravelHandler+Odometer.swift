import Domain
import Foundation

/// The odometer: readings, distances, fuel.
extension TravelHandler {
    /// What was said of the odometer in a command.
    package struct SaidReading {
        package var metres: Int64?
        /// Why it cannot be.
        package var refusal: String?
        /// Why it may be misheard.
        var doubt: String?
    }

    /// More than this between two readings is asked about, metres.
    private static let jump: Int64 = 3_000_000

    /// The reading in a command, held against the last one; nil where none was said.
    package static func odometer(_ command: Command, _ context: HandlerContext) async throws -> SaidReading? {
        let replies = context.replies, unit = context.distanceUnit
        let metres: Double
        if let said = command.slots["odometer"]?.number {
            // Canonical kilometres.
            metres = said * 1_000
        } else if let bare = command.slots["reading"]?.number {
            metres = bare * unit.metres
        } else {
            return nil
        }
        // No odometer counts further than six digits of miles.
        guard metres >= 0, metres <= 1_609_344_000 else {
            return SaidReading(refusal: replies("travel.odometer_impossible"))
        }
        var said = SaidReading(metres: Int64(metres.rounded()))
        guard let last = try await context.stores.trips.readings().last else { return said }
        let values = [
            "last": context.spoken.distance(metres: Double(last.metres), unit),
            "new": context.spoken.distance(metres: metres, unit),
            "day": context.spoken.day(last.date, now: context.now()),
        ]
        // Kilometres turned to miles and back may lose half a unit.
        if said.metres ?? 0 < last.metres - 1_000 {
            said.refusal = replies("travel.odometer_lower", values)
        } else if said.metres ?? 0 > last.metres + jump {
            said.doubt = replies("travel.odometer_jump", values)
        }
        return said
    }

    static func logOdometer(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        guard let said = try await odometer(command, context) else {
            return Reply(replies("travel.ask_odometer"), question: .slot("reading", of: command))
        }
        if let refusal = said.refusal { return .failed(refusal) }
        if let doubt = said.doubt, !command.isConfirmed {
            return Reply(doubt, question: .confirmation(of: command))
        }
        let trips = context.stores.trips
        let last = try await trips.readings().last
        let reading = try await trips.add(OdometerReading(metres: said.metres ?? 0, date: context.now()))
        var values = ["reading": context.spoken.distance(metres: Double(reading.metres), context.distanceUnit)]
        var key = "travel.odometer_logged"
        if let last, reading.metres > last.metres {
            values["distance"] = context.spoken.distance(
                metres: Double(reading.metres - last.metres), context.distanceUnit)
            values["day"] = context.spoken.day(last.date, now: context.now())
            key = "travel.odometer_logged_since"
        }
        return Reply(
            replies(key, values), effects: ["odometer: \(reading.id), \(reading.metres) m"],
            undo: Undo(replies("travel.undo_odometer", values)))
    }

    package static func distance(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let extent = try await Extent.find(command, context)
        if let missing = extent.missing { return .failed(missing) }
        guard let metres = try await Driven(context).metres(in: extent.interval) else {
            return .failed(context.replies("travel.distance_unknown", extent.values))
        }
        var values = extent.values
        values["distance"] = context.spoken.distance(metres: Double(metres), context.distanceUnit)
        return Reply(context.replies("travel.distance", values))
    }

    // MARK: fuel

    /// Litres per 100 km and miles per imperial gallon (4.54609 l): 100 × 4.54609 / 1.609344 = 282.481.
    private static let milesPerGallon = 282.481

    static func fuelUse(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        let extent = try await Extent.find(command, context, standard: .everything)
        if let missing = extent.missing { return .failed(missing) }
        let query = LedgerQuery(kind: .expense, category: "fuel", period: extent.interval)
        let fills = try await context.stores.ledger.entries(query, limit: 10_000)
            .filter { $0.millilitres != nil }.sorted { $0.date < $1.date }
        guard fills.count > 1, let first = fills.first, let last = fills.last else {
            return .failed(replies(fills.isEmpty ? "travel.fuel_no_litres" : "travel.fuel_one_fill"))
        }
        let span = DateInterval(start: first.date, end: max(first.date, last.date))
        guard let metres = try await Driven(context).metres(betweenFillsIn: span), metres >= 1_000 else {
            return .failed(replies("travel.fuel_no_distance"))
        }
        // What the first fill put in was burnt before, or is still there as at the last.
        let litres = Double(fills.dropFirst().compactMap(\.millilitres).reduce(0, +)) / 1_000
        let perHundred = litres / (Double(metres) / 100_000)
        guard perHundred > 0 else { return .failed(replies("travel.fuel_no_litres")) }
        return Reply(
            replies(
                "travel.fuel_use",
                [
                    "litres": String(format: "%.1f", perHundred),
                    "gallon": String(format: "%.0f", milesPerGallon / perHundred),
                    "distance": context.spoken.distance(metres: Double(metres), context.distanceUnit),
                    "fills": "\(fills.count)",
                ]))
    }
}

/// How far the van went, from the odometer where it was read, else from what the receiver counted.
package struct Driven {
    private let context: HandlerContext

    package init(_ context: HandlerContext) { self.context = context }

    /// A reading this long before a trip still counts as taken at its start.
    private static let tolerance: TimeInterval = 86_400

    /// Metres in `period` (nil: ever), or nil where neither tells. Between the first and the last reading the odometer
    /// counts, outside them the receiver.
    package func metres(in period: DateInterval?) async throws -> Int64? {
        let readings = try await context.stores.trips.readings()
        let counted = try await context.stores.trips.driven(in: period)
        let inside = readings.filter { reading in
            guard let period else { return true }
            return reading.date >= period.start && reading.date <= period.end
        }
        let before = period.flatMap { period in
            readings.last {
                $0.date < period.start && period.start.timeIntervalSince($0.date) <= Self.tolerance
            }
        }
        guard let last = inside.last, let first = before ?? inside.first, first.id != last.id else { return counted }
        var sum = last.metres - first.metres
        if let period {
            if first.date > period.start { sum += try await part(from: period.start, to: first.date) }
            if last.date < period.end { sum += try await part(from: last.date, to: period.end) }
        }
        return max(0, sum)
    }

    private func part(from start: Date, to end: Date) async throws -> Int64 {
        try await context.stores.trips.driven(in: DateInterval(start: start, end: end)) ?? 0
    }

    /// Metres between the first and the last fill: between the readings nearest to them, each within half a day, else
    /// as the receiver counted.
    package func metres(betweenFillsIn span: DateInterval) async throws -> Int64? {
        let readings = try await context.stores.trips.readings()
        func nearest(_ date: Date) -> OdometerReading? {
            readings.map { ($0, abs($0.date.timeIntervalSince(date))) }.filter { $0.1 <= Self.tolerance / 2 }
                .min { $0.1 < $1.1 }?.0
        }
        if let first = nearest(span.start), let last = nearest(span.end), last.metres > first.metres {
            return last.metres - first.metres
        }
        return try await context.stores.trips.driven(in: span)
    }
}
