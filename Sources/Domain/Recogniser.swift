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

/// What a recogniser heard.
public struct Transcript: Sendable, Equatable {
    /// The words with single spaces between them, lower case, without the recogniser's markers for silence and noise.
    public let text: String
    /// 0…1; comparable between turns of the same recogniser.
    public let confidence: Double
    /// The words with their times; empty for text that was typed.
    public let words: [TranscribedWord]
    /// True where it is almost as likely as the best: where it would do something else, the owner is asked.
    public let isRival: Bool
    /// True where it holds free text in words that the vocabulary lacks.
    public let isFree: Bool

    /// A transcript of `text`.
    public init(
        text: String, confidence: Double, words: [TranscribedWord] = [], isRival: Bool = false, isFree: Bool = false
    ) {
        self.isRival = isRival
        self.isFree = isFree
        self.text = text
        self.confidence = confidence
        self.words = words
    }

    /// A transcript of words with their times and their mean confidence.
    public init(_ words: [TranscribedWord]) {
        text = words.map(\.text).joined(separator: " ")
        confidence = words.isEmpty ? 0 : words.reduce(0) { $0 + $1.confidence } / Double(words.count)
        self.words = words
        isRival = false
        isFree = false
    }
}

/// A speech recogniser. One utterance at a time: `begin`, any number of `accept`, then `finish` or `cancel`.
public protocol Recogniser: Sendable {
    /// Its name in settings and traces.
    var name: String { get }

    /// Prepares to recognise `vocabulary` from the next `begin` on. The utterance under way keeps its vocabulary.
    /// Called again whenever the vocabulary changes; for the vocabulary in use it returns at once.
    /// - Throws: the library's error, such as a missing acoustic model; the recogniser then keeps its vocabulary.
    func prepare(_ vocabulary: Vocabulary) async throws

    /// Prepares at once to recognise the previous vocabulary, where `prepare` of this one would take long. Called
    /// before the first `prepare`, which must still be called.
    /// - Returns: false where there is no previous vocabulary, or it is not needed.
    func resume(towards vocabulary: Vocabulary) async -> Bool

    /// Begins an utterance. An utterance still under way is dropped.
    /// - Throws: before a vocabulary is prepared.
    func begin() async throws

    /// Begins an utterance.
    /// - Parameter answering: true after a question, or in a dialogue of several turns: an answer is as likely as a
    ///   command.
    /// - Throws: before a vocabulary is prepared.
    func begin(answering: Bool) async throws

    /// Takes the next samples, 16 kHz mono.
    /// - Returns: the words so far if they have changed, else nil.
    func accept(_ samples: [Int16]) async throws -> String?

    /// The speech so far is in these samples, and it seems to be over: slow work may start. Returns at once. Called
    /// again where speech continued, and at the end.
    func speculativelyFinish(_ speech: Range<Int>) async

    /// What `finish` would return if nothing more were said; nil where that is not known yet.
    func provisionalResult() async -> [Transcript]?

    /// Ends the utterance.
    /// - Returns: what was said, best first; empty when nothing was recognised.
    func finish() async throws -> [Transcript]

    /// How the last utterance was recognised, for the trace, a line each.
    func diagnostics() async -> [String]

    /// Drops the utterance.
    func cancel() async

    /// Free text is likely to come: what `dictate` needs may be loaded in the meantime. Returns at once.
    func expectDictation()

    /// Transcribes a part of the last utterance again as free text, without the vocabulary.
    /// - Parameter range: its samples, counted as those of the transcript's words are.
    /// - Returns: the words spoken there; nil when there are none, when the recogniser has only the
    ///   vocabulary's words, or when the next utterance has begun.
    /// - Throws: the library's error, such as a missing model.
    func dictate(_ range: Range<Int>) async throws -> Transcript?

    /// The adaptation to voices and microphone, as text to keep over a restart; nil when there is none.
    func adaptationState() async -> String?

    /// Restores what `adaptationState` returned before a restart; called before the first `prepare`. Invalid text is
    /// ignored.
    func restore(_ adaptationState: String) async
}

extension Recogniser {
    /// Begins in the same way with and without a question.
    public func begin(answering: Bool) async throws { try await begin() }
    /// Not needed.
    public func resume(towards vocabulary: Vocabulary) async -> Bool { false }
    /// Nothing is slow.
    public func speculativelyFinish(_ speech: Range<Int>) async {}
    /// Known at the end.
    public func provisionalResult() async -> [Transcript]? { nil }
    /// None.
    public func diagnostics() async -> [String] { [] }
    /// Nothing.
    public func expectDictation() {}
    /// Has the vocabulary's words only.
    public func dictate(_ range: Range<Int>) async throws -> Transcript? { nil }
    /// Nothing.
    public func adaptationState() async -> String? { nil }
    /// Nothing to restore.
    public func restore(_ adaptationState: String) async {}
}
