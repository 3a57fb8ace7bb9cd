import Domain

/// Finds the end of an utterance in the voice-activity probabilities. Everything is counted in samples, so that audio
/// fed faster than real time ends in the same place.
public struct Endpointer: Sendable {
    /// When an utterance begins and ends.
    public struct Settings: Sendable, Equatable {
        /// A block is speech above this probability.
        public var threshold = 0.5
        /// So much uninterrupted speech begins an utterance; a click is shorter.
        public var onset: Duration = .milliseconds(96)
        /// Gaps up to this length belong to the speech around them.
        public var minimumSilence: Duration = .milliseconds(40)
        /// Silence that completes the command.
        public var closingSilence: Duration = .milliseconds(1500)
        /// How much of a quiet ending, and of the beginning after it, the voice activity takes for silence: added to
        /// the closing silence.
        public var tail: Duration = .zero
        /// How long to wait for speech, and how long to listen in all.
        public var noSpeech: Duration = .seconds(5), limit: Duration = .seconds(15)
        /// How long to listen while the button is held.
        public var holdLimit: Duration = .seconds(60)
        /// Speech as short as this was a noise where no word of it was heard: a door, a cough, a plate; and where it is
        /// as short as a burst, also where no word of it is believed.
        public var fleeting: Duration = .milliseconds(700), burst: Duration = .milliseconds(300)
        /// Voices by so many decibels below the speaker's are others' – beside the van, on the radio – and end the
        /// utterance as silence does. Nobody speaks for 1.5 s without a syllable that is louder.
        public var background = 20.0
        /// False where only a press or a limit ends the utterance: nothing connects the end of speech with the
        /// recogniser.
        public var endsAtSilence = true
        /// Speech cannot begin during the start chime; the audio is kept nevertheless.
        public var chime: Duration = .zero
        /// How much later than the microphone's opening the chime has died away: the sound card's buffer, taken as 40
        /// ms, and the van's echo.
        public static let chimeDelay = Duration.milliseconds(120)
        /// The defaults.
        public init() {}
    }

    /// What the endpointer found.
    public enum Verdict: Sendable, Equatable {
        /// The utterance has begun.
        case speechBegan
        /// The closing silence is complete.
        case speechEnded
        /// No speech came in time.
        case noSpeech
        /// Listening has lasted long enough.
        case limit
    }

    private let settings: Settings
    private var position = 0
    private var voiced = 0
    private var silent = 0
    private var wasVoice = false
    /// The levels of the utterance's loudest frames, the quietest of them first.
    private var loudest: [Double] = []
    /// True once the utterance has begun.
    public private(set) var hasSpeech = false
    /// The first and last sample of the utterance so far.
    public private(set) var speechStart = 0, speechEnd = 0
    private var isHeld = false
    /// The first sample of the utterance's audio: after a false start, later than the microphone's opening.
    public private(set) var origin = 0
    /// Where the wait for speech begins.
    private var waitStart: Int

    /// An endpointer at the opening of the microphone. Nobody speaks into the chime: the wait for speech counts from its
    /// end.
    public init(_ settings: Settings) {
        self.settings = settings
        waitStart = AudioFormat.samples(in: settings.chime)
    }

    /// Silence after which the utterance is likely to be over: slow work may start.
    private static let likelySilence = 8_000

    /// True where there was speech, and silence behind it for a while.
    public var seemsOver: Bool { hasSpeech && position - speechEnd >= Self.likelySilence }

    /// How long listening may last.
    public var limit: Duration { isHeld ? settings.holdLimit : settings.limit }

    /// The utterance so far, counted from `origin`.
    public var utterance: Range<Int> { max(0, speechStart - origin)..<max(0, speechEnd - origin) }

    /// True where the speech was so short that it may have been a noise.
    public var isFleeting: Bool { hasSpeech && isSpeech(within: settings.fleeting) }

    /// True where the speech was shorter than words are.
    public var isBurst: Bool { hasSpeech && isSpeech(within: settings.burst) }

    private func isSpeech(within length: Duration) -> Bool {
        // Speech that began during the chime is longer than what was measured of it.
        let chime = AudioFormat.samples(in: settings.chime)
        return (chime == 0 || speechStart > chime + AudioFormat.blockSize)
            && speechEnd - speechStart <= AudioFormat.samples(in: length)
    }

    /// The speech was a noise: waits for speech again, within the same overall limit.
    public mutating func startAgain() {
        hasSpeech = false
        loudest = []
        origin = position
        waitStart = speechEnd
    }

    /// From now on silence no longer ends the utterance.
    public mutating func hold() { isHeld = true }

    /// Silence ends the utterance after all.
    public mutating func letGo() { isHeld = false }

    /// So much speech, its loudest, tells how loud the speaker is: a door that slams meanwhile is shorter.
    private static let loudSamples = 6_400

    /// Whether a frame of voice is far quieter than the utterance is; notes its level.
    private mutating func isBackground(_ level: Double, _ count: Int) -> Bool {
        let frames = max(1, Self.loudSamples / max(1, count))
        if loudest.count < frames || level > loudest[0] {
            loudest.insert(level, at: loudest.firstIndex { $0 > level } ?? loudest.endIndex)
            if loudest.count > frames { loudest.removeFirst() }
        }
        return loudest.count == frames && level < loudest[0] - settings.background
    }

    /// Takes the next frame of `count` samples: its probability of speech, and its level in decibels of full scale.
    /// - Parameter traits: how the detector's probabilities are to be taken.
    /// - Returns: what has been found, if anything. After an end nothing more should be fed.
    public mutating func accept(
        probability: Double, level: Double = 0, count: Int, traits: VoiceActivityTraits = VoiceActivityTraits()
    ) -> Verdict? {
        position += count
        let isSpeech = probability > settings.threshold - (wasVoice ? traits.hysteresis : 0)
        wasVoice = isSpeech
        let isLeak = position <= AudioFormat.samples(in: settings.chime)
        let isVoice = isSpeech && (isLeak || !isBackground(level, count))
        if isVoice {
            // The chime leaks into the microphone: sound during it does not begin an utterance.
            if !isLeak { voiced += count }
            silent = 0
        } else {
            silent += count
            if silent > AudioFormat.samples(in: settings.minimumSilence) { voiced = 0 }
        }
        var verdict: Verdict?
        if hasSpeech {
            if isVoice { speechEnd = position }
        } else if isVoice, voiced >= AudioFormat.samples(in: settings.onset) {
            hasSpeech = true
            speechStart = max(0, position - voiced)
            speechEnd = position
            verdict = .speechBegan
        }
        // Without speech it ends so, even where the wait is as long as the limit.
        if !isHeld, !hasSpeech, position - waitStart >= AudioFormat.samples(in: settings.noSpeech) { return .noSpeech }
        if position >= AudioFormat.samples(in: isHeld ? settings.holdLimit : settings.limit) { return .limit }
        guard !isHeld, hasSpeech, settings.endsAtSilence else { return verdict }
        let closing = AudioFormat.samples(in: settings.closingSilence + (traits.tail ?? settings.tail))
        return position - speechEnd >= closing ? .speechEnded : verdict
    }
}
