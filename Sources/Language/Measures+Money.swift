import Domain

/// Amounts of money in words, reckoned in whole minor units throughout.
extension Measures {
    /// Whether an amount with its currency begins at `start`.
    func namesCurrency(in words: [String], at start: Int, numbers: NumberWords) -> Bool {
        money(in: words, at: start, numbers: numbers).contains {
            if case .money(_, let currency) = $0.content { currency != nil } else { false }
        }
    }

    /// The amounts that begin at `start`, the likeliest first: “twelve pounds forty five”, “fifty pence”, “a fiver”,
    /// “about fifty”. The currency is nil where none was said.
    package func money(in words: [String], at start: Int, numbers: NumberWords) -> [(
        end: Int, content: SlotValue.Content
    )] {
        guard start < words.count else { return [] }
        var index = start
        if vague.contains(words[index]), index + 1 < words.count { index += 1 }
        if let note = note(in: words, at: index, numbers) { return [note] }
        guard let (numberEnd, value) = numbers.exact(in: words, at: index) else { return [] }
        var end = numberEnd
        if end + 1 < words.count, vague.contains(words[end]) || numbers.links.contains(words[end]),
            currency(words[end + 1]) != nil
        {
            end += 1
        }
        if end < words.count {
            if let currency = currency(words[end]) {
                return withMinor(words, end, value, currency, numbers) + [(end + 1, amount(value, currency.code))]
            }
            if let currency = currencies.first(where: { $0.minor.contains(words[end]) }) {
                return [(end + 1, amount(minor: value / 1_000_000, currency.code))]
            }
        }
        // “Half a tank” is no half of a pound.
        let isShare =
            (1..<1_000_000).contains(value) && !words[index..<numberEnd].contains(where: numbers.point.contains)
        return isShare ? [] : price(words, numberEnd, value, numbers) + [(numberEnd, amount(value, nil))]
    }

    private func currency(_ word: String) -> Currency? { currencies.first { $0.major.contains(word) } }

    /// “a fiver”, “two tenners”.
    private func note(in words: [String], at start: Int, _ numbers: NumberWords)
        -> (end: Int, content: SlotValue.Content)?
    {
        var index = start
        if numbers.ones.contains(words[index]), index + 1 < words.count, notes[words[index + 1]] != nil { index += 1 }
        if let note = notes[words[index]] { return (index + 1, amount(note.amount * 1_000_000, note.currency)) }
        guard let (end, count) = numbers.cardinal(in: words, at: index), end < words.count, count < 1_000_000,
            let note = notes[words[end]]
        else { return nil }
        return (end + 1, amount(count * note.amount * 1_000_000, note.currency))
    }

    /// “pounds forty five”, “pounds and forty five pence”, “euros five”, “pounds oh five”, behind a whole number.
    private func withMinor(
        _ words: [String], _ unit: Int, _ value: Int, _ currency: Currency, _ numbers: NumberWords
    ) -> [(end: Int, content: SlotValue.Content)] {
        var next = unit + 1
        let hasAnd = next < words.count && words[next] == numbers.and
        if hasAnd { next += 1 }
        guard value >= 0, let (last, minor) = minorPart(words, next, numbers) else { return [] }
        let isNamed = last < words.count && currency.minor.contains(words[last])
        // “pounds and five” needs its “pence”; “twelve pounds forty five” does not.
        guard isNamed || !hasAnd else { return [] }
        // “ten pounds twenty pounds” is two amounts.
        guard isNamed || last >= words.count || self.currency(words[last]) == nil else { return [] }
        return [(isNamed ? last + 1 : last, amount(value + minor * 10_000, currency.code))]
    }

    /// “twelve forty five” is a price where no unit follows, and “twelve oh five”.
    private func price(_ words: [String], _ end: Int, _ value: Int, _ numbers: NumberWords)
        -> [(end: Int, content: SlotValue.Content)]
    {
        guard value >= 1_000_000, value < 1_000_000_000, value.isMultiple(of: 1_000_000),
            let (last, minor) = minorPart(words, end, numbers), minor >= 10 || last == end + 2
        else { return [] }
        if last < words.count, let currency = currency(words[last]) {
            return [(last + 1, amount(value + minor * 10_000, currency.code))]
        }
        return [(last, amount(value + minor * 10_000, nil))]
    }

    /// Zero to ninety-nine hundredths, “oh five” among them.
    private func minorPart(_ words: [String], _ start: Int, _ numbers: NumberWords) -> (end: Int, value: Int)? {
        guard let (end, value) = numbers.underHundred(in: words, at: start) else { return nil }
        if value == 0, end < words.count, let digit = numbers.units[words[end]], (1...9).contains(digit) {
            return (end + 1, digit)
        }
        return (end, value)
    }

    /// An amount of `millionths` of a major unit, rounded to a minor unit, halves away from zero as people do.
    private func amount(_ millionths: Int, _ currency: String?) -> SlotValue.Content {
        let divisor = (Money.exponent(of: currency ?? "GBP")..<6).reduce(1) { product, _ in product * 10 }
        let rounded = (abs(millionths) + divisor / 2) / divisor
        return amount(minor: millionths < 0 ? -rounded : rounded, currency)
    }

    private func amount(minor: Int, _ currency: String?) -> SlotValue.Content {
        // Beyond this no ledger makes sense.
        .money(minorUnits: Int64(min(max(minor, -1_000_000_000_000_000), 1_000_000_000_000_000)), currency: currency)
    }
}
