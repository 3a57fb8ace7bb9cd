import Domain
import Foundation

/// Numbers, money, lists and dates as a voice says them, and as a screen shows them where that differs; the words are
/// data.
package struct SpokenForms {
    package let replies: Replies
    package let calendar: Calendar

    private let words: WordRules

    package init(replies: Replies, words: WordRules, calendar: Calendar) {
        self.replies = replies
        self.words = words
        self.calendar = calendar
    }

    /// “50 pounds”, “12 pounds 45”, “45 pence”; £50.00, £12.45, £0.45.
    package func money(_ amount: Money) -> Wording {
        let spoken = said(amount)
        return replies.has("written.other") ? Wording(spoken: spoken, written: written(amount)) : Wording(spoken)
    }

    private func said(_ amount: Money) -> String {
        let scale = (0..<Money.exponent(of: amount.currency)).reduce(Int64(1)) { product, _ in product * 10 }
        let magnitude = amount.minorUnits.magnitude
        let major = magnitude / UInt64(scale), minor = magnitude % UInt64(scale)
        let key = "money.\(amount.currency)"
        let sign = amount.minorUnits < 0 ? replies("money.minus").spoken + " " : ""
        func reply(_ key: String, _ values: [String: String]) -> String { sign + replies(key, values).spoken }
        let values = ["major": "\(major)", "minor": minor < 10 ? "0\(minor)" : "\(minor)", "code": amount.currency]
        let isKnown = replies.has(key)
        if minor == 0 { return reply(isKnown ? key : "money.other", values) }
        if major == 0, replies.has(key + "_minor") { return reply(key + "_minor", ["minor": "\(minor)"]) }
        return reply(isKnown ? key + "_both" : "money.other_both", values)
    }

    /// With all its decimals, as in a ledger.
    private func written(_ amount: Money) -> String {
        let places = Money.exponent(of: amount.currency)
        var digits = String(amount.minorUnits.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let whole = digits.dropLast(places), separator = replies("written.thousands").written
        var grouped = ""
        for (place, digit) in whole.enumerated() {
            if place > 0, (whole.count - place) % 3 == 0 { grouped += separator }
            grouped.append(digit)
        }
        if places > 0 { grouped += replies("written.point").written + digits.suffix(places) }
        let key = "written.\(amount.currency)"
        let money = replies(
            replies.has(key) ? key : "written.other", ["amount": grouped, "code": amount.currency])
        return (amount.minorUnits < 0 ? replies("written.minus", ["money": money]) : money).written
    }

    /// Several amounts in different currencies.
    package func money(_ amounts: [Money]) -> Wording { list(amounts.map { money($0) }) }

    /// “80 percent”; 80%.
    package func percent(_ value: Int64) -> Wording { replies("measure.percent", ["value": "\(value)"]) }

    /// “a, b and c”.
    package func list(_ parts: [some Worded]) -> Wording { joined(parts.map(\.wording), by: "list.and") }

    /// “a, b or c”.
    package func choice(_ parts: [some Worded]) -> Wording { joined(parts.map(\.wording), by: "list.or") }

    private func joined(_ parts: [Wording], by key: String) -> Wording {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + replies(key) + last
    }

    /// “the kettle”: a name with its article, unless it has one.
    package func the(_ name: String) -> String {
        let first = name.split(separator: " ").first.map(String.init) ?? ""
        return words.articles.ofNames.contains(first) || saysWhere(name)
            ? name : replies("list.the", ["name": name]).spoken
    }

    /// “the campsite”, “diesel”: what money was spent for, with an article where its last word wants one.
    package func purpose(_ note: some StringProtocol) -> String {
        let last = note.split(separator: " ").last.map { $0.lowercased() } ?? ""
        return words.articles.ofPurposes.contains(last) ? the(String(note)) : String(note)
    }

    /// “in the garage”; “under the bed”, whose name says where by itself.
    package func inside(_ place: String) -> String {
        saysWhere(place) ? place : replies("list.in", ["place": the(place)]).spoken
    }

    /// True for the name of a place that begins with a preposition.
    package func saysWhere(_ place: String) -> Bool {
        let words = place.split(separator: " ")
        return words.count > 1 && replies("list.prepositions").spoken.split(separator: " ").contains(words[0])
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
        return replies(words.isPlural(last) ? "verb.are" : "verb.is").spoken
    }

    /// The day, as seen from `now`.
    package func day(_ date: Date, now: Date) -> Wording {
        if calendar.isDate(date, inSameDayAs: now) { return replies("date.today") }
        if let yesterday = calendar.date(byAdding: .day, value: -1, to: now),
            calendar.isDate(date, inSameDayAs: yesterday)
        {
            return replies("date.yesterday")
        }
        return longDate(date, now: now)
    }

    /// “21 November”, and the year where it is another than now.
    package func longDate(_ date: Date, now: Date) -> Wording {
        let year = calendar.component(.year, from: date)
        guard year != calendar.component(.year, from: now) else { return longDate(date) }
        return replies("date.long_year", dateParts(date).merging(["year": "\(year)"]) { $1 })
    }

    /// “Saturday 21 November”.
    package func fullDate(_ date: Date) -> Wording { replies("date.full", dateParts(date)) }

    /// A stretch of time as it was said, with its names as they are written: “in June”, “in 2019”.
    package func period(_ said: SlotValue) -> String {
        guard let period = said.period else { return said.spoken }
        switch period.unit {
        case .monthName, .date:
            let name = replies("date.month\(period.offset)").spoken, lowered = name.lowercased()
            return said.spoken.split(separator: " ").map { $0 == lowered ? name : String($0) }.joined(separator: " ")
        case .yearNumber:
            let first = said.spoken.split(separator: " ").first.map(String.init) ?? ""
            return "\(first) \(period.offset)"
        default: return said.spoken
        }
    }

    /// “21 November”.
    package func longDate(_ date: Date) -> Wording {
        replies("date.long", dateParts(date))
    }

    private func dateParts(_ date: Date) -> [String: Wording] {
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
