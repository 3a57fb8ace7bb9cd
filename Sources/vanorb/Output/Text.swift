import Control
import Foundation

/// Values as a person in Britain reads them.
enum Text {
    private static let symbols = ["GBP": "£", "EUR": "€", "USD": "$", "JPY": "¥"]

    /// Such as `£12.50`, `-£0.05`, `12.50 CHF`.
    static func money(_ amount: MoneyAmount) -> String {
        let places = max(0, min(amount.exponent, 6))
        var digits = String(amount.minorUnits.magnitude)
        if digits.count <= places { digits = String(repeating: "0", count: places + 1 - digits.count) + digits }
        let number = places == 0 ? digits : "\(digits.dropLast(places)).\(digits.suffix(places))"
        let sign = amount.minorUnits < 0 ? "-" : ""
        return symbols[amount.currency].map { "\(sign)\($0)\(number)" } ?? "\(sign)\(number) \(amount.currency)"
    }

    /// Such as `£12.50, €3.00`.
    static func money(_ amounts: [MoneyAmount]) -> String { amounts.map(money).joined(separator: ", ") }

    /// Such as `1 May 2026, 14:03`, in the local time zone.
    static func date(_ date: Date) -> String { formatted(date, "d MMM yyyy, HH:mm") }

    /// Such as `1 May 2026`, in the local time zone.
    static func day(_ date: Date) -> String { formatted(date, "d MMM yyyy") }

    /// Such as `1 May`, in the local time zone.
    static func shortDay(_ date: Date) -> String { formatted(date, "d MMM") }

    private static func formatted(_ date: Date, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: date)
    }

    /// Such as `3 d 4 h`, `12 min 5 s`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e10 else { return "?" }
        let whole = Int(seconds)
        let units = [("d", whole / 86_400), ("h", whole / 3_600 % 24), ("min", whole / 60 % 60), ("s", whole % 60)]
        guard let first = units.firstIndex(where: { $0.1 > 0 }) else { return "0 s" }
        return units[first...].prefix(2).filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: " ")
    }

    /// Such as `250 g`, `1.5 kg`.
    static func weight(grams: Int) -> String {
        grams < 1_000 ? "\(grams) g" : "\(decimal(Double(grams) / 1_000, places: 1)) kg"
    }

    /// Such as `412 km`, `52.3 miles`.
    static func distance(metres: Int64, _ unit: DistanceUnitName) -> String {
        let value = Double(metres) / (unit == .miles ? 1_609.344 : 1_000)
        return "\(decimal(value, places: value < 100 ? 1 : 0)) \(unit == .miles ? "miles" : "km")"
    }

    /// Such as `85.3 MB`.
    static func megabytes(_ bytes: Int64) -> String { "\(decimal(Double(bytes) / 1e6, places: 1)) MB" }

    /// A number with so many decimal places.
    static func decimal(_ value: Double, places: Int) -> String { String(format: "%.\(places)f", value) }

    /// A probability, such as `0.87`.
    static func probability(_ value: Double) -> String { decimal(value, places: 2) }
}
