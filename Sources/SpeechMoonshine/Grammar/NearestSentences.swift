/// The sentences of a net that sound most like what the model wrote freely.
///
/// The search goes from left to right and drops what begins badly: “then being the grey water was done” leaves no version
/// of “empty the grey water …” alive, though as a whole that fits best. Here the whole is compared. What is left of a
/// sentence costs exactly what the table of the net's nodes says, so that the best come one after the other (A*: P. Hart,
/// N. Nilsson, B. Raphael, 1968).
struct NearestSentences {
    /// Longer ones are no commands, and their tables large.
    static let mostWords = 14
    /// Places that are looked at before it gives up.
    private static let mostPlaces = 20_000
    /// Sentences more unlike than this share of what was heard are not worth a look.
    private static let worst: Float = 0.6

    private let net: SentenceNet
    private let count: Int
    /// By the number of words: what it costs to leave out the word that was heard there.
    private let absences: [Float]
    /// Letters of each word heard, and of it with the next: a name is often heard as two words.
    private let single: [[UInt8]], double: [[UInt8]]
    private var likeness = SoundLikeness()
    private var costs: [Int32: Costs] = [:]
    /// By node, where its table begins in `values`; −1 before it was looked at. A table tells, from each word heard to each,
    /// what the rest of the sentence or of the class costs.
    private var tables: [Int32]
    private var values: [Float] = []
    private let ends: Set<Int32>

    /// What a word of the net costs: left out, and instead of what was heard at each place.
    private struct Costs {
        let absence: Float, single: [Float], double: [Float]
    }

    /// - Parameter heard: lower case.
    init?(_ net: SentenceNet, heard: [String]) {
        guard !heard.isEmpty, heard.count <= Self.mostWords else { return nil }
        self.net = net
        count = heard.count
        single = heard.map { SoundLikeness.letters($0) }
        double = zip(heard, heard.dropFirst()).map { SoundLikeness.letters($0 + $1) }
        tables = [Int32](repeating: -1, count: net.nodes.count)
        let likeness = likeness
        absences = single.map { max(SoundLikeness.vowelGap, likeness.absence(of: $0)) }
        ends = Set((net.classes + [net.answers, net.commands]).map(\.end))
    }

    /// The best sentences from one of the net's beginnings on, as words, best first.
    mutating func best(_ most: Int, from part: SentenceNet.Part) -> [[String]] {
        guard let start = part.start else { return [] }
        var queue = Heap(), trails: [(before: Int, word: Int32)] = []
        var stacks = [Stack(ends: rest(), target: -1, before: -1)], stackNumbers: [[Int32]: Int] = [:]
        var seen = Set<Visit>(), said = Set<[Int32]>(), result: [[String]] = []
        func words(_ trail: Int) -> [Int32] {
            var words: [Int32] = [], place = trail
            while place >= 0 {
                words.append(trails[place].word)
                place = trails[place].before
            }
            return words.reversed()
        }
        let limit = Self.worst * absences.reduce(0, +) + 1
        var looked = 0
        func add(_ entry: Entry, to node: Int32, _ words: Int = 0, _ cost: Float = 0, _ word: Int32? = nil) {
            var next = entry
            next.node = node
            next.place += words
            next.cost += cost
            guard next.place <= count else { return }
            next.total = next.cost + left(node, next.place, stacks[next.stack].ends)
            guard next.total <= limit else { return }
            if let word {
                trails.append((entry.trail, word))
                next.trail = trails.count - 1
                next.words = (entry.words ^ UInt64(UInt32(bitPattern: word))) &* 1_099_511_628_211
            }
            queue.push(next)
        }
        let first = Entry(
            total: 0, cost: 0, node: start, place: 0, stack: 0, trail: -1, words: 14_695_981_039_346_656_037)
        add(first, to: start)
        while let entry = queue.pop(), result.count < most, looked < Self.mostPlaces {
            looked += 1
            guard
                seen.insert(Visit(node: entry.node, place: entry.place, stack: entry.stack, words: entry.words))
                    .inserted
            else { continue }
            if ends.contains(entry.node) {
                let stack = stacks[entry.stack]
                if stack.before >= 0 {
                    var outer = entry
                    outer.stack = stack.before
                    add(outer, to: stack.target)
                } else if entry.place == count {
                    let found = words(entry.trail)
                    if !found.isEmpty, said.insert(found).inserted {
                        result.append(found.map { net.spellings.text(of: $0) })
                    }
                }
            }
            if entry.place < count { add(entry, to: entry.node, 1, absences[entry.place]) }
            let node = net.nodes[Int(entry.node)]
            for step in node.steps {
                guard let costs = costs(of: step.word) else { continue }
                add(entry, to: step.target, 0, costs.absence, step.word)
                if entry.place < count { add(entry, to: step.target, 1, costs.single[entry.place], step.word) }
                if entry.place + 1 < count { add(entry, to: step.target, 2, costs.double[entry.place], step.word) }
            }
            for skip in node.skips { add(entry, to: skip) }
            for call in node.calls {
                guard let start = net.classes[Int(call.wordClass)].start else { continue }
                let key = [Int32(entry.stack), call.target]
                var inner = entry
                if let known = stackNumbers[key] {
                    inner.stack = known
                } else {
                    inner.stack = stacks.count
                    stackNumbers[key] = inner.stack
                    let outer = stacks[entry.stack].ends
                    let behind = (0...count).map { left(call.target, $0, outer) }
                    stacks.append(Stack(ends: behind, target: call.target, before: entry.stack))
                }
                add(inner, to: start)
            }
        }
        return result
    }

    /// Where a class goes back to, and what all behind it costs by the words heard until then.
    private struct Stack {
        let ends: [Float], target: Int32, before: Int
    }

    private struct Visit: Hashable {
        let node: Int32, place: Int, stack: Int, words: UInt64
    }

    private func rest() -> [Float] {
        var ends = [Float](repeating: .infinity, count: count + 1)
        ends[count] = 0
        return ends
    }

    /// What is left from a place on, given what each end costs.
    private mutating func left(_ node: Int32, _ place: Int, _ ends: [Float]) -> Float {
        let table = table(of: node), row = table + place * (count + 1)
        var least = Float.infinity
        for end in place...count { least = min(least, values[row + end] + ends[end]) }
        return least
    }

    private mutating func costs(of word: Int32) -> Costs? {
        if let known = costs[word] { return known }
        let text = net.spellings.text(of: word)
        // Figures and signs are written in other ways than by words.
        guard !text.hasPrefix(Spellings.signPrefix) else { return nil }
        let letters = SoundLikeness.letters(text)
        let made = Costs(
            absence: max(SoundLikeness.vowelGap, likeness.absence(of: letters)),
            single: single.map { likeness.distance(letters, $0) }, double: double.map { likeness.distance(letters, $0) }
        )
        costs[word] = made
        return made
    }

    /// Where the node's table begins.
    private mutating func table(of node: Int32) -> Int {
        if tables[Int(node)] >= 0 { return Int(tables[Int(node)]) }
        let width = count + 1
        var table = [Float](repeating: .infinity, count: width * width)
        if ends.contains(node) { for place in 0...count { table[place * width + place] = 0 } }
        for skip in net.nodes[Int(node)].skips {
            let other = self.table(of: skip)
            for index in table.indices { table[index] = min(table[index], values[other + index]) }
        }
        for step in net.nodes[Int(node)].steps {
            guard let costs = costs(of: step.word) else { continue }
            let behind = self.table(of: step.target)
            take(step, costs, behind: behind, into: &table)
        }
        for call in net.nodes[Int(node)].calls {
            guard let start = net.classes[Int(call.wordClass)].start else { continue }
            let inner = self.table(of: start), outer = self.table(of: call.target)
            for place in 0...count {
                for middle in place...count where values[inner + place * width + middle] < .infinity {
                    let cost = values[inner + place * width + middle]
                    for end in middle...count {
                        table[place * width + end] = min(
                            table[place * width + end], cost + values[outer + middle * width + end])
                    }
                }
            }
        }
        // What was heard and is not in the sentence.
        for place in stride(from: count - 1, through: 0, by: -1) {
            for end in place + 1...count {
                table[place * width + end] = min(
                    table[place * width + end], absences[place] + table[(place + 1) * width + end])
            }
        }
        tables[Int(node)] = Int32(values.count)
        values += table
        return Int(tables[Int(node)])
    }

    private func take(_ step: SentenceNet.Step, _ costs: Costs, behind other: Int, into table: inout [Float]) {
        let width = count + 1
        for place in 0...count {
            let row = place * width
            for end in place...count {
                var least = costs.absence + values[other + row + end]
                if place < end { least = min(least, costs.single[place] + values[other + row + width + end]) }
                if place + 1 < end { least = min(least, costs.double[place] + values[other + row + 2 * width + end]) }
                table[row + end] = min(table[row + end], least)
            }
        }
    }
}

extension NearestSentences {
    /// A place on the way, with what the whole would cost.
    fileprivate struct Entry {
        var total: Float, cost: Float
        var node: Int32, place: Int, stack: Int, trail: Int
        /// Of the words so far: ways that say the same are one.
        var words: UInt64
    }

    /// The cheapest first.
    fileprivate struct Heap {
        private var entries: [Entry] = []

        mutating func push(_ entry: Entry) {
            entries.append(entry)
            var place = entries.count - 1
            while place > 0, entries[place].total < entries[(place - 1) / 2].total {
                entries.swapAt(place, (place - 1) / 2)
                place = (place - 1) / 2
            }
        }

        mutating func pop() -> Entry? {
            guard let first = entries.first, let last = entries.popLast() else { return nil }
            guard !entries.isEmpty else { return first }
            entries[0] = last
            var place = 0
            while true {
                var least = place
                for child in [2 * place + 1, 2 * place + 2]
                where child < entries.count && entries[child].total < entries[least].total { least = child }
                if least == place { return first }
                entries.swapAt(place, least)
                place = least
            }
        }
    }
}
