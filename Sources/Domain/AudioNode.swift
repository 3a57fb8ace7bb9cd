/// One node of the audio chain: its name in the board file, and what it does.
public struct AudioNode: Sendable, Equatable {
    /// The kinds of nodes, by their names in the board file.
    public enum Kind: String, Sendable, CaseIterable {
        case microphone, mono, resample
        case highPass = "high_pass"
        case noiseSuppression = "noise_suppression"
        case gain, split
        case voiceActivity = "voice_activity"
        case recogniser
        case levelMeter = "level_meter"
        case recorder
    }

    /// A library that suppresses noise.
    public enum Suppressor: String, Sendable, CaseIterable {
        case speex
    }

    /// What detects voice: Silero's model, with speexdsp's measures where it is not installed; or these alone.
    public enum VoiceDetector: String, Sendable, CaseIterable {
        case silero, speex
    }

    /// What a node does, with its parameters.
    public enum Work: Sendable, Equatable {
        /// Where the sound comes from, in the format that the device is opened with.
        case microphone(SampleFormat)
        /// The mean of all channels, or one of them, counted from 1.
        case mono(channel: Int?)
        /// To another rate, in samples a second; the quality is 0…10.
        case resample(rate: Int, quality: Int)
        /// Takes away what is below so many hertz.
        case highPass(hertz: Double)
        /// Takes away steady noise, at most so many decibels of it.
        case noiseSuppression(Suppressor, decibels: Int)
        /// Makes louder or, below 0 dB, quieter; what does not fit is cut at full scale.
        case gain(decibels: Double)
        /// The one node that may feed several.
        case split
        /// Detects voice, in frames of so many samples, with the endpointer's settings.
        case voiceActivity(
            VoiceDetector = .silero, frame: Int, threshold: Double, minimumSilence: Duration, tail: Duration)
        /// The recogniser.
        case recogniser
        /// How loud it is, for the ring.
        case levelMeter
        /// Keeps the last utterance, where the owner wants that.
        case recorder
    }

    /// The name that connections use.
    public let name: String
    /// What it does.
    public let work: Work

    /// A node called `name`.
    public init(_ name: String, _ work: Work) {
        self.name = name
        self.work = work
    }

    /// Its kind.
    public var kind: Kind {
        switch work {
        case .microphone: .microphone
        case .mono: .mono
        case .resample: .resample
        case .highPass: .highPass
        case .noiseSuppression: .noiseSuppression
        case .gain: .gain
        case .split: .split
        case .voiceActivity: .voiceActivity
        case .recogniser: .recogniser
        case .levelMeter: .levelMeter
        case .recorder: .recorder
        }
    }

    /// The format that comes out when `input` goes in; for the microphone, which nothing feeds, `input` is its own.
    /// - Returns: nil when it cannot take that format.
    public func output(of input: SampleFormat) -> SampleFormat? {
        switch work {
        case .microphone, .split, .levelMeter: return input
        case .mono(let channel):
            guard (channel ?? 1) <= input.channels else { return nil }
            return SampleFormat(rate: input.rate, channels: 1)
        case .resample(let rate, _): return input.channels == 1 ? SampleFormat(rate: rate, channels: 1) : nil
        case .highPass(let hertz): return input.channels == 1 && hertz < Double(input.rate) / 2 ? input : nil
        case .noiseSuppression: return input.channels == 1 && input.rate <= 48_000 ? input : nil
        case .gain: return input
        case .voiceActivity, .recogniser, .recorder: return input == .heard ? input : nil
        }
    }

    /// What it takes, for messages.
    package var takes: String {
        switch work {
        case .mono(let channel?): "at least \(channel) channels"
        case .resample: "mono"
        case .highPass(let hertz): "mono of more than \(Int(2 * hertz)) Hz"
        case .noiseSuppression: "mono of at most 48000 Hz"
        case .voiceActivity, .recogniser, .recorder: "\(SampleFormat.heard)"
        case .microphone, .mono, .gain, .split, .levelMeter: "anything"
        }
    }
}

extension AudioNode.Kind {
    /// False for the node that everything begins with.
    package var hasInput: Bool { self != .microphone }
    /// False for nodes at which the sound ends.
    package var hasOutput: Bool { ![.voiceActivity, .recogniser, .levelMeter, .recorder].contains(self) }
    /// What it outputs.
    package var events: [String] { self == .voiceActivity ? ["end"] : [] }
    /// What it can be connected to.
    package var commands: [String] { self == .recogniser ? ["finish"] : [] }
}

/// A stage of the audio chain: samples in, samples out. Stateful, and used by one task at a time.
public protocol SampleStage: AnyObject {
    /// Takes the next samples.
    /// - Returns: what is ready; a stage may hold some back until more arrives.
    /// - Throws: the library's error.
    func process(_ samples: [Int16]) throws -> [Int16]
    /// The utterance is over.
    /// - Returns: what was held back.
    /// - Throws: the library's error.
    func finish() throws -> [Int16]
    /// Drops the sound under way and keeps the estimate of the background noise.
    func reset()
}

/// Makes the stages of the audio chain that need a library.
public protocol SampleStageMaker: Sendable {
    /// A stage for `work`, for mono samples at `rate`.
    /// - Returns: nil where that work needs no library, or is not known here.
    /// - Throws: the library's error.
    func stage(_ work: AudioNode.Work, rate: Int) throws -> (any SampleStage)?
}

/// Keeps an utterance where the owner wants that.
public protocol UtteranceRecorder: Sendable {
    /// Keeps `samples`, 16 kHz mono, in place of what was kept before. Returns at once; a failure is logged.
    func keep(_ samples: [Int16])
}

/// Detects voice, block by block. Stateful: it adapts to the background noise.
public protocol VoiceActivityDetector: AnyObject {
    /// The probability, 0…1, that the block holds speech. Blocks come in order, `AudioFormat.blockSize` samples each;
    /// a shorter last block is allowed.
    func speechProbability(of samples: [Int16]) -> Double
    /// Drops the speech so far and keeps the estimate of the background noise.
    func reset()
    /// What the endpointer has to know of it. May change with `reset`, or when it fails.
    var traits: VoiceActivityTraits { get }
}

extension VoiceActivityDetector {
    /// Nothing of its own.
    public var traits: VoiceActivityTraits { VoiceActivityTraits() }
}

/// How the probabilities of a voice-activity detector are to be taken.
public struct VoiceActivityTraits: Sendable, Equatable {
    /// What has begun as speech stays it down to so much below the threshold.
    public var hysteresis: Double
    /// How much of a quiet ending it takes for silence; nil for what the board's file says.
    public var tail: Duration?

    /// Unless said otherwise one threshold, and the board's tail.
    public init(hysteresis: Double = 0, tail: Duration? = nil) {
        self.hysteresis = hysteresis
        self.tail = tail
    }
}
