import Domain
import Foundation

/// What two recognisers heard, weighed against each other: which sentence was said, and how far it is believed.
///
/// The constrained recogniser's sentences and the streaming recogniser's, as the second heard them too, compete; the
/// streaming recogniser has a vote for its own. Belief is a logistic function of what tells right from wrong: how clear
/// the sentence was, whether both heard it, and how short it is. The constants were fitted on 422 utterances
/// (`Sources/SpeechMoonshine/README.md`).
public struct TranscriptSelector: Sendable {
    /// What the streaming recogniser's full belief is worth in the second's score, as a natural logarithm.
    public var vote = 6.0
    /// Belief in logits: to begin with; for each unit of acoustic score; where both heard the same, times the streaming
    /// recogniser's belief; for all words in common; for each word that is lacking to `longEnough`, and the same where
    /// an answer is awaited; for each unit of the log-likelihood ratio per word.
    public var trust = 2.4, acousticScore = 1.2, agreement = 2.1, kinship = 0.5, shortness = -1.7, shortAnswer = -0.8
    /// See `trust`.
    public var strain = -0.5
    /// How much of the shortness is forgiven where both heard the same, times the streaming recogniser's belief. Of 120
    /// recordings of other speech it lets none fire.
    public var relief = 0.7
    /// Words of a sentence that does not come out of short noises.
    public var longEnough = 4
    /// Belief in logits where a sentence is no clearer than `clear`, and neither the streaming recogniser nor the
    /// second, left free, heard anything like it: less than `support` of its words, and `likeness` of its letters. Of
    /// noise the model makes sentences that are often said (“don't worry about it”), and left free it writes another, a
    /// single word, or notes of music. Of 70 bursts of noise 13 were believed so; the clearest had −0.89.
    public var solitude = -2.5, support = 0.2, likeness = 0.35, clear = -0.6
    /// What is so little behind the best may as well have been said: of 23 such sentences, 10 of the best were right
    /// and 7 of the next.
    public var rivalry = 1.0
    /// What is believed less is not worth telling.
    public var doubt = 0.1
    private let normalise: @Sendable (String) -> String

    /// A judge to whom two transcripts say the same where a language's `normalise` makes them one.
    public init(normalise: @escaping @Sendable (String) -> String) { self.normalise = normalise }

    private struct Candidate {
        let text: String, reading: ConstrainedResult.Reading
        /// The streaming recogniser's belief in it; nil where that did not hear it.
        let agreement: Double?
        let words: [TranscribedWord]
        let score: Double
    }

    /// What was said, best first; empty where nothing is worth telling.
    /// - Parameter answering: true where an answer is awaited: short ones are likely then.
    public func transcripts(_ bound: ConstrainedResult, _ first: [Transcript], answering: Bool) -> [Transcript] {
        let other = first.first
        let heard = first.map { (transcript: $0, said: normalise($0.text)) }
        var known = Set<String>(), candidates: [Candidate] = []
        let weighed = bound.weighed.filter { !isGuess($0, beside: bound.readings.first) }
        for (place, reading) in (bound.readings + weighed).enumerated() {
            let isOwn = place < bound.readings.count
            let said = normalise(reading.text)
            guard known.insert(said).inserted else { continue }
            let match = heard.first { !$0.said.isEmpty && $0.said == said }?.transcript
            candidates.append(
                Candidate(
                    text: isOwn ? reading.text : match?.text ?? reading.text, reading: reading,
                    agreement: match?.confidence, words: isOwn ? [] : match?.words ?? [],
                    score: reading.score + vote * (match?.confidence ?? 0)))
        }
        candidates.sort { $0.score > $1.score }
        let best = candidates.first?.score ?? 0
        return candidates.map { candidate in
            Transcript(
                text: candidate.text,
                confidence: belief(in: candidate, other, bound.free, answering: answering)
                    * exp(candidate.score - best),
                words: candidate.words, isRival: candidate.score < best && candidate.score > best - rivalry)
        }.filter { $0.confidence >= doubt }
    }

    /// True where the streaming recogniser heard the same command with other words for its free text: it knows the
    /// vocabulary's words alone and puts them for any others, so that its vote counts for nothing where the constrained
    /// recogniser hears them worse.
    private func isGuess(_ weighed: ConstrainedResult.Reading, beside best: ConstrainedResult.Reading?) -> Bool {
        guard let best, best.isFree, weighed.logLikelihoodRatio > best.logLikelihoodRatio else { return false }
        func opening(_ text: String) -> ArraySlice<Substring> { text.split(separator: " ").prefix(Self.opening) }
        return opening(weighed.text) == opening(best.text)
    }

    /// So many words in common are the same command.
    private static let opening = 2

    private func belief(in candidate: Candidate, _ other: Transcript?, _ free: String, answering: Bool) -> Double {
        let words = candidate.text.split(separator: " ")
        let common = other.map { Self.share(of: words, in: $0.text.split(separator: " ")) } ?? 0
        let agreed = candidate.agreement ?? 0
        // As letters: what was said may be written in other words or figures.
        let written = normalise(free)
        let isWritten = Self.share(of: Array(candidate.text), in: Array(written)) >= likeness
        let isAlone = candidate.reading.acousticScore < clear && max(common, agreed) < support && !isWritten
        let lacking = Double(max(0, longEnough - words.count)) * (1 - relief * agreed)
        let logit =
            trust + acousticScore * candidate.reading.acousticScore + kinship * common
            + agreement * agreed
            + (answering ? shortAnswer : shortness) * lacking
            + strain * candidate.reading.logLikelihoodRatio / Double(max(1, words.count)) + (isAlone ? solitude : 0)
        return 1 / (1 + exp(-logit))
    }
}

extension TranscriptSelector {
    /// 1 where both are the same, less with each part that has to be changed, 0 where nothing is common.
    private static func share<Part: Equatable>(of parts: [Part], in others: [Part]) -> Double {
        max(0, 1 - Double(EditDistance.between(parts, others)) / Double(max(parts.count, others.count, 1)))
    }
}
