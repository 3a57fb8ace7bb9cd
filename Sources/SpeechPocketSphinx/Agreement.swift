import Copilot
import Foundation

/// Two readings of one utterance made one: that of the trigram search, which is free to put words in any order, and
/// that of the grammar, which is bound to what can be said.
struct Agreement {
    let free: [Transcript]
    let bound: Transcript?

    var transcripts: [Transcript] {
        if let path = ProcessInfo.processInfo.environment["VANORB_FEATURES"], let handle = FileHandle(forWritingAtPath: path) {
            _ = try? handle.seekToEnd()
            let a = free.first
            let line = [a?.text ?? "", bound?.text ?? "", "\(a?.confidence ?? 0)", "\(bound?.confidence ?? 0)",
                "\(a?.words.map(\.confidence).min() ?? 0)", "\(bound?.words.map(\.confidence).min() ?? 0)",
                free.dropFirst().map { "\($0.text)=\($0.confidence)" }.joined(separator: ";")].joined(separator: "\t")
            try? handle.write(contentsOf: Data((line + "\n").utf8))
        }
        guard let bound else { return free }
        guard let first = free.first else { return [bound] }
        let others = free.filter { $0.text != bound.text }
        let confidence = bound.text == first.text ? max(bound.confidence, first.confidence) : bound.confidence * 0.8
        // The grammar is given the utterance at once, and the library then counts from the first sound, not the first
        // sample.
        let lead = (first.words.first?.start ?? 0) - (bound.words.first?.start ?? 0)
        let words = bound.words.map {
            TranscribedWord(text: $0.text, start: $0.start + lead, end: $0.end + lead, confidence: $0.confidence)
        }
        return [Transcript(text: bound.text, confidence: confidence, words: words)] + others.prefix(4)
    }
}
