/// A grammar restricted to some of its words: the states on a path from the start to the end.
struct GrammarPart {
    let stateCount: Int
    let start: Int32
    let end: Int32
    let arcs: [CompactGrammar.Arc]

    init(_ grammar: CompactGrammar, keeping isKept: (Int32) -> Bool) {
        let kept = grammar.arcs.filter { $0.word < 0 || isKept($0.word) }
        let ahead = Self.reached(from: grammar.start, kept, count: grammar.stateCount, from: \.from, to: \.to)
        let back = Self.reached(from: grammar.end, kept, count: grammar.stateCount, from: \.to, to: \.from)
        var numbers = [Int32](repeating: -1, count: grammar.stateCount), count: Int32 = 0
        for state in 0..<grammar.stateCount where ahead[state] && back[state] {
            numbers[state] = count
            count += 1
        }
        let ends = (numbers[Int(grammar.start)], numbers[Int(grammar.end)])
        guard ends.0 >= 0, ends.1 >= 0 else {
            (stateCount, start, end, arcs) = (0, 0, 0, [])
            return
        }
        stateCount = Int(count)
        (start, end) = ends
        arcs = kept.compactMap { arc in
            let from = numbers[Int(arc.from)], to = numbers[Int(arc.to)]
            return from < 0 || to < 0 ? nil : .init(from: from, to: to, word: arc.word, share: arc.share)
        }
    }

    private static func reached(
        from first: Int32, _ arcs: [CompactGrammar.Arc], count: Int, from: KeyPath<CompactGrammar.Arc, Int32>,
        to: KeyPath<CompactGrammar.Arc, Int32>
    ) -> [Bool] {
        // Arcs in a list for each state, as places in one array.
        var firsts = [Int32](repeating: 0, count: count + 1)
        for arc in arcs { firsts[Int(arc[keyPath: from]) + 1] += 1 }
        for state in 0..<count { firsts[state + 1] += firsts[state] }
        var next = firsts, targets = [Int32](repeating: 0, count: arcs.count)
        for arc in arcs {
            let state = Int(arc[keyPath: from])
            targets[Int(next[state])] = arc[keyPath: to]
            next[state] += 1
        }
        var isReached = [Bool](repeating: false, count: count), open = [first]
        isReached[Int(first)] = true
        while let state = open.popLast() {
            for place in firsts[Int(state)]..<firsts[Int(state) + 1] {
                let target = targets[Int(place)]
                guard !isReached[Int(target)] else { continue }
                isReached[Int(target)] = true
                open.append(target)
            }
        }
        return isReached
    }
}
