import Domain
import Foundation

/// What came out of the audio chain for one block of the microphone.
public struct HeardSound: Sendable, Equatable {
    /// For the recogniser, 16 kHz mono.
    public var samples: [Int16] = []
    /// Each frame of the voice activity that was completed.
    public var speech: [VoiceFrame] = []
    /// Samples at 16 kHz in each of these frames.
    public var frame = AudioFormat.blockSize
    /// How these are to be taken.
    public var traits = VoiceActivityTraits()
    /// How loud it is, 0…1; nil where no level meter is connected.
    public var level: Double?
}

/// A frame of the voice activity.
public struct VoiceFrame: Sendable, Equatable {
    /// The probability of speech, 0…1.
    public var probability: Double
    /// How loud it is, in decibels of full scale, 0 or less.
    public var level: Double
}

/// The running audio chain. Kept from turn to turn: its stages adapt to the background noise. Used by one task at a
/// time.
public final class AudioChain {
    /// A node with what it feeds.
    private final class Link {
        let work: AudioNode.Work
        let stage: (any SampleStage)?
        /// What comes out of it.
        let output: SampleFormat
        let next: [Link]

        init(work: AudioNode.Work, stage: (any SampleStage)?, output: SampleFormat, next: [Link]) {
            self.work = work
            self.stage = stage
            self.output = output
            self.next = next
        }

        /// The first link of one channel, as early as the chain has it: before it is filtered.
        var firstMono: Link? { output.channels == 1 ? self : next.lazy.compactMap(\.firstMono).first }
    }

    private let graph: AudioGraph
    private let makers: [any SampleStageMaker]
    private var start: Link?
    /// Where the microphone's sound is measured, and how it was in this utterance.
    private var measured: Link?, meter: SignalMeter?
    private let detector: any VoiceActivityDetector
    private var framer: Framer
    private let frame: Int
    /// The utterance so far, where it is to be kept.
    private var recording: [Int16] = []
    private let recorder: (any UtteranceRecorder)?

    /// The chain of `hearing` for a capture in `format`. Conversions that this format does not need are left out.
    /// - Throws: a library's error.
    package init(_ hearing: Hearing, from format: SampleFormat) throws {
        graph = hearing.graph
        makers = hearing.stages
        recorder = hearing.recorder
        detector = hearing.makeVoiceActivity()
        frame = graph.frame
        framer = Framer(size: frame)
        if let microphone = graph.nodes.first(where: { $0.kind == .microphone }) {
            start = try link(microphone, format)
        }
        measured = start?.firstMono
    }

    private func link(_ node: AudioNode, _ input: SampleFormat) throws -> Link {
        guard let output = node.output(of: input) ?? Self.fallback(node, input) else {
            throw AudioGraphFault(place: .node(node.name), description: "“\(node.name)” cannot take \(input)")
        }
        let next = try graph.fed(by: node.name).map { try link($0, output) }
        return Link(work: node.work, stage: try stage(node.work, input), output: output, next: next)
    }

    /// A recording has one channel, whichever of the microphone's is used.
    private static func fallback(_ node: AudioNode, _ input: SampleFormat) -> SampleFormat? {
        node.kind == .mono && input.channels == 1 ? input : nil
    }

    private func stage(_ work: AudioNode.Work, _ input: SampleFormat) throws -> (any SampleStage)? {
        switch work {
        case .mono(let channel):
            return input.channels == 1 ? nil : MonoStage(channels: input.channels, channel: channel)
        case .gain(let decibels): return decibels == 0 ? nil : GainStage(decibels: decibels)
        case .resample(input.rate, _): return nil
        case .resample, .highPass, .noiseSuppression:
            for maker in makers { if let stage = try maker.stage(work, rate: input.rate) { return stage } }
            throw AudioGraphFault(place: .whole, description: "nothing here does the work of \(work)")
        case .microphone, .split, .voiceActivity, .recogniser, .levelMeter, .recorder: return nil
        }
    }

    /// Begins an utterance.
    public func reset() {
        detector.reset()
        framer.reset()
        recording = []
        meter = measured.map { SignalMeter(rate: $0.output.rate) }
        start.map(reset)
    }

    /// How the microphone's sound is in the utterance so far.
    /// - Parameter hasSpeech: whether somebody spoke.
    public func quality(hasSpeech: Bool) -> SignalQuality { meter?.quality(hasSpeech: hasSpeech) ?? .unknown }

    private func reset(_ link: Link) {
        link.stage?.reset()
        link.next.forEach(reset)
    }

    /// Takes the next samples of the capture.
    /// - Throws: a library's error.
    public func accept(_ samples: [Int16]) throws -> HeardSound {
        var heard = HeardSound()
        heard.frame = frame
        if let start { try push(samples, through: start, into: &heard) }
        heard.traits = detector.traits
        return heard
    }

    /// Ends the utterance, and hands it to the recorder where there is one.
    /// - Returns: what the stages held back.
    /// - Throws: a library's error.
    public func finish() throws -> HeardSound {
        var heard = HeardSound()
        heard.frame = frame
        if let start { try flush(start, into: &heard) }
        if let recorder, !recording.isEmpty { recorder.keep(recording) }
        recording = []
        return heard
    }

    private func push(_ samples: [Int16], through link: Link, into heard: inout HeardSound) throws {
        let samples = try link.stage?.process(samples) ?? samples
        guard !samples.isEmpty else { return }
        if link === measured { meter?.accept(samples) }
        switch link.work {
        case .recogniser: heard.samples += samples
        case .voiceActivity:
            heard.speech += framer.frames(of: samples).map {
                VoiceFrame(probability: detector.speechProbability(of: $0), level: Loudness.decibels(of: $0))
            }
        case .levelMeter: heard.level = Loudness.level(of: samples)
        case .recorder: if recorder != nil { recording += samples }
        default: break
        }
        for next in link.next { try push(samples, through: next, into: &heard) }
    }

    private func flush(_ link: Link, into heard: inout HeardSound) throws {
        let rest = try link.stage?.finish() ?? []
        for next in link.next {
            if !rest.isEmpty { try push(rest, through: next, into: &heard) }
            try flush(next, into: &heard)
        }
    }
}

/// How loud a block is.
public enum Loudness {
    /// 0 at or below −60 dB of full scale, 1 at or above −10 dB, linear in dB between.
    public static func level(of samples: [Int16]) -> Double {
        min(max((decibels(of: samples) + 60) / 50, 0), 1)
    }

    /// Decibels of full scale, −100 to 0: of the mean energy.
    public static func decibels(of samples: [Int16]) -> Double {
        guard !samples.isEmpty else { return -100 }
        let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return max(-100, 10 * log10(energy / (32_768.0 * 32_768.0)))
    }
}

/// What the audio chain is made of: its graph, and the components that implement its nodes.
public struct Hearing: Sendable {
    /// The chain as the board declares it.
    public var graph: AudioGraph
    /// The makers of stages; the first that supports a node is used.
    public var stages: [any SampleStageMaker]
    /// Makes a voice-activity detector.
    public var makeVoiceActivity: @Sendable () -> any VoiceActivityDetector
    /// Keeps utterances; nil, the default, keeps none.
    public var recorder: (any UtteranceRecorder)?

    /// Unless said otherwise 16 kHz mono without stages.
    public init(
        graph: AudioGraph = .standard, stages: [any SampleStageMaker] = [],
        recorder: (any UtteranceRecorder)? = nil,
        makeVoiceActivity: @escaping @Sendable () -> any VoiceActivityDetector
    ) {
        self.graph = graph
        self.stages = stages
        self.recorder = recorder
        self.makeVoiceActivity = makeVoiceActivity
    }

    /// The chain for a capture in `format`: the microphone's own, or a recording's 16 kHz mono.
    /// - Throws: a library's error.
    public func chain(from format: SampleFormat) throws -> AudioChain { try AudioChain(self, from: format) }
}

extension AudioGraph {
    /// Samples in a frame of the voice activity.
    package var frame: Int {
        for case .voiceActivity(_, let frame, _, _, _) in nodes.map(\.work) { return frame }
        return AudioFormat.blockSize
    }

    /// What detects voice.
    package var voiceDetector: AudioNode.VoiceDetector {
        for case .voiceActivity(let detector, _, _, _, _) in nodes.map(\.work) { return detector }
        return .silero
    }
}
