import Domain
import HeapModule

/// The sentences of a net that sound most like what the model wrote freely.
///
/// The beam search goes from left to right and drops what begins badly: “then being the grey water was done” leaves no
/// hypothesis of “empty the grey water …” alive, though as a whole that fits best. Here whole sentences are compared.
/// The cost of the rest of a sentence is known exactly from a table for each of the net's nodes, so that the best
/// sentences come out in order (A*: P. Hart, N. Nilsson, B. Raphael, 1968).
struct NearestSentences {
    /// Longer utterances are not commands, and their tables would be large.
    static let wordLimit = 14
    /// Entries that are visited before the search gives up.
    private static let visitLimit = 20_000
    /// Sentences whose cost is more than this share of what was heard are left out.
    private static let costShareLimit: Float = 0.6

    private let net: SentenceNet
    private let count: Int
    /// For each word heard, the cost of leaving it out.
    private let absences: [Float]
    private let costLimit: Float
    /// Letters of each word heard, and of it joined with the next: a name is often heard as two words.
    private let single: [[UInt8]], double: [[UInt8]]
    private var likeness = SoundLikeness()
    /// For each word of the net, where it begins in `costs`; −1 before it is needed. There: the cost of leaving it out,
    /// then its cost in place of each word heard, and in place of each with the next.
    private var costPlaces: [Int32]
    private var costs: [Float] = []
    /// For each node, where its table begins in `values`; −1 before it is needed. A table has, from each word heard to
    /// each later one, the cost of the rest of the sentence or of the class. All are in one block of memory: tens of
    /// thousands of small ones would fragment the heap.
    private var tables: [Int32]
    private var values: [Float] = []
    /// How many values a table has, and where in it, less the word's number, the row of each word begins.
    private let size: Int, rows: [Int]
    private let ends: Set<Int32>

    /// - Parameter heard: lower case.
    init?(_ net: SentenceNet, heard: [String]) {
        guard !heard.isEmpty, heard.count <= Self.wordLimit else { return nil }
        self.net = net
        count = heard.count
        single = heard.map { SoundLikeness.letters($0) }
        double = zip(heard, heard.dropFirst()).map { SoundLikeness.letters($0 + $1) }
        tables = [Int32](repeating: -1, count: net.nodes.count)
        costPlaces = [Int32](repeating: -1, count: net.spellings.words.count)
        let width = heard.count + 1
        size = width * (width + 1) / 2
        rows = (0..<width).map { $0 * width - $0 * ($0 - 1) / 2 - $0 }
        let likeness = likeness
        absences = single.map { max(SoundLikeness.vowelCost, likeness.absence(of: $0)) }
        costLimit = Self.costShareLimit * absences.reduce(0, +) + 1
        ends = Set((net.classes + [net.answers, net.commands]).map(\.end))
    }

    /// The best sentences of one of the net's parts, as words, best first.
    mutating func best(_ limit: Int, from part: SentenceNet.Part) -> [[String]] {
        guard let start = part.start else { return [] }
        // Pages that are never written to take no memory.
        values.reserveCapacity(size * net.nodes.count)
        var search = Search(root: Stack(ends: restCosts(), target: -1, parent: -1))
        var found = Set<[Int32]>(), result: [[String]] = []
        push(Entry(node: start), &search)
        while let entry = search.queue.popMin(), result.count < limit, search.visitCount < Self.visitLimit {
            guard search.visit(entry) else { continue }
            if let sentence = end(entry, &search), found.insert(sentence).inserted {
                result.append(sentence.map { net.spellings.text(of: $0) })
            }
            expand(entry, &search)
        }
        return result
    }

    /// Queues an entry unless even its best completion is too unlike what was heard.
    private mutating func push(_ entry: Entry, _ search: inout Search) {
        guard entry.place <= count else { return }
        var entry = entry
        entry.total = entry.cost + left(entry.node, entry.place, search.stacks[entry.stack].ends)
        guard entry.total <= costLimit else { return }
        search.push(entry)
    }

    /// Queues the entry behind a word of the net, which stands for so many of the words heard.
    private mutating func push(
        _ entry: Entry, _ step: SentenceNet.Step, heard: Int, cost: Float, _ search: inout Search
    ) {
        var next = entry.moved(to: step.target, heard: heard, cost: cost)
        guard next.place <= count else { return }
        next.total = next.cost + left(next.node, next.place, search.stacks[next.stack].ends)
        guard next.total <= costLimit else { return }
        search.append(step.word, to: &next)
        search.push(next)
    }

    /// Goes back behind a class at its end.
    /// - Returns: the words of the sentence, where that ends here.
    private mutating func end(_ entry: Entry, _ search: inout Search) -> [Int32]? {
        guard ends.contains(entry.node) else { return nil }
        let stack = search.stacks[entry.stack]
        if stack.parent >= 0 {
            var outer = entry.moved(to: stack.target)
            outer.stack = stack.parent
            push(outer, &search)
            return nil
        }
        guard entry.place == count else { return nil }
        let words = search.words(entry.trail)
        return words.isEmpty ? nil : words
    }

    private mutating func expand(_ entry: Entry, _ search: inout Search) {
        if entry.place < count { push(entry.moved(to: entry.node, heard: 1, cost: absences[entry.place]), &search) }
        let node = net.nodes[Int(entry.node)]
        for step in node.steps {
            guard let word = costs(of: step.word) else { continue }
            let place = word + 1 + entry.place
            push(entry, step, heard: 0, cost: costs[word], &search)
            if entry.place < count { push(entry, step, heard: 1, cost: costs[place], &search) }
            if entry.place + 1 < count { push(entry, step, heard: 2, cost: costs[place + count], &search) }
        }
        for skip in node.skips { push(entry.moved(to: skip), &search) }
        for call in node.calls {
            guard let start = net.classes[Int(call.wordClass)].start else { continue }
            var inner = entry.moved(to: start)
            inner.stack = stack(behind: call.target, of: entry.stack, &search)
            push(inner, &search)
        }
    }

    private mutating func stack(behind target: Int32, of parent: Int, _ search: inout Search) -> Int {
        let key = [Int32(parent), target]
        if let known = search.stackNumbers[key] { return known }
        let outer = search.stacks[parent].ends
        let ends = (0...count).map { left(target, $0, outer) }
        search.stackNumbers[key] = search.stacks.count
        search.stacks.append(Stack(ends: ends, target: target, parent: parent))
        return search.stacks.count - 1
    }

    /// What it costs to end a sentence at each place: only the end of what was heard will do.
    private func restCosts() -> [Float] {
        var ends = [Float](repeating: .infinity, count: count + 1)
        ends[count] = 0
        return ends
    }

    /// The least cost from a place on, given what each end costs.
    private mutating func left(_ node: Int32, _ place: Int, _ ends: [Float]) -> Float {
        let row = table(of: node) + rows[place]
        var least = Float.infinity
        for end in place...count { least = min(least, values[row + end] + ends[end]) }
        return least
    }

    /// Where a word's costs begin; nil for a figure or a sign.
    private mutating func costs(of word: Int32) -> Int? {
        let known = costPlaces[Int(word)]
        guard known == -1 else { return known >= 0 ? Int(known) : nil }
        let text = net.spellings.text(of: word)
        // What is spoken of these is words, which the net has as well.
        guard !text.hasPrefix(Spellings.signPrefix) else {
            costPlaces[Int(word)] = -2
            return nil
        }
        let letters = SoundLikeness.letters(text), start = costs.count
        costs.append(max(SoundLikeness.vowelCost, likeness.absence(of: letters)))
        for heard in single { costs.append(likeness.distance(letters, heard)) }
        for heard in double { costs.append(likeness.distance(letters, heard)) }
        costPlaces[Int(word)] = Int32(start)
        return start
    }

    /// Where the node's table begins.
    private mutating func table(of node: Int32) -> Int {
        if tables[Int(node)] >= 0 { return Int(tables[Int(node)]) }
        let table = values.count
        values.append(contentsOf: repeatElement(.infinity, count: size))
        if ends.contains(node) { for place in 0...count { values[table + rows[place] + place] = 0 } }
        for skip in net.nodes[Int(node)].skips {
            let other = self.table(of: skip)
            for index in 0..<size { values[table + index] = min(values[table + index], values[other + index]) }
        }
        for step in net.nodes[Int(node)].steps {
            guard let word = costs(of: step.word) else { continue }
            prepend(word, to: self.table(of: step.target), into: table)
        }
        for call in net.nodes[Int(node)].calls {
            guard let start = net.classes[Int(call.wordClass)].start else { continue }
            join(self.table(of: start), self.table(of: call.target), into: table)
        }
        // What was heard and is not in the sentence.
        for place in stride(from: count - 1, through: 0, by: -1) {
            let row = table + rows[place], later = table + rows[place + 1]
            for end in place + 1...count {
                values[row + end] = min(values[row + end], absences[place] + values[later + end])
            }
        }
        tables[Int(node)] = Int32(table)
        return table
    }

    /// Adds to a table the paths that begin with a word and go on as another table has it.
    private mutating func prepend(_ word: Int, to other: Int, into table: Int) {
        let absence = costs[word]
        for place in 0...count {
            let row = rows[place]
            for end in place...count {
                var least = absence + values[other + row + end]
                if place < end { least = min(least, costs[word + 1 + place] + values[other + rows[place + 1] + end]) }
                if place + 1 < end {
                    least = min(least, costs[word + 1 + count + place] + values[other + rows[place + 2] + end])
                }
                values[table + row + end] = min(values[table + row + end], least)
            }
        }
    }

    /// Adds to a table the paths that begin with a class and go on behind it.
    private mutating func join(_ inner: Int, _ outer: Int, into table: Int) {
        for place in 0...count {
            let row = rows[place]
            for middle in place...count {
                let cost = values[inner + row + middle], rest = outer + rows[middle]
                guard cost < .infinity else { continue }
                for end in middle...count {
                    values[table + row + end] = min(values[table + row + end], cost + values[rest + end])
                }
            }
        }
    }
}

extension NearestSentences {
    /// Where a class returns to, and what everything behind it costs, by the words heard until then.
    fileprivate struct Stack {
        let ends: [Float], target: Int32, parent: Int
    }

    /// A partial sentence, with the least that a whole one can cost.
    fileprivate struct Entry: Comparable {
        var total: Float = 0, cost: Float = 0
        var node: Int32, place = 0, stack = 0, trail = -1
        /// Hash of the words so far: paths with the same words are one.
        var words = StableHash()
        /// Of two that cost the same, the one that was queued first comes first.
        var sequence = 0

        init(node: Int32) { self.node = node }

        func moved(to node: Int32, heard: Int = 0, cost: Float = 0) -> Entry {
            var next = self
            next.node = node
            next.place += heard
            next.cost += cost
            return next
        }

        static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }

        static func < (left: Entry, right: Entry) -> Bool {
            left.total == right.total ? left.sequence < right.sequence : left.total < right.total
        }
    }

    /// What a search has queued and seen.
    fileprivate struct Search {
        private struct Visit: Hashable {
            let node: Int32, place: Int, stack: Int, words: UInt64
        }

        var queue = Heap<Entry>()
        private(set) var visitCount = 0
        var stacks: [Stack], stackNumbers: [[Int32]: Int] = [:]
        private var trails: [(parent: Int, word: Int32)] = []
        private var seen = Set<Visit>()
        private var sequence = 0

        init(root: Stack) { stacks = [root] }

        mutating func push(_ entry: Entry) {
            var entry = entry
            sequence += 1
            entry.sequence = sequence
            queue.insert(entry)
        }

        /// - Returns: false where the same was visited before.
        mutating func visit(_ entry: Entry) -> Bool {
            visitCount += 1
            let visit = Visit(node: entry.node, place: entry.place, stack: entry.stack, words: entry.words.value)
            return seen.insert(visit).inserted
        }

        mutating func append(_ word: Int32, to entry: inout Entry) {
            trails.append((entry.trail, word))
            entry.trail = trails.count - 1
            entry.words.add(word: UInt64(UInt32(bitPattern: word)))
        }

        func words(_ trail: Int) -> [Int32] {
            var words: [Int32] = [], place = trail
            while place >= 0 {
                words.append(trails[place].word)
                place = trails[place].parent
            }
            return words.reversed()
        }
    }
}
