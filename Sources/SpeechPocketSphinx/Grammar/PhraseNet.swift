import Domain

/// A vocabulary as a net of words: every path from a start to an end is a sentence, and every branch has its
/// probability. Built from the ends to the starts, so that common endings are shared.
///
/// A class of few words is inserted wherever it is used. A long one (the owner's things) is represented by a symbol:
/// `GrammarBuilder` makes one region of it that all its uses share.
struct PhraseNet {
    /// A branch without a word.
    struct Skip: Hashable {
        let target: Int
        let share: Double
    }

    /// A branch with one word, or one value of a long class.
    struct Step: Hashable {
        let label: Int
        let target: Int
    }

    /// A place in the net: either one step, or any number of skips, or the end.
    struct Node {
        var step: Step?
        var skips: [Skip] = []
    }

    /// The end of every sentence.
    static let end = 0

    private(set) var nodes = [Node()]
    private let numbers: [String: Int]
    /// The earlier classes: short ones to be inserted, long ones by their label.
    private let classes: [GrammarClass]
    private var placed: [Placement: Int] = [:]
    /// Nodes with the same continuations are shared, which keeps the sets of nodes small that are reached by the same
    /// words.
    private var steps: [Step: Int] = [:], choices: [[Skip]: Int] = [:]

    private struct Placement: Hashable {
        let wordClass: Int
        let target: Int
    }

    /// A net over words that are known by number.
    init(words: [String: Int], classes: [GrammarClass]) {
        numbers = words
        self.classes = classes
    }

    /// Adds a branch to one of several targets.
    mutating func choice(_ skips: [Skip]) -> Int {
        if skips.count == 1, let only = skips.first { return only.target }
        if let known = choices[skips] { return known }
        choices[skips] = nodes.count
        nodes.append(Node(skips: skips))
        return nodes.count - 1
    }

    /// Adds a pattern before `target`.
    /// - Returns: where it begins; nil when a word of it has no pronunciation.
    mutating func add(_ pattern: Vocabulary.Pattern, before target: Int) -> Int? {
        switch pattern {
        case .word(let word):
            return numbers[word].map { step($0, to: target) }
        case .sequence(let parts):
            var place = target
            for part in parts.reversed() {
                guard let next = add(part, before: place) else { return nil }
                place = next
            }
            return place
        case .choice(let parts):
            let starts = parts.compactMap { add($0, before: target) }
            guard !starts.isEmpty else { return nil }
            return choice(starts.map { Skip(target: $0, share: 1 / Double(starts.count)) })
        case .optional(let part):
            guard let start = add(part, before: target) else { return target }
            return choice([Skip(target: start, share: 0.5), Skip(target: target, share: 0.5)])
        case .wordClass(let number):
            return place(number, before: target)
        }
    }

    private mutating func step(_ label: Int, to target: Int) -> Int {
        let step = Step(label: label, target: target)
        if let known = steps[step] { return known }
        steps[step] = nodes.count
        nodes.append(Node(step: step))
        return nodes.count - 1
    }

    private mutating func place(_ number: Int, before target: Int) -> Int? {
        let placement = Placement(wordClass: number, target: target)
        if let known = placed[placement] { return known }
        guard classes.indices.contains(number) else { return nil }
        let start: Int
        switch classes[number] {
        case .impossible: return nil
        case .long(let label): start = step(label, to: target)
        case .short(let graph): start = put(graph, before: target)
        }
        placed[placement] = start
        return start
    }

    /// A graph's states from the last to the first, as its arcs lead from a higher number to a lower.
    private mutating func put(_ graph: WordGraph, before target: Int) -> Int {
        var places = [Int](repeating: target, count: graph.states.count)
        for (number, state) in graph.states.enumerated() {
            var skips = state.arcs.map { arc in
                Skip(target: step(arc.label, to: places[arc.target]), share: arc.share)
            }
            if state.endShare > 0 { skips.append(Skip(target: target, share: state.endShare)) }
            places[number] = choice(skips)
        }
        return places[graph.start]
    }
}

/// How a grammar uses a class.
enum GrammarClass {
    /// Inserted wherever it is used.
    case short(WordGraph)
    /// One region for all its uses, with its own label.
    case long(label: Int)
    /// None of its values has a pronunciation.
    case impossible
}
