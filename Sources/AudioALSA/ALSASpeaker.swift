import Domain
import Logging
import Synchronization
import Threads

/// How a playback device is fed.
public struct PlaybackBuffering: Sendable, Equatable {
    /// Frames written at a time, at least 1. `stopSpeech` ends the sound after at most one period (11.6 ms for 256
    /// frames at 22 050 Hz) plus 10 ms and what the card needs to stop.
    public var periodSize: Int
    /// Frames that the card holds, at least two periods; `stopSpeech` drops them.
    public var bufferSize: Int
    /// True for a device without a clock, such as a file: it is written at the pace of a card, at most two periods
    /// ahead.
    public var isPaced: Bool

    /// Buffering; unless said otherwise that of a card.
    public init(periodSize: Int = 256, bufferSize: Int = 4_096, isPaced: Bool = false) {
        self.periodSize = max(1, periodSize)
        self.bufferSize = max(2 * periodSize, bufferSize)
        self.isPaced = isPaced
    }
}

/// The speaker, through ALSA. Rate, channels and sample format are converted by ALSA's `plug`.
///
/// A device is open only while it sounds, so that an unplugged card is found again by the next reply.
public final class ALSASpeaker: Speaker {
    private let media: PlaybackSettings
    private let speech: PlaybackSettings
    private let logger: Logger
    private let underruns = Underruns()
    private let threads = Mutex<(chime: PumpThread?, speech: PumpThread?)>((nil, nil))

    /// A speaker on two devices, which may be the same; neither is opened yet.
    /// - Parameters:
    ///   - media: the ALSA device of the chimes, of the system's or of `configuration`.
    ///   - speech: the ALSA device of the voice.
    ///   - buffering: how both are fed.
    ///   - logger: gets failures.
    public init(
        media: String, speech: String, configuration: ALSAConfiguration,
        buffering: PlaybackBuffering = PlaybackBuffering(), logger: Logger
    ) {
        func settings(_ device: String) -> PlaybackSettings {
            PlaybackSettings(device: device, configuration: configuration, buffering: buffering, logger: logger)
        }
        self.media = settings(media)
        self.speech = settings(speech)
        self.logger = logger
    }

    /// Underruns of both devices so far. Nothing is ever dropped.
    public var losses: AudioLosses { AudioLosses(xruns: underruns.value) }

    /// Starts `sound` on the media output, cutting off an earlier one.
    public func chime(_ sound: Sound) async throws {
        let pump = PlaybackPump(media, underruns: underruns)
        pump.append(sound)
        pump.complete()
        threads.withLock { $0.chime = startThread(named: "vanorb-chime", for: pump, replacing: $0.chime) }
        do {
            _ = try await pump.started.next()
        } catch {
            logger.warning("chime failed: \(error)")
            throw error
        }
    }

    /// Plays the sentences as they arrive. When the stream fails, what has arrived is still played before the error is
    /// thrown. When the task is cancelled it stops as by `stopSpeech`. A reply that is still spoken is stopped.
    public func speak(
        _ sentences: AsyncThrowingStream<SynthesisedSentence, any Error>,
        played: @escaping @Sendable (_ sentence: Int, _ samples: Int) -> Void
    ) async throws -> Bool {
        let pump = PlaybackPump(speech, underruns: underruns, played: played)
        let thread = threads.withLock { threads in
            let thread = startThread(named: "vanorb-speech", for: pump, replacing: threads.speech)
            threads.speech = thread
            return thread
        }
        return try await withTaskCancellationHandler {
            try await play(sentences, through: pump)
        } onCancel: {
            thread.stop()
        }
    }

    /// Stops the voice; see `PlaybackBuffering.periodSize` for how soon.
    public func stopSpeech() { threads.withLock { $0.speech?.stop() } }

    /// Opens the output's device and closes it at once.
    /// - Throws: `DeviceFailure`.
    public func probe(_ output: SpeakerOutput) async throws {
        let settings = output == .media ? media : speech
        try await DeviceProbe.open(settings.device, .playback, settings.configuration)
    }

    private func startThread(named name: String, for pump: PlaybackPump, replacing earlier: PumpThread?) -> PumpThread {
        earlier?.stop()
        return PumpThread(name: name, isUrgent: true) { thread in
            // A card may have one opener only.
            earlier?.join()
            pump.run(on: thread)
        }
    }

    private func play(
        _ sentences: AsyncThrowingStream<SynthesisedSentence, any Error>, through pump: PlaybackPump
    ) async throws -> Bool {
        let feeding = Task {
            defer { pump.complete() }
            for try await sentence in sentences { pump.append(sentence.sound) }
        }
        do {
            // The element, not the end: there is one unless the call throws.
            guard try await pump.ended.next() == true else {
                feeding.cancel()
                return false
            }
        } catch {
            feeding.cancel()
            logger.warning("reply not spoken to its end: \(error)")
            throw error
        }
        try await feeding.value
        return true
    }
}
