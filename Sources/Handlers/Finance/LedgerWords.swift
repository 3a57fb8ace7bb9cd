import Domain
import Foundation

/// How entries and sums are put into words.
package struct LedgerWords: HandlerPart {
    package let environment: HandlerEnvironment

    /// An entry in words: “50 pounds for diesel at Shell, yesterday”.
    /// - Parameter withDay: also the day, unless it is today.
    package func phrase(for entry: LedgerEntry, withDay: Bool = true) -> Wording {
        var text = spoken.money(entry.amount)
        let purpose = (entry.note ?? entry.category).map { spoken.purpose($0.prefix(1).lowercased() + $0.dropFirst()) }
        if let litres = entry.millilitres.map(Self.litres), let purpose {
            text += replies("finance.part_litres", ["litres": litres, "purpose": purpose])
        } else if let purpose {
            text += replies("finance.part_for", ["purpose": purpose])
        } else if entry.merchant == nil {
            text += replies("finance.part_\(entry.kind.rawValue)")
        }
        if let merchant = entry.merchant { text += replies("finance.part_at", ["merchant": merchant]) }
        if let account = entry.account { text += replies("finance.part_account", ["account": account]) }
        if withDay, !calendar.isDate(entry.date, inSameDayAs: now()) {
            text += replies("finance.part_day", ["day": spoken.day(entry.date, now: now())])
        }
        return text
    }

    /// “40”, “38.5”.
    private static func litres(_ millilitres: Int64) -> String {
        let tenths = (millilitres + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
