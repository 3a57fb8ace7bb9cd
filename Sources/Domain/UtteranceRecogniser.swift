/// What a recogniser that is constrained to the vocabulary made of an utterance.
public struct ConstrainedResult: Sendable, Equatable {
    /// A sentence of the vocabulary.
    public struct Reading: Sendable, Equatable {
        /// The words, lower case; numbers may be in figures, with their signs.
        public let text: String
        /// How much less likely it is than what the recogniser would have written without constraints, as a natural
        /// logarithm: 0 where both are the same, and a little below 0 where the unconstrained search missed the
        /// likeliest text.
        public let logLikelihoodRatio: Double
        /// Ranks readings of the same utterance; more is better.
        public let score: Double
        /// The mean log-probability of its tokens, as a natural logarithm: 0 where the recogniser is certain.
        public let acousticScore: Double
        /// True where it holds free text in words that the vocabulary lacks.
        public let isFree: Bool

        /// A reading.
        public init(
            text: String, logLikelihoodRatio: Double, score: Double, acousticScore: Double = 0, isFree: Bool = false
        ) {
            self.isFree = isFree
            self.text = text
            self.logLikelihoodRatio = logLikelihoodRatio
            self.score = score
            self.acousticScore = acousticScore
        }
    }

    /// Different sentences, best first; empty where none fits.
    public let readings: [Reading]
    /// What was heard without constraints.
    public let free: String
    /// What another recogniser heard, and sentences that sound like it, scored by this one.
    public var rescored: [Reading] = []

    /// The result of an utterance.
    public init(readings: [Reading], free: String) {
        self.readings = readings
        self.free = free
    }
}

/// A recogniser that transcribes a whole utterance at once, after it was spoken, as one of the vocabulary's sentences.
public protocol UtteranceRecogniser: Sendable {
    /// Its name in settings and traces.
    var name: String { get }

    /// Uses a vocabulary from the next utterance on.
    /// - Throws: the library's error; no utterance is transcribed then.
    func prepare(_ vocabulary: Vocabulary) async throws

    /// Transcribes an utterance; the work ends when the task is cancelled.
    /// - Parameters:
    ///   - samples: 16 kHz mono, trimmed to the speech with a little silence around it.
    ///   - answering: true to expect answers as well as commands.
    /// - Throws: the library's error.
    func transcribe(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult

    /// Scores sentences on the last utterance: those of the texts that the vocabulary has, and its sentences that sound
    /// most like the first text. Empty where the utterance has been released.
    /// - Parameter texts: what another recogniser heard, best first.
    /// - Throws: the library's error.
    func rescore(_ texts: [String]) async throws -> [ConstrainedResult.Reading]

    /// Releases what is kept of the last utterance.
    func release() async
}
