import Domain

/// A vocabulary as a net of words, built from its ends to its starts. Classes are nets of their own that are called, so
/// that the net grows with the number of names, not with names times sentences.
struct SentenceNet {
    /// An edge with a word.
    struct Step: Hashable {
        let word: Int32, target: Int32
    }

    /// An edge with any value of a class.
    struct Call: Hashable {
        let wordClass: Int32, target: Int32
    }

    /// A place in the net.
    struct Node {
        var steps: [Step] = []
        var calls: [Call] = []
        var skips: [Int32] = []
    }

    /// The beginning and the end of the sentences, or of a class's values.
    struct Part {
        /// Nil when it has no sentence.
        let start: Int32?
        let end: Int32
        let isOpen: Bool
    }

    private(set) var nodes: [Node] = []
    private(set) var spellings: Spellings
    private(set) var classes: [Part] = []
    /// The plain commands; they are the last of the classes as well.
    private(set) var commands = Part(start: nil, end: 0, isOpen: false)
    /// The plain commands and what answers a question.
    private(set) var answers = Part(start: nil, end: 0, isOpen: false)
    /// Everything that can be said without a question: also polite sentences, follow-ups, and two commands joined.
    private(set) var everything = Part(start: nil, end: 0, isOpen: false)
    private var steps: [Step: Int32] = [:], calls: [Call: Int32] = [:], choices: [[Int32]: Int32] = [:]
    private var vocabulary: Vocabulary
    /// By class, where each of its values starts; nil for one that cannot be spoken.
    private var valueStarts: [[Int32?]] = []
    /// How many nodes there were before classes changed.
    private var firstNodes = 0

    /// The net of a vocabulary.
    /// - Parameter known: spellings for the previous vocabulary.
    init(_ vocabulary: Vocabulary, _ tokeniser: Tokeniser, known: Spellings? = nil) {
        spellings =
            known.flatMap { $0.serves(vocabulary.writing) ? $0 : nil }
            ?? Spellings(tokeniser, others: vocabulary.writing)
        self.vocabulary = vocabulary
        for wordClass in vocabulary.classes {
            let end = node(Node())
            let starts = wordClass.values.map { add($0, before: end) }
            valueStarts.append(starts)
            classes.append(part(wordClass, starts, before: end))
        }
        let sentences = vocabulary.sentences.filter { !$0.isAnswer }
        commands = part(sentences.compactMap(\.command))
        answers = part(vocabulary.sentences.compactMap(\.command) + vocabulary.answers)
        classes.append(commands)
        let command = Vocabulary.Pattern.wordClass(classes.count - 1)
        let joins = vocabulary.joins.map { Vocabulary.Pattern.sequence([command] + $0.map { .word($0) } + [command]) }
        let later = vocabulary.later.map { Vocabulary.Pattern.sequence([command, $0]) }
        everything = part(sentences.map(\.pattern) + joins + later)
        firstNodes = nodes.count
    }

    /// Switches to a vocabulary that differs only in the values of classes, as it does when an item is added or
    /// removed. Nodes that are no longer reachable stay.
    /// - Returns: whether anything has changed; nil where more differs, or too many nodes are unreachable: then a new
    ///   net is needed.
    mutating func update(to vocabulary: Vocabulary) -> Bool? {
        let old = self.vocabulary
        guard nodes.count < 2 * firstNodes, spellings.serves(vocabulary.writing),
            vocabulary.sentences == old.sentences, vocabulary.answers == old.answers, vocabulary.joins == old.joins,
            vocabulary.later == old.later,
            vocabulary.classes.map(\.name) == old.classes.map(\.name),
            vocabulary.classes.map(\.isOpen) == old.classes.map(\.isOpen)
        else { return nil }
        var isChanged = false
        for (number, wordClass) in vocabulary.classes.enumerated() where wordClass != old.classes[number] {
            let values = wordClass.values, known = old.classes[number]
            // Names are added and removed one at a time: what is before and behind the change stays as it is.
            let head = zip(values, known.values).prefix { $0 == $1 }.count
            let most = min(values.count, known.values.count) - head
            let tail = zip(values.reversed(), known.values.reversed()).prefix(most).prefix { $0 == $1 }.count
            let end = classes[number].end
            let fresh = values[head..<values.count - tail].map { add($0, before: end) }
            valueStarts[number].replaceSubrange(head..<known.values.count - tail, with: fresh)
            let made = part(wordClass, valueStarts[number], before: end)
            // References to a class without values were left out.
            guard (made.start == nil) == (classes[number].start == nil) else { return nil }
            classes[number] = made
            isChanged = true
        }
        self.vocabulary = vocabulary
        return isChanged
    }

    private mutating func part(_ wordClass: Vocabulary.WordClass, _ values: [Int32?], before end: Int32) -> Part {
        let starts = values.compactMap { $0 } + wordClass.written.compactMap { add(form: $0, before: end) }
        return Part(start: starts.isEmpty ? nil : choice(starts), end: end, isOpen: wordClass.isOpen)
    }

    private mutating func part(_ patterns: [Vocabulary.Pattern]) -> Part {
        let end = node(Node())
        let starts = patterns.compactMap { add($0, before: end) }
        return Part(start: starts.isEmpty ? nil : choice(starts), end: end, isOpen: false)
    }

    private mutating func node(_ node: Node) -> Int32 {
        nodes.append(node)
        return Int32(nodes.count - 1)
    }

    private mutating func add(_ pattern: Vocabulary.Pattern, before target: Int32) -> Int32? {
        switch pattern {
        case .word(let word): return step(spellings.word(word), to: target)
        case .sequence(let parts):
            var place = target
            for part in parts.reversed() {
                guard let next = add(part, before: place) else { return nil }
                place = next
            }
            return place
        case .choice(let parts):
            let starts = parts.compactMap { add($0, before: target) }
            return starts.isEmpty ? nil : choice(starts)
        case .optional(let part): return choice([add(part, before: target), target].compactMap { $0 })
        case .wordClass(let number):
            guard classes.indices.contains(number), classes[number].start != nil else { return nil }
            let call = Call(wordClass: Int32(number), target: target)
            if let known = calls[call] { return known }
            let made = node(Node(calls: [call]))
            calls[call] = made
            return made
        }
    }

    private mutating func step(_ word: Int32, to target: Int32) -> Int32 {
        let step = Step(word: word, target: target)
        if let known = steps[step] { return known }
        let made = node(Node(steps: [step]))
        steps[step] = made
        return made
    }

    private mutating func choice(_ targets: [Int32]) -> Int32 {
        let sorted = Set(targets).sorted()
        if sorted.count == 1 { return sorted[0] }
        if let known = choices[sorted] { return known }
        let made = node(Node(skips: sorted))
        choices[sorted] = made
        return made
    }

    /// A form such as “£#.##”: `#` is a whole number, and behind a point a digit.
    private mutating func add(form: String, before target: Int32) -> Int32? {
        var place = target, rest = form[...]
        while let last = rest.last {
            let isFraction = rest.contains(".") && last == "#"
            if last == "#" {
                rest.removeLast()
                place = isFraction ? digit(before: place) : wholeNumber(before: place)
                if rest.isEmpty { place = step(spellings.sign("▁"), to: place) }
            } else {
                let text = rest.reversed().prefix { $0 != "#" }.reversed()
                rest.removeLast(text.count)
                let written = String(text).replacing(" ", with: "▁")
                // The first piece follows a space.
                place = step(spellings.sign(rest.isEmpty ? "▁" + written : written), to: place)
            }
        }
        return place
    }

    private mutating func digit(before target: Int32) -> Int32 {
        choice((0...9).map { step(spellings.sign("\($0)"), to: target) })
    }

    /// Up to five digits, with a comma before the last three or without.
    private mutating func wholeNumber(before target: Int32) -> Int32 {
        let one = digit(before: target)
        let two = digit(before: one), three = digit(before: two)
        let comma = step(spellings.sign(","), to: three)
        let thousand = choice([digit(before: comma), digit(before: three)])
        let tenThousand = choice([digit(before: digit(before: comma)), digit(before: digit(before: three))])
        return choice([one, two, three, thousand, tenThousand])
    }
}
