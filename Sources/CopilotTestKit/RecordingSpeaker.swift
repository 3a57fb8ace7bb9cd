import Domain
import Synchronization

/// A speaker that notes what it is given, and plays it at once or when the test lets it.
public final class RecordingSpeaker: Speaker {
    /// What happens to the speaker.
    public enum Event: Sendable, Equatable {
        /// A chime of so many samples.
        case chime(Int)
        /// A sentence was taken to be spoken.
        case sentence(String)
        /// A speech came to its end, or was stopped.
        case finished, stopped
    }

    /// What has happened.
    public let journal = Journal<Event>("speaker")
    /// Holds up a speech before it has begun, while it is closed.
    public let beginning = Gate(isOpen: true)
    private let held = Mutex<(isHolding: Bool, speech: Speech?)>((false, nil))
    private let failing = Mutex<DeviceFailure?>(nil)
    private let failingLater = Mutex<(failure: DeviceFailure, sentences: Int)?>(nil)

    /// One speech under way.
    private final class Speech: Sendable {
        let gate = Gate(isOpen: false)
        let wasStopped = Mutex(false)
        func stop() {
            wasStopped.withLock { $0 = true }
            gate.open()
        }
    }

    /// A speaker that plays at once.
    public init() {}

    /// The sentences that were spoken, in order.
    public var sentences: [String] {
        journal.entries.compactMap { if case .sentence(let text) = $0 { text } else { nil } }
    }

    /// From now on a speech, once begun, lasts until it is stopped or `release` is called.
    public func hold() { held.withLock { $0.isHolding = true } }
    /// Lets speech come to its end, this one and the next.
    public func release() {
        let speech = held.withLock { held in
            held.isHolding = false
            return held.speech
        }
        speech?.gate.open()
    }
    /// Everything fails from now on, or works again.
    public func fail(_ failure: DeviceFailure?) { failing.withLock { $0 = failure } }

    /// Fails while everything fails.
    public func probe(_ output: SpeakerOutput) async throws {
        if let failure = failing.withLock({ $0 }) { throw failure }
    }

    /// The next speech fails when so many of its sentences have been played.
    public func fail(_ failure: DeviceFailure, after sentences: Int) {
        failingLater.withLock { $0 = (failure, sentences) }
    }

    /// Notes the chime.
    public func chime(_ sound: Sound) async throws {
        if let failure = failing.withLock({ $0 }) { throw failure }
        journal.note(.chime(sound.samples.count))
    }

    /// Takes the sentences; each counts as played when it has been taken.
    public func speak(
        _ sentences: AsyncThrowingStream<SynthesisedSentence, any Error>,
        played: @escaping @Sendable (_ sentence: Int, _ samples: Int) -> Void
    ) async throws -> Bool {
        await beginning.pass()
        if let failure = failing.withLock({ $0 }) { throw failure }
        let speech = Speech()
        let isHolding = held.withLock { held in
            held.speech = speech
            return held.isHolding
        }
        if !isHolding { speech.gate.open() }
        return try await withTaskCancellationHandler {
            var index = 0
            for try await sentence in sentences {
                if speech.wasStopped.withLock({ $0 }) { break }
                if let later = failingLater.withLock({ $0 }), index == later.sentences {
                    failingLater.withLock { $0 = nil }
                    throw later.failure
                }
                journal.note(.sentence(sentence.text))
                played(index, sentence.sound.samples.count)
                index += 1
            }
            await speech.gate.pass()
            let wasStopped = speech.wasStopped.withLock { $0 }
            journal.note(wasStopped ? .stopped : .finished)
            return !wasStopped
        } onCancel: {
            speech.stop()
        }
    }

    /// Stops what is being spoken.
    public func stopSpeech() { held.withLock { $0.speech }?.stop() }
}

/// A voice of a hundred samples a character, whose words begin where they stand in the text.
public final class FakeSynthesiser: Synthesiser {
    /// The trouble that a test may want.
    public struct Trouble: Error {}
    private let isFailing = Mutex(false)
    private let last = Mutex<VoiceSettings?>(nil)

    /// How the last sentence was to sound.
    public var lastVoice: VoiceSettings? { last.withLock { $0 } }

    /// A voice.
    public init() {}

    /// Fails from now on, or works again.
    public func fail(_ fails: Bool = true) { isFailing.withLock { $0 = fails } }

    /// The sentence with its words' places.
    public func synthesise(_ sentence: String, voice: VoiceSettings) async throws -> SynthesisedSentence {
        if isFailing.withLock({ $0 }) { throw Trouble() }
        last.withLock { $0 = voice }
        var words: [WordMark] = [], offset = 0
        for word in sentence.split(separator: " ", omittingEmptySubsequences: false) {
            if !word.isEmpty {
                words.append(WordMark(sample: offset * 100, textOffset: offset, textLength: word.count))
            }
            offset += word.count + 1
        }
        let sound = Sound(samples: Array(repeating: 0, count: sentence.count * 100), sampleRate: 22_050)
        return SynthesisedSentence(text: sentence, sound: sound, words: words)
    }
}
