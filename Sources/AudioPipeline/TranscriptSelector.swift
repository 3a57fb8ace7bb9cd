import Domain
import Foundation

/// Selects what was said from the results of two recognisers, and estimates the confidence in it.
///
/// The constrained recogniser's sentences compete with the streaming recogniser's, which it has rescored; the streaming
/// recogniser votes for its own. Confidence is a logistic function of how clear the sentence was, whether both
/// recognisers have it, and how short it is. The constants were fitted on 422 utterances
/// (`Sources/SpeechMoonshine/README.md`).
public struct TranscriptSelector: Sendable {
    /// What the streaming recogniser's full confidence adds to the constrained recogniser's score, as a natural
    /// logarithm. Of 300 orders in kitchen noise at 6 dB, with Silero's voice activity, 285 are right and 6 wrong with 4
    /// (and a rivalry of 0.5), 285 and 8 with 6, 285 and 7 with 2.
    public var vote = 4.0
    /// Weights in logits: the intercept; per unit of acoustic score; where both have the same sentence, times the
    /// streaming recogniser's confidence; for all words in common; per word below `longEnough`, and the same where an
    /// answer is awaited; per unit of the log-likelihood ratio per word.
    public var trust = 2.4, acousticScore = 1.2, agreement = 2.1, kinship = 0.5, shortness = -1.7, shortAnswer = -0.8
    /// See `trust`.
    public var strain = -0.5
    /// How much of the penalty for shortness is dropped where both have the same sentence, times the streaming
    /// recogniser's confidence. None of 120 recordings of other speech fires with it.
    public var relief = 0.7
    /// How much of the penalty for shortness is dropped where the sound is clear and says just that: its mean acoustic
    /// score is far above `blurred`, and it is hardly less likely than what is written without constraints. Of 120
    /// recordings of other speech, none has a short sentence with more than −1.3 or a ratio below 5 in addition; of 90
    /// commands of one to three words in flite's voices most have −0.6 and 2.5, at the worst −1.1.
    public var plainness = 0.75, blurred = -1.4, strained = 4.25
    /// Words of a sentence that short noises do not produce.
    public var longEnough = 4
    /// The weight in logits where a sentence is not clearer than `clear`, and neither the streaming recogniser nor the
    /// unconstrained search has anything like it: less than `support` of its words, and `likeness` of its letters. From
    /// noise the model makes sentences that are often said (“don't worry about it”), and without constraints another,
    /// a single word, or notes of music. 13 of 70 bursts of noise were accepted so; the clearest had −0.89.
    public var solitude = -2.5, support = 0.2, likeness = 0.35, clear = -0.6
    /// A sentence this close to the best is its rival, and both are asked about: of the same 300 orders, the best was
    /// right in none of 3 pairs this close, and in 7 of 8 up to a distance of 1.
    public var rivalry = 0.5
    /// Sentences with less confidence are dropped.
    public var doubt = 0.1
    private let normalise: @Sendable (String) -> String

    /// A selector that compares transcripts after a language's `normalise`.
    public init(normalise: @escaping @Sendable (String) -> String) { self.normalise = normalise }

    private struct Candidate {
        let text: String, reading: ConstrainedResult.Reading
        /// The streaming recogniser's confidence in it; nil where that did not hear it.
        let agreement: Double?
        let words: [TranscribedWord]
        let score: Double
    }

    /// What was said, best first; empty where nothing is likely enough.
    /// - Parameter answering: true where an answer is awaited: short ones are likely then.
    public func transcripts(_ bound: ConstrainedResult, _ first: [Transcript], answering: Bool) -> [Transcript] {
        let other = first.first
        let heard = first.map { (transcript: $0, said: normalise($0.text)) }
        var known = Set<String>(), candidates: [Candidate] = []
        let rescored = bound.rescored.filter { !isGuess($0, beside: bound.readings.first) }
        for (place, reading) in (bound.readings + rescored).enumerated() {
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
                confidence: confidence(in: candidate, other, bound.free, answering: answering)
                    * exp(candidate.score - best),
                words: candidate.words, isRival: candidate.score < best && candidate.score > best - rivalry,
                isFree: candidate.reading.isFree)
        }.filter { $0.confidence >= doubt }
    }

    /// True where the streaming recogniser heard the same command with other words for its free text: it knows the
    /// vocabulary's words only and substitutes them for any others, so that its vote is ignored where the constrained
    /// recogniser scores them lower.
    private func isGuess(_ rescored: ConstrainedResult.Reading, beside best: ConstrainedResult.Reading?) -> Bool {
        guard let best, best.isFree, rescored.logLikelihoodRatio > best.logLikelihoodRatio else { return false }
        func opening(_ text: String) -> ArraySlice<Substring> { text.split(separator: " ").prefix(Self.opening) }
        return opening(rescored.text) == opening(best.text)
    }

    /// Sentences that begin with so many common words are the same command.
    private static let opening = 2

    /// How clear the sound is and how little else it could be, 0…1.
    private func ease(of reading: ConstrainedResult.Reading) -> Double {
        let clarity = (reading.acousticScore - blurred) / 0.6
        let room = (strained - reading.logLikelihoodRatio) / 2.5
        return min(1, max(0, clarity)) * min(1, max(0, room))
    }

    private func confidence(in candidate: Candidate, _ other: Transcript?, _ free: String, answering: Bool) -> Double {
        let words = candidate.text.split(separator: " ")
        let common = other.map { Self.share(of: words, in: $0.text.split(separator: " ")) } ?? 0
        let agreed = candidate.agreement ?? 0
        // As letters: what was said may be written in other words or figures.
        let written = normalise(free)
        let isWritten = Self.share(of: Array(candidate.text), in: Array(written)) >= likeness
        let isAlone = candidate.reading.acousticScore < clear && max(common, agreed) < support && !isWritten
        let lacking =
            Double(max(0, longEnough - words.count)) * (1 - relief * agreed)
            * (1 - (isAlone ? 0 : plainness * ease(of: candidate.reading)))
        let logit =
            trust + acousticScore * candidate.reading.acousticScore + kinship * common
            + agreement * agreed
            + (answering ? shortAnswer : shortness) * lacking
            + strain * candidate.reading.logLikelihoodRatio / Double(max(1, words.count)) + (isAlone ? solitude : 0)
        return 1 / (1 + exp(-logit))
    }
}

extension TranscriptSelector {
    /// 1 where both are the same, less with each part that must be changed, 0 where nothing is common.
    private static func share<Part: Equatable>(of parts: [Part], in others: [Part]) -> Double {
        max(0, 1 - Double(EditDistance.between(parts, others)) / Double(max(parts.count, others.count, 1)))
    }
}
