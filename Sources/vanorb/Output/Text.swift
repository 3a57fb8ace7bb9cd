import Control
import Foundation
import Synchronization

/// Values as people read them.
enum Text {
    private static let current = Mutex(Conventions(nil))

    /// How times and amounts are written; set once the daemon has said how its owner writes them.
    static var conventions: Conventions {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Such as `£12.50`, `-£0.05`, `CHF 12.50`.
    static func money(_ amount: MoneyAmount) -> String { conventions.money(amount) }

    /// Such as `£12.50, €3.00`, and `12,50 €; 3,00 £` where decimals have a comma.
    static func money(_ amounts: [MoneyAmount]) -> String {
        let ways = conventions
        return amounts.map(ways.money).joined(separator: ways.hasDecimalComma ? "; " : ", ")
    }

    /// Such as `1 May 2026, 14:03`, in the owner's time zone.
    static func date(_ date: Date) -> String { conventions.date(date) }

    /// Such as `1 May 2026`, in the owner's time zone.
    static func day(_ date: Date) -> String { conventions.day(date) }

    /// Such as `1 May`, in the owner's time zone.
    static func shortDay(_ date: Date) -> String { conventions.shortDay(date) }

    /// Such as `3 d 4 h`, `12 min 5 s`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e10 else { return "?" }
        let whole = Int(seconds)
        let units = [("d", whole / 86_400), ("h", whole / 3_600 % 24), ("min", whole / 60 % 60), ("s", whole % 60)]
        guard let first = units.firstIndex(where: { $0.1 > 0 }) else { return "0 s" }
        return units[first...].prefix(2).filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: " ")
    }

    /// Such as `250 g`, `1.5 kg`, `1.25 kg`; to the tenth from 10 kg on.
    static func weight(grams: Int) -> String {
        let places = grams % 100 == 0 || grams >= 10_000 ? 1 : 2
        return grams < 1_000 ? "\(grams) g" : "\(decimal(Double(grams) / 1_000, places: places)) kg"
    }

    /// Such as `412 km`, `52.3 miles`.
    static func distance(metres: Int64, _ unit: DistanceUnitName) -> String {
        let value = Double(metres) / (unit == .miles ? 1_609.344 : 1_000)
        return "\(decimal(value, places: value < 100 ? 1 : 0)) \(unit == .miles ? "miles" : "km")"
    }

    /// Such as `85.3 MB`.
    static func megabytes(_ bytes: Int64) -> String { "\(decimal(Double(bytes) / 1e6, places: 1)) MB" }

    /// A number with so many decimal places, with the owner's decimal mark.
    static func decimal(_ value: Double, places: Int) -> String { conventions.decimal(value, places: places) }

    /// A number of millionths with the decimals that it has, such as `0.86`, with the owner's decimal mark.
    static func millionths(_ value: Int64) -> String {
        var places = 6, rest = value
        while places > 0, rest % 10 == 0 { (places, rest) = (places - 1, rest / 10) }
        return decimal(Double(value) / 1_000_000, places: places)
    }

    /// Kilograms with the decimals that they have, to the gram, such as `62.5 kg`.
    static func kilograms(grams: Int) -> String { "\(millionths(Int64(grams) * 1_000)) kg" }

    /// A probability, such as `0.87`.
    static func probability(_ value: Double) -> String { decimal(value, places: 2) }
}
