import Domain
import Language
import Devices

/// Why something was not played.
public enum PlayFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// A turn is under way.
    case busy
    /// There is no speaker, or it failed.
    case noSpeaker(String)

    /// What failed and what to do.
    public var description: String {
        switch self {
        case .busy: "VanOrb is listening or speaking. Try again when the turn has ended."
        case .noSpeaker(let reason): "It was not spoken: \(reason). Check the speaker of the board file."
        }
    }
}

/// How words are said: what the owner changes about it, and how it sounds.
extension Conversation {
    /// All that can be said, as of the last change of names.
    public func vocabulary() async -> Vocabulary { VocabularyBuilder.vocabulary(of: await currentIndex()) }

    /// Ends the change of how `word` is said, so that it can be taken back, and lets the recogniser learn it in the
    /// background. A turn meanwhile goes on with the old vocabulary.
    public func learn(_ word: String) async {
        await remember(changeOf: Reply("", undo: Undo(text("general.undo_word", ["word": word]))), isJournalled: true)
        refreshNames()
    }

    /// Plays sounds one after the other and returns when the last has been heard, or when a press cut them off.
    /// - Throws: `PlayFailure`.
    public func play(_ sounds: [SynthesisedSentence]) async throws(PlayFailure) {
        guard [.closed, .ready].contains(machine.state), sample == nil else { throw .busy }
        guard let speaker = parts.speaker else { throw .noSpeaker("the board has no speaker") }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SynthesisedSentence.self)
        sounds.forEach { continuation.yield($0) }
        continuation.finish()
        let task = Task { _ = try await speaker.speak(stream) { _, _ in } }
        sample = task
        defer { sample = nil }
        do { try await task.value } catch is CancellationError {} catch { throw .noSpeaker("\(error)") }
    }

    /// A turn begins: nothing else may sound.
    func stopSample() {
        guard let task = sample else { return }
        task.cancel()
        parts.speaker?.stopSpeech()
    }
}
