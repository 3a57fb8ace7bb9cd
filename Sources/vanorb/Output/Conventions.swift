import Control
import Foundation

/// How times and amounts are written for people: by the owner's settings, also where somebody else is at the terminal.
/// What was set there on purpose goes before: `TZ` the time zone, `LC_TIME` and `LC_MONETARY` (and `LC_ALL`, which
/// stands for both) the country. `LANG` does not: every SSH client sends one. The language stays the owner's.
struct Conventions: Sendable {
    private let times: Date.FormatStyle
    private let amounts: Locale
    private let home: String?

    /// - Parameters:
    ///   - owner: as the daemon says; nil where none answers: the machine's zone, and Britain's ways.
    ///   - environment: the terminal's.
    init(_ owner: OwnerLocale?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        func locale(_ category: String) -> Locale {
            let wanted = [environment["LC_ALL"], environment[category]].compactMap { $0 }.first { !$0.isEmpty }
            let country = wanted.flatMap(Self.country) ?? owner?.country ?? "GB"
            return Locale(identifier: "\(owner?.language ?? "en")_\(country)")
        }
        let wanted = environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
        let zones = [wanted, owner?.timeZone].compactMap { $0 }.filter { !$0.isEmpty }
        times = Date.FormatStyle(
            locale: locale("LC_TIME"),
            timeZone: zones.lazy.compactMap(TimeZone.init(identifier:)).first ?? .current)
        amounts = locale("LC_MONETARY")
        home = owner?.currency
    }

    /// The country of a locale's name such as `de_AT.UTF-8`; nil for `C` and other names without one.
    private static func country(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        guard name.count == 2, name[1].count == 2, name[1].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            return nil
        }
        return String(name[1])
    }

    /// Such as `1 May 2026, 14:03`, `May 1, 2026, 2:03 PM`.
    func date(_ date: Date) -> String { "\(day(date)), \(Self.plain(times.hour().minute().format(date)))" }

    /// Such as `1 May 2026`.
    func day(_ date: Date) -> String { Self.plain(times.day().month(.abbreviated).year().format(date)) }

    /// Such as `1 May`.
    func shortDay(_ date: Date) -> String { Self.plain(times.day().month(.abbreviated).format(date)) }

    /// Such as `£12.50`, `-12,50 €`, `CHF 12.50`. The owner's own currency has its shortest symbol; of others, one that
    /// cannot be taken for it.
    func money(_ amount: MoneyAmount) -> String {
        let places = max(0, min(amount.exponent, 6))
        let value = Decimal(
            sign: amount.minorUnits < 0 ? .minus : .plus, exponent: -places,
            significand: Decimal(amount.minorUnits.magnitude))
        let style = Decimal.FormatStyle.Currency(code: amount.currency, locale: amounts)
            .precision(.fractionLength(places)).presentation(amount.currency == home ? .narrow : .standard)
        return Self.plain(style.format(value))
    }

    /// True where amounts have a comma before their decimals.
    var hasDecimalComma: Bool { amounts.decimalSeparator == "," }

    /// A number with so many decimal places, without thousands.
    func decimal(_ value: Double, places: Int) -> String {
        let text = String(format: "%.\(places)f", value), mark = amounts.decimalSeparator ?? "."
        return mark == "." ? text : text.replacing(".", with: mark)
    }

    /// A terminal's lines part at plain spaces, and scripts look for them.
    private static func plain(_ text: String) -> String {
        text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
    }
}
