import Foundation

/// From the reply to the sound, and the words revealed as they are spoken.
extension Conversation {
    /// Speaks the reply of a turn; it joins the history when the voice has ended or was stopped.
    func speakReply(_ turn: Int) {
        let reply = replies[turn]?.text ?? ""
        let user = traces.last { $0.turn == turn }?.transcript ?? ""
        let handedOver = ContinuousClock.now
        let number = nextSpeech()
        Task {
            await self.speak(reply) { [weak self] in
                let latency = handedOver.duration(to: .now)
                Task { await self?.addStage("reply to first audio", latency, turn: turn) }
            }
            self.remember(user: user, assistant: reply)
            self.spoken(number)
        }
    }

    /// Speaks a notice that belongs to no turn.
    func speakNotice(_ key: String) {
        let number = nextSpeech(), notice = text(key)
        emit(.notice(notice))
        Task {
            if self.settings.autoSpeak { await self.speak(notice) {} }
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

    private func speak(_ text: String, onFirstSound: @escaping @Sendable () -> Void) async {
        guard let speaker = parts.speaker, let synthesiser = parts.synthesiser else { return }
        let voice = settings.voice
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SynthesisedSentence.self)
        let progress = SpokenProgress(text: text)
        let making = Task {
            do {
                for sentence in SentenceSplitter().sentences(in: text) {
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
            let isWhole = try await speaker.speak(stream) { [weak self] sentence, samples in
                let (isFirst, characters) = progress.played(sentence, samples)
                if isFirst { onFirstSound() }
                guard let characters, let self else { return }
                Task { await self.emit(.revealed(reply: text, characters: characters)) }
            }
            if isWhole { emit(.revealed(reply: text, characters: text.count)) }
        } catch {
            logger.error("the reply was not spoken: \(error)")
            emit(.notice("The reply could not be spoken: \(error)"))
        }
    }
}

/// How much of a reply has been spoken, from the samples that were played.
private final class SpokenProgress: @unchecked Sendable {
    // Unchecked: guarded by `lock`; written by the synthesising task, read from the playback thread.
    private let lock = NSLock()
    private let text: String
    private var sentences: [(start: Int, words: [WordMark])] = []
    private var searchFrom = 0
    private var revealed = 0
    private var hasBegun = false

    init(text: String) { self.text = text }

    func add(_ sentence: SynthesisedSentence) {
        lock.withLock {
            let from = text.index(text.startIndex, offsetBy: min(searchFrom, text.count))
            let range = text[from...].firstRange(of: sentence.text)
            let start = range.map { text.distance(from: text.startIndex, to: $0.lowerBound) } ?? searchFrom
            searchFrom = min(text.count, start + sentence.text.count)
            sentences.append((start, sentence.words))
        }
    }

    /// - Returns: whether this is the first sound, and the number of characters spoken if that has grown.
    func played(_ sentence: Int, _ samples: Int) -> (isFirst: Bool, characters: Int?) {
        lock.withLock {
            let isFirst = !hasBegun
            hasBegun = true
            guard sentence < sentences.count else { return (isFirst, nil) }
            let entry = sentences[sentence]
            guard let word = entry.words.last(where: { $0.sample <= samples }) else { return (isFirst, nil) }
            let characters = entry.start + word.textOffset + word.textLength
            guard characters > revealed else { return (isFirst, nil) }
            revealed = characters
            return (isFirst, characters)
        }
    }
}
