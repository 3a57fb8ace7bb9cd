import Domain
import GRDB

/// The van's masses, tanks and occupants in SQLite.
struct SQLiteVehicle: VehicleStore {
    let connection: Connection

    func vehicle() async throws -> Vehicle {
        try await connection.read("vehicle.vehicle") { database in
            let masses = try Row.fetchOne(database, sql: "SELECT unladen_grams, permitted_grams FROM vehicle")
            let tanks = try Row.fetchAll(database, sql: "SELECT * FROM tank ORDER BY id").map { row in
                Tank(
                    name: row["name"], capacityMillilitres: row["capacity_ml"], gramsPerLitre: row["grams_per_litre"],
                    levelPercent: row["level_percent"], device: row["device_id"])
            }
            let occupants = try Row.fetchAll(database, sql: "SELECT name, grams FROM occupant ORDER BY id").map {
                Occupant(name: $0[0], grams: $0[1])
            }
            return Vehicle(
                unladenGrams: masses?[0], permittedGrams: masses?[1], tanks: tanks, occupants: occupants)
        }
    }

    func setMasses(unladenGrams: Int?, permittedGrams: Int?) async throws {
        if [unladenGrams, permittedGrams].contains(where: { $0.map { $0 <= 0 } ?? false }) {
            throw connection.refused("vehicle.setMasses", "a mass must be greater than zero")
        }
        try await connection.write("vehicle.setMasses") { database in
            try database.execute(
                sql: """
                    INSERT INTO vehicle (id, unladen_grams, permitted_grams) VALUES (1, ?, ?) ON CONFLICT (id)
                    DO UPDATE SET unladen_grams = excluded.unladen_grams, permitted_grams = excluded.permitted_grams
                    """,
                arguments: [unladenGrams, permittedGrams])
        }
    }

    func set(_ tank: Tank) async throws {
        let call = "vehicle.setTank"
        if tank.name.allSatisfy(\.isWhitespace) { throw connection.refused(call, "a tank needs a name") }
        if tank.capacityMillilitres <= 0 || tank.gramsPerLitre <= 0 {
            throw connection.refused(call, "capacity and density of \(tank.name) must be greater than zero")
        }
        if let level = tank.levelPercent, !(0...100).contains(level) {
            throw connection.refused(call, "the level of \(tank.name) is not between 0 and 100 percent")
        }
        try await connection.write(call) { database in
            try database.execute(
                sql: """
                    INSERT INTO tank (name, capacity_ml, grams_per_litre, level_percent, device_id)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET capacity_ml = excluded.capacity_ml,
                    grams_per_litre = excluded.grams_per_litre, level_percent = excluded.level_percent,
                    device_id = excluded.device_id
                    """,
                arguments: [
                    tank.name, tank.capacityMillilitres, tank.gramsPerLitre, tank.levelPercent, tank.device,
                ])
        }
    }

    func removeTank(named name: String) async throws -> Bool {
        try await connection.write("vehicle.removeTank") { database in
            try database.execute(sql: "DELETE FROM tank WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }

    func set(_ occupant: Occupant) async throws {
        let call = "vehicle.setOccupant"
        if occupant.name.allSatisfy(\.isWhitespace) { throw connection.refused(call, "an occupant needs a name") }
        if occupant.grams <= 0 { throw connection.refused(call, "a mass must be greater than zero") }
        try await connection.write(call) { database in
            try database.execute(
                sql: """
                    INSERT INTO occupant (name, grams) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET grams = excluded.grams
                    """,
                arguments: [occupant.name, occupant.grams])
        }
    }

    func removeOccupant(named name: String) async throws -> Bool {
        try await connection.write("vehicle.removeOccupant") { database in
            try database.execute(sql: "DELETE FROM occupant WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }
}
