import Configuration

/// How tolerant matching is, from the language's `matching.yaml`.
public struct MatchingRules: Sendable {
    /// Words that are never taken for another: on/off, open/close, lock/unlock, yes/no, and the numerals.
    let protected: Set<String>
    /// Words that may be said without being in the template.
    package let skippable: Set<String>
    /// Words of a template that may be left out.
    let droppable: Set<String>
    /// Words that may stand before any name: the, my, our.
    package let articles: Set<String>

    /// Words of everyday grammar, which name nothing.
    package let grammar: Set<String>

    /// Words that a place stands behind.
    package let within: Set<String>
    /// How questions begin.
    package let questions: [[String]]
    private let sounds: SoundClasses

    /// What a misheard word costs, and what a word too many or too few costs.
    package static let substitution = 2, skip = 1, drop = 1

    package init(_ root: ConfigurationNode, numbers: NumberWords, words: WordRules) throws {
        sounds = words.sounds
        let nodes = try root.entries(allowed: [
            "protected", "skippable", "droppable", "articles", "grammar", "questions", "within",
        ])
        func set(_ key: String) throws -> Set<String> { Set(try nodes[key]?.strings() ?? []) }
        func phrases(_ key: String) throws -> [[String]] {
            try (nodes[key]?.strings() ?? []).map { $0.split(separator: " ").map(String.init) }
        }
        within = try set("within")
        questions = try phrases("questions")
        protected = try set("protected").union(numbers.allWords)
        skippable = try set("skippable")
        droppable = try set("droppable")
        articles = try set("articles")
        grammar = try set("grammar").union(skippable).union(droppable).union(articles)
    }

    /// The error budget of an utterance: about one misheard word in four, none in very short ones.
    package func budget(for count: Int) -> Int {
        switch count {
        case ...1: 0
        case 2...3: Self.substitution
        case 4...7: Self.substitution + Self.skip
        default: 2 * Self.substitution
        }
    }

    /// True when one content word may be a mishearing of the other.
    package func sounds(_ heard: String, like meant: String) -> Bool {
        guard heard != meant else { return true }
        guard !protected.contains(heard), !protected.contains(meant) else { return false }
        // Short words differ from others by one letter as a rule; they are understood exactly or not at all.
        guard heard.utf8.count >= 4, meant.utf8.count >= 4 else { return false }
        let limit = min(heard.utf8.count, meant.utf8.count) >= 7 ? 2 : 1
        if Self.isWithin(limit, Array(heard.utf8), Array(meant.utf8)) { return true }
        let key = sounds.key(heard)
        return key.count >= 3 && key == sounds.key(meant)
    }

    /// True when the edit distance (insertions, deletions, substitutions, neighbours swapped) is at most `limit`.
    package static func isWithin(_ limit: Int, _ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) <= limit else { return false }
        var before = [Int](), last = Array(0...other.count)
        for i in 1...max(1, one.count) where i <= one.count {
            var row = [i] + Array(repeating: 0, count: other.count)
            for j in 1...max(1, other.count) where j <= other.count {
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1))
                if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
                    row[j] = min(row[j], before[j - 2] + 1)
                }
            }
            if row.allSatisfy({ $0 > limit }) { return false }
            (before, last) = (last, row)
        }
        return last[other.count] <= limit
    }
}
