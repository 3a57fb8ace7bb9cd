import Copilot
import Foundation
import Logging
import Threads

/// Hears whole utterances with Moonshine, bound to what the vocabulary allows.
///
/// The library computes, so the model lives on this actor's own queue.
public actor MoonshineEar: UtteranceRecogniser {
    /// `moonshine`.
    public nonisolated let name = "moonshine"
    private let executor = QueueExecutor(label: "vanorb.moonshine")
    /// The actor's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let model: MoonshineModel
    private let search: BeamSearch
    private var automaton: TokenAutomaton?
    private var vocabulary: Vocabulary?
    /// The utterance that was heard last, and how likely what was written freely is.
    private var last: (decoding: MoonshineDecoding, freeLogProbability: Float, stop: OnnxStop)?

    /// The languages that the model speaks.
    private static let languages: Set<String> = ["en"]
    /// More is no command, and would take seconds.
    private static let sampleLimit = 20 * 16_000
    /// States are kept from one utterance to the next, up to about this many bytes.
    private static let stateLimit = 24 << 20

    /// Loads the model.
    /// - Parameter folder: where `deploy/second-ear` put it.
    /// - Throws: `MoonshineError` when it is not there, or not as it should be.
    public init(folder: String) throws { try self.init(folder: folder, .init(), .init()) }

    init(folder: String, _ runtime: OnnxSettings, _ settings: SearchSettings) throws {
        try ModelFiles.check(folder)
        model = try MoonshineModel(folder: folder, runtime)
        search = BeamSearch(model.tokeniser, settings)
    }

    /// Hears what the vocabulary has, from the next utterance on.
    /// - Throws: `MoonshineError` for a language that the model does not speak, or without any sentence.
    public func prepare(_ vocabulary: Vocabulary) throws {
        guard Self.languages.contains(vocabulary.language) else {
            automaton = nil
            self.vocabulary = nil
            throw MoonshineError(
                call: "prepare", detail: "the second ear speaks English, not “\(vocabulary.language)”")
        }
        var old = automaton
        // Only one may hold the net, or it is copied.
        (automaton, self.vocabulary) = (nil, nil)
        let isUpdated = old?.update(to: vocabulary) ?? false
        automaton =
            try isUpdated ? old : TokenAutomaton(vocabulary, model.tokeniser, known: old?.spellings)
        self.vocabulary = vocabulary
    }

    /// What was said in an utterance.
    /// - Parameters:
    ///   - samples: 16 kHz mono, trimmed to the speech.
    ///   - answering: true where answers are to be heard as well as commands.
    /// - Throws: `MoonshineError`; `CancellationError` where the task was cancelled.
    public func hear(_ samples: [Int16], answering: Bool) async throws -> BoundHearing {
        guard var automaton else {
            throw MoonshineError(call: "hear", detail: "no vocabulary has been prepared yet")
        }
        guard !samples.isEmpty else { return BoundHearing(readings: [], free: "") }
        guard samples.count <= Self.sampleLimit else {
            throw MoonshineError(call: "hear", detail: "\(samples.count / 16_000) seconds are too long for a command")
        }
        last = nil
        // Only one may hold the states, or they are copied at every step.
        self.automaton = nil
        defer {
            if automaton.bytes > Self.stateLimit { automaton.forget() }
            self.automaton = automaton
        }
        let stop = try OnnxStop(model.library)
        let result = try await withTaskCancellationHandler {
            do {
                let decoding = try model.hear(
                    samples.map { Float($0) / 32_768 }, rows: search.rows, steps: search.steps(samples: samples.count),
                    stop: stop)
                let result = try search.search(
                    decoding, in: &automaton, from: answering ? automaton.answers : automaton.commands)
                last = (decoding, result.freeLogProbability, stop)
                return result
            } catch {
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            stop.stop()
        }
        var readings = result.sentences.map { reading($0, result.freeLogProbability) }
        let free = Written.words(model.tokeniser.text(result.free))
        // Politeness and what leans on the sentence before fit any noise: they are not sought, only recognised.
        if readings.first.map({ $0.gap > Self.plainLead }) ?? true,
            automaton.accepts(result.free, from: automaton.everything)
        {
            let score = Double(result.freeLogProbability) + Double(search.settings.bonus) * Double(result.free.count)
            let clarity = Double(result.freeLogProbability) / Double(result.free.count + 1)
            readings.insert(
                .init(text: free, gap: 0, score: max(score, readings.first?.score ?? score), clarity: clarity), at: 0)
        }
        return BoundHearing(readings: readings, free: free)
    }

    /// How well other words fit the utterance that was heard last; nil where they cannot be written.
    /// - Throws: `MoonshineError`, also where the task was cancelled: the utterance cannot be weighed by again then.
    public func weigh(_ text: String) async throws -> BoundHearing.Reading? {
        let words = text.split(separator: " ").map { Vocabulary.Pattern.word(String($0)) }
        guard let last, let vocabulary, !words.isEmpty else { return nil }
        var automaton = try TokenAutomaton(
            Vocabulary(
                language: vocabulary.language, sentences: [.init(pattern: .sequence(words), weight: 1)], classes: [],
                writing: vocabulary.writing), model.tokeniser)
        let stop = last.stop
        let result = try await withTaskCancellationHandler {
            try search.search(last.decoding, in: &automaton, from: automaton.commands, seeksFree: false)
        } onCancel: {
            stop.stop()
        }
        return result.sentences.first.map { reading($0, last.freeLogProbability) }
    }

    /// Lets go what is kept of the utterance that was heard last.
    public func forget() { last = nil }

    private func reading(_ sentence: BeamSearch.Sentence, _ free: Float) -> BoundHearing.Reading {
        BoundHearing.Reading(
            text: Written.words(model.tokeniser.text(sentence.tokens)), gap: Double(free - sentence.logProbability),
            score: Double(sentence.score),
            clarity: Double(sentence.logProbability) / Double(sentence.tokens.count + 1), isFree: sentence.isFree)
    }

    /// A plain command that is so little less likely than what was written freely is what was said.
    private static let plainLead = 2.0
}
