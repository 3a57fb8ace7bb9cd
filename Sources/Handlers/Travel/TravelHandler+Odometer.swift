import Domain
import Foundation

/// The odometer: readings, distances, fuel.
extension TravelHandler {
    /// A reading, compared with the last one.
    struct CheckedReading {
        var metres: Int64?
        /// Why it cannot be right.
        var refusal: Wording?
        /// Why it may be misheard.
        var doubt: Wording?
    }

    /// Metres; a larger step between two readings has to be confirmed.
    private static let jump: Int64 = 3_000_000

    /// Compares a reading with the last one; nil where none was said.
    func check(_ said: TravelIntent.SaidReading?) async throws -> CheckedReading? {
        let unit = environment.region.distanceUnit
        let metres: Double
        switch said {
        case .kilometres(let value): metres = value * 1_000
        case .bare(let value): metres = value * unit.metres
        case nil: return nil
        }
        // No odometer has more than six digits of miles.
        guard metres >= 0, metres <= 1_609_344_000 else {
            return CheckedReading(refusal: replies("travel.odometer_impossible"))
        }
        var reading = CheckedReading(metres: Int64(metres.rounded()))
        guard let last = try await trips.readings().last else { return reading }
        let values = [
            "last": spoken.distance(metres: Double(last.metres), unit),
            "new": spoken.distance(metres: metres, unit),
            "day": spoken.day(last.date, now: now()),
        ]
        // Kilometres turned to miles and back may lose half a unit.
        if reading.metres ?? 0 < last.metres - 1_000 {
            reading.refusal = replies("travel.odometer_lower", values)
        } else if reading.metres ?? 0 > last.metres + Self.jump {
            reading.doubt = replies("travel.odometer_jump", values)
        }
        return reading
    }

    func logOdometer(_ said: TravelIntent.SaidReading?, _ command: Command) async throws -> Reply {
        guard let checked = try await check(said) else {
            return Reply(
                replies("travel.ask_odometer"), question: TravelIntent.question(for: .reading, of: command))
        }
        if let refusal = checked.refusal { return .failed(refusal) }
        if let doubt = checked.doubt, !command.isConfirmed {
            return Reply(doubt, question: .confirmation(of: command))
        }
        let last = try await trips.readings().last
        let reading = try await trips.add(OdometerReading(metres: checked.metres ?? 0, date: now()))
        var values = ["reading": distance(metres: reading.metres)]
        var key = "travel.odometer_logged"
        if let last, reading.metres > last.metres {
            values["distance"] = distance(metres: reading.metres - last.metres)
            values["day"] = spoken.day(last.date, now: now())
            key = "travel.odometer_logged_since"
        }
        return Reply(
            replies(key, values), effects: ["odometer: \(reading.id), \(reading.metres) m"],
            undo: Undo(replies("travel.undo_odometer", values)))
    }

    func distance(_ reference: TravelIntent.ExtentReference) async throws -> Reply {
        let extent = try await extent(reference)
        if let missing = extent.missing { return .failed(missing) }
        guard let metres = try await driven.metres(in: extent.interval) else {
            return .failed(replies("travel.distance_unknown", extent.values))
        }
        var values = extent.values
        values["distance"] = distance(metres: metres, in: reference.unit)
        return Reply(replies("travel.distance", values))
    }

    /// How far the van went.
    var driven: DrivenDistance { DrivenDistance(trips) }

    // MARK: fuel

    /// Litres per 100 km and miles per imperial gallon (4.54609 l): 100 × 4.54609 / 1.609344 = 282.481.
    private static let milesPerGallon = 282.481

    func fuelUse(_ reference: TravelIntent.ExtentReference) async throws -> Reply {
        let extent = try await extent(reference, standard: .everything)
        if let missing = extent.missing { return .failed(missing) }
        let query = LedgerQuery(kind: .expense, category: "fuel", period: extent.interval)
        let fills = try await ledger.entries(query, limit: 10_000)
            .filter { $0.millilitres != nil }.sorted { $0.date < $1.date }
        guard fills.count > 1, let first = fills.first, let last = fills.last else {
            return .failed(replies(fills.isEmpty ? "travel.fuel_no_litres" : "travel.fuel_one_fill"))
        }
        let span = DateInterval(start: first.date, end: max(first.date, last.date))
        guard let metres = try await driven.metres(betweenFillsIn: span), metres >= 1_000 else {
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
                    "gallon": String(format: "%.0f", Self.milesPerGallon / perHundred),
                    "distance": distance(metres: metres),
                    "fills": "\(fills.count)",
                ]))
    }
}
