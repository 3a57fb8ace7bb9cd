import Foundation

/// The hours of the night, by the clock on the wall; they may go past midnight.
public struct NightHours: Sendable, Equatable {
    /// Minutes since midnight: the first of the night and the first of the day.
    private let from: Int, to: Int

    /// The night between two times such as `22:00` and `07:00`.
    /// - Returns: nil where either is no time of day, or both are the same.
    public init?(from: String, to: String) {
        guard let from = Self.minutes(from), let to = Self.minutes(to), from != to else { return nil }
        (self.from, self.to) = (from, to)
    }

    /// Whether it is night at `date` where `calendar` is.
    public func contains(_ date: Date, in calendar: Calendar) -> Bool {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isNumber) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
