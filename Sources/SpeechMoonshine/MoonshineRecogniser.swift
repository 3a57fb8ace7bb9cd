import Domain
import Foundation
import Logging
import Threads

/// Hears whole utterances with Moonshine, bound to what the vocabulary allows.
///
/// The library computes, so the model lives on this actor's own queue.
public actor MoonshineRecogniser: UtteranceRecogniser {
    /// `moonshine`.
    public nonisolated let name = "moonshine"
    private let executor = QueueExecutor(label: "vanorb.moonshine")
    /// The actor's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let model: MoonshineModel
    let search: BeamSearch
    var automaton: TokenAutomaton?
    private(set) var vocabulary: Vocabulary?
    private(set) var last: Utterance?

    /// The utterance that was heard last, and how likely what was written freely is.
    struct Utterance {
        let decoding: MoonshineDecoding, freeLogProbability: Float, stop: OnnxStop, isAnswer: Bool
        var readings: [ConstrainedResult.Reading] = []

        init(_ decoding: MoonshineDecoding, _ freeLogProbability: Float, _ stop: OnnxStop, isAnswer: Bool) {
            (self.decoding, self.freeLogProbability) = (decoding, freeLogProbability)
            (self.stop, self.isAnswer) = (stop, isAnswer)
        }
    }

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

    /// Loads what was compared with its hashes already.
    init(checked folder: String) throws {
        model = try MoonshineModel(folder: folder, OnnxSettings())
        search = BeamSearch(model.tokeniser, SearchSettings())
    }

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
                call: "prepare", detail: "the constrained recogniser speaks English, not “\(vocabulary.language)”")
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
    public func hear(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult {
        guard var automaton else {
            throw MoonshineError(call: "hear", detail: "no vocabulary has been prepared yet")
        }
        guard !samples.isEmpty else { return ConstrainedResult(readings: [], free: "") }
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
                last = Utterance(decoding, result.freeLogProbability, stop, isAnswer: answering)
                return result
            } catch {
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            stop.stop()
        }
        let free = Written.words(model.tokeniser.text(result.free))
        var sentences = result.sentences, near: [String] = []
        if !Self.isClear(sentences.first.map { Double(result.freeLogProbability - $0.logProbability) }) {
            near = automaton.nearest(to: free, answering: answering, most: Self.nearest)
            sentences += try await fitting(near, loosely: Set(near))
            // Politeness and what leans on the sentence before fit any noise: they are not sought, only recognised.
            let best = sentences.map(\.logProbability).max().map { Double(result.freeLogProbability - $0) }
            if !Self.isClear(best), let unknown = automaton.unknown(in: result.free, from: automaton.everything) {
                sentences +=
                    last.map {
                        [search.sentence(result.free, result.freeLogProbability, unknown: unknown, $0.decoding)]
                    } ?? []
            }
        }
        let readings = readings(of: sentences, near)
        last?.readings = readings
        return ConstrainedResult(readings: readings, free: free)
    }

    /// Lets go what is kept of the utterance that was heard last.
    public func forget() { last = nil }

    /// A plain command that is so little less likely than what was written freely is what was said.
    private static let plainLead = 2.0

    static func isClear(_ logLikelihoodRatio: Double?) -> Bool { logLikelihoodRatio.map { $0 <= plainLead } ?? false }
}
