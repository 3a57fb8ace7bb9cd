import Domain

/// What was answered, said again.
extension Conversation {
    /// Speaks the reply of a turn of the history again, and returns when it has been heard or a press cut it off. What
    /// was asked then is not asked anew.
    /// - Returns: the reply.
    /// - Throws: `TypedRefusal` where the history has no such turn, or nothing was answered; `PlayFailure`; the voice's
    ///   error.
    public func speakAgain(turn: Int) async throws -> String {
        guard let entry = history.last(where: { $0.turn == turn }) else {
            throw TypedRefusal("The history has no turn \(turn). Try: vanorb history")
        }
        guard !entry.assistant.isEmpty else { throw TypedRefusal("Nothing was answered in turn \(turn).") }
        guard let synthesiser = parts.synthesiser else { throw TypedRefusal("There is no voice. Try: vanorb doctor") }
        let splitter = SentenceSplitter(abbreviations: parts.context.books.speaking.abbreviations)
        let settings = replyVoice
        var sounds: [SynthesisedSentence] = []
        for sentence in splitter.sentences(in: entry.assistant) {
            sounds.append(try await synthesiser.synthesise(sentence, voice: settings))
        }
        try await play(sounds)
        return entry.assistant
    }
}
