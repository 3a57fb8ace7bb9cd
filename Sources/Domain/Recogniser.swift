/// A word of a transcript.
public struct TranscribedWord: Sendable, Equatable, Codable {
    /// The word, lower case.
    public let text: String
    /// Its first and its last sample, counted from the opening of the microphone.
    public let start: Int, end: Int
    /// 0…1: the recogniser's posterior probability of this word.
    public let confidence: Double

    /// A word between two samples.
    public init(text: String, start: Int, end: Int, confidence: Double) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}

/// What a recogniser believes was said.
public struct Transcript: Sendable, Equatable {
    /// The words with single spaces between them, lower case, without the recogniser's markers for silence and noise.
    public let text: String
    /// 0…1; comparable between turns of the same recogniser.
    public let confidence: Double
    /// The words with their times; empty for text that was typed.
    public let words: [TranscribedWord]
    /// True where it is hardly less likely than the best: where it would do something else, the owner is asked.
    public let isRival: Bool

    /// A transcript of `text`.
    public init(text: String, confidence: Double, words: [TranscribedWord] = [], isRival: Bool = false) {
        self.isRival = isRival
        self.text = text
        self.confidence = confidence
        self.words = words
    }

    /// A transcript of words with their times; as sure as they are on average.
    public init(_ words: [TranscribedWord]) {
        text = words.map(\.text).joined(separator: " ")
        confidence = words.isEmpty ? 0 : words.reduce(0) { $0 + $1.confidence } / Double(words.count)
        self.words = words
        isRival = false
    }
}

/// A speech recogniser. One utterance at a time: `begin`, any number of `accept`, then `finish` or `cancel`.
public protocol Recogniser: Sendable {
    /// Its name in settings and traces.
    var name: String { get }

    /// Makes ready to recognise `vocabulary` from the next `begin` on. The utterance under way keeps the vocabulary
    /// it began with. Called again whenever the vocabulary changes; a vocabulary already in use costs nothing.
    /// - Throws: the library's error (a missing acoustic model, say); the recogniser then keeps what it had.
    func prepare(_ vocabulary: Vocabulary) async throws

    /// Makes ready at once, where `prepare` of this vocabulary would take long, to recognise what was to be recognised
    /// before. Called before the first `prepare`, which is still to be called.
    /// - Returns: false where there is nothing of the kind, or no need of it.
    func resume(towards vocabulary: Vocabulary) async -> Bool

    /// Begins an utterance. An utterance still under way is dropped.
    /// - Throws: when nothing was prepared yet.
    func begin() async throws

    /// Begins an utterance.
    /// - Parameter answering: true where something was asked, or goes on over several turns: an answer is as likely as
    ///   a command.
    /// - Throws: when nothing was prepared yet.
    func begin(answering: Bool) async throws

    /// Takes the next samples, 16 kHz mono.
    /// - Returns: the words so far if they have changed, else nil.
    func accept(_ samples: [Int16]) async throws -> String?

    /// The speech so far lies in these samples, and it seems to be over: what takes long may begin. Returns at once.
    /// Called again where speech went on, and at the end.
    func speculativelyFinish(_ speech: Range<Int>) async

    /// What `finish` would tell if nothing more were said; nil where that is not known yet.
    func provisionalResult() async -> [Transcript]?

    /// Ends the utterance.
    /// - Returns: what was said, best first; empty when nothing was recognised.
    func finish() async throws -> [Transcript]

    /// How the utterance that was finished last was heard, for the trace: a line for each thing worth knowing.
    func diagnostics() async -> [String]

    /// Drops the utterance.
    func cancel() async

    /// Free text is likely to come: what `dictate` needs may be made ready meanwhile. Returns at once.
    func expectDictation()

    /// Hears a part of the utterance that was finished last once more, without regard to the vocabulary: free text.
    /// - Parameter range: its samples, counted as those of the transcript's words are.
    /// - Returns: the words spoken there; nil when there are none, when the recogniser knows no others than the
    ///   vocabulary's, or when the next utterance has begun meanwhile.
    /// - Throws: the library's error (a missing model, say).
    func dictate(_ range: Range<Int>) async throws -> Transcript?

    /// What was learnt of voices and microphone so far, as text to be kept over a restart; nil when there is nothing.
    func adaptationState() async -> String?

    /// Takes up what `learnt` gave before a restart; called before the first `prepare`. What does not fit is left out.
    func restore(_ adaptationState: String) async
}

extension Recogniser {
    /// The same words are expected whether something was asked or not.
    public func begin(answering: Bool) async throws { try await begin() }
    /// There is no need of it.
    public func resume(towards vocabulary: Vocabulary) async -> Bool { false }
    /// Nothing takes long.
    public func speculativelyFinish(_ speech: Range<Int>) async {}
    /// Known at the end.
    public func provisionalResult() async -> [Transcript]? { nil }
    /// Nothing is worth knowing.
    public func diagnostics() async -> [String] { [] }
    /// Nothing.
    public func expectDictation() {}
    /// Knows the vocabulary only.
    public func dictate(_ range: Range<Int>) async throws -> Transcript? { nil }
    /// Nothing.
    public func adaptationState() async -> String? { nil }
    /// Nothing to take up.
    public func restore(_ adaptationState: String) async {}
}
