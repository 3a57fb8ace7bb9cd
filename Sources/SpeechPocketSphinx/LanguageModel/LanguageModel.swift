import Foundation

/// A trigram model over a vocabulary.
///
/// Smoothing is Jelinek and Mercer's interpolation with one share for all histories. The usual methods (Witten-Bell,
/// Kneser-Ney) estimate from how often a history was seen how little is known about it; here the counts are expected
/// ones, exact for the rarest history too, and what the smoothing stands for is only that people do not keep to the
/// phrasebook's words. That is as likely after one history as after another. The shares matter little: of the drink
/// orders in noise .79 were right with those below, .77 with three times as much.
struct LanguageModel {
    /// The share that each history gives to the next shorter one.
    struct Smoothing {
        /// Of a pair of words to its second word.
        var pairs = 0.1
        /// Of a word to no history.
        var words = 0.1
        /// The share of the words' own frequencies that is spread evenly over all of them.
        var floor = 0.05
    }

    struct Row {
        let key: UInt64
        let probability: Double
    }

    /// The words by number; 0 is `<s>`, 1 is `</s>`.
    let words: [String]
    let unigrams: [Double]
    private(set) var bigrams: [Row] = []
    private(set) var trigrams: [Row] = []
    /// The weight of the shorter history, for each word and each pair that is a history; 1 for others.
    let backoffAfterWord: [Double]
    let backoffAfterPair: [Row]

    init(_ counts: ExpectedCounts, smoothing: Smoothing = Smoothing()) {
        words = counts.words
        unigrams = Self.unigrams(counts, floor: smoothing.floor)

        var afterWord = [Double](repeating: 1, count: words.count)
        let singles = unigrams
        let bigramModel = Self.interpolate(
            counts.bigrams.entries, unspread: counts.unspreadAfterWord.entries, share: smoothing.words
        ) { singles[Int(NGramKey.last($0))] }
        for row in bigramModel.backoff { afterWord[Int(row.key)] = row.probability }
        bigrams = bigramModel.rows
        backoffAfterWord = afterWord

        let pairs = bigramModel.rows
        let trigramModel = Self.interpolate(
            counts.trigrams.entries, unspread: counts.unspreadAfterPair.entries, share: smoothing.pairs
        ) { key in
            let tail = NGramKey.tail(ofTriple: key)
            if let row = pairs.row(tail) { return row.probability }
            return afterWord[Int(NGramKey.history(tail))] * singles[Int(NGramKey.last(tail))]
        }
        trigrams = trigramModel.rows
        backoffAfterPair = trigramModel.backoff
    }

    /// The probability of a word after up to two others, as a recogniser reads it from the tables.
    func probability(of word: UInt64, after history: [UInt64]) -> Double {
        let last = history.suffix(2)
        guard let newest = last.last else { return unigrams[Int(word)] }
        if last.count == 2, let oldest = last.first {
            let pair = NGramKey.pair(oldest, newest)
            if let row = trigrams.row(NGramKey.triple(pair, word)) { return row.probability }
            let weight = backoffAfterPair.row(pair)?.probability ?? 1
            return weight * probability(of: word, after: [newest])
        }
        if let row = bigrams.row(NGramKey.pair(newest, word)) { return row.probability }
        return backoffAfterWord[Int(newest)] * unigrams[Int(word)]
    }

    private static func unigrams(_ counts: ExpectedCounts, floor: Double) -> [Double] {
        var result = [Double](repeating: 0, count: counts.words.count)
        for entry in counts.unigrams.entries { result[Int(entry.key)] = entry.weight }
        // Nothing is ever followed by the start of a sentence.
        result[Int(PatternCompiler.start)] = 0
        let total = result.reduce(0, +)
        let even = floor / Double(max(1, result.count - 1))
        for index in result.indices where index != Int(PatternCompiler.start) {
            result[index] = (1 - floor) * result[index] / total + even
        }
        return result
    }

    /// p(w|h) = (1 - share) c(h,w) / c(h) + rest(h) p(w|h'), where rest(h) is the share and what was not spread.
    private static func interpolate(
        _ counts: [SparseCounts.Entry], unspread: [SparseCounts.Entry], share: Double, lower: (UInt64) -> Double
    ) -> (rows: [Row], backoff: [Row]) {
        var rows: [Row] = []
        var backoff: [Row] = []
        rows.reserveCapacity(counts.count)
        var index = 0
        var next = 0
        while index < counts.count {
            let history = NGramKey.history(counts[index].key)
            var end = index
            var spread = 0.0
            while end < counts.count, NGramKey.history(counts[end].key) == history {
                spread += counts[end].weight
                end += 1
            }
            while next < unspread.count, unspread[next].key < history { next += 1 }
            let lost = next < unspread.count && unspread[next].key == history ? unspread[next].weight : 0
            let kept = (1 - share) / (spread + lost)
            let rest = share + kept * lost
            for entry in counts[index..<end] {
                rows.append(Row(key: entry.key, probability: kept * entry.weight + rest * lower(entry.key)))
            }
            backoff.append(Row(key: history, probability: rest))
            index = end
        }
        return (rows, backoff)
    }
}

extension [LanguageModel.Row] {
    /// The row of a key; the rows are sorted.
    func row(_ key: UInt64) -> LanguageModel.Row? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].key == key ? self[low] : nil
    }
}
