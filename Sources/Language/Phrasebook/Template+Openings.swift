/// How commands with free text begin.
extension Template {
    /// Openings of fewer words would be those of most other commands, too.
    private static let least = 2
    /// A template with more ways to its free text is told by its first ways only.
    private static let limit = 200

    /// What may be said before the first free text: words alone, two or more.
    package func openings(isFree: (String) -> Bool) -> Set<String> {
        guard holds(isFree) else { return [] }
        return Set(
            upToFreeText(isFree).ways(isFree).filter { $0.isFree && $0.words.count >= Self.least }.map {
                $0.words.joined(separator: " ")
            })
    }

    private struct Way {
        var words: [String] = []
        /// Free text comes next; nothing is added any more.
        var isFree = false
        /// A slot of another kind comes next: how it goes on is not followed.
        var isLost = false
    }

    /// Whether free text may stand anywhere in it.
    private func holds(_ isFree: (String) -> Bool) -> Bool { slots.contains { isFree($0.list) } }

    /// Without what stands behind its last free text: that opens nothing.
    private func upToFreeText(_ isFree: (String) -> Bool) -> Template {
        guard case .sequence(let parts) = self, let last = parts.lastIndex(where: { $0.holds(isFree) }) else {
            return self
        }
        return .sequence(Array(parts[...last]))
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
    /// Finds the openings of all commands whose free text is kept.
    func findOpenings() -> Set<String> {
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
