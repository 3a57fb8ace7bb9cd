import Domain
import OnnxRuntime

/// What the model may write, token by token: exactly the sentences of a vocabulary, as the model spells them.
///
/// A recursive transition network: classes are called, and a stack holds where each returns to, so that nothing is
/// accepted that the vocabulary lacks. States are determinised when they are first reached, and kept.
struct TokenAutomaton {
    struct State {
        /// What may be written next, sorted; anything else as well where `isOpen`.
        let tokens: [Int32]
        /// The state behind each token; −1 where it was never reached.
        fileprivate(set) var next: [Int32]
        /// True where a sentence may end.
        let isEnd: Bool
        /// True within free text.
        let isOpen: Bool
        /// Words that were begun on the way here, up to `anchor`.
        fileprivate let depth: Int
        fileprivate let places: [Place]
        fileprivate var behindAnything: Int32 = -1
    }

    /// A place in the net, and where it returns to.
    fileprivate struct Place: Hashable, Comparable {
        /// A state of `WordStates`, or `openStart`, or `open`.
        let state: Int32
        let stack: Int32

        static func < (left: Place, right: Place) -> Bool { (left.state, left.stack) < (right.state, right.stack) }
    }

    private struct Reached: Hashable {
        let places: [Place], depth: Int
    }

    /// Free text comes behind at least two words of a command: with fewer, anything would match.
    private static let anchor = 2

    private struct Back: Hashable {
        let state: Int32, stack: Int32
    }

    /// Free text: before its first word, and within it; and behind the sentence's full stop.
    private static let openStart: Int32 = -2, open: Int32 = -3, closed: Int32 = -4

    private var words: WordStates
    private var classes: [SentenceNet.Part]
    private let parts: (commands: Int32?, answers: Int32?, everything: Int32)
    private let beginsWord: [Bool]
    private let comma: Int32, hyphen: Int32
    private let marks: [Int32]
    private(set) var states: [State] = []
    private var numbers: [Reached: Int32] = [:]
    private var starts: [Int32] = []
    private var stacks: [Back] = []
    private var stackNumbers: [Back: Int32] = [:]
    private var ownBytes = 0
    /// About how many bytes the states take.
    var bytes: Int { ownBytes + words.bytes }
    /// Where plain commands begin; commands and answers; and everything that can be said without a question.
    private(set) var commands: Int32 = 0, answers: Int32 = 0, everything: Int32 = 0

    /// The spellings of its words.
    var spellings: Spellings { words.spellings }

    /// The automaton of a vocabulary.
    /// - Parameter known: spellings for the previous vocabulary.
    /// - Throws: `OnnxError` when it has no sentence that can be written.
    init(_ vocabulary: Vocabulary, _ tokeniser: Tokeniser, known: Spellings? = nil) throws {
        let net = SentenceNet(vocabulary, tokeniser, known: known)
        guard let first = net.everything.start else {
            throw OnnxError(call: "prepare", detail: "the phrasebooks have no sentences")
        }
        words = WordStates(net)
        beginsWord = tokeniser.beginsWord
        classes = net.classes
        parts = (net.commands.start, net.answers.start, first)
        comma = tokeniser.token(",") ?? -1
        hyphen = tokeniser.token("-") ?? -1
        marks = [".", "?", "!"].compactMap { tokeniser.token($0) }.sorted()
        reset()
    }

    /// Switches to a vocabulary that differs only in the values of classes.
    /// - Returns: false where a new automaton is needed.
    mutating func update(to vocabulary: Vocabulary) -> Bool {
        guard let isChanged = words.update(to: vocabulary) else { return false }
        guard isChanged else { return true }
        classes = words.classes
        begin()
        return true
    }

    /// Drops all states, which are made again as they are reached.
    mutating func reset() {
        words.reset()
        begin()
    }

    private mutating func begin() {
        states = []
        numbers = [:]
        starts = [Int32](repeating: -1, count: classes.count)
        stacks = [Back(state: -1, stack: -1)]
        stackNumbers = [:]
        ownBytes = 0
        everything = beginning(at: parts.everything)
        commands = parts.commands.map { beginning(at: $0) } ?? everything
        answers = parts.answers.map { beginning(at: $0) } ?? everything
    }

    private mutating func beginning(at node: Int32) -> Int32 {
        intern([Place(state: words.state(at: [node]), stack: 0)], depth: 0, canPause: false)
    }

    /// The sentences that sound most like what was heard; answers as well where one is expected.
    /// - Parameter heard: words, lower case.
    func nearest(to heard: String, answering: Bool, limit: Int) -> [String] {
        var search = NearestSentences(words.net, heard: heard.split(separator: " ").map(String.init))
        let found = search?.best(limit, from: answering ? words.net.answers : words.net.commands) ?? []
        return found.map { $0.joined(separator: " ") }
    }

    /// True when the tokens are a sentence, from a beginning on.
    mutating func accepts(_ tokens: [Int32], from start: Int32) -> Bool { unknown(in: tokens, from: start) != nil }

    /// How many of the tokens are free text; nil where they are not a sentence.
    mutating func unknown(in tokens: [Int32], from start: Int32) -> Int? {
        var state = start, unknown = 0
        for token in tokens {
            if states[Int(state)].tokens.sortedIndex(of: token) == nil { unknown += 1 }
            guard let next = next(state, token) else { return nil }
            state = next
        }
        return states[Int(state)].isEnd ? unknown : nil
    }

    /// The state behind a token; nil where it may not be written.
    mutating func next(_ number: Int32, _ token: Int32) -> Int32? {
        let state = states[Int(number)]
        guard let place = state.tokens.sortedIndex(of: token) else {
            guard state.isOpen else { return nil }
            if state.behindAnything >= 0 { return state.behindAnything }
            let made = intern(state.places.compactMap(Self.further), depth: state.depth, canPause: true)
            states[Int(number)].behindAnything = made
            return made
        }
        if state.next[place] >= 0 { return state.next[place] }
        let made = follow(state, token)
        states[Int(number)].next[place] = made
        return made
    }

    private static func further(_ place: Place) -> Place? {
        place.state == openStart || place.state == open ? Place(state: open, stack: place.stack) : nil
    }

    private mutating func follow(_ state: State, _ token: Int32) -> Int32 {
        var reached: [Place] = [], isPause = false
        for place in state.places {
            if let further = Self.further(place) {
                reached.append(further)
            } else if place.state >= 0, let next = words.next(place.state, token) {
                reached.append(Place(state: next, stack: place.stack))
            } else if place.state >= 0, token == comma || token == hyphen {
                let now = words.states[Int(place.state)]
                guard !now.nodes.isEmpty, now.setting == .plain else { continue }
                isPause = true
                reached.append(
                    Place(
                        state: words.state(at: now.nodes, token == comma ? .afterComma : .afterHyphen),
                        stack: place.stack))
            }
        }
        if state.isEnd, marks.contains(token) { reached.append(Place(state: Self.closed, stack: 0)) }
        let depth = min(state.depth + (beginsWord[Int(token)] ? 1 : 0), Self.anchor)
        return intern(reached, depth: depth, canPause: !isPause)
    }

    private mutating func intern(_ reached: [Place], depth: Int, canPause: Bool) -> Int32 {
        var seen = Set(reached), toDo = reached, isEnd = false
        func add(_ place: Place) { if seen.insert(place).inserted { toDo.append(place) } }
        while let place = toDo.popLast() {
            if place.state == Self.closed { isEnd = true }
            if place.state == Self.open { add(back(place.stack)) }
            guard place.state >= 0 else { continue }
            let state = words.states[Int(place.state)]
            for call in state.calls {
                let stack = push(call.back, place.stack)
                add(Place(state: begin(call.wordClass), stack: stack))
                if classes[Int(call.wordClass)].isOpen, depth >= Self.anchor {
                    add(Place(state: Self.openStart, stack: stack))
                }
            }
            guard state.isEnd else { continue }
            if place.stack == 0 { isEnd = true } else { add(back(place.stack)) }
        }
        let places = seen.sorted()
        if let known = numbers[Reached(places: places, depth: depth)] { return known }
        var tokens = Set<Int32>()
        var isBoundary = false
        for place in places where place.state >= 0 {
            let state = words.states[Int(place.state)]
            tokens.formUnion(state.tokens)
            if !state.nodes.isEmpty, state.setting == .plain { isBoundary = true }
        }
        if canPause, isBoundary {
            if comma >= 0 { tokens.insert(comma) }
            if hyphen >= 0 { tokens.insert(hyphen) }
        }
        // One full stop is enough.
        if isEnd, !places.contains(where: { $0.state == Self.closed }) { tokens.formUnion(marks) }
        let sorted = tokens.sorted()
        let number = Int32(states.count)
        states.append(
            State(
                tokens: sorted, next: [Int32](repeating: -1, count: sorted.count), isEnd: isEnd,
                isOpen: places.contains { $0.state == Self.open || $0.state == Self.openStart }, depth: depth,
                places: places))
        numbers[Reached(places: places, depth: depth)] = number
        ownBytes += 300 + 8 * sorted.count + 8 * places.count
        return number
    }

    private func back(_ stack: Int32) -> Place {
        Place(state: stacks[Int(stack)].state, stack: stacks[Int(stack)].stack)
    }

    private mutating func begin(_ wordClass: Int32) -> Int32 {
        let known = starts[Int(wordClass)]
        if known >= 0 { return known }
        let made = words.state(at: [classes[Int(wordClass)].start].compactMap { $0 })
        starts[Int(wordClass)] = made
        return made
    }

    private mutating func push(_ state: Int32, _ stack: Int32) -> Int32 {
        let back = Back(state: state, stack: stack)
        if let known = stackNumbers[back] { return known }
        stackNumbers[back] = Int32(stacks.count)
        stacks.append(back)
        return Int32(stacks.count - 1)
    }
}
