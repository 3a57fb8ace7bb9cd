import Domain

/// The states of a net between two tokens, made when they are first reached: what may be written next, and where that
/// leads. Calls of classes are left open; `TokenAutomaton` follows them.
struct WordStates {
    /// What is special about the next word.
    enum Setting: UInt8 {
        case plain
        /// Behind a comma: no other may follow.
        case afterComma
        /// Behind a hyphen.
        case afterHyphen
    }

    struct State {
        /// Sorted; each leads to the words of `targets` at the same place.
        let tokens: [Int32]
        fileprivate let targets: [Key]
        fileprivate(set) var next: [Int32]
        /// Classes whose values may come next, and the state behind them.
        let calls: [(wordClass: Int32, back: Int32)]
        /// Nodes at which a word may begin or the part may end; empty within a word.
        let nodes: [Int32]
        let isEnd: Bool
        let setting: Setting
    }

    /// Within words: a spelling, how much of it is written, and the node behind it.
    fileprivate struct Key: Hashable {
        var within: [UInt64] = []
        var nodes: [Int32] = []
        var setting = Setting.plain
    }

    private(set) var net: SentenceNet
    private var isEnd: [Bool] = []
    private(set) var states: [State] = []
    /// About how many bytes the states take: each target has two arrays.
    private(set) var bytes = 0
    private var numbers: [Key: Int32] = [:]

    /// The words of the net.
    var spellings: Spellings { net.spellings }

    /// The net's classes.
    var classes: [SentenceNet.Part] { net.classes }

    init(_ net: SentenceNet) {
        self.net = net
        markEnds()
    }

    /// Switches to a vocabulary that differs only in the values of classes. The states stay: they hold no class, and
    /// values that a class no longer has are not reached.
    /// - Returns: whether anything has changed; nil where a new net is needed.
    mutating func update(to vocabulary: Vocabulary) -> Bool? {
        guard let isChanged = net.update(to: vocabulary) else { return nil }
        if isChanged { markEnds() }
        return isChanged
    }

    private mutating func markEnds() {
        isEnd = [Bool](repeating: false, count: net.nodes.count)
        for part in net.classes + [net.answers, net.everything] { isEnd[Int(part.end)] = true }
    }

    /// Drops all states; the net stays.
    mutating func reset() {
        states = []
        numbers = [:]
        bytes = 0
    }

    /// The state at these nodes.
    mutating func state(at nodes: [Int32], _ setting: Setting = .plain) -> Int32 {
        state(Key(nodes: Set(nodes).sorted(), setting: setting))
    }

    /// The state behind a token; nil where it may not be written.
    mutating func next(_ number: Int32, _ token: Int32) -> Int32? {
        let state = states[Int(number)]
        guard let place = state.tokens.sortedIndex(of: token) else { return nil }
        if state.next[place] >= 0 { return state.next[place] }
        let made = self.state(state.targets[place])
        states[Int(number)].next[place] = made
        return made
    }

    private mutating func state(_ key: Key) -> Int32 {
        if let known = numbers[key] { return known }
        let closed = closure(key.nodes)
        var targets: [Int32: Key] = [:]
        func go(_ spelling: Int32, _ written: Int, _ node: Int32) {
            let tokens = net.spellings.tokens[Int(spelling)]
            let token = tokens[written]
            if written + 1 == tokens.count {
                targets[token, default: Key()].nodes.append(node)
            } else {
                targets[token, default: Key()].within.append(Self.pack(spelling, written + 1, node))
            }
        }
        for element in key.within {
            let (spelling, written, node) = Self.unpack(element)
            go(spelling, written, node)
        }
        var calls: [Int32: [Int32]] = [:]
        for node in closed {
            for step in net.nodes[Int(node)].steps {
                let word = net.spellings.words[Int(step.word)]
                for spelling in key.setting == .afterHyphen ? word.joined : word.apart { go(spelling, 0, step.target) }
            }
            if key.setting == .plain {
                for call in net.nodes[Int(node)].calls { calls[call.wordClass, default: []].append(call.target) }
            }
        }
        let number = Int32(states.count)
        numbers[key] = number
        let sorted = targets.sorted { $0.key < $1.key }
        bytes += 200 + sorted.reduce(0) { $0 + 120 + 8 * ($1.value.within.count + $1.value.nodes.count) }
        states.append(
            State(
                tokens: sorted.map(\.key),
                targets: sorted.map {
                    Key(within: $0.value.within.sorted(), nodes: Set($0.value.nodes).sorted())
                },
                next: [Int32](repeating: -1, count: sorted.count), calls: [], nodes: key.nodes,
                isEnd: key.setting == .plain && closed.contains { isEnd[Int($0)] }, setting: key.setting))
        guard !calls.isEmpty else { return number }
        let backs = calls.sorted { $0.key < $1.key }.map { (wordClass: $0.key, back: state(at: $0.value)) }
        let made = states[Int(number)]
        states[Int(number)] = State(
            tokens: made.tokens, targets: made.targets, next: made.next, calls: backs, nodes: made.nodes,
            isEnd: made.isEnd, setting: made.setting)
        return number
    }

    private func closure(_ nodes: [Int32]) -> [Int32] {
        var seen = Set(nodes), open = nodes
        while let node = open.popLast() {
            for skip in net.nodes[Int(node)].skips where seen.insert(skip).inserted { open.append(skip) }
        }
        return Array(seen)
    }

    private static func pack(_ spelling: Int32, _ written: Int, _ node: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: node)) << 32 | UInt64(spelling) << 8 | UInt64(written)
    }

    private static func unpack(_ element: UInt64) -> (spelling: Int32, written: Int, node: Int32) {
        (Int32(element >> 8 & 0xFF_FFFF), Int(element & 0xFF), Int32(element >> 32))
    }
}

extension [Int32] {
    /// The place of a number in a sorted array.
    func sortedIndex(of number: Int32) -> Int? {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number ? low : nil
    }
}
