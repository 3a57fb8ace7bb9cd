import Domain
import Language
import Foundation
import Logging

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

/// From a text to its sound, sentence by sentence, and the words revealed as they are spoken. One thing sounds at a
/// time.
@DialogueActor
package final class SpeechOutput {
    private let speaker: (any Speaker)?
    private let synthesiser: (any Synthesiser)?
    private let splitter: SentenceSplitter
    private let health: Health
    private let replies: Replies
    private let port: SessionPort
    private let logger: Logger
    /// Counts what is spoken, so that the end of one speech is not taken for the end of the next.
    private(set) var count = 0
    private var speaking: Task<Void, Never>?
    /// Sound that is no reply, while it is played.
    private var sample: Task<Void, any Error>?

    nonisolated init(_ parts: ConversationParts, port: SessionPort, logger: Logger) {
        speaker = parts.speaker
        synthesiser = parts.synthesiser
        splitter = SentenceSplitter(abbreviations: parts.context.books.speaking.abbreviations)
        health = parts.health
        replies = parts.context.replies
        self.port = port
        self.logger = logger
    }

    /// True where there is both a voice and a speaker.
    var canSpeak: Bool { speaker != nil && synthesiser != nil }
    /// True while sound is played that is no reply.
    var isPlayingSample: Bool { sample != nil }

    /// Speaks a text, and reports `spoken` to the machine when it has ended or was stopped, unless another has begun
    /// meanwhile.
    /// - Parameters:
    ///   - onFirstSound: called on the playback thread with the time from this call to the first sound.
    ///   - onEnd: called before the machine hears of the end.
    func speak(
        _ text: Wording, _ voice: VoiceSettings, onFirstSound: @escaping @Sendable (Duration) -> Void = { _ in },
        onEnd: @escaping @DialogueActor @Sendable () -> Void = {}
    ) {
        let handedOver = ContinuousClock.now
        begin {
            await self.play(text, voice) { onFirstSound(handedOver.duration(to: .now)) }
            onEnd()
        }
    }

    /// Ends without a sound, as `speak` would after it: where replies are only shown.
    func skip() { begin {} }

    private func begin(_ body: @escaping @DialogueActor @Sendable () async -> Void) {
        stopSample()
        count += 1
        let number = count
        speaking = Task {
            await body()
            if number == self.count { self.port.receive(.spoken) }
        }
    }

    /// Stops what is being spoken; what has not begun yet will not.
    /// - Returns: its task, which ends when the device has dropped what it held.
    @discardableResult
    func stop() -> Task<Void, Never>? {
        speaking?.cancel()
        speaker?.stopSpeech()
        return speaking
    }

    /// Waits until the voice has ended.
    package func finish() async { await speaking?.value }

    private func play(
        _ text: Wording, _ voice: VoiceSettings, onFirstSound: @escaping @Sendable () -> Void
    ) async {
        guard let speaker, let synthesiser, !Task.isCancelled else { return }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SynthesisedSentence.self)
        let progress = SpokenProgress(of: text), sentences = splitter.sentences(in: text.spoken), port = port
        let synthesis = Task {
            do {
                for sentence in sentences {
                    try Task.checkCancellation()
                    let synthesised = try await synthesiser.synthesise(sentence, voice: voice)
                    progress.add(synthesised)
                    continuation.yield(synthesised)
                }
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        defer { synthesis.cancel() }
        do {
            _ = try await speaker.speak(stream) { sentence, samples in
                let (isFirst, words) = progress.played(sentence, samples)
                if isFirst { onFirstSound() }
                for word in words { port.emit(.word(word.text, start: word.start, end: word.end)) }
            }
            // Stopped before the first sentence was made, it shows nothing of voice or device.
            if progress.isMade { reportSuccess() }
        } catch is CancellationError {
            logger.debug("the voice was stopped before it began")
        } catch {
            report(error)
        }
    }

    /// Both the voice and the device did their work.
    private func reportSuccess() {
        health.report("speaker", .ok, "spoke the last reply")
        if health.isTroubled("voice") { health.report("voice", .ok, "spoke the last reply") }
    }

    /// Reports why a reply was not spoken to its end: watchers have its text already.
    private func report(_ error: any Error) {
        logger.error("the reply was not spoken: \(error)")
        if let failure = error as? DeviceFailure {
            health.report(.speaker, failure)
            port.emit(.notice(replies("speaker.\(failure.reason.rawValue)").written))
        } else {
            health.report(
                "voice", .failed, "\(error)", advice: "install espeak-ng-data; replies are shown meanwhile")
            port.emit(.notice(replies("speaker.no_voice").written))
        }
    }

    // MARK: chimes and samples

    /// Sounds a chime in addition to whatever goes on.
    /// - Parameter onSound: called when the device has taken its first samples.
    func chime(_ sound: Sound?, onSound: @escaping @DialogueActor @Sendable () -> Void) {
        guard let speaker, let sound else { return }
        let logger = logger
        // Concurrently with the microphone's opening, never before it: speech that starts with the chime is not lost.
        Task {
            do {
                try await speaker.chime(sound)
                onSound()
                self.chimed(nil)
            } catch {
                logger.warning("no chime: \(error)")
                self.chimed(error)
            }
        }
    }

    /// How the last chime went; nothing is reported of what has always worked.
    private func chimed(_ failure: (any Error)?) {
        if let failure = failure as? DeviceFailure {
            health.report(.chimes, failure)
        } else if failure == nil, health.isTroubled("chimes") {
            health.report("chimes", .ok, "sounded at the last press")
        }
    }

    /// The sounds of a text, sentence by sentence.
    /// - Throws: `TypedRefusal` where there is no voice; the voice's error.
    func sounds(of text: String, _ voice: VoiceSettings) async throws -> [SynthesisedSentence] {
        guard let synthesiser else { throw TypedRefusal("There is no voice. Try: vanorb doctor") }
        var sounds: [SynthesisedSentence] = []
        for sentence in splitter.sentences(in: text) {
            sounds.append(try await synthesiser.synthesise(sentence, voice: voice))
        }
        return sounds
    }

    /// Plays sounds one after the other and returns when the last has been heard, or when a press cut them off.
    /// - Throws: `PlayFailure`.
    package func play(_ sounds: [SynthesisedSentence]) async throws(PlayFailure) {
        guard [.closed, .ready].contains(port.phase), sample == nil else { throw .busy }
        guard let speaker else { throw .noSpeaker("the board has no speaker") }
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
        speaker?.stopSpeech()
    }
}
