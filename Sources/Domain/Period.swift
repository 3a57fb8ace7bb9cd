import Foundation

/// A day or a stretch of calendar time, relative to the present.
public struct Period: Sendable, Equatable, Hashable {
    /// What is meant.
    public enum Unit: String, Sendable, CaseIterable {
        /// A calendar day, week (from Monday), month, quarter or year; `offset` is relative to the present one.
        case day, week, month, quarter, year
        /// Saturday and Sunday of a week; `offset` is in weeks from the present one.
        case weekend
        /// A day of the week; `offset` is 1 for Monday to 7 for Sunday, the latest that is not in the future.
        case weekday
        /// As `weekday`, but never today.
        case lastWeekday
        /// As `weekday`, the first that is in the future.
        case nextWeekday
        /// A month by name; `offset` is 1 to 12, of `year`, else the latest that is not in the future.
        case monthName
        /// A date; `offset` is the month, `day` the day, of `year`, else the latest that is not in the future.
        case date
        /// A day of the month, `day`; the latest that is not in the future.
        case dayOfMonth
        /// The year that `offset` says.
        case yearNumber
        /// A stretch of `offset` days up to and including today.
        case lastDays
        /// A stretch of `offset` months up to and including today.
        case lastMonths
        /// From the start of the first of `bounds` up to and including today.
        case since
        /// From the start of the first of `bounds` to the end of the second.
        case between
        /// All time.
        case all
    }

    /// The unit.
    public let unit: Unit
    /// How many units from the present; see `Unit`.
    public let offset: Int
    /// The day of the month, 1 to 31, where the unit has one.
    public let day: Int?
    /// The year that was said.
    public let year: Int?
    /// Where a stretch begins and ends.
    public let bounds: [Period]

    /// A period.
    public init(unit: Unit, offset: Int, day: Int? = nil, year: Int? = nil, bounds: [Period] = []) {
        self.unit = unit
        self.offset = offset
        self.day = day
        self.year = year
        self.bounds = bounds
    }

    /// The period's time; nil for all time, and for what the calendar does not have, such as the 31st of February.
    public func interval(now: Date, calendar: Calendar) -> DateInterval? {
        var calendar = calendar
        calendar.firstWeekday = 2
        func moved(_ component: Calendar.Component, _ count: Int) -> Date? {
            calendar.date(byAdding: component, value: count, to: now)
        }
        func whole(_ component: Calendar.Component, _ date: Date?) -> DateInterval? {
            date.flatMap { calendar.dateInterval(of: component, for: $0) }
        }
        // Calendar numbers Sunday 1; the data files number Monday 1, as ISO 8601 does.
        let today = (calendar.component(.weekday, from: now) + 5) % 7 + 1
        let back = (today - offset + 7) % 7
        switch unit {
        case .all: return nil
        case .day: return whole(.day, moved(.day, offset))
        case .week: return whole(.weekOfYear, moved(.weekOfYear, offset))
        case .month: return whole(.month, moved(.month, offset))
        case .year: return whole(.year, moved(.year, offset))
        case .quarter:
            guard
                let first = whole(.month, moved(.month, 3 * offset - (calendar.component(.month, from: now) - 1) % 3)),
                let end = calendar.date(byAdding: .month, value: 3, to: first.start)
            else { return nil }
            return DateInterval(start: first.start, end: end)
        case .weekend:
            guard let week = whole(.weekOfYear, moved(.weekOfYear, offset)),
                let saturday = calendar.date(byAdding: .day, value: 5, to: week.start)
            else { return nil }
            return DateInterval(start: saturday, end: week.end)
        case .weekday: return whole(.day, moved(.day, -back))
        case .lastWeekday: return whole(.day, moved(.day, back == 0 ? -7 : -back))
        case .nextWeekday: return whole(.day, moved(.day, 7 - back))
        case .monthName:
            if let year { return whole(.month, Self.date(year, offset, 1, calendar)) }
            return whole(.month, moved(.month, -((calendar.component(.month, from: now) - offset + 12) % 12)))
        case .date: return whole(.day, latestDate(now, calendar))
        case .dayOfMonth: return whole(.day, latestDay(now, calendar))
        case .yearNumber: return whole(.year, Self.date(offset, 1, 1, calendar))
        case .lastDays: return upToToday(from: moved(.day, 1 - offset), now, calendar)
        case .lastMonths: return upToToday(from: moved(.month, -offset), now, calendar)
        case .since:
            return upToToday(from: bounds.first?.interval(now: now, calendar: calendar)?.start, now, calendar)
        case .between: return stretch(now, calendar)
        }
    }

    private func upToToday(from start: Date?, _ now: Date, _ calendar: Calendar) -> DateInterval? {
        guard let start, let today = calendar.dateInterval(of: .day, for: now), start <= today.end else { return nil }
        return DateInterval(start: calendar.startOfDay(for: start), end: today.end)
    }

    /// The beginning is looked for as seen from the end: “between November and March” said in May is last winter.
    private func stretch(_ now: Date, _ calendar: Calendar) -> DateInterval? {
        guard let first = bounds.first, let last = bounds.dropFirst().first,
            let end = last.interval(now: now, calendar: calendar),
            let start = first.interval(now: min(now, end.end.addingTimeInterval(-1)), calendar: calendar),
            start.start < end.end
        else { return nil }
        return DateInterval(start: start.start, end: end.end)
    }

    /// Years are looked through backwards; eight have a 29th of February among them, whatever the century.
    private func latestDate(_ now: Date, _ calendar: Calendar) -> Date? {
        guard let day else { return nil }
        if let year { return Self.date(year, offset, day, calendar) }
        let present = calendar.component(.year, from: now)
        return (0...8).lazy.compactMap { Self.date(present - $0, offset, day, calendar) }.first { $0 <= now }
    }

    private func latestDay(_ now: Date, _ calendar: Calendar) -> Date? {
        guard let day else { return nil }
        let parts = calendar.dateComponents([.year, .month], from: now)
        guard let year = parts.year, let month = parts.month else { return nil }
        return (0...2).lazy.compactMap { back in
            let months = year * 12 + month - 1 - back
            return Self.date(months / 12, months % 12 + 1, day, calendar)
        }.first { $0 <= now }
    }

    /// The start of a date, or nil where the calendar has none such.
    private static func date(_ year: Int, _ month: Int, _ day: Int, _ calendar: Calendar) -> Date? {
        let parts = DateComponents(year: year, month: month, day: day)
        guard let date = calendar.date(from: parts) else { return nil }
        let found = calendar.dateComponents([.year, .month, .day], from: date)
        return found.year == year && found.month == month && found.day == day ? date : nil
    }
}
