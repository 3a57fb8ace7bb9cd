import Domain
import Foundation

/// Two readings of one utterance made one: that of the trigram search, which may put words in any order, and that of
/// the grammar, which is constrained to the commands.
///
/// The grammar is more accurate in noise, but finds a command in any speech. So the transcript is the grammar's,
/// and it is believed as far as the other search, which is bound to nothing, comes upon the same words.
struct Agreement {
    /// The trigram search's transcripts, best first.
    let free: [Transcript]
    /// The grammar's; nil where none of its sentences fits.
    let bound: Transcript?
    /// True when the grammar's words are forced onto other sounds.
    var isForced = false
    /// False when the grammar was not asked.
    var isSearched = true
    /// What kind of sentence the best free transcript is; nil where it is not a sentence.
    var kind: SentenceCheck.Kind?

    /// What the free search's posterior counts for, what another free transcript is worth, or one of which the grammar
    /// was not asked, and what a sentence is worth that the grammar has not. These and the steepness were chosen, with
    /// the threshold that ships, among some 200 settings on 34 drink orders at 12 and 6 dB each, 120 of the van's
    /// commands and 120 recordings of other speech.
    private static let posteriorShare = 0.75, alternative = 0.7, leaning = 0.9
    /// What is left of words of which the grammar makes nothing: at no posterior enough to act on.
    private static let unsupported = 0.45
    /// From this on a sentence of words that the grammar has not is taken as it was heard.
    private static let sure = 0.6
    /// From this on a command is taken as the free search has it.
    private static let beyondDoubt = 0.85
    /// Readings with less in common have nothing to do with each other; what a free transcript is worth then.
    private static let kinship = 0.3, doubted = 0.4
    /// What is left of the belief in words that are forced onto other sounds.
    private static let forced = 0.5
    /// How fast belief falls with the words that differ. Long sentences come out alike by chance much more seldom than
    /// short ones, so they may differ in more.
    private static func steepness(words: Int) -> Double { max(0.8, min(2, 8 / Double(max(1, words)))) }
    /// Words at the edges of an utterance that may well be noise, or politeness.
    private static let edge = 3, edgeCost = 0.25

    var transcripts: [Transcript] {
        guard let first = free.first else { return bound.map { [$0.believed(0)] } ?? [] }
        // The grammar lacks these, and would find something else in them.
        if kind == .leaning || kind == .open || kind == .polite && first.confidence >= Self.sure {
            return free.map { $0.believed($0.confidence * Self.leaning) }
        }
        guard let bound else {
            return free.map { $0.believed($0.confidence * (isSearched ? Self.unsupported : Self.alternative)) }
        }
        let similarity = Self.similarity(of: first.text, to: bound.text)
        // The one or the other is wrong altogether, and nothing is done; then the words are those that were sought
        // freely.
        guard similarity >= Self.kinship else { return free.map { $0.believed($0.confidence * Self.doubted) } }
        let count = bound.text.split(separator: " ").count
        let belief =
            pow(similarity, Self.steepness(words: count))
            * (1 - Self.posteriorShare + Self.posteriorShare * first.confidence)
            * (isForced && count <= AcousticFit.mostWords ? Self.forced : 1)
        // Of two sentences that can be said, the one that was found without being bound to it, and surely.
        if kind == .command, first.confidence >= Self.beyondDoubt, first.text != bound.text {
            return free.map { $0.believed(min(belief, $0.confidence)) }
        }
        let others = free.filter { $0.text != bound.text }.prefix(4).map { transcript in
            transcript.believed(min(belief, transcript.confidence * Self.alternative))
        }
        // The grammar is given the utterance at once, and the library then counts from the first sound, not the first
        // sample.
        let lead = (first.words.first?.start ?? 0) - (bound.words.first?.start ?? 0)
        return [bound.later(by: lead).believed(belief)] + others.sorted { $0.confidence > $1.confidence }
    }

    /// 1 for the same words, less with each that must be changed, 0 where nothing is common.
    static func similarity(of free: String, to bound: String) -> Double {
        let said = free.split(separator: " "), meant = bound.split(separator: " ")
        guard !meant.isEmpty else { return 0 }
        var least = Double.infinity
        for first in 0...min(edge, said.count) {
            for last in 0...min(edge, said.count - first) {
                let middle = Array(said[first..<(said.count - last)])
                guard !middle.isEmpty || said.isEmpty else { continue }
                least = min(least, Double(EditDistance.between(middle, meant)) + edgeCost * Double(first + last))
            }
        }
        return max(0, 1 - least / Double(meant.count))
    }
}

extension Transcript {
    /// The same words, believed otherwise.
    fileprivate func believed(_ confidence: Double) -> Transcript {
        Transcript(text: text, confidence: min(1, max(0, confidence)), words: words)
    }

    /// The same words, so many samples later.
    fileprivate func later(by lead: Int) -> Transcript {
        let moved = words.map {
            TranscribedWord(
                text: $0.text, start: max(0, $0.start + lead), end: max(0, $0.end + lead), confidence: $0.confidence)
        }
        return Transcript(text: text, confidence: confidence, words: moved)
    }
}
