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

    /// - Parameter bare: a word without what may be run together with it: names are also meant by “the fridge's”.
    package init(_ utterance: Utterance, table: WordTable, rules: MatchingRules, bare: (String) -> String) {
        self.table = table
        self.rules = rules
        self.utterance = utterance
        words = utterance.tokens.map(\.text)
        ids = words.map(table.lookup)
        stems = words.map { table.stem(bare($0)) }
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

    /// The tokens of all that were filled.
    static func places(_ captures: Captures?) -> Set<Int> {
        var result = Set<Int>(), current = captures
        while let capture = current {
            result.formUnion(capture.range)
            current = capture.next
        }
        return result
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

    /// All paths through `automaton` from `start`, the cheapest for each end of a template.
    /// - Parameter toEnd: whether the whole rest of the utterance must be used up.
    /// - Parameter only: the tags that matter; nil for all.
    func hits(
        in automaton: PhraseAutomaton, from start: Int, budget: Int, toEnd: Bool, only: Set<Int>? = nil
    ) -> [SearchHit] {
        guard !automaton.nodes.isEmpty else { return [] }
        var traversal = PhraseTraversal(self, automaton, budget: budget, toEnd: toEnd, only: only)
        traversal.visit(PhraseTraversal.Path(position: start))
        return Array(traversal.best.values)
    }
}

/// One search through an automaton, depth first.
private struct PhraseTraversal {
    /// A place in the automaton and in the utterance, and what it took to get there.
    ///
    /// Free text matches any words; only what is said in full around it shows that it is meant. So no path has both
    /// free text and dropped words of the template.
    struct Path {
        var node = 0, position: Int
        var cost = 0
        /// Words of free text.
        var free = 0
        var captures: Captures?
        /// True where words of the template were dropped.
        var hasDropped = false

        func moved(to node: Int32, by words: Int = 1, cost extra: Int = 0) -> Path {
            var next = self
            next.node = Int(node)
            next.position += words
            next.cost += extra
            return next
        }
    }

    private let search: PhraseSearch
    private let automaton: PhraseAutomaton
    private let budget: Int, toEnd: Bool, only: Set<Int>?
    private let wanted: UInt64
    private let count: Int, ids: [Int32], words: [String]
    private var visited: [Int: Int] = [:]
    private(set) var best: [Int: SearchHit] = [:]

    init(_ search: PhraseSearch, _ automaton: PhraseAutomaton, budget: Int, toEnd: Bool, only: Set<Int>?) {
        self.search = search
        self.automaton = automaton
        self.budget = budget
        self.toEnd = toEnd
        self.only = only
        wanted = only.map { $0.reduce(0) { $0 | PhraseAutomaton.bit($1) } } ?? .max
        count = search.text.count
        ids = automaton.isStemmed ? search.text.stemIDs : search.text.ids
        words = automaton.isStemmed ? search.text.stems : search.text.words
    }

    mutating func visit(_ path: Path) {
        let state = automaton.nodes[path.node]
        guard state.reach & wanted != 0 else { return }
        // Paths that may still continue differently are not compared.
        let key = (path.node * (count + 1) + path.position) * 3 + (path.hasDropped ? 1 : path.free > 0 ? 2 : 0)
        // Fewer words of free text are a better reading of the same place, as long as no more was misheard.
        let rank = path.cost * 256 + path.free
        if let seen = visited[key], seen <= rank { return }
        visited[key] = rank
        if !state.accepts.isEmpty, !toEnd || path.position == count { accept(path, state, rank) }
        if path.position < count {
            followWord(path, state)
            fillSlots(path, state)
            if path.cost + MatchingRules.skip <= budget, search.rules.skippable.contains(words[path.position]) {
                visit(path.moved(to: Int32(path.node), cost: MatchingRules.skip))
            }
        }
        guard path.cost < budget else { return }
        if path.cost + MatchingRules.substitution <= budget, path.position < count { substitute(path, state) }
        // Names keep all their words; only templates have words that mean nothing.
        if !automaton.isStemmed, path.free == 0, path.cost + MatchingRules.drop <= budget { drop(path, state) }
    }

    private mutating func accept(_ path: Path, _ state: PhraseAutomaton.Node, _ rank: Int) {
        for edge in state.accepts {
            let tag = automaton.accepts[Int(edge)]
            guard only?.contains(Int(tag)) ?? true else { continue }
            let place = Int(tag) * (count + 1) + path.position
            if let known = best[place] {
                let knownRank = known.cost * 256 + known.freeWords
                // Of two templates of an intent that match alike, the one that says what is meant.
                let saysMore = known.captures == nil && path.captures != nil
                guard rank < knownRank || rank == knownRank && saysMore else { continue }
            }
            best[place] = SearchHit(
                tag: Int(tag), end: path.position, cost: path.cost, freeWords: path.free, captures: path.captures)
        }
    }

    private mutating func followWord(_ path: Path, _ state: PhraseAutomaton.Node) {
        let id = ids[path.position]
        if path.node != 0 {
            for number in state.words {
                let edge = automaton.words[Int(number)]
                if edge.word == id { visit(path.moved(to: edge.target)) }
            }
        } else if id >= 0 {
            for target in automaton.rootEdges[id] ?? [] { visit(path.moved(to: target)) }
        }
    }

    private mutating func fillSlots(_ path: Path, _ state: PhraseAutomaton.Node) {
        for number in state.slots {
            let edge = automaton.slots[Int(number)]
            for candidate in search.slotCandidates(edge.slot, path.position, budget - path.cost)
            where !path.hasDropped || candidate.freeWords == 0 {
                var next = path.moved(
                    to: edge.target, by: candidate.end - path.position, cost: candidate.cost)
                next.free += candidate.freeWords
                next.captures = Captures(
                    name: edge.name, value: candidate.value, range: path.position..<candidate.end,
                    next: path.captures)
                visit(next)
            }
        }
    }

    /// Takes a word as one that sounds like it.
    private mutating func substitute(_ path: Path, _ state: PhraseAutomaton.Node) {
        let near = search.text.near(path.position, isStemmed: automaton.isStemmed)
        if path.node == 0 {
            for word in near {
                for target in automaton.rootEdges[word] ?? [] {
                    visit(path.moved(to: target, cost: MatchingRules.substitution))
                }
            }
        } else if !near.isEmpty {
            for number in state.words {
                let edge = automaton.words[Int(number)]
                guard near.contains(edge.word) else { continue }
                visit(path.moved(to: edge.target, cost: MatchingRules.substitution))
            }
        }
    }

    /// Leaves out a word of the template that means nothing.
    private mutating func drop(_ path: Path, _ state: PhraseAutomaton.Node) {
        func dropped(_ target: Int32) -> Path {
            var next = path.moved(to: target, by: 0, cost: MatchingRules.drop)
            next.hasDropped = true
            return next
        }
        if path.node == 0 {
            for word in automaton.rootDroppable {
                for target in automaton.rootEdges[word] ?? [] { visit(dropped(target)) }
            }
        } else {
            for number in state.words {
                let edge = automaton.words[Int(number)]
                if search.rules.droppable.contains(search.table.words[Int(edge.word)]) { visit(dropped(edge.target)) }
            }
        }
    }
}
