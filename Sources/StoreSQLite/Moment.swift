import Foundation

/// Dates are stored as whole milliseconds since 1970-01-01 00:00 UTC: integers compare, sum and index exactly, and do
/// not change with the time zone the van is in.
enum Moment {
    /// 0001-01-01 and 9999-12-31, the range that calendars and ISO 8601 can express.
    private static let range = -62_135_596_800_000.0...253_402_300_799_999.0

    /// The milliseconds of `date`, rounded, or nil when it lies outside the years 1 to 9999.
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
