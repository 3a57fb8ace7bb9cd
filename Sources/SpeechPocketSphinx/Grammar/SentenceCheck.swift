/// Classifies words as a kind of sentence, by the grammar alone.
struct SentenceCheck {
    /// A kind of sentence.
    enum Kind: Equatable {
        /// A plain command.
        case command
        /// A command with polite words around it, which the grammar lacks.
        case polite
        /// A follow-up: “and last month”.
        case leaning
        /// A command with free text that the grammar lacks.
        case open
    }

    /// Words of the grammar that come before free text: fewer do not indicate a command.
    private static let opening = 2

    private let grammar: CompactGrammar
    /// The places of the grammar's words.
    let numbers: [String: Int32]
    private let polite: [[String]]
    /// The place of each state's first arc, and that behind the last one's.
    private let firsts: [Int32]
    private let openEnds: [Int32: Int32]

    /// - Parameter polite: what may be said before and after a command.
    init(_ grammar: CompactGrammar, polite: [[String]]) {
        self.grammar = grammar
        numbers = Dictionary(
            grammar.words.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
        self.polite = polite
        var firsts = [Int32](repeating: 0, count: grammar.stateCount + 1)
        for arc in grammar.arcs { firsts[Int(arc.from) + 1] += 1 }
        for state in 0..<grammar.stateCount { firsts[state + 1] += firsts[state] }
        self.firsts = firsts
        openEnds = Dictionary(grammar.open.map { ($0.start, $0.end) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Returns: nil for what is not a sentence.
    func kind(of words: [String]) -> Kind? {
        guard !words.isEmpty else { return nil }
        if accepts(words[...], from: grammar.start) { return .command }
        if grammar.leaningStart >= 0, accepts(words[...], from: grammar.leaningStart) { return .leaning }
        let cores = cores(of: words[...])
        if cores.contains(where: { accepts($0, from: grammar.start) }) { return .polite }
        if cores.contains(where: { accepts($0, from: grammar.start, withFreeText: true) }) { return .open }
        return nil
    }

    /// What is left when any number of polite words is removed at both ends.
    private func cores(of words: ArraySlice<String>) -> [ArraySlice<String>] {
        let ends = Self.reached(Array(words.reversed()), polite.map { $0.reversed() }).map { words.endIndex - $0 }
        return Self.reached(Array(words), polite).flatMap { start in
            ends.filter { $0 > start }.map { words[start..<$0] }
        }
    }

    /// The places that are reached from the first by a sequence of the phrases.
    private static func reached(_ words: [String], _ phrases: [[String]]) -> [Int] {
        var places = [0], next = 0
        while next < places.count {
            let rest = words[places[next]...]
            for phrase in phrases where rest.starts(with: phrase) {
                let place = rest.startIndex + phrase.count
                if !places.contains(place) { places.append(place) }
            }
            next += 1
        }
        return places
    }

    private func accepts(_ words: ArraySlice<String>, from start: Int32, withFreeText: Bool = false) -> Bool {
        var states = silently([start])
        for (place, word) in words.enumerated() {
            let mayOpen = withFreeText && place >= Self.opening
            let said = numbers[word]
            var next = Set<Int32>()
            for state in states {
                for number in firsts[Int(state)]..<firsts[Int(state) + 1] {
                    let arc = grammar.arcs[Int(number)]
                    if arc.word >= 0, arc.word == said { next.insert(arc.to) }
                }
                if mayOpen, let end = openEnds[state] {
                    next.insert(state)
                    next.insert(end)
                }
            }
            guard !next.isEmpty else { return false }
            states = silently(next)
        }
        return states.contains(grammar.end)
    }

    private func silently(_ states: Set<Int32>) -> Set<Int32> {
        var reached = states, open = Array(states)
        while let state = open.popLast() {
            for place in firsts[Int(state)]..<firsts[Int(state) + 1] {
                let arc = grammar.arcs[Int(place)]
                if arc.word < 0, reached.insert(arc.to).inserted { open.append(arc.to) }
            }
        }
        return reached
    }
}
