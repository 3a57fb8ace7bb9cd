import Foundation

/// Numbers, money, lists and dates as a voice says them; the words are data.
struct SpokenForms {
    let replies: Replies
    let calendar: Calendar

    /// “50 pounds”, “12 pounds 45”, “45 pence”.
    func money(_ amount: Money) -> String {
        let scale = (0..<Money.exponent(of: amount.currency)).reduce(Int64(1)) { product, _ in product * 10 }
        let magnitude = amount.minorUnits.magnitude
        let major = magnitude / UInt64(scale), minor = magnitude % UInt64(scale)
        let key = "money.\(amount.currency)"
        let sign = amount.minorUnits < 0 ? replies("money.minus") + " " : ""
        let values = ["major": "\(major)", "minor": minor < 10 ? "0\(minor)" : "\(minor)", "code": amount.currency]
        let isKnown = replies.keys.contains(key)
        if minor == 0 { return sign + replies(isKnown ? key : "money.other", values) }
        if major == 0, replies.keys.contains(key + "_minor") {
            return sign + replies(key + "_minor", ["minor": "\(minor)"])
        }
        return sign + replies(isKnown ? key + "_both" : "money.other_both", values)
    }

    /// Several amounts in different currencies.
    func money(_ amounts: [Money]) -> String { list(amounts.map { money($0) }) }

    /// “a, b and c”.
    func list(_ parts: [String]) -> String { joined(parts, by: "list.and") }

    /// “a, b or c”.
    func choice(_ parts: [String]) -> String { joined(parts, by: "list.or") }

    private func joined(_ parts: [String], by key: String) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + replies(key) + last
    }

    /// “the kettle”: a name with its article, unless it has one.
    func the(_ name: String) -> String {
        let first = name.split(separator: " ").first.map(String.init) ?? ""
        return ["the", "my", "our"].contains(first) || saysWhere(name) ? name : replies("list.the", ["name": name])
    }

    /// “in the garage”; “under the bed”, whose name says where by itself.
    func inside(_ place: String) -> String {
        saysWhere(place) ? place : replies("list.in", ["place": the(place)])
    }

    /// True for the name of a place that begins with a preposition.
    func saysWhere(_ place: String) -> Bool {
        let words = place.split(separator: " ")
        return words.count > 1 && replies("list.prepositions").split(separator: " ").contains(words[0])
    }

    /// “is” or “are”, as the name is one thing or several.
    func be(_ name: String) -> String {
        let last = name.split(separator: " ").last.map(String.init) ?? ""
        return replies(MatchingRules.stem(last) == last ? "verb.is" : "verb.are")
    }

    /// The day, as seen from `now`.
    func day(_ date: Date, now: Date) -> String {
        if calendar.isDate(date, inSameDayAs: now) { return replies("date.today") }
        if let yesterday = calendar.date(byAdding: .day, value: -1, to: now),
            calendar.isDate(date, inSameDayAs: yesterday)
        {
            return replies("date.yesterday")
        }
        return longDate(date)
    }

    /// “21 November”.
    func longDate(_ date: Date) -> String {
        let parts = calendar.dateComponents([.day, .month, .weekday], from: date)
        return replies(
            "date.long", ["day": "\(parts.day ?? 1)", "month": replies("date.month\(parts.month ?? 1)")])
    }
}

extension String {
    /// The text with its first letter in upper case.
    var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
