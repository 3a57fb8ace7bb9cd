import Domain

/// The words of one utterance, looked up once for all automata.
package struct SearchText {
    package let utterance: Utterance
    package let words: [String]
    package let ids: [Int32]
    let stems: [String]
    let stemIDs: [Int32]

    private let table: WordTable
    private let rules: MatchingRules
    private let near = NearWords()

    /// What may have been meant, by what was heard; kept for the utterance.
    private final class NearWords {
        var byWord: [String: Set<Int32>] = [:]
    }

    /// The words that may have been meant at a place.
    package func near(_ position: Int, isStemmed: Bool) -> Set<Int32> {
        let heard = isStemmed ? stems[position] : words[position]
        if let known = near.byWord[heard] { return known }
        let found = table.words(soundingLike: heard, by: rules)
        near.byWord[heard] = found
        return found
    }

    package init(_ utterance: Utterance, table: WordTable, rules: MatchingRules) {
        self.table = table
        self.rules = rules
        self.utterance = utterance
        words = utterance.tokens.map(\.text)
        ids = words.map(table.lookup)
        stems = words.map(WordForms.stem)
        stemIDs = stems.map(table.lookup)
    }

    package var count: Int { words.count }
}

/// A slot's value found at some place.
package struct SlotCandidate {
    package let end: Int
    package let value: SlotValue
    package let cost: Int
    /// Words that no template or name vouches for.
    package let freeWords: Int
}

/// The slots that were filled on the way, newest first.
final class Captures {
    let name: String, value: SlotValue, range: Range<Int>, next: Captures?

    init(name: String, value: SlotValue, range: Range<Int>, next: Captures?) {
        self.name = name
        self.value = value
        self.range = range
        self.next = next
    }

    static func dictionary(_ captures: Captures?) -> [String: SlotValue] {
        var result: [String: SlotValue] = [:], current = captures
        while let capture = current {
            // The first of a name wins, which is the last in the list.
            result[capture.name] = capture.value
            current = capture.next
        }
        return result
    }
}

/// One way through an automaton.
struct SearchHit {
    let tag: Int
    let end: Int
    let cost: Int
    let freeWords: Int
    let captures: Captures?
}

/// Follows an automaton through an utterance, within an error budget.
struct PhraseSearch {
    let text: SearchText
    let table: WordTable
    let rules: MatchingRules
    /// Finds a slot's values that begin at a place.
    let slotCandidates: (_ slot: Int, _ start: Int, _ budget: Int) -> [SlotCandidate]

    /// All ways to go through `automaton` from `start`, the cheapest for each end of a template.
    /// - Parameter toEnd: whether the whole rest of the utterance must be used up.
    /// - Parameter only: the tags that matter; nil for all.
    func hits(
        in automaton: PhraseAutomaton, from start: Int, budget: Int, toEnd: Bool, only: Set<Int>? = nil
    ) -> [SearchHit] {
        guard !automaton.nodes.isEmpty else { return [] }
        var visited: [Int: Int] = [:]
        var best: [Int: SearchHit] = [:]
        let count = text.count
        let wanted = only.map { $0.reduce(0) { $0 | PhraseAutomaton.bit($1) } } ?? .max
        let ids = automaton.isStemmed ? text.stemIDs : text.ids
        let words = automaton.isStemmed ? text.stems : text.words

        // Free text takes whatever comes; only what is said in full around it shows that it is meant. So no way has
        // both free text and words of the template left out.
        func visit(
            _ node: Int, _ position: Int, _ cost: Int, _ free: Int, _ captures: Captures?, hasDropped: Bool = false
        ) {
            guard automaton.nodes[node].reach & wanted != 0 else { return }
            // Ways that may still go on differently are not compared.
            let key = (node * (count + 1) + position) * 3 + (hasDropped ? 1 : free > 0 ? 2 : 0)
            // Fewer words of free text is a better reading of the same place, as long as no more was misheard.
            let rank = cost * 256 + free
            if let seen = visited[key], seen <= rank { return }
            visited[key] = rank
            let state = automaton.nodes[node]
            if !state.accepts.isEmpty, !toEnd || position == count {
                for tag in state.accepts where only?.contains(Int(tag)) ?? true {
                    let place = Int(tag) * (count + 1) + position
                    if let known = best[place], known.cost * 256 + known.freeWords <= rank { continue }
                    best[place] = SearchHit(
                        tag: Int(tag), end: position, cost: cost, freeWords: free, captures: captures)
                }
            }
            if position < count {
                let id = ids[position]
                if node == 0 {
                    if id >= 0 {
                        for target in automaton.rootEdges[id] ?? [] {
                            visit(Int(target), position + 1, cost, free, captures, hasDropped: hasDropped)
                        }
                    }
                } else {
                    for edge in state.words where edge.word == id {
                        visit(Int(edge.target), position + 1, cost, free, captures, hasDropped: hasDropped)
                    }
                }
                for edge in state.slots {
                    for candidate in slotCandidates(edge.slot, position, budget - cost)
                    where !hasDropped || candidate.freeWords == 0 {
                        let filled = Captures(
                            name: edge.name, value: candidate.value, range: position..<candidate.end, next: captures)
                        visit(
                            Int(edge.target), candidate.end, cost + candidate.cost, free + candidate.freeWords, filled,
                            hasDropped: hasDropped)
                    }
                }
                if cost + MatchingRules.skip <= budget, rules.skippable.contains(words[position]) {
                    visit(node, position + 1, cost + MatchingRules.skip, free, captures, hasDropped: hasDropped)
                }
            }
            guard cost < budget else { return }
            if cost + MatchingRules.substitution <= budget, position < count {
                let near = text.near(position, isStemmed: automaton.isStemmed)
                func misheard(_ target: Int32) {
                    visit(
                        Int(target), position + 1, cost + MatchingRules.substitution, free, captures,
                        hasDropped: hasDropped)
                }
                if node == 0 {
                    for word in near { (automaton.rootEdges[word] ?? []).forEach(misheard) }
                } else if !near.isEmpty {
                    for edge in state.words where near.contains(edge.word) { misheard(edge.target) }
                }
            }
            // Names keep all their words; only templates have words that mean nothing.
            if !automaton.isStemmed, free == 0, cost + MatchingRules.drop <= budget {
                func dropped(_ target: Int32) {
                    visit(Int(target), position, cost + MatchingRules.drop, free, captures, hasDropped: true)
                }
                if node == 0 {
                    for word in automaton.rootDroppable { (automaton.rootEdges[word] ?? []).forEach(dropped) }
                } else {
                    for edge in state.words where rules.droppable.contains(table.words[Int(edge.word)]) {
                        dropped(edge.target)
                    }
                }
            }
        }
        visit(0, start, 0, 0, nil)
        return Array(best.values)
    }
}
