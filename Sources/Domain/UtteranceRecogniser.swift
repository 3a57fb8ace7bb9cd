/// What a recogniser that is bound to the vocabulary made of an utterance.
public struct ConstrainedResult: Sendable, Equatable {
    /// A sentence of the vocabulary.
    public struct Reading: Sendable, Equatable {
        /// The words, lower case; numbers may be in figures, with their signs.
        public let text: String
        /// How much less likely it is than what the recogniser would have written freely, as a natural logarithm: 0
        /// where it is the same, more the more it is forced; a little below 0 where the free one was not the likeliest
        /// after all.
        public let logLikelihoodRatio: Double
        /// By which readings of the same utterance compare; more is better.
        public let score: Double
        /// How likely a piece of it is on average, as a natural logarithm: 0 where the recogniser has no doubt.
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
    /// What was heard when nothing bound it.
    public let free: String
    /// What another recogniser heard, and sentences that sound like it, as this one heard them.
    public var weighed: [Reading] = []

    /// A hearing.
    public init(readings: [Reading], free: String) {
        self.readings = readings
        self.free = free
    }
}

/// A recogniser that hears a whole utterance at once, after it was spoken, as one of the vocabulary's sentences.
public protocol UtteranceRecogniser: Sendable {
    /// Its name in settings and traces.
    var name: String { get }

    /// Hears what the vocabulary has, from the next utterance on.
    /// - Throws: the library's error; nothing is heard then.
    func prepare(_ vocabulary: Vocabulary) async throws

    /// What was said in an utterance; the work ends when the task is cancelled.
    /// - Parameters:
    ///   - samples: 16 kHz mono, trimmed to the speech with a little silence around it.
    ///   - answering: true where answers are to be heard as well as commands.
    /// - Throws: the library's error.
    func hear(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult

    /// How well sentences fit the utterance that was heard last: those of the texts that the vocabulary has, and what
    /// it has that sounds most like the first. Empty where the utterance is forgotten already.
    /// - Parameter texts: what another recogniser heard, best first.
    /// - Throws: the library's error.
    func weigh(_ texts: [String]) async throws -> [ConstrainedResult.Reading]

    /// Lets go what is kept of the utterance that was heard last.
    func forget() async
}
