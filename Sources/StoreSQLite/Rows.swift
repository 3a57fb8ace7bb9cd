import GRDB
import Foundation

/// The statements that every table shares. Table and column names come from this target's own text, never from the
/// owner; the owner's words are always arguments.
extension Database {
    /// Inserts a row under a new number, or under `id` when that is given and free: as an undo restores what was
    /// removed.
    /// - Returns: the row's number.
    func insert(_ table: String, id: Int64, _ values: KeyValuePairs<String, (any DatabaseValueConvertible)?>)
        throws -> Int64
    {
        var columns = values.map(\.key)
        var arguments = values.map(\.value)
        if try id > 0 && !hasRow(table, id: id) {
            columns.append("id")
            arguments.append(id)
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        // An import compiles it once: with the journal's triggers that takes longer than to execute it.
        try cachedStatement(sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
            .execute(arguments: StatementArguments(arguments))
        return lastInsertedRowID
    }

    /// Deletes the row of this number; false when there is none.
    func delete(_ table: String, id: Int64) throws -> Bool {
        try execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id])
        return changesCount > 0
    }

    private func hasRow(_ table: String, id: Int64) throws -> Bool {
        try Bool.fetchOne(self, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)", arguments: [id]) ?? false
    }
}

/// Dates are stored as whole milliseconds since 1970-01-01 00:00 UTC: integers compare, sum and index exactly, and do
/// not change with the time zone the van is in.
enum Moment {
    /// 0001-01-01 and 9999-12-31, the range that calendars and ISO 8601 can express.
    private static let range = -62_135_596_800_000.0...253_402_300_799_999.0

    /// The milliseconds of `date`, rounded, or nil when it is outside the years 1 to 9999.
    static func milliseconds(_ date: Date) -> Int64? {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        return range.contains(value) ? Int64(value) : nil
    }

    /// The milliseconds of a period's end, which may be as far away as it likes.
    static func clamped(_ date: Date) -> Int64 {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        return Int64(min(max(value, range.lowerBound), range.upperBound))
    }

    /// The date at `milliseconds`.
    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
