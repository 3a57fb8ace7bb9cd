import Domain

/// The commands of a vocabulary as a finite-state grammar for PocketSphinx.
///
/// Polite words around a command, and follow-ups, are not in it. They fit any noise at the
/// edges of an utterance (“um”, “and the …”): with them .59 of the drink orders in noise of 12 dB were right, without
/// .92. The trigram search has them.
///
/// The owner's long lists are regions that all their uses share: a list is entered from wherever it is expected, and
/// left to wherever any of its uses continues. The grammar thereby accepts somewhat more than the vocabulary, and stays
/// small: with two thousand things, a copy for each use would be a hundred times as many
/// states.
struct Grammar {
    /// An arc with a word, or an epsilon where `word` is nil; else its place in `words`.
    struct Transition {
        let from: Int
        let to: Int
        let share: Double
        let word: Int?
    }

    /// Classes of more arcs than this are shared regions, and so is free text.
    static let longClass = 60

    let words: [String]
    let stateCount: Int
    let start: Int
    /// Where follow-ups begin; nil where the vocabulary has none.
    let leaningStart: Int?
    let end: Int
    /// Where free text begins and ends.
    let open: [(start: Int, end: Int)]
    let transitions: [Transition]

    /// The grammar of a vocabulary without the words of `leftOut`, or nil when it has no sentence.
    init?(_ vocabulary: Vocabulary, leavingOut leftOut: Set<String> = []) {
        let words = vocabulary.words.filter { !leftOut.contains($0) }
        let numbers = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0) })
        var classes: [GrammarClass] = [], regions: [Int: WordGraph] = [:], openLabels = Set<Int>()
        for wordClass in vocabulary.classes {
            var net = PhraseNet(words: numbers, classes: classes)
            guard let first = net.add(.choice(wordClass.values), before: PhraseNet.end) else {
                classes.append(.impossible)
                continue
            }
            let graph = WordGraph(net, from: first)
            if graph.arcCount > Self.longClass || wordClass.isOpen {
                let label = words.count + classes.count
                if wordClass.isOpen { openLabels.insert(label) }
                regions[label] = graph
                classes.append(.long(label: label))
            } else {
                classes.append(.short(graph))
            }
        }
        var net = PhraseNet(words: numbers, classes: classes)
        guard let first = net.add(vocabulary.sentences, { $0.command }) else { return nil }
        let main = WordGraph(net, from: first)
        var leaningNet = PhraseNet(words: numbers, classes: classes)
        let leaning = leaningNet.add(vocabulary.sentences.filter { $0.command == nil }, { $0.pattern })
            .map { WordGraph(leaningNet, from: $0) }

        self.words = words
        var builder = Builder()
        let place = builder.place(main)
        end = builder.newState()
        start = place + main.start
        let leaningPlace = leaning.map { builder.place($0) }
        leaningStart = leaning.flatMap { graph in leaningPlace.map { $0 + graph.start } }
        // A region may be used within others, so each has its place before any is joined.
        let places = regions.mapValues { graph in (first: builder.place(graph), last: builder.newState()) }
        builder.join(main, at: place, end: end, regions: regions, places: places)
        if let leaning, let leaningPlace {
            builder.join(leaning, at: leaningPlace, end: end, regions: regions, places: places)
        }
        for (label, graph) in regions.sorted(by: { $0.key < $1.key }) {
            guard let region = places[label] else { continue }
            builder.join(graph, at: region.first, end: region.last, regions: regions, places: places)
        }
        open = openLabels.sorted().compactMap { label in
            guard let region = places[label], let graph = regions[label] else { return nil }
            return (region.first + graph.start, region.last)
        }
        stateCount = builder.count
        transitions = builder.transitions
    }

    private struct Builder {
        private(set) var count = 0
        private(set) var transitions: [Transition] = []

        mutating func newState() -> Int {
            count += 1
            return count - 1
        }

        mutating func place(_ graph: WordGraph) -> Int {
            count += graph.states.count
            return count - graph.states.count
        }

        mutating func join(
            _ graph: WordGraph, at place: Int, end: Int, regions: [Int: WordGraph],
            places: [Int: (first: Int, last: Int)]
        ) {
            for (number, state) in graph.states.enumerated() {
                let from = place + number
                if state.endShare > 0 { add(from, end, state.endShare, nil) }
                for arc in state.arcs {
                    guard let region = places[arc.label], let inner = regions[arc.label] else {
                        add(from, place + arc.target, arc.share, arc.label)
                        continue
                    }
                    add(from, region.first + inner.start, arc.share, nil)
                    add(region.last, place + arc.target, 1, nil)
                }
            }
        }

        private mutating func add(_ from: Int, _ to: Int, _ share: Double, _ word: Int?) {
            transitions.append(Transition(from: from, to: to, share: share, word: word))
        }
    }
}

extension PhraseNet {
    /// Adds a part of each sentence, those without it left out.
    fileprivate mutating func add(
        _ sentences: [Vocabulary.Sentence], _ part: (Vocabulary.Sentence) -> Vocabulary.Pattern?
    ) -> Int? {
        var starts: [(node: Int, weight: Double)] = []
        for sentence in sentences where sentence.weight > 0 && sentence.weight.isFinite {
            guard let pattern = part(sentence), let node = add(pattern, before: PhraseNet.end) else { continue }
            starts.append((node, sentence.weight))
        }
        let total = starts.reduce(0) { $0 + $1.weight }
        guard total > 0, total.isFinite else { return nil }
        return choice(starts.map { Skip(target: $0.node, share: $0.weight / total) })
    }
}
