import Domain
import Synchronization

/// A recogniser that hears what the test says.
public final class ScriptedRecogniser: Recogniser {
    /// A call of the recogniser.
    public enum Call: String, Sendable {
        /// The calls of the seam.
        case prepare, begin, accept, finish, cancel
    }

    /// The trouble that a test may want.
    public struct Trouble: Error, CustomStringConvertible {
        /// Where it happened.
        public let call: Call
        /// For logs.
        public var description: String { "\(call.rawValue): as the test wants it" }
    }

    private struct State: Sendable {
        var utterances: [[Transcript]]
        var failing: Set<Call> = []
        var partials: [String] = []
        var vocabulary: Vocabulary?
        var isUnderWay = false
        var learnt: String?
        var recalled: String?
        var answering: [Bool] = []
        var provisionalResult: [Transcript]?
        var heard: [String] = []
    }

    /// What was called.
    public let journal = Journal<Call>("recogniser")
    /// Holds up `finish` while it is closed.
    public let finishing = Gate(isOpen: true)
    private let state: Mutex<State>

    /// A recogniser that hears these utterances one after the other; one more fails the test.
    public init(_ utterances: [[Transcript]]) { state = Mutex(State(utterances: utterances)) }

    /// A recogniser that is sure of these texts; an empty one is nothing heard.
    public convenience init(texts: [String]) {
        self.init(texts.map { $0.isEmpty ? [] : [Transcript(text: $0, confidence: 0.9)] })
    }

    /// In traces.
    public var name: String { "scripted" }
    /// The vocabulary prepared last.
    public var vocabulary: Vocabulary? { state.withLock { $0.vocabulary } }

    /// Lets the calls fail from now on.
    public func fail(_ calls: Set<Call>) { state.withLock { $0.failing = calls } }
    /// The words that the next blocks bring, one text a block.
    public func hear(partials: [String]) { state.withLock { $0.partials = partials } }

    /// What it tells before the end that it is going to tell.
    public func foresee(_ transcripts: [Transcript]) { state.withLock { $0.provisionalResult = transcripts } }
    /// What `foresee` was told.
    public func provisionalResult() async -> [Transcript]? { state.withLock { $0.provisionalResult } }

    /// Remembers the vocabulary.
    public func prepare(_ vocabulary: Vocabulary) async throws {
        try enter(.prepare) { $0.vocabulary = vocabulary }
    }

    /// Whether an answer was awaited, utterance by utterance.
    public var answering: [Bool] { state.withLock { $0.answering } }

    /// Begins an utterance.
    public func begin() async throws { try enter(.begin) { $0.isUnderWay = true } }

    /// Begins an utterance, and remembers whether an answer was awaited.
    public func begin(answering: Bool) async throws {
        try enter(.begin) { state in
            state.isUnderWay = true
            state.answering.append(answering)
        }
    }

    /// Gives the next of the partial texts.
    public func accept(_ samples: [Int16]) async throws -> String? {
        try enter(.accept) { state in
            guard state.isUnderWay else { unexpected("Recogniser.accept without begin") }
            return state.partials.isEmpty ? nil : state.partials.removeFirst()
        }
    }

    /// Gives the next utterance.
    public func finish() async throws -> [Transcript] {
        try enter(.finish) { _ in }
        await finishing.pass()
        return state.withLock { state in
            guard state.isUnderWay else { unexpected("Recogniser.finish without begin") }
            guard !state.utterances.isEmpty else { unexpected("Recogniser.finish, no utterance is left") }
            state.isUnderWay = false
            let transcripts = state.utterances.removeFirst()
            state.heard = ["scripted: “\(transcripts.first?.text ?? "")”"]
            return transcripts
        }
    }

    /// Drops the utterance.
    public func cancel() async {
        journal.note(.cancel)
        state.withLock { $0.isUnderWay = false }
    }

    /// What it heard of the last utterance.
    public func diagnostics() async -> [String] { state.withLock { $0.heard } }

    /// What it shall have learnt from now on.
    public func learn(_ text: String) { state.withLock { $0.learnt = text } }
    /// What it was told to take up.
    public var recalled: String? { state.withLock { $0.recalled } }
    /// What `learn` was told.
    public func adaptationState() async -> String? { state.withLock { $0.learnt } }
    /// Remembers `learnt`.
    public func restore(_ adaptationState: String) async { state.withLock { $0.recalled = adaptationState } }

    private func enter<Value: Sendable>(_ call: Call, _ body: (inout State) -> Value) throws -> Value {
        let value = try state.withLock { state in
            if state.failing.contains(call) { throw Trouble(call: call) }
            return body(&state)
        }
        journal.note(call)
        return value
    }
}
