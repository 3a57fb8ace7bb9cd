import Domain

/// How often each n-gram up to three words is expected in a sentence drawn from a vocabulary: exactly, as sums of
/// products, without drawing or listing sentences.
///
/// Every n-gram lies in one word or crosses a joint between two parts of a sequence. So each sequence adds what crosses
/// its joints, times how often it is expected; and a class that a hundred sentences use is walked once, with
/// the sum of its uses. The cost grows with names and templates, not with their product.
struct ExpectedCounts {
    /// The words by number; 0 is `<s>`, 1 is `</s>`.
    let words: [String]
    private(set) var unigrams = SparseCounts()
    private(set) var bigrams = SparseCounts()
    private(set) var trigrams = SparseCounts()
    /// Weight by history that was not spread over the words that follow it; the smoothing leaves it to the shorter
    /// history.
    private(set) var unspreadAfterWord = SparseCounts()
    private(set) var unspreadAfterPair = SparseCounts()

    /// A joint with more trigrams than this is not spread out: see `unspreadAfterPair`. It bounds the model's size.
    private static let tripleLimit = 5_000

    /// Counts for a vocabulary without the words of `leftOut`, or nil when it has no sentence.
    init?(_ vocabulary: Vocabulary, leavingOut leftOut: Set<String> = []) {
        var compiler = PatternCompiler(words: vocabulary.words, leavingOut: leftOut)
        compiler.compile(classes: vocabulary.classes)
        words = compiler.words

        let start = PatternTree(.word(PatternCompiler.start), ends: .word(PatternCompiler.start))
        let end = PatternTree(.word(PatternCompiler.end), ends: .word(PatternCompiler.end))
        var uses = [Double](repeating: 0, count: compiler.classes.count)
        var total = 0.0
        // Each sentence's tree lives only while it is counted: all of them together would be a few hundred megabytes.
        for sentence in vocabulary.sentences where sentence.weight > 0 && sentence.weight.isFinite {
            guard let tree = compiler.tree(sentence.pattern), tree.ends.empty < 1 else { continue }
            count(sequence: [start, tree, end], use: sentence.weight, uses: &uses)
            total += sentence.weight
        }
        guard total > 0, total.isFinite else { return nil }
        // A class's values refer to classes before it only, so from the last to the first every use is known in time.
        for index in uses.indices.reversed() where uses[index] > 0 {
            if let tree = compiler.classes[index] { count(tree, use: uses[index], uses: &uses) }
        }
        for counts in [\Self.unigrams, \.bigrams, \.trigrams, \.unspreadAfterWord, \.unspreadAfterPair] {
            self[keyPath: counts].merge()
            self[keyPath: counts] = self[keyPath: counts].scaled(by: 1 / total)
        }
        bigrams.leave(rarerThan: Self.rareBigram, to: &unspreadAfterWord)
        trigrams.leave(rarerThan: Self.rareTrigram, to: &unspreadAfterPair)
        unspreadAfterWord.merge()
        unspreadAfterPair.merge()
    }

    /// What is expected less than once in so many sentences is left to the shorter history, like a wide joint: there
    /// are a hundred times as many of these as of all other trigrams, and they have almost no effect.
    private static let rareBigram = 1e-7, rareTrigram = 2e-7

    private mutating func count(_ tree: PatternTree, use: Double, uses: inout [Double]) {
        switch tree.kind {
        case .word(let word): unigrams.add(word, use)
        case .sequence(let parts): count(sequence: parts, use: use, uses: &uses)
        case .choice(let parts): for part in parts { count(part, use: use / Double(parts.count), uses: &uses) }
        case .optional(let part): count(part, use: use / 2, uses: &uses)
        case .wordClass(let index): uses[index] += use
        }
    }

    private mutating func count(sequence parts: [PatternTree], use: Double, uses: inout [Double]) {
        var before = PhraseEnds.nothing
        for (index, part) in parts.enumerated() {
            count(part, use: use, uses: &uses)
            if index > 0 { count(joint: before, part.ends, use: use) }
            if index < parts.count - 1 { before = index == 0 ? part.ends : before.followed(by: part.ends) }
        }
    }

    /// Counts the n-grams that have words on both sides of a joint.
    private mutating func count(joint before: PhraseEnds, _ after: PhraseEnds, use: Double) {
        guard before.isSpread(before: after) else {
            unspreadAfterWord.add(before.last, scaledBy: use * after.first.total)
            return
        }
        bigrams.addProducts(before.last, after.first, scaledBy: use, key: NGramKey.pair)
        if before.suffix.entries.count * after.first.entries.count <= Self.tripleLimit {
            trigrams.addProducts(before.suffix, after.first, scaledBy: use, key: NGramKey.triple(_:_:))
        } else {
            unspreadAfterPair.add(before.suffix, scaledBy: use * after.first.total)
        }
        if before.last.entries.count * after.prefix.entries.count <= Self.tripleLimit {
            trigrams.addProducts(before.last, after.prefix, scaledBy: use, key: NGramKey.triple(_:followedBy:))
        } else {
            let firsts = after.prefix.regrouped(by: NGramKey.first(ofPair:))
            unspreadAfterPair.addProducts(before.last, firsts, scaledBy: use, key: NGramKey.pair)
        }
        bigrams.mergeIfLong()
        trigrams.mergeIfLong()
        unspreadAfterPair.mergeIfLong()
    }
}

extension SparseCounts {
    /// Moves entries of less than `least` to their histories.
    fileprivate mutating func leave(rarerThan least: Double, to histories: inout SparseCounts) {
        var kept = SparseCounts()
        for entry in entries {
            if entry.weight >= least {
                kept.add(entry.key, entry.weight)
            } else {
                histories.add(NGramKey.history(entry.key), entry.weight)
            }
        }
        kept.merge()
        self = kept
    }

    var total: Double { entries.reduce(0) { $0 + $1.weight } }

    mutating func addProducts(
        _ left: SparseCounts, _ right: SparseCounts, scaledBy scale: Double, key: (UInt64, UInt64) -> UInt64
    ) {
        for one in left.entries {
            for two in right.entries { add(key(one.key, two.key), one.weight * two.weight * scale) }
        }
    }
}
