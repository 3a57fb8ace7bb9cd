import Domain
import Foundation
import GRDB

/// The trips in SQLite. An index forbids a second trip under way.
struct SQLiteTrips: TripStore {
    let connection: Connection

    func current() async throws -> Trip? {
        try await connection.read("trips.current") { database in
            try Row.fetchOne(database, sql: "SELECT * FROM trip WHERE end_ms IS NULL").map(trip)
        }
    }

    func trips() async throws -> [Trip] {
        try await connection.read("trips.trips") { database in
            try Row.fetchAll(database, sql: "SELECT * FROM trip ORDER BY start_ms DESC, id DESC").map(trip)
        }
    }

    func start(_ trip: Trip) async throws -> Trip {
        let start = try milliseconds(trip.start, "trips.start")
        let end = try trip.end.map { try milliseconds($0, "trips.start") }
        return try await connection.write("trips.start") { database in
            if end == nil { try requireNoneUnderWay(besides: nil, "trips.start", database) }
            var stored = trip
            stored.id = try database.insert(
                "trip", id: trip.id, ["destination": trip.destination, "start_ms": start, "end_ms": end])
            stored.start = Moment.date(start)
            stored.end = end.map(Moment.date)
            return stored
        }
    }

    func add(all trips: [Trip]) async throws {
        let rows = try trips.map { trip in
            (trip, try milliseconds(trip.start, "trips.add"), try trip.end.map { try milliseconds($0, "trips.add") })
        }
        try await connection.write("trips.add(all:)") { database in
            for (trip, start, end) in rows {
                if end == nil { try requireNoneUnderWay(besides: nil, "trips.add", database) }
                _ = try database.insert(
                    "trip", id: trip.id, ["destination": trip.destination, "start_ms": start, "end_ms": end])
            }
        }
    }

    func start(_ trip: Trip, insteadOfCurrent: Bool, at reading: OdometerReading?) async throws -> Trip {
        let start = try milliseconds(trip.start, "trips.start")
        let reading = try reading.map { try row(of: $0, "trips.start") }
        return try await connection.write("trips.start") { database in
            if insteadOfCurrent {
                try database.execute(sql: "UPDATE trip SET end_ms = ? WHERE end_ms IS NULL", arguments: [start])
            } else {
                try requireNoneUnderWay(besides: nil, "trips.start", database)
            }
            if let reading {
                _ = try database.insert(
                    "odometer_reading", id: 0, ["metres": reading.metres, "date_ms": reading.date])
            }
            var stored = trip
            stored.id = try database.insert(
                "trip", id: 0, ["destination": trip.destination, "start_ms": start, "end_ms": nil as Int64?])
            stored.start = Moment.date(start)
            return stored
        }
    }

    func setEnd(_ end: Date?, id: Int64, at reading: OdometerReading?) async throws -> Bool {
        let end = try end.map { try milliseconds($0, "trips.setEnd") }
        let reading = try reading.map { try row(of: $0, "trips.setEnd") }
        return try await connection.write("trips.setEnd") { database in
            if end == nil { try requireNoneUnderWay(besides: id, "trips.setEnd", database) }
            try database.execute(sql: "UPDATE trip SET end_ms = ? WHERE id = ?", arguments: [end, id])
            guard database.changesCount > 0 else { return false }
            if let reading {
                _ = try database.insert(
                    "odometer_reading", id: 0, ["metres": reading.metres, "date_ms": reading.date])
            }
            return true
        }
    }

    func replaceCurrent(with trip: Trip) async throws -> Trip {
        let start = try milliseconds(trip.start, "trips.replaceCurrent")
        return try await connection.write("trips.replaceCurrent") { database in
            try database.execute(sql: "UPDATE trip SET end_ms = ? WHERE end_ms IS NULL", arguments: [start])
            var stored = trip
            stored.id = try database.insert(
                "trip", id: 0, ["destination": trip.destination, "start_ms": start, "end_ms": nil as Int64?])
            stored.start = Moment.date(start)
            return stored
        }
    }

    func setEnd(_ end: Date?, id: Int64) async throws -> Bool {
        let end = try end.map { try milliseconds($0, "trips.setEnd") }
        return try await connection.write("trips.setEnd") { database in
            if end == nil { try requireNoneUnderWay(besides: id, "trips.setEnd", database) }
            try database.execute(sql: "UPDATE trip SET end_ms = ? WHERE id = ?", arguments: [end, id])
            return database.changesCount > 0
        }
    }

    func remove(id: Int64) async throws -> Bool {
        try await connection.write("trips.remove") { try $0.delete("trip", id: id) }
    }

    /// The index would refuse a second one too, but only by its own name.
    @Sendable private func requireNoneUnderWay(besides id: Int64?, _ call: String, _ database: Database) throws {
        let other = try String.fetchOne(
            database, sql: "SELECT destination FROM trip WHERE end_ms IS NULL AND id IS NOT ?", arguments: [id])
        if let other { throw connection.refused(call, "a trip to \(other) is already under way") }
    }

    func milliseconds(_ date: Date, _ call: String) throws -> Int64 {
        guard let value = Moment.milliseconds(date) else {
            throw connection.refused(call, "the date lies outside the years 1 to 9999")
        }
        return value
    }

    @Sendable private func trip(_ row: Row) -> Trip {
        let end: Int64? = row["end_ms"]
        return Trip(
            id: row["id"], destination: row["destination"], start: Moment.date(row["start_ms"]),
            end: end.map(Moment.date))
    }
}
