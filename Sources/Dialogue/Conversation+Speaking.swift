import Domain
import Foundation

/// From the reply to the sound, and the words revealed as they are spoken.
extension Conversation {
    /// Speaks the reply of a turn; it joins the history when the voice has ended or was stopped.
    func speakReply(_ turn: Int) {
        let reply = replies[turn]?.text ?? ""
        let handedOver = ContinuousClock.now
        let number = nextSpeech(), voice = turn == warningTurn ? warningVoice : replyVoice
        speaking = Task {
            await self.speak(reply, voice) { [weak self] in
                let latency = handedOver.duration(to: .now)
                Task { await self?.addStage("reply to first audio", latency, turn: turn) }
            }
            self.remember(turn)
            self.spoken(number)
        }
    }

    /// Speaks a notice that belongs to no turn.
    func speakNotice(_ key: String) {
        let number = nextSpeech(), notice = text(key)
        emit(.notice(notice))
        speaking = Task {
            if self.speaksReplies { await self.speak(notice, self.replyVoice) {} }
            self.spoken(number)
        }
    }

    private func nextSpeech() -> Int {
        speech += 1
        return speech
    }

    /// The voice has ended, unless another has begun meanwhile.
    private func spoken(_ number: Int) {
        if number == speech { receive(.spoken) }
    }

    private func speak(
        _ text: String, _ voice: VoiceSettings, onFirstSound: @escaping @Sendable () -> Void
    ) async {
        guard let speaker = parts.speaker, let synthesiser = parts.synthesiser, !Task.isCancelled else { return }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SynthesisedSentence.self)
        let progress = SpokenProgress(text: text)
        let splitter = SentenceSplitter(abbreviations: parts.context.books.speaking.abbreviations)
        let making = Task {
            do {
                for sentence in splitter.sentences(in: text) {
                    try Task.checkCancellation()
                    let synthesised = try await synthesiser.synthesise(sentence, voice: voice)
                    progress.add(synthesised)
                    continuation.yield(synthesised)
                }
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        defer { making.cancel() }
        do {
            _ = try await speaker.speak(stream) { [weak self] sentence, samples in
                let (isFirst, words) = progress.played(sentence, samples)
                if isFirst { onFirstSound() }
                for word in words { self?.emit(.word(word.text, start: word.start, end: word.end)) }
            }
            // Stopped before the first sentence was made, it shows nothing of voice or device.
            if progress.isMade { speakingWorked() }
        } catch is CancellationError {
            logger.debug("the voice was stopped before it began")
        } catch {
            speakingFailed(error)
        }
    }
}

/// Which words of a reply have been spoken, from the samples that were played.
private final class SpokenProgress: @unchecked Sendable {
    // Unchecked: guarded by `lock`; written by the synthesising task, read from the playback thread.
    private let lock = NSLock()
    private let text: String
    private var sentences: [(start: Int, sentence: SynthesisedSentence)] = []
    private var searchFrom = 0
    private var told = 0
    private var hasBegun = false

    init(text: String) { self.text = text }

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

    /// - Returns: whether this is the first sound, and the words that have begun since the last call.
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
            return (isFirst, begun)
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
