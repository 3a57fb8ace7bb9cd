import Domain
import Foundation
import GRDB

/// The dates of an unset clock in SQLite; the triggers of `Schema.startMarking` mark them.
struct SQLiteTimes: TimeStore {
    let connection: Connection
    let clock: @Sendable () -> ClockReading

    func uncertain() async throws -> UncertainEntries {
        let boot = clock().boot
        return try await connection.read("times.uncertain") { database in
            var result = UncertainEntries(thisBoot: 0, older: 0)
            for table in try Schema.datedTables(database) {
                // A removed row's mark stays until an undo might bring the row back no more; it is not counted.
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT COUNT(DISTINCT CASE WHEN boot = ?1 AND boot <> '' THEN row_id END),
                            COUNT(DISTINCT CASE WHEN boot <> ?1 OR boot = '' THEN row_id END)
                        FROM uncertain_date
                        WHERE table_name = ?2 AND shift_ms IS NULL
                            AND row_id IN (SELECT id FROM \(Schema.quoted(table.name)))
                        """, arguments: [boot, table.name])
                result.thisBoot += row?[0] ?? 0
                result.older += row?[1] ?? 0
            }
            return result
        }
    }

    func repair() async throws -> Int {
        let reading = clock()
        guard reading.isCertain, !reading.boot.isEmpty else { return 0 }
        // What the clock would have shown at the kernel's start, had it been right.
        let start = Moment.clamped(reading.wall) - Int64(reading.sinceBoot.milliseconds)
        return try await settle(
            "times.repair", "shift_ms = ? + since_boot_ms - clock_ms WHERE shift_ms IS NULL AND boot = ?",
            [start, reading.boot])
    }

    func settle(_ way: TimeSettlement) async throws -> Int {
        let reading = clock()
        // The text is this file's; the owner's choice is an argument.
        let isOlder = "WHERE shift_ms IS NULL AND (boot <> ? OR boot = '')"
        switch way {
        case .today:
            return try await settle(
                "times.settle", "shift_ms = ? - clock_ms \(isOlder)", [Moment.clamped(reading.wall), reading.boot])
        case .asTheyAre: return try await settle("times.settle", "shift_ms = 0 \(isOlder)", [reading.boot])
        }
    }

    private func settle(_ call: String, _ shift: String, _ arguments: StatementArguments) async throws -> Int {
        // Most starts of the appliance find nothing, and must not write to the disk for it.
        let isNeeded = try await connection.read(call) { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM uncertain_date WHERE shift_ms IS NULL)") ?? false
        }
        guard isNeeded else { return 0 }
        return try await connection.write(call) { database in
            try database.execute(sql: "UPDATE uncertain_date SET \(shift)", arguments: arguments)
            return try Self.applyShifts(database)
        }
    }

    /// Moves the dates whose shift is known and whose rows exist.
    /// - Returns: how many rows were moved.
    static func applyShifts(_ database: Database) throws -> Int {
        let marks = try Row.fetchAll(
            database,
            sql: "SELECT table_name, row_id, column_name, shift_ms FROM uncertain_date WHERE shift_ms IS NOT NULL")
        guard !marks.isEmpty else { return 0 }
        let flagged = Set(try Schema.datedTables(database).filter(\.isFlagged).map(\.name))
        var moved = Set<String>()
        try Schema.silently(database) {
            for mark in marks {
                let table: String = mark[0], id: Int64 = mark[1], column: String = mark[2], shift: Int64 = mark[3]
                // OR IGNORE: a date that violates a constraint of its table stays, and does not stop the others.
                try database.execute(
                    sql: """
                        UPDATE OR IGNORE \(Schema.quoted(table)) SET
                            \(Schema.quoted(column)) = \(Schema.quoted(column)) + ?
                            \(flagged.contains(table) ? ", time_uncertain = 0" : "")
                        WHERE id = ? AND \(Schema.quoted(column)) IS NOT NULL
                        """, arguments: [shift, id])
                guard database.changesCount == 1 else { continue }
                moved.insert("\(table) \(id)")
                try database.execute(
                    sql: "DELETE FROM uncertain_date WHERE table_name = ? AND row_id = ? AND column_name = ?",
                    arguments: [table, id, column])
            }
        }
        return moved.count
    }
}
