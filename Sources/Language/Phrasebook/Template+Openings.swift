/// How commands with free text begin.
extension Template {
    /// Openings of fewer words would be those of most other commands, too.
    private static let least = 2
    /// A template with more ways to its free text is told by its first ways only.
    private static let limit = 200

    /// What may be said before the first free text: words alone, two or more.
    package func openings(isFree: (String) -> Bool) -> Set<String> {
        Set(
            ways(isFree).filter { $0.isFree && $0.words.count >= Self.least }.map { $0.words.joined(separator: " ") })
    }

    private struct Way {
        var words: [String] = []
        /// Free text comes next; nothing is added any more.
        var isFree = false
        /// A slot of another kind comes next: how it goes on is not followed.
        var isLost = false
    }

    private func ways(_ isFree: (String) -> Bool) -> [Way] {
        switch self {
        case .word(let word): return [Way(words: [word])]
        case .rule: return [Way(isLost: true)]
        case .slot(let list, _): return [isFree(list) ? Way(isFree: true) : Way(isLost: true)]
        case .choice(let parts): return Array(parts.flatMap { $0.ways(isFree) }.prefix(Self.limit))
        case .optional(let part): return [Way()] + part.ways(isFree)
        case .sequence(let parts):
            var all = [Way()]
            for part in parts where all.contains(where: { !$0.isFree && !$0.isLost }) {
                let next = part.ways(isFree)
                all = Array(
                    all.flatMap { way -> [Way] in
                        guard !way.isFree, !way.isLost else { return [way] }
                        return next.map { Way(words: way.words + $0.words, isFree: $0.isFree, isLost: $0.isLost) }
                    }.prefix(Self.limit))
            }
            return all
        }
    }
}

extension Phrasebooks {
    /// How commands begin whose free text is kept: a partial transcript that begins so is likely to go on with it.
    package var openings: Set<String> {
        var found = Set<String>()
        for book in books {
            for intent in book.intents where !intent.asks {
                for phrase in intent.phrases {
                    found.formUnion(
                        phrase.openings { list in
                            if case .kind(.text, _) = book.slots[list] { true } else { false }
                        })
                }
            }
        }
        return found
    }
}
