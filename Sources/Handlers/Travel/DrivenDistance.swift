import Domain
import Foundation

/// How far the van went, from the odometer where it was read, else from what the receiver measured.
package struct DrivenDistance: Sendable {
    private let trips: any TripStore

    package init(_ trips: any TripStore) { self.trips = trips }

    /// Seconds; a reading at most this long before a trip is taken for one at its start.
    private static let tolerance: TimeInterval = 86_400

    /// Metres in `period` (nil: ever), or nil where neither is known. Between the first and the last reading the
    /// odometer is used, outside them the receiver.
    package func metres(in period: DateInterval?) async throws -> Int64? {
        let readings = try await trips.readings()
        let counted = try await trips.driven(in: period)
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
        try await trips.driven(in: DateInterval(start: start, end: end)) ?? 0
    }

    /// Metres between the first and the last fill: between the readings nearest to them, each within half a day, else
    /// as the receiver measured.
    package func metres(betweenFillsIn span: DateInterval) async throws -> Int64? {
        let readings = try await trips.readings()
        func nearest(_ date: Date) -> OdometerReading? {
            readings.map { ($0, abs($0.date.timeIntervalSince(date))) }.filter { $0.1 <= Self.tolerance / 2 }
                .min { $0.1 < $1.1 }?.0
        }
        if let first = nearest(span.start), let last = nearest(span.end), last.metres > first.metres {
            return last.metres - first.metres
        }
        return try await trips.driven(in: span)
    }
}
