import Domain
import Foundation
import Logging
import Threads
import OnnxRuntime

/// Transcribes whole utterances with Moonshine, constrained to the vocabulary.
///
/// Inference blocks its thread, so this actor runs on its own queue.
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

    /// The last utterance, and the log-probability of its unconstrained text.
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
    /// Longer utterances are not commands, and would take seconds.
    private static let sampleLimit = 20 * 16_000
    /// States are kept from one utterance to the next, up to about this many bytes.
    private static let stateLimit = 24 << 20

    /// Loads the model.
    /// - Parameter folder: where `deploy/second-ear` put it.
    /// - Throws: `OnnxError` when a file is missing or damaged.
    public init(folder: String) throws { try self.init(folder: folder, .init(), .init()) }

    /// Loads a model whose files have been checked.
    init(checked folder: String) throws {
        model = try MoonshineModel(folder: folder, OnnxSettings())
        search = BeamSearch(model.tokeniser, SearchSettings())
    }

    init(folder: String, _ runtime: OnnxSettings, _ settings: SearchSettings) throws {
        try ModelFiles.check(folder)
        model = try MoonshineModel(folder: folder, runtime)
        search = BeamSearch(model.tokeniser, settings)
    }

    /// Uses a vocabulary from the next utterance on.
    /// - Throws: `OnnxError` for a language that the model does not know, or a vocabulary without sentences.
    public func prepare(_ vocabulary: Vocabulary) throws {
        guard Self.languages.contains(vocabulary.language) else {
            automaton = nil
            self.vocabulary = nil
            throw OnnxError(
                call: "prepare", detail: "Moonshine tiny-en supports English only, not “\(vocabulary.language)”")
        }
        var old = automaton
        // A second reference to the net would make every change copy it.
        (automaton, self.vocabulary) = (nil, nil)
        let isUpdated = old?.update(to: vocabulary) ?? false
        automaton =
            try isUpdated ? old : TokenAutomaton(vocabulary, model.tokeniser, known: old?.spellings)
        self.vocabulary = vocabulary
    }

    /// Transcribes an utterance.
    /// - Parameters:
    ///   - samples: 16 kHz mono, trimmed to the speech.
    ///   - answering: true to expect answers as well as commands.
    /// - Throws: `OnnxError`; `CancellationError` where the task was cancelled.
    public func transcribe(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult {
        guard var automaton else {
            throw OnnxError(call: "transcribe", detail: "no vocabulary has been prepared yet")
        }
        guard !samples.isEmpty else { return ConstrainedResult(readings: [], free: "") }
        guard samples.count <= Self.sampleLimit else {
            throw OnnxError(
                call: "transcribe",
                detail:
                    "an utterance of \(samples.count / 16_000) s exceeds the limit of \(Self.sampleLimit / 16_000) s")
        }
        last = nil
        // A second reference to the states would make every step copy them.
        self.automaton = nil
        defer {
            if automaton.bytes > Self.stateLimit { automaton.reset() }
            self.automaton = automaton
        }
        let stop = try OnnxStop(model.library)
        let result = try await withTaskCancellationHandler {
            do {
                let decoding = try model.encode(
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
        let free = ModelText.words(model.tokeniser.text(result.free))
        var sentences = result.sentences, near: [String] = []
        if !Self.isClear(sentences.first.map { Double(result.freeLogProbability - $0.logProbability) }) {
            near = automaton.nearest(to: free, answering: answering, limit: Self.nearestCount)
            sentences += try await scored(near, loosely: Set(near))
            // Polite sentences and follow-ups fit any noise: they are not searched for, but accepted as free text.
            let best = sentences.map(\.logProbability).max().map { Double(result.freeLogProbability - $0) }
            if !Self.isClear(best), let unknown = automaton.unknown(in: result.free, from: automaton.everything) {
                sentences +=
                    last.map {
                        [search.sentence(result.free, result.freeLogProbability, unknown: unknown, $0.decoding)]
                    } ?? []
            }
        }
        let readings = readings(of: sentences, completedBy: near)
        last?.readings = readings
        return ConstrainedResult(readings: readings, free: free)
    }

    /// Releases what is kept of the last utterance.
    public func release() { last = nil }

    /// A command with at most this log-likelihood ratio is clear: nothing else is searched for.
    private static let clearRatio = 2.0

    static func isClear(_ logLikelihoodRatio: Double?) -> Bool { logLikelihoodRatio.map { $0 <= clearRatio } ?? false }
}
