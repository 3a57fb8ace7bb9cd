import Domain
import Foundation

/// Numbers, money, lists and dates as a voice says them; the words are data.
package struct SpokenForms {
    package let replies: Replies
    package let calendar: Calendar

    private let words: WordRules

    package init(replies: Replies, words: WordRules, calendar: Calendar) {
        self.replies = replies
        self.words = words
        self.calendar = calendar
    }

    /// “50 pounds”, “12 pounds 45”, “45 pence”.
    package func money(_ amount: Money) -> String {
        let scale = (0..<Money.exponent(of: amount.currency)).reduce(Int64(1)) { product, _ in product * 10 }
        let magnitude = amount.minorUnits.magnitude
        let major = magnitude / UInt64(scale), minor = magnitude % UInt64(scale)
        let key = "money.\(amount.currency)"
        let sign = amount.minorUnits < 0 ? replies("money.minus") + " " : ""
        let values = ["major": "\(major)", "minor": minor < 10 ? "0\(minor)" : "\(minor)", "code": amount.currency]
        let isKnown = replies.has(key)
        if minor == 0 { return sign + replies(isKnown ? key : "money.other", values) }
        if major == 0, replies.has(key + "_minor") {
            return sign + replies(key + "_minor", ["minor": "\(minor)"])
        }
        return sign + replies(isKnown ? key + "_both" : "money.other_both", values)
    }

    /// Several amounts in different currencies.
    package func money(_ amounts: [Money]) -> String { list(amounts.map { money($0) }) }

    /// “a, b and c”.
    package func list(_ parts: [String]) -> String { joined(parts, by: "list.and") }

    /// “a, b or c”.
    package func choice(_ parts: [String]) -> String { joined(parts, by: "list.or") }

    private func joined(_ parts: [String], by key: String) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + replies(key) + last
    }

    /// “the kettle”: a name with its article, unless it has one.
    package func the(_ name: String) -> String {
        let first = name.split(separator: " ").first.map(String.init) ?? ""
        return words.articles.ofNames.contains(first) || saysWhere(name) ? name : replies("list.the", ["name": name])
    }

    /// “in the garage”; “under the bed”, whose name says where by itself.
    package func inside(_ place: String) -> String {
        saysWhere(place) ? place : replies("list.in", ["place": the(place)])
    }

    /// True for the name of a place that begins with a preposition.
    package func saysWhere(_ place: String) -> Bool {
        let words = place.split(separator: " ")
        return words.count > 1 && replies("list.prepositions").split(separator: " ").contains(words[0])
    }

    /// A name in the plural: “doors”.
    package func plural(_ name: String) -> String {
        var names = name.split(separator: " ").map(String.init)
        guard let last = names.popLast() else { return name }
        return (names + [words.plural(last)]).joined(separator: " ")
    }

    /// “is” or “are”, as the name is one thing or several.
    package func be(_ name: String) -> String {
        let last = name.split(separator: " ").last.map(String.init) ?? ""
        return replies(words.isPlural(last) ? "verb.are" : "verb.is")
    }

    /// The day, as seen from `now`.
    package func day(_ date: Date, now: Date) -> String {
        if calendar.isDate(date, inSameDayAs: now) { return replies("date.today") }
        if let yesterday = calendar.date(byAdding: .day, value: -1, to: now),
            calendar.isDate(date, inSameDayAs: yesterday)
        {
            return replies("date.yesterday")
        }
        return longDate(date, now: now)
    }

    /// “21 November”, and the year where it is another than now.
    package func longDate(_ date: Date, now: Date) -> String {
        let year = calendar.component(.year, from: date)
        guard year != calendar.component(.year, from: now) else { return longDate(date) }
        return replies("date.long_year", dateParts(date).merging(["year": "\(year)"]) { $1 })
    }

    /// “Saturday 21 November”.
    package func fullDate(_ date: Date) -> String { replies("date.full", dateParts(date)) }

    /// A stretch of time as it was said, with its names as they are written: “in June”, “in 2019”.
    package func period(_ said: SlotValue) -> String {
        guard let period = said.period else { return said.spoken }
        switch period.unit {
        case .monthName, .date:
            let name = replies("date.month\(period.offset)"), lowered = name.lowercased()
            return said.spoken.split(separator: " ").map { $0 == lowered ? name : String($0) }.joined(separator: " ")
        case .yearNumber:
            let first = said.spoken.split(separator: " ").first.map(String.init) ?? ""
            return "\(first) \(period.offset)"
        default: return said.spoken
        }
    }

    /// “21 November”.
    package func longDate(_ date: Date) -> String {
        replies("date.long", dateParts(date))
    }

    private func dateParts(_ date: Date) -> [String: String] {
        let parts = calendar.dateComponents([.day, .month, .weekday], from: date)
        return [
            "day": "\(parts.day ?? 1)", "month": replies("date.month\(parts.month ?? 1)"),
            "weekday": replies("date.weekday\(parts.weekday ?? 1)"),
        ]
    }
}

extension String {
    /// The text with its first letter in upper case.
    package var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
