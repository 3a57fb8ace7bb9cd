/// What the search is allowed, chosen by measurement.
struct SearchSettings: Equatable, Sendable {
    /// Versions of a sentence that are followed at once.
    var beam = 16
    /// Added for each token, as the model's probabilities favour what is short. A gain of the measured experiment.
    var bonus: Float = 1.4
    /// Only so many tokens, and so many for each second, have it: nobody speaks faster, and sentences that go round in
    /// the net would live on it.
    var bonusTokens = 4, bonusTokensASecond = 5
    /// Within free text each token is worth this much less: with the bonus, text would go on for ever.
    var freeCost: Float = 2
    /// Of these, so many at most may hold words that the vocabulary lacks: free text fits any sound.
    var freeBeam = 3
    /// Versions further behind the best one are not followed.
    var width: Float = 100
    /// Versions further behind the best finished one cannot catch up.
    var lead: Float = 12
    /// Tokens of free text that are looked at in each step.
    var freeTokens = 4
    /// Sentences at the end.
    var results = 5
    /// No sentence has more tokens than these and so many for each second.
    var tokens = 24, tokensASecond = 10
}

/// The sentences of an automaton that fit an utterance best, beside what the model would write if nothing bound it.
struct BeamSearch {
    /// A sentence of the automaton.
    struct Sentence {
        let tokens: [Int32]
        /// The logarithm of its probability, and with the bonus.
        let logProbability: Float, score: Float
        /// True where it holds words that the vocabulary lacks.
        let isFree: Bool
    }

    /// A version that has come to an end.
    private struct Finished {
        let trail: Int, score: Float, logProbability: Float, words: UInt64, isFree: Bool
    }

    struct Result {
        /// Best first.
        let sentences: [Sentence]
        /// What the model writes freely, and the logarithm of its probability. Only as long as the search went on.
        let free: [Int32], freeLogProbability: Float
        let steps: Int
    }

    private struct Version {
        var state: Int32
        var row: Int
        var token: Int32
        /// The place of what was written before it.
        var trail: Int
        var score: Float
        var logProbability: Float
        /// Of the letters and digits so far: versions that differ in capitals and commas say the same.
        var words: UInt64
        /// True where it holds words that the vocabulary lacks.
        var isFree = false
    }

    let settings: SearchSettings
    private let tokeniser: Tokeniser
    private let letters: [[UInt8]]

    init(_ tokeniser: Tokeniser, _ settings: SearchSettings) {
        self.settings = settings
        self.tokeniser = tokeniser
        letters = tokeniser.pieces.map { piece in
            String(decoding: piece, as: UTF8.self).replacing("▁", with: "").lowercased().utf8.filter {
                $0 >= 128 || $0 >= 48 && $0 <= 57 || $0 >= 97 && $0 <= 122
            }
        }
    }

    /// What was written freely, as a sentence of an automaton that takes it.
    /// - Parameter unknown: tokens of it that are free text.
    func sentence(
        _ free: [Int32], _ logProbability: Float, unknown: Int, _ decoding: MoonshineDecoding
    ) -> Sentence {
        let bonuses = free.indices.reduce(0) { $0 + bonus(behind: $1, decoding) }
        return Sentence(
            tokens: free, logProbability: logProbability,
            score: logProbability + bonuses - settings.freeCost * Float(unknown), isFree: unknown > 0)
    }

    /// Rows that the decoding needs.
    var rows: Int { settings.beam + 1 }

    /// Tokens that an utterance may need.
    func steps(samples: Int) -> Int { settings.tokens + settings.tokensASecond * samples / 16_000 }

    /// The bonus of a token behind so many others.
    private func bonus(behind count: Int, _ decoding: MoonshineDecoding) -> Float {
        count < settings.bonusTokens + settings.bonusTokensASecond * decoding.samples / 16_000 ? settings.bonus : 0
    }

    /// - Throws: `MoonshineError`, also when it was stopped.
    /// - Parameter seeksFree: true where it is also to be found what the model would write if nothing bound it.
    func search(
        _ decoding: MoonshineDecoding, in automaton: inout TokenAutomaton, from start: Int32, seeksFree: Bool = true
    ) throws -> Result {
        let size = tokeniser.count
        var trails: [(before: Int, token: Int32)] = []
        var versions = [
            Version(
                state: start, row: 0, token: Tokeniser.start, trail: -1, score: 0, logProbability: 0,
                words: 14_695_981_039_346_656_037)
        ]
        var finished: [Finished] = []
        var free: [Int32] = [], freeLog: Float = 0, freeRow: Int? = seeksFree ? 0 : nil
        try decoding.begin(Tokeniser.start)
        var candidates: [Version] = []
        while true {
            let bonus = bonus(behind: decoding.steps - 1, decoding)
            var nextFree: Int32?
            if let row = freeRow {
                let scores = decoding.scores + row * size
                let best = Self.best(scores, size)
                freeLog += scores[Int(best)] - LogSum.of(scores, count: size)
                if best == Tokeniser.end {
                    freeRow = nil
                } else {
                    free.append(best)
                    nextFree = best
                }
            }
            candidates.removeAll(keepingCapacity: true)
            for version in versions {
                let scores = decoding.scores + version.row * size
                let sum = LogSum.of(scores, count: size)
                let state = automaton.states[Int(version.state)]
                func go(_ token: Int32, isFree: Bool = false) {
                    guard token != Tokeniser.end else { return }
                    var next = version
                    let log = scores[Int(token)] - sum
                    next.logProbability += log
                    next.score += log + bonus - (isFree ? settings.freeCost : 0)
                    if isFree { next.isFree = true }
                    next.token = token
                    candidates.append(next)
                }
                for token in state.tokens { go(token) }
                if state.isOpen {
                    for token in Self.best(scores, size, count: settings.freeTokens)
                    where state.tokens.sortedIndex(of: token) == nil { go(token, isFree: true) }
                }
                if state.isEnd {
                    let log = scores[Int(Tokeniser.end)] - sum
                    finished.append(
                        Finished(
                            trail: version.trail, score: version.score + log,
                            logProbability: version.logProbability + log, words: version.words, isFree: version.isFree))
                }
            }
            candidates.sort { $0.score > $1.score }
            let bestFinished = finished.map(\.score).max() ?? -.infinity
            versions.removeAll(keepingCapacity: true)
            let bestLive = candidates.first?.score ?? -.infinity
            var freeVersions = 0
            for var candidate in candidates where versions.count < settings.beam {
                guard candidate.score > bestFinished - settings.lead, candidate.score > bestLive - settings.width,
                    !candidate.isFree || freeVersions < settings.freeBeam,
                    !repeats(candidate.token, behind: candidate.trail, trails),
                    let state = automaton.next(candidate.state, candidate.token)
                else { continue }
                candidate.state = state
                candidate.words = hash(candidate.words, candidate.token)
                // The better of two that say the same and go on alike came first.
                guard !versions.contains(where: { $0.state == state && $0.words == candidate.words }) else { continue }
                if candidate.isFree { freeVersions += 1 }
                trails.append((candidate.trail, candidate.token))
                candidate.trail = trails.count - 1
                versions.append(candidate)
            }
            if versions.isEmpty || decoding.isFull { break }
            var next = versions.map { (row: $0.row, token: $0.token) }
            for place in versions.indices { versions[place].row = place }
            if let row = freeRow, let token = nextFree {
                freeRow = next.count
                next.append((row, token))
            }
            try decoding.step(next)
        }
        // What is free goes on to its end, so that the two can be compared.
        while let row = freeRow, let last = free.last, !decoding.isFull {
            try decoding.step([(row, last)])
            let best = Self.best(decoding.scores, size)
            freeLog += decoding.scores[Int(best)] - LogSum.of(decoding.scores, count: size)
            freeRow = best == Tokeniser.end ? nil : 0
            if best != Tokeniser.end { free.append(best) }
        }
        return Result(
            sentences: sentences(finished, trails), free: free, freeLogProbability: freeLog, steps: decoding.steps)
    }

    /// True where the last tokens say again and again what came before: what a model falls into that has lost its way.
    private func repeats(_ token: Int32, behind trail: Int, _ trails: [(before: Int, token: Int32)]) -> Bool {
        var last = [token], place = trail
        while place >= 0, last.count < Self.repetition.upperBound * 2 {
            last.append(trails[place].token)
            place = trails[place].before
        }
        return Self.repetition.contains { length in
            let times = max(2, (Self.repeated + length - 1) / length)
            return last.count >= length * times
                && (length..<length * times).allSatisfy { last[$0] == last[$0 - length] }
        }
    }

    /// Stretches of so many tokens, said twice and over at least so many tokens in all, are a repetition.
    private static let repetition = 1...8, repeated = 8

    private func sentences(
        _ finished: [Finished], _ trails: [(before: Int, token: Int32)]
    ) -> [Sentence] {
        var said = Set<UInt64>(), result: [Sentence] = []
        for end in finished.sorted(by: { $0.score > $1.score }) where result.count < settings.results {
            guard said.insert(end.words).inserted else { continue }
            var tokens: [Int32] = [], place = end.trail
            while place >= 0 {
                tokens.append(trails[place].token)
                place = trails[place].before
            }
            result.append(
                Sentence(
                    tokens: tokens.reversed(), logProbability: end.logProbability, score: end.score,
                    isFree: end.isFree))
        }
        return result
    }

    /// FNV-1a (G. Fowler, L. C. Noll, P. Vo).
    private func hash(_ words: UInt64, _ token: Int32) -> UInt64 {
        letters[Int(token)].reduce(words) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }

    private static func best(_ scores: UnsafePointer<Float>, _ size: Int) -> Int32 {
        var best = 0
        for place in 1..<size where scores[place] > scores[best] { best = place }
        return Int32(best)
    }

    private static func best(_ scores: UnsafePointer<Float>, _ size: Int, count: Int) -> [Int32] {
        var top: [Int32] = []
        for place in 0..<size {
            guard top.count < count || scores[place] > scores[Int(top[top.count - 1])] else { continue }
            let at = top.firstIndex { scores[Int($0)] < scores[place] } ?? top.count
            top.insert(Int32(place), at: at)
            if top.count > count { top.removeLast() }
        }
        return top
    }
}
