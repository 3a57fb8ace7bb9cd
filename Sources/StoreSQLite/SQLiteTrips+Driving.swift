import Domain
import Foundation
import GRDB

/// The odometer and the receiver's distance, in SQLite.
extension SQLiteTrips {
    /// Ten minutes in milliseconds.
    private static let stretch: Int64 = 600_000

    func readings() async throws -> [OdometerReading] {
        try await connection.read("trips.readings") { database in
            try Row.fetchAll(database, sql: "SELECT * FROM odometer_reading ORDER BY date_ms, id").map { row in
                OdometerReading(id: row["id"], metres: row["metres"], date: Moment.date(row["date_ms"]))
            }
        }
    }

    /// A reading as its table has it.
    func row(of reading: OdometerReading, _ call: String) throws -> (metres: Int64, date: Int64) {
        guard (0...10_000_000_000).contains(reading.metres) else {
            throw connection.refused(call, "\(reading.metres) m is not a valid odometer reading")
        }
        return (reading.metres, try milliseconds(reading.date, call))
    }

    func add(_ reading: OdometerReading) async throws -> OdometerReading {
        let (_, date) = try row(of: reading, "trips.addReading")
        return try await connection.write("trips.addReading") { database in
            var stored = reading
            stored.id = try database.insert(
                "odometer_reading", id: reading.id, ["metres": reading.metres, "date_ms": date])
            stored.date = Moment.date(date)
            return stored
        }
    }

    func addDriven(metres: Int64, at date: Date) async throws {
        guard metres >= 0 else { throw connection.refused("trips.addDriven", "\(metres) m is not a valid distance") }
        let start = try milliseconds(date, "trips.addDriven") / Self.stretch * Self.stretch
        try await connection.write("trips.addDriven") { database in
            try database.execute(
                sql: """
                    INSERT INTO driven (start_ms, metres) VALUES (?, ?)
                    ON CONFLICT (start_ms) DO UPDATE SET metres = metres + excluded.metres
                    """, arguments: [start, metres])
        }
    }

    func driven(in period: DateInterval?) async throws -> Int64? {
        let (from, to) = Self.bounds(period)
        return try await connection.read("trips.driven") { database in
            // A stretch belongs to the period with most of it.
            try Int64.fetchOne(
                database, sql: "SELECT sum(metres) FROM driven WHERE start_ms + 300000 >= ? AND start_ms + 300000 < ?",
                arguments: [from, to])
        }
    }

    func addStop(_ stop: Stop) async throws {
        let date = try milliseconds(stop.date, "trips.addStop")
        let fixed = try milliseconds(stop.position.time, "trips.addStop")
        try await connection.write("trips.addStop") { database in
            try database.execute(
                sql: """
                    INSERT INTO stop (latitude, longitude, uncertainty, fixed_ms, country, date_ms)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    stop.position.latitude, stop.position.longitude, stop.position.uncertainty, fixed, stop.country,
                    date,
                ])
        }
    }

    func stops(in period: DateInterval?) async throws -> [Stop] {
        let (from, to) = Self.bounds(period)
        return try await connection.read("trips.stops") { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM stop WHERE date_ms >= ? AND date_ms < ? ORDER BY date_ms, id",
                arguments: [from, to]
            ).map(Self.stop)
        }
    }

    func lastStop() async throws -> Stop? {
        try await connection.read("trips.lastStop") { database in
            try Row.fetchOne(database, sql: "SELECT * FROM stop ORDER BY id DESC LIMIT 1").map(Self.stop)
        }
    }

    private static func bounds(_ period: DateInterval?) -> (Int64, Int64) {
        guard let period else { return (.min, .max) }
        return (Moment.clamped(period.start), Moment.clamped(period.end))
    }

    @Sendable private static func stop(_ row: Row) -> Stop {
        Stop(
            position: Position(
                latitude: row["latitude"], longitude: row["longitude"], uncertainty: row["uncertainty"],
                time: Moment.date(row["fixed_ms"])),
            country: row["country"], date: Moment.date(row["date_ms"]))
    }
}
