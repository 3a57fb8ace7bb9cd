/// Which setting somebody may have meant.
package enum NearestKey {
    /// The key that is nearest to `wrong`; nil where none is near.
    package static func to(_ wrong: String, among keys: some Collection<String>) -> String? {
        let last = wrong.split(separator: ".").last.map(String.init) ?? wrong
        let sorted = keys.sorted()
        if let named = sorted.first(where: { $0.hasPrefix(wrong + ".") })
            ?? sorted.first(where: { $0.hasSuffix("." + last) })
        {
            return named
        }
        // A slip or two in the whole of it, or in its last part alone.
        let scored = sorted.map { key -> (key: String, slips: Int) in
            let ownLast = key.split(separator: ".").last.map(String.init) ?? key
            let whole = slips(wrong, key)
            return (key, wrong.contains(".") ? whole : min(whole, slips(last, ownLast)))
        }
        guard let best = scored.min(by: { $0.slips < $1.slips }) else { return nil }
        return best.slips <= max(1, last.count / 3) ? best.key : nil
    }

    /// How many characters must be put in, taken out, replaced or swapped with their neighbour to make one of the
    /// other.
    static func slips(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.prefix(80)), Array(other))
        var before: [Int] = [], row = Array(0...other.count)
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var best = min(row[j] + (one[i] == other[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { best = min(best, before[j - 1] + 1) }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
