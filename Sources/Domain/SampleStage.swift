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
    /// Forgets the sound under way and keeps what was learnt about the room's noise.
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
