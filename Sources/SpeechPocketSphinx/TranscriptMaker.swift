import Copilot
import Foundation

/// Turns a decoder's paths into transcripts.
struct TranscriptMaker {
    /// Samples in a frame: the front end makes 100 frames a second.
    private static let frame = AudioFormat.sampleRate / 100

    /// The samples of the utterance, beyond which no word may end.
    let samples: Int

    func transcripts(of decoder: Decoder) -> [Transcript] {
        let text = decoder.hypothesis
        guard !text.isEmpty else { return [] }
        let words = decoder.words
        var result = [Transcript(text: text, confidence: exp(decoder.logPosterior), words: words.map(word))]
        for path in decoder.best(6) where path.text != text && result.count < 5 {
            result.append(Transcript(text: path.text, confidence: 0, words: path.words.map(word)))
        }
        return result
    }

    private func word(_ word: Decoder.Word) -> TranscribedWord {
        TranscribedWord(
            text: word.text, start: min(word.firstFrame * Self.frame, samples),
            end: min((word.lastFrame + 1) * Self.frame, samples), confidence: min(1, exp(word.logPosterior)))
    }
}
