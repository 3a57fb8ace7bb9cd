/// A deterministic, minimal graph of words without cycles. States are in an order in which every arc leads to one
/// before it.
struct WordGraph {
    /// An arc with a word, or with any value of a long class.
    struct Arc {
        let label: Int
        let target: Int
        /// The probability of this arc at its state.
        let share: Double
    }

    /// A state: what may be said next.
    struct State {
        let arcs: [Arc]
        /// The probability that nothing more is said.
        let endShare: Double
    }

    let states: [State]
    let start: Int

    var arcCount: Int { states.reduce(0) { $0 + $1.arcs.count } }

    /// The graph of a net's sentences from one of its nodes.
    ///
    /// By the subset construction; then the probabilities, as how often each arc is expected to be taken; then states
    /// with the same continuations are merged, from the end to the beginning (the graph has no cycles, so one pass is
    /// enough: D. Revuz, “Minimisation of acyclic deterministic automata in linear time”, 1992).
    init(_ net: PhraseNet, from first: Int) {
        var subsets = Subsets(net)
        let top = subsets.number(of: [first])
        var next = 0
        while next < subsets.members.count {
            subsets.expand(next)
            next += 1
        }
        let order = subsets.order(from: top)
        let masses = subsets.masses(from: first, order: order)

        var states: [Draft] = []
        var numbers: [Signature: Int] = [:]
        var place = [Int](repeating: 0, count: subsets.members.count)
        for subset in order.reversed() {
            let arcs = subsets.arcs[subset]
            let signature = Signature(
                isEnd: subsets.isEnd[subset], labels: arcs.map(\.label), targets: arcs.map { place[$0.target] })
            let number = numbers[signature] ?? states.count
            if number == states.count {
                numbers[signature] = number
                states.append(Draft(signature: signature, counts: [Double](repeating: 0, count: arcs.count)))
            }
            states[number].end += masses.end[subset]
            for index in arcs.indices { states[number].counts[index] += masses.arcs[subset][index] }
            place[subset] = number
        }
        self.states = states.map(\.state)
        start = place[top]
    }

    private struct Signature: Hashable {
        let isEnd: Bool
        let labels: [Int], targets: [Int]
    }

    private struct Draft {
        let signature: Signature
        var counts: [Double]
        var end = 0.0

        var state: State {
            let total = max(counts.reduce(end, +), .leastNormalMagnitude)
            let arcs = counts.indices.map { index in
                Arc(label: signature.labels[index], target: signature.targets[index], share: counts[index] / total)
            }
            return State(arcs: arcs, endShare: signature.isEnd ? max(end / total, .leastNormalMagnitude) : 0)
        }
    }
}

/// Sets of a net's nodes that are reached by the same words.
private struct Subsets {
    struct Arc {
        let label: Int
        let target: Int
    }

    let net: PhraseNet
    /// The nodes of each set that have a word, sorted.
    private(set) var members: [[Int]] = []
    private(set) var isEnd: [Bool] = []
    private(set) var arcs: [[Arc]] = []
    private var numbers: [Key: Int] = [:]
    private var seen: [Int]
    private var round = 0

    private struct Key: Hashable {
        let members: [Int]
        let isEnd: Bool
    }

    init(_ net: PhraseNet) {
        self.net = net
        seen = [Int](repeating: -1, count: net.nodes.count)
    }

    /// The number of the set of all nodes reached from `nodes` without a word.
    mutating func number(of nodes: [Int]) -> Int {
        round += 1
        var open = nodes, found: [Int] = [], isEnd = false
        while let node = open.popLast() {
            guard seen[node] != round else { continue }
            seen[node] = round
            if node == PhraseNet.end { isEnd = true }
            if net.nodes[node].step != nil { found.append(node) }
            for skip in net.nodes[node].skips { open.append(skip.target) }
        }
        found.sort()
        let key = Key(members: found, isEnd: isEnd)
        if let known = numbers[key] { return known }
        numbers[key] = members.count
        members.append(found)
        self.isEnd.append(isEnd)
        arcs.append([])
        return members.count - 1
    }

    mutating func expand(_ subset: Int) {
        var targets: [Int: [Int]] = [:]
        for node in members[subset] {
            if let step = net.nodes[node].step { targets[step.label, default: []].append(step.target) }
        }
        arcs[subset] = targets.keys.sorted().map { label in
            Arc(label: label, target: number(of: targets[label] ?? []))
        }
    }

    /// The sets in an order in which every arc leads to a later one.
    func order(from top: Int) -> [Int] {
        var result: [Int] = [], isDone = [Bool](repeating: false, count: members.count)
        var path: [(subset: Int, next: Int)] = [(top, 0)]
        isDone[top] = true
        while let (subset, next) = path.last {
            guard next < arcs[subset].count else {
                result.append(subset)
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let target = arcs[subset][next].target
            guard !isDone[target] else { continue }
            isDone[target] = true
            path.append((target, 0))
        }
        return result.reversed()
    }

    /// How often each arc is taken, and each set is the end, when one sentence is said from `first`.
    mutating func masses(from first: Int, order: [Int]) -> (arcs: [[Double]], end: [Double]) {
        var arriving = [[Int: Double]](repeating: [:], count: members.count)
        var taken = arcs.map { [Double](repeating: 0, count: $0.count) }
        var end = [Double](repeating: 0, count: members.count)
        if let top = order.first { arriving[top] = [first: 1] }
        for subset in order {
            let masses = spread(arriving[subset])
            arriving[subset] = [:]
            end[subset] = masses[PhraseNet.end] ?? 0
            let places = Dictionary(uniqueKeysWithValues: arcs[subset].enumerated().map { ($1.label, $0) })
            for node in members[subset] {
                guard let step = net.nodes[node].step, let mass = masses[node], let place = places[step.label] else {
                    continue
                }
                taken[subset][place] += mass
                arriving[arcs[subset][place].target][step.target, default: 0] += mass
            }
        }
        return (taken, end)
    }

    /// What reaches each node without a word. A skip's target always has a lower number than the skip.
    private mutating func spread(_ arriving: [Int: Double]) -> [Int: Double] {
        round += 1
        var open = Array(arriving.keys), reached: [Int] = []
        while let node = open.popLast() {
            guard seen[node] != round else { continue }
            seen[node] = round
            reached.append(node)
            for skip in net.nodes[node].skips { open.append(skip.target) }
        }
        var masses = arriving
        for node in reached.sorted(by: >) {
            guard let mass = masses[node] else { continue }
            for skip in net.nodes[node].skips { masses[skip.target, default: 0] += mass * skip.share }
        }
        return masses
    }
}
