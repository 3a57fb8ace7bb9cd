import Foundation

/// A day or a stretch of calendar time, relative to the present.
public struct Period: Sendable, Equatable, Hashable {
    /// The calendar unit that it counts in.
    public enum Unit: String, Sendable, CaseIterable {
        /// A calendar day, week (from Monday), month or year.
        case day, week, month, year
        /// A day of the week; `offset` is 1 for Monday to 7 for Sunday, the latest that is not in the future.
        case weekday
        /// A month by name; `offset` is 1 to 12, the latest that is not in the future.
        case monthName
        /// A stretch of `offset` days up to and including today.
        case lastDays
        /// All time.
        case all
    }

    /// The unit.
    public let unit: Unit
    /// How many units from the present; see `Unit`.
    public let offset: Int

    /// A period.
    public init(unit: Unit, offset: Int) {
        self.unit = unit
        self.offset = offset
    }

    /// The period's time, or nil for all time.
    public func interval(now: Date, calendar: Calendar) -> DateInterval? {
        switch unit {
        case .all: return nil
        case .day, .week, .month, .year:
            let component: Calendar.Component =
                switch unit {
                case .day: .day
                case .week: .weekOfYear
                case .month: .month
                default: .year
                }
            var calendar = calendar
            calendar.firstWeekday = 2
            guard let date = calendar.date(byAdding: component, value: offset, to: now) else { return nil }
            return calendar.dateInterval(of: component, for: date)
        case .weekday:
            // Calendar counts Sunday as 1; the data files count Monday as 1, as ISO 8601 does.
            let today = (calendar.component(.weekday, from: now) + 5) % 7 + 1
            let back = (today - offset + 7) % 7
            guard let date = calendar.date(byAdding: .day, value: -back, to: now) else { return nil }
            return calendar.dateInterval(of: .day, for: date)
        case .monthName:
            let month = calendar.component(.month, from: now)
            let back = (month - offset + 12) % 12
            guard let date = calendar.date(byAdding: .month, value: -back, to: now) else { return nil }
            return calendar.dateInterval(of: .month, for: date)
        case .lastDays:
            guard let today = calendar.dateInterval(of: .day, for: now),
                let start = calendar.date(byAdding: .day, value: 1 - offset, to: today.start)
            else { return nil }
            return DateInterval(start: start, end: today.end)
        }
    }
}
