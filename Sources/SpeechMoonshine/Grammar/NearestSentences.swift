/// The sentences of a net that sound most like what the model wrote freely.
///
/// The search goes from left to right and drops what begins badly: “then being the grey water was done” leaves no
/// version of “empty the grey water …” alive, though as a whole that fits best. Here the whole is compared. What is
/// left of a sentence costs exactly what the table of the net's nodes says, so that the best come one after the other
/// (A*: P. Hart, N. Nilsson, B. Raphael, 1968).
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
    /// By word of the net, where it begins in `costs`; −1 before it was looked at. There is what it costs to leave it
    /// out, and then what it costs instead of what was heard at each place, and instead of that with the next.
    private var costPlaces: [Int32]
    private var costs: [Float] = []
    /// By node, where its table begins in `values`; −1 before it was looked at. A table tells, from each word heard to
    /// each later one, what the rest of the sentence or of the class costs. All are in one stretch of memory: tens of
    /// thousands of small ones would leave it in crumbs that nobody can use.
    private var tables: [Int32]
    private var values: [Float] = []
    /// How many values a table has, and where in it, less its number, the row of each word begins.
    private let size: Int, rows: [Int]
    private let ends: Set<Int32>

    /// - Parameter heard: lower case.
    init?(_ net: SentenceNet, heard: [String]) {
        guard !heard.isEmpty, heard.count <= Self.mostWords else { return nil }
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
        absences = single.map { max(SoundLikeness.vowelGap, likeness.absence(of: $0)) }
        ends = Set((net.classes + [net.answers, net.commands]).map(\.end))
    }

    /// The best sentences from one of the net's beginnings on, as words, best first.
    mutating func best(_ most: Int, from part: SentenceNet.Part) -> [[String]] {
        guard let start = part.start else { return [] }
        // Pages that are not written to take no memory.
        values.reserveCapacity(size * net.nodes.count)
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
                guard let word = costs(of: step.word) else { continue }
                let place = word + 1 + entry.place
                add(entry, to: step.target, 0, costs[word], step.word)
                if entry.place < count { add(entry, to: step.target, 1, costs[place], step.word) }
                if entry.place + 1 < count { add(entry, to: step.target, 2, costs[place + count], step.word) }
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
        let row = table(of: node) + rows[place]
        var least = Float.infinity
        for end in place...count { least = min(least, values[row + end] + ends[end]) }
        return least
    }

    /// Where a word's costs begin; nil for a word that is never heard so.
    private mutating func costs(of word: Int32) -> Int? {
        let known = costPlaces[Int(word)]
        guard known == -1 else { return known >= 0 ? Int(known) : nil }
        let text = net.spellings.text(of: word)
        // Figures and signs are written in other ways than by words.
        guard !text.hasPrefix(Spellings.signPrefix) else {
            costPlaces[Int(word)] = -2
            return nil
        }
        let letters = SoundLikeness.letters(text), start = costs.count
        costs.append(max(SoundLikeness.vowelGap, likeness.absence(of: letters)))
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
            take(word, behind: self.table(of: step.target), into: table)
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

    /// A word, and then what a table tells.
    private mutating func take(_ word: Int, behind other: Int, into table: Int) {
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

    /// A class, and then what is behind it.
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
