import Domain
import OnnxRuntime

/// The limits of a search, chosen by measurement.
struct SearchSettings: Equatable, Sendable {
    /// Hypotheses that are followed at once.
    var beam = 16
    /// Added for each token, as the model's probabilities favour what is short.
    var bonus: Float = 1.4
    /// Only so many tokens, and so many for each second, have it: nobody speaks faster, and sentences that loop through
    /// the net would profit from it.
    var bonusTokens = 4, bonusTokensASecond = 5
    /// Within free text each token is worth this much less: with the bonus, text would never end.
    var freeCost: Float = 2
    /// Of the beam, so many at most may hold words that the vocabulary lacks: free text fits any sound.
    var freeBeam = 3
    /// Hypotheses further behind the best one are dropped.
    var width: Float = 100
    /// Hypotheses further behind the best finished one are dropped: they cannot catch up.
    var lead: Float = 12
    /// Tokens of free text that are considered in each step.
    var freeTokens = 4
    /// Sentences that are returned.
    var results = 5
    /// No sentence has more tokens than these, plus so many for each second.
    var tokens = 24, tokensASecond = 10
}

/// Finds the sentences of an automaton that fit an utterance best, and what the model would write without constraints.
struct BeamSearch {
    /// A sentence of the automaton.
    struct Sentence {
        let tokens: [Int32]
        /// The logarithm of its probability, and with the bonus.
        let logProbability: Float, score: Float
        /// True where it holds words that the vocabulary lacks.
        let isFree: Bool
    }

    struct Result {
        /// Best first.
        let sentences: [Sentence]
        /// What the model writes freely, and the logarithm of its probability. It ends where the search ended.
        let free: [Int32], freeLogProbability: Float
        let steps: Int
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

    /// Free text as a sentence of an automaton that accepts it.
    /// - Parameter unknown: tokens of it that are free text.
    func sentence(
        _ free: [Int32], _ logProbability: Float, unknown: Int, _ decoding: MoonshineDecoding
    ) -> Sentence {
        let bonuses = free.indices.reduce(0) { $0 + bonus(behind: $1, decoding) }
        return Sentence(
            tokens: free, logProbability: logProbability,
            score: logProbability + bonuses - settings.freeCost * Float(unknown), isFree: unknown > 0)
    }

    /// Rows of the decoding: one for each hypothesis, and one for the free text.
    var rows: Int { settings.beam + 1 }

    /// Tokens that an utterance may need.
    func steps(samples: Int) -> Int { settings.tokens + settings.tokensASecond * samples / 16_000 }

    /// The bonus of a token behind so many others.
    private func bonus(behind count: Int, _ decoding: MoonshineDecoding) -> Float {
        count < settings.bonusTokens + settings.bonusTokensASecond * decoding.samples / 16_000 ? settings.bonus : 0
    }

    /// Searches an automaton for the sentences that fit an utterance best.
    /// - Parameter seeksFree: true to find as well what the model would write without constraints.
    /// - Throws: `OnnxError`, also when it was stopped.
    func search(
        _ decoding: MoonshineDecoding, in automaton: inout TokenAutomaton, from start: Int32, seeksFree: Bool = true
    ) throws -> Result {
        var beam = Beam(start: start)
        var free = FreeText(row: seeksFree ? 0 : nil)
        try decoding.begin(Tokeniser.start)
        while true {
            let nextFree = free.extend(decoding.scores, count: tokeniser.count)
            extend(&beam, decoding, automaton)
            prune(&beam, &automaton)
            if beam.hypotheses.isEmpty || decoding.isFull { break }
            var next = beam.advance()
            if let row = free.row, let token = nextFree {
                free.row = next.count
                next.append((row, token))
            }
            try decoding.step(next)
        }
        // The free text goes on to its end, so that the two can be compared.
        while let row = free.row, let last = free.tokens.last, !decoding.isFull {
            try decoding.step([(row, last)])
            free.row = 0
            _ = free.extend(decoding.scores, count: tokeniser.count)
        }
        return Result(
            sentences: sentences(beam), free: free.tokens, freeLogProbability: free.logProbability,
            steps: decoding.steps)
    }

    /// Fills the beam's candidates with its hypotheses and one more token each, and notes those that may end here.
    private func extend(_ beam: inout Beam, _ decoding: MoonshineDecoding, _ automaton: TokenAutomaton) {
        let size = tokeniser.count
        let bonus = bonus(behind: decoding.steps - 1, decoding)
        beam.candidates.removeAll(keepingCapacity: true)
        for hypothesis in beam.hypotheses {
            let scores = decoding.scores + hypothesis.row * size
            let sum = LogSum.of(scores, count: size)
            let state = automaton.states[Int(hypothesis.state)]
            for token in state.tokens where token != Tokeniser.end {
                beam.candidates.append(hypothesis.adding(token, scores[Int(token)] - sum, bonus: bonus))
            }
            if state.isOpen {
                for token in FreeText.best(scores, size, count: settings.freeTokens)
                where token != Tokeniser.end && state.tokens.sortedIndex(of: token) == nil {
                    var next = hypothesis.adding(
                        token, scores[Int(token)] - sum, bonus: bonus, cost: settings.freeCost)
                    next.isFree = true
                    beam.candidates.append(next)
                }
            }
            if state.isEnd { beam.finished.append(hypothesis.ended(scores[Int(Tokeniser.end)] - sum)) }
        }
    }

    /// Keeps the best of the candidates as the next hypotheses.
    private func prune(_ beam: inout Beam, _ automaton: inout TokenAutomaton) {
        beam.candidates.sort { $0.score > $1.score }
        let bestFinished = beam.finished.map(\.score).max() ?? -.infinity
        let bestLive = beam.candidates.first?.score ?? -.infinity
        beam.hypotheses.removeAll(keepingCapacity: true)
        var freeCount = 0
        for var candidate in beam.candidates where beam.hypotheses.count < settings.beam {
            guard candidate.score > bestFinished - settings.lead, candidate.score > bestLive - settings.width,
                !candidate.isFree || freeCount < settings.freeBeam,
                !beam.repeats(candidate.token, behind: candidate.trail),
                let state = automaton.next(candidate.state, candidate.token)
            else { continue }
            candidate.state = state
            candidate.words.add(letters[Int(candidate.token)])
            // The better of two with the same words and the same continuations came first.
            guard
                !beam.hypotheses.contains(where: { $0.state == state && $0.words.value == candidate.words.value })
            else { continue }
            if candidate.isFree { freeCount += 1 }
            beam.keep(candidate)
        }
    }

    private func sentences(_ beam: Beam) -> [Sentence] {
        var seen = Set<UInt64>(), result: [Sentence] = []
        for end in beam.finished.sorted(by: { $0.score > $1.score }) where result.count < settings.results {
            guard seen.insert(end.words.value).inserted else { continue }
            result.append(
                Sentence(
                    tokens: beam.tokens(end.trail), logProbability: end.logProbability, score: end.score,
                    isFree: end.isFree))
        }
        return result
    }
}

/// A sentence as far as it is written.
private struct Hypothesis {
    var state: Int32
    var row = 0
    var token = Tokeniser.start
    /// The place in `Beam.trails` of what was written before it.
    var trail = -1
    var score: Float = 0
    var logProbability: Float = 0
    /// Hash of the letters and digits so far: hypotheses that differ only in capitals and commas have the same words.
    var words = StableHash()
    /// True where it holds words that the vocabulary lacks.
    var isFree = false

    init(state: Int32) { self.state = state }

    func adding(_ token: Int32, _ log: Float, bonus: Float, cost: Float = 0) -> Hypothesis {
        var next = self
        next.logProbability += log
        next.score += log + bonus - cost
        next.token = token
        return next
    }

    func ended(_ log: Float) -> Hypothesis {
        var next = self
        next.logProbability += log
        next.score += log
        return next
    }
}

/// What a search follows, has finished, and has written so far.
private struct Beam {
    /// Runs of so many tokens, written twice and over at least so many tokens in all, are a repetition.
    private static let repetition = 1...8, repeated = 8

    var hypotheses: [Hypothesis]
    /// Hypotheses that have come to an end.
    var finished: [Hypothesis] = []
    /// The memory is kept from step to step.
    var candidates: [Hypothesis] = []
    private var trails: [(parent: Int, token: Int32)] = []

    init(start: Int32) { hypotheses = [Hypothesis(state: start)] }

    mutating func keep(_ candidate: Hypothesis) {
        var kept = candidate
        trails.append((kept.trail, kept.token))
        kept.trail = trails.count - 1
        hypotheses.append(kept)
    }

    /// Gives each hypothesis its own row in the next step.
    /// - Returns: the row that each continues, and its token.
    mutating func advance() -> [(row: Int, token: Int32)] {
        let next = hypotheses.map { (row: $0.row, token: $0.token) }
        for place in hypotheses.indices { hypotheses[place].row = place }
        return next
    }

    /// The tokens up to a trail's end.
    func tokens(_ trail: Int) -> [Int32] {
        var tokens: [Int32] = [], place = trail
        while place >= 0 {
            tokens.append(trails[place].token)
            place = trails[place].parent
        }
        return tokens.reversed()
    }

    /// True where the last tokens repeat what came before them again and again, as a model does that is lost.
    func repeats(_ token: Int32, behind trail: Int) -> Bool {
        var last = [token], place = trail
        while place >= 0, last.count < Self.repetition.upperBound * 2 {
            last.append(trails[place].token)
            place = trails[place].parent
        }
        return Self.repetition.contains { length in
            let times = max(2, (Self.repeated + length - 1) / length)
            return last.count >= length * times
                && (length..<length * times).allSatisfy { last[$0] == last[$0 - length] }
        }
    }
}

/// What the model writes without constraints: the likeliest token at each step.
private struct FreeText {
    var tokens: [Int32] = []
    var logProbability: Float = 0
    /// Its row in the decoding; nil when it has ended, or is not sought.
    var row: Int?

    init(row: Int?) { self.row = row }

    /// Adds the likeliest token.
    /// - Returns: that token; nil where the text has ended.
    mutating func extend(_ scores: UnsafePointer<Float>, count: Int) -> Int32? {
        guard let row else { return nil }
        let scores = scores + row * count
        let best = Self.best(scores, count)
        logProbability += scores[Int(best)] - LogSum.of(scores, count: count)
        guard best != Tokeniser.end else {
            self.row = nil
            return nil
        }
        tokens.append(best)
        return best
    }

    private static func best(_ scores: UnsafePointer<Float>, _ size: Int) -> Int32 {
        var best = 0
        for place in 1..<size where scores[place] > scores[best] { best = place }
        return Int32(best)
    }

    /// The likeliest `count` tokens, best first.
    static func best(_ scores: UnsafePointer<Float>, _ size: Int, count: Int) -> [Int32] {
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
