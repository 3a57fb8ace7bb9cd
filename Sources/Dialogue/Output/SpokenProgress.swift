import Domain
import Foundation

/// Which words of a reply have been spoken, from the samples that were played.
final class SpokenProgress: @unchecked Sendable {
    // Unchecked: guarded by `lock`; written by the synthesising task, read from the playback thread.
    private let lock = NSLock()
    /// What is shown, and what of it is said.
    private let wording: Wording
    private let text: String
    private var sentences: [(start: Int, sentence: SynthesisedSentence)] = []
    private var searchFrom = 0
    private var told = 0
    private var hasBegun = false

    init(of wording: Wording) {
        self.wording = wording
        text = wording.spoken
    }

    /// True once a sentence was made.
    var isMade: Bool { lock.withLock { !sentences.isEmpty } }

    func add(_ sentence: SynthesisedSentence) {
        lock.withLock {
            let from = text.index(text.startIndex, offsetBy: min(searchFrom, text.count))
            let range = text[from...].firstRange(of: sentence.text)
            let start = range.map { text.distance(from: text.startIndex, to: $0.lowerBound) } ?? searchFrom
            searchFrom = min(text.count, start + sentence.text.count)
            sentences.append((start, sentence))
        }
    }

    /// - Returns: whether this is the first sound, and the words that have begun since the last call, each with its place
    ///   in what is shown.
    func played(_ index: Int, _ samples: Int) -> (isFirst: Bool, words: [(text: String, start: Int, end: Int)]) {
        lock.withLock {
            let isFirst = !hasBegun
            hasBegun = true
            guard index < sentences.count else { return (isFirst, []) }
            let (start, sentence) = sentences[index]
            let marks = sentence.words
            let begun = marks.indices.filter { marks[$0].sample <= samples }.compactMap { place in
                let word = Self.word(place, of: sentence)
                let from = start + marks[place].textOffset
                return from >= told ? (text: word, start: from, end: from + word.count) : nil
            }
            if let last = begun.last { told = last.end }
            let shown = begun.map { word in
                let place = wording.writtenRange(ofSpoken: word.start..<word.end)
                return (text: word.text, start: place.lowerBound, end: place.upperBound)
            }
            return (isFirst, shown)
        }
    }

    /// All that stands before the next mark: a voice may speak “in the” as one word, and marks no full stop.
    private static func word(_ place: Int, of sentence: SynthesisedSentence) -> String {
        let marks = sentence.words, from = marks[place].textOffset
        let next = place + 1 < marks.count ? marks[place + 1].textOffset : sentence.text.count
        let length = next > from ? next - from : marks[place].textLength
        return String(sentence.text.dropFirst(from).prefix(length)).trimming { $0.isWhitespace }
    }
}
