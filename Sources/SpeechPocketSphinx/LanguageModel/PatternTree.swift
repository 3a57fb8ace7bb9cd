import Domain

/// A pattern with its words numbered and its ends computed.
final class PatternTree {
    enum Kind {
        case word(UInt64)
        case sequence([PatternTree])
        case choice([PatternTree])
        case optional(PatternTree)
        case wordClass(Int)
    }

    let kind: Kind
    let ends: PhraseEnds

    init(_ kind: Kind, ends: PhraseEnds) {
        self.kind = kind
        self.ends = ends
    }
}

/// Numbers the words of a vocabulary and turns its patterns into trees.
///
/// A word that is left out makes what needs it impossible: a choice loses that alternative, a class that value, and a
/// sentence without alternatives is dropped.
struct PatternCompiler {
    /// The number of `<s>`.
    static let start: UInt64 = 0
    /// The number of `</s>`.
    static let end: UInt64 = 1

    /// The words by number.
    private(set) var words = ["<s>", "</s>"]
    private var numbers: [String: UInt64] = [:]
    /// The classes' trees, nil where a class has no value with a pronunciation.
    private(set) var classes: [PatternTree?] = []
    private let leftOut: Set<String>

    /// A compiler that numbers `words` in their order, but for those of `leftOut`.
    init(words listed: [String], leavingOut leftOut: Set<String>) {
        self.leftOut = leftOut
        for word in listed where !leftOut.contains(word) && words.count < NGramKey.maximumWords {
            numbers[word] = UInt64(words.count)
            words.append(word)
        }
    }

    /// Compiles the classes in order, as each may refer to those before it.
    mutating func compile(classes list: [Vocabulary.WordClass]) {
        for wordClass in list { classes.append(tree(.choice(wordClass.values))) }
    }

    /// The pattern's tree, or nil when it is impossible.
    func tree(_ pattern: Vocabulary.Pattern) -> PatternTree? {
        switch pattern {
        case .word(let word):
            guard let number = numbers[word] else { return nil }
            return PatternTree(.word(number), ends: .word(number))
        case .sequence(let parts):
            var trees: [PatternTree] = []
            var ends = PhraseEnds.nothing
            for part in parts {
                guard let next = tree(part) else { return nil }
                ends = trees.isEmpty ? next.ends : ends.followed(by: next.ends)
                trees.append(next)
            }
            return PatternTree(.sequence(trees), ends: ends)
        case .choice(let parts):
            let trees = parts.compactMap(tree)
            guard !trees.isEmpty else { return nil }
            return PatternTree(.choice(trees), ends: .average(of: trees.map(\.ends)))
        case .optional(let part):
            guard let inner = tree(part) else { return PatternTree(.sequence([]), ends: .nothing) }
            return PatternTree(.optional(inner), ends: .average(of: [inner.ends, .nothing]))
        case .wordClass(let index):
            guard classes.indices.contains(index), let wordClass = classes[index] else { return nil }
            return PatternTree(.wordClass(index), ends: wordClass.ends)
        }
    }
}
