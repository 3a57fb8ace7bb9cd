/// What a pattern's sentences look like from outside: enough to count every n-gram up to three words that crosses from
/// one pattern into the next. Two patterns said one after the other are independent, so the products are exact.
struct PhraseEnds {
    /// A joint with more pairs of words than this (a list of quantities before a list of items, say) is not spread out:
    /// the model then knows the two lists, and not which of their words follow which.
    static let pairLimit = 60_000

    /// The probability that nothing is said.
    var empty = 0.0
    /// Exactly one word.
    var single = SparseCounts()
    /// The first word, of one word or more.
    var first = SparseCounts()
    /// The last word, of one word or more.
    var last = SparseCounts()
    /// The first two words, of two words or more; without the pairs of a joint that was not spread out.
    var prefix = SparseCounts()
    /// The last two words, of two words or more; likewise.
    var suffix = SparseCounts()

    /// Nothing at all.
    static let nothing = PhraseEnds(empty: 1)

    static func word(_ id: UInt64) -> PhraseEnds {
        let word = SparseCounts(key: id, weight: 1)
        return PhraseEnds(single: word, first: word, last: word)
    }

    /// One of `parts`, equally likely.
    static func average(of parts: [PhraseEnds]) -> PhraseEnds {
        if parts.count == 1, let only = parts.first { return only }
        let share = 1 / Double(max(1, parts.count))
        var result = PhraseEnds()
        for part in parts {
            result.empty += part.empty * share
            result.single.add(part.single, scaledBy: share)
            result.first.add(part.first, scaledBy: share)
            result.last.add(part.last, scaledBy: share)
            result.prefix.add(part.prefix, scaledBy: share)
            result.suffix.add(part.suffix, scaledBy: share)
        }
        result.merge()
        return result
    }

    /// True when the pairs across the joint with `next` are few enough to be spread out.
    func isSpread(before next: PhraseEnds) -> Bool {
        last.entries.count * next.first.entries.count <= Self.pairLimit
    }

    /// These words, then those of `next`.
    func followed(by next: PhraseEnds) -> PhraseEnds {
        let isSpread = isSpread(before: next)
        var result = PhraseEnds(empty: empty * next.empty)
        result.single = single.scaled(by: next.empty)
        result.single.add(next.single, scaledBy: empty)

        result.first = first
        result.first.add(next.first, scaledBy: empty)
        result.prefix = prefix
        if isSpread { result.prefix.addProducts(single, next.first, scaledBy: 1, key: NGramKey.pair) }
        result.prefix.add(next.prefix, scaledBy: empty)

        result.last = next.last
        result.last.add(last, scaledBy: next.empty)
        result.suffix = next.suffix
        if isSpread { result.suffix.addProducts(last, next.single, scaledBy: 1, key: NGramKey.pair) }
        result.suffix.add(suffix, scaledBy: next.empty)
        result.merge()
        return result
    }

    private mutating func merge() {
        single.merge()
        first.merge()
        last.merge()
        prefix.merge()
        suffix.merge()
    }
}
