import Domain

/// What the audio chain is made of: its graph, and the rooms that do the work of its nodes.
public struct Hearing: Sendable {
    /// The chain as the board declares it.
    public var graph: AudioGraph
    /// Who makes the stages; the first that knows the work does it.
    public var stages: [any SampleStageMaker]
    /// Makes a voice-activity detector.
    public var makeVoiceActivity: @Sendable () -> any VoiceActivityDetector
    /// Keeps utterances; nil, as the owner has it unless he turns it on, keeps none.
    public var recorder: (any UtteranceRecorder)?

    /// A hearing; unless said otherwise of 16 kHz mono with no stages at all.
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
        for case .voiceActivity(let frame, _, _, _) in nodes.map(\.work) { return frame }
        return AudioFormat.blockSize
    }
}
