import Domain

/// Templates as one nondeterministic automaton over words and slots; each end carries the numbers of the templates
/// that end there.
package struct PhraseAutomaton: Sendable {
    package struct WordEdge: Sendable { let word: Int32, target: Int32 }
    package struct SlotEdge: Sendable { let slot: Int, name: String, target: Int32 }
    /// Where a node's edges stand in the lists of all nodes: a node with lists of its own would be counted as it is
    /// visited, which took a sixth of a search.
    package struct Node: Sendable {
        let words: Range<Int32>
        let slots: Range<Int32>
        let accepts: Range<Int32>
        /// A bit for each of the tags whose end can be reached from here; tags that are 64 apart share one.
        let reach: UInt64
    }

    /// The bit of a tag in `Node.reach`.
    package static func bit(_ tag: some BinaryInteger) -> UInt64 { 1 << UInt64(tag % 64) }

    private(set) var nodes: [Node] = []
    private(set) var words: [WordEdge] = [], slots: [SlotEdge] = [], accepts: [Int32] = []
    /// The root's word edges by word: it has one for nearly every template, the other nodes a handful.
    private(set) var rootEdges: [Int32: [Int32]] = [:]
    /// Words that may be left out at the beginning.
    private(set) var rootDroppable: [Int32] = []
    /// True where plural and singular are one.
    let isStemmed: Bool

    package init(isStemmed: Bool = false) { self.isStemmed = isStemmed }

    /// Builds an automaton of many templates; see `PhraseAutomatonBuilder`.
    fileprivate init(nodes: [PhraseAutomatonBuilder.Node], isStemmed: Bool, droppable: Set<Int32>) {
        self.isStemmed = isStemmed
        for node in nodes {
            let starts = (Int32(words.count), Int32(slots.count), Int32(accepts.count))
            words += node.words
            slots += node.slots
            accepts += node.accepts
            self.nodes.append(
                Node(
                    words: starts.0..<Int32(words.count), slots: starts.1..<Int32(slots.count),
                    accepts: starts.2..<Int32(accepts.count), reach: node.reach))
        }
        for edge in nodes.first?.words ?? [] {
            if rootEdges[edge.word] == nil, droppable.contains(edge.word) { rootDroppable.append(edge.word) }
            rootEdges[edge.word, default: []].append(edge.target)
        }
    }
}

/// Builds an automaton with empty moves and then removes them.
struct PhraseAutomatonBuilder {
    fileprivate struct Node {
        var words: [PhraseAutomaton.WordEdge] = []
        var slots: [PhraseAutomaton.SlotEdge] = []
        var accepts: [Int32] = []
        var reach: UInt64 = 0
    }

    private var nodes = [Node()]
    private var empty: [[Int]] = [[]]
    private let isStemmed: Bool
    private let canonical: (String) -> [String]

    /// - Parameter canonical: turns a template's word into the words that the normaliser makes of it.
    init(isStemmed: Bool = false, canonical: @escaping (String) -> [String]) {
        self.isStemmed = isStemmed
        self.canonical = canonical
    }

    /// Adds a template whose end carries `tag`.
    /// - Parameter slot: the number of a slot list of the template's phrasebook.
    mutating func add(_ template: Template, tag: Int, table: inout WordTable, slot: (String) -> Int?) {
        let end = build(template, from: 0, table: &table, slot: slot)
        nodes[end].accepts.append(Int32(tag))
    }

    private mutating func node() -> Int {
        nodes.append(Node())
        empty.append([])
        return nodes.count - 1
    }

    private mutating func build(
        _ template: Template, from start: Int, table: inout WordTable, slot: (String) -> Int?
    ) -> Int {
        switch template {
        case .word(let word):
            return canonical(word).reduce(start) { from, canonical in
                let target = node()
                let id = table.id(of: isStemmed ? table.stem(canonical) : canonical)
                nodes[from].words.append(.init(word: id, target: Int32(target)))
                return target
            }
        case .sequence(let parts):
            // A node of its own keeps a template's loops and ends apart from its neighbours'.
            return parts.reduce(start) { build($1, from: $0, table: &table, slot: slot) }
        case .choice(let parts):
            let end = node()
            for part in parts { empty[build(part, from: start, table: &table, slot: slot)].append(end) }
            return end
        case .optional(let part):
            let end = node()
            empty[start].append(end)
            empty[build(part, from: start, table: &table, slot: slot)].append(end)
            return end
        case .slot(let list, let name):
            let target = node()
            if let number = slot(list) {
                nodes[start].slots.append(.init(slot: number, name: name, target: Int32(target)))
            }
            return target
        case .rule:
            return start
        }
    }

    /// The finished automaton.
    /// - Parameter droppable: the words of templates that may be left out.
    func finished(droppable: Set<Int32> = []) -> PhraseAutomaton {
        var closed = nodes
        for index in nodes.indices where !empty[index].isEmpty {
            var seen: Set<Int> = [index], stack = empty[index]
            while let next = stack.popLast() {
                guard seen.insert(next).inserted else { continue }
                closed[index].words += nodes[next].words
                closed[index].slots += nodes[next].slots
                closed[index].accepts += nodes[next].accepts
                stack += empty[next]
            }
        }
        findReach(&closed)
        return PhraseAutomaton(nodes: closed, isStemmed: isStemmed, droppable: droppable)
    }

    /// Follows all edges backwards; templates have no loops.
    private func findReach(_ nodes: inout [Node]) {
        var isKnown = [Bool](repeating: false, count: nodes.count)
        var stack = [0]
        while let node = stack.last {
            let targets = nodes[node].words.map { Int($0.target) } + nodes[node].slots.map { Int($0.target) }
            let open = targets.filter { !isKnown[$0] }
            guard open.isEmpty else {
                stack += open
                continue
            }
            nodes[node].reach = nodes[node].accepts.reduce(0) { $0 | PhraseAutomaton.bit($1) }
            for target in targets { nodes[node].reach |= nodes[target].reach }
            isKnown[node] = true
            stack.removeLast()
        }
    }
}
