import Domain
import Foundation
import Logging
import Synchronization

/// Two recognisers as one. The streaming recogniser follows the utterance: words as they are spoken, and adaptation to
/// the voice. The constrained recogniser transcribes it whole once it seems to be over, and its transcript is used;
/// where it fails or is late, the streaming recogniser's is.
public actor RecogniserCascade: Recogniser {
    /// The streaming recogniser's name: its adaptation is what is kept over a restart.
    public nonisolated var name: String { first.name }

    private let first: any Recogniser
    private let second: any UtteranceRecogniser
    private let judge: TranscriptSelector
    private let deadline: Deadline
    private let didRelease: @Sendable () -> Void
    private let logger: Logger

    /// How long the constrained recogniser is waited for after the end of the utterance.
    public struct Deadline: Sendable {
        let limit: Duration
        let clock: any Clock<Duration>

        /// So long, measured by the clock.
        public init(_ limit: Duration = .seconds(3), clock: any Clock<Duration> = ContinuousClock()) {
            self.limit = limit
            self.clock = clock
        }
    }

    /// The result, and how long it took.
    private typealias Work = Task<(ConstrainedResult, Duration), any Error>
    /// The streaming recogniser's provisional result, rescored ahead of the end.
    private typealias Rescoring = Task<[ConstrainedResult.Reading], any Error>
    private var samples: [Int16] = []
    private var isAnswering = false
    private var work: (speech: Range<Int>, task: Work)?
    private var rescoring: (texts: [String], task: Rescoring)?
    private var lines: [String] = []
    private var isSecondUsed = false
    private let isSecondReady = Atomic(false)

    /// Samples that are kept before the speech and behind it: the voice activity misses quiet endings.
    private static let lead = 6_400, tail = 8_000
    /// The same as times.
    package static var keptBefore: Duration { AudioFormat.duration(of: lead) }
    /// See `keptBefore`.
    package static var keptBehind: Duration { AudioFormat.duration(of: tail) }

    /// - Parameters:
    ///   - deadline: how long the constrained recogniser is waited for after the end of the utterance.
    ///   - didRelease: called when the constrained recogniser has released an utterance, which takes much memory, so
    ///     that this can be returned to the system.
    public init(
        first: any Recogniser, second: any UtteranceRecogniser, judge: TranscriptSelector,
        deadline: Deadline = Deadline(), didRelease: @escaping @Sendable () -> Void = {}, logger: Logger
    ) {
        self.didRelease = didRelease
        self.first = first
        self.second = second
        self.judge = judge
        self.deadline = deadline
        self.logger = logger
    }

    /// Prepares both.
    /// - Throws: the streaming recogniser's error; the constrained one is optional.
    public func prepare(_ vocabulary: Vocabulary) async throws {
        async let other: Void = second.prepare(vocabulary)
        try await first.prepare(vocabulary)
        do {
            try await other
            isSecondReady.store(true, ordering: .relaxed)
        } catch {
            isSecondReady.store(false, ordering: .relaxed)
            logger.warning("using the streaming recogniser alone: \(error)")
        }
    }

    /// The streaming recogniser is used alone until `prepare` is done.
    public func resume(towards vocabulary: Vocabulary) async -> Bool { await first.resume(towards: vocabulary) }

    /// Begins an utterance that may be a command or an answer.
    public func begin() async throws { try await begin(answering: true) }

    /// Begins an utterance.
    public func begin(answering: Bool) async throws {
        reset()
        isAnswering = answering
        try await first.begin(answering: answering)
    }

    /// Takes the next samples; the words so far are the streaming recogniser's.
    public func accept(_ samples: [Int16]) async throws -> String? {
        self.samples += samples
        let words = try await first.accept(samples)
        await rescoreAhead()
        return words
    }

    /// The rest of the closing silence is time enough to rescore what the streaming recogniser has heard.
    private func rescoreAhead() async {
        guard rescoring == nil, let task = work?.task, let provisionalResult = await first.provisionalResult(),
            // Something else may have started in between.
            rescoring == nil, task == work?.task
        else { return }
        let second = second, texts = Self.texts(of: provisionalResult)
        guard !texts.isEmpty else { return }
        rescoring = (
            texts,
            Task {
                _ = try await task.value
                return try await second.rescore(texts)
            }
        )
    }

    /// Lets the constrained recogniser begin.
    public func speculativelyFinish(_ speech: Range<Int>) async {
        guard work?.speech != speech else { return }
        dropWork()
        let start = max(0, speech.lowerBound - Self.lead), end = min(samples.count, speech.upperBound + Self.tail)
        guard start < end else { return }
        let sound = Array(samples[start..<end]), second = second, isAnswering = isAnswering
        work = (
            speech,
            Task {
                let began = ContinuousClock.now
                return (try await second.transcribe(sound, answering: isAnswering), began.duration(to: .now))
            }
        )
    }

    /// Ends the utterance. The transcripts are the constrained recogniser's, without times, with the first's among the
    /// alternatives.
    public func finish() async throws -> [Transcript] {
        let heard = try await first.finish()
        lines = heard.map {
            "\(first.name): “\($0.text)” (\(Self.figure($0.confidence)))"
        }
        let reason: String
        do {
            guard let task = work?.task else { throw MissingSpeech(description: "no speech was found for it") }
            var (bound, taken) = try await inTime(task)
            let texts = Self.texts(of: heard)
            if !texts.isEmpty { bound.rescored = try await inTime(rescoring(of: texts)) }
            await release()
            isSecondUsed = true
            lines += description(of: bound)
            lines.append("\(second.name) took \(Int(taken.milliseconds)) ms")
            return judge.transcripts(bound, heard, answering: isAnswering)
        } catch is CancellationError {
            reason = "it took longer than \(deadline.limit)"
        } catch {
            reason = "\(error)"
        }
        lines.append("\(second.name) gave no result: \(reason)")
        logger.warning("using the streaming recogniser's transcript: \(reason)")
        return heard
    }

    /// What each recogniser heard of the last utterance, or why the constrained one has no result.
    public func diagnostics() async -> [String] { lines }

    private func description(of bound: ConstrainedResult) -> [String] {
        func line(_ reading: ConstrainedResult.Reading, _ note: String = ": ") -> String {
            "\(second.name)\(note)“\(reading.text)” \(Self.ratio) \(Self.figure(reading.logLikelihoodRatio)), "
                + "acoustic score \(Self.figure(reading.acousticScore)), score \(Self.figure(reading.score)))"
        }
        return bound.readings.map { line($0) } + bound.rescored.map { line($0, Self.rescored) }
            + ["\(second.name), unconstrained: “\(bound.free)”"]
    }

    /// The constrained recogniser's own sentences among the lines of `diagnostics`, best first.
    package static func readings(in lines: [String]) -> [String] {
        lines.filter { $0.contains(ratio) && !$0.contains(rescored) }.compactMap { line in
            guard let start = line.firstIndex(of: "“"), let end = line.lastIndex(of: "”"), start < end else {
                return nil
            }
            return String(line[line.index(after: start)..<end])
        }
    }

    /// What tells a line with a sentence from others, and its own sentences from the streaming recogniser's.
    private static let ratio = "(log-likelihood ratio", rescored = ", rescored: "

    private static func figure(_ value: Double) -> String { String(format: "%.2f", value) }

    private struct MissingSpeech: Error, CustomStringConvertible {
        let description: String
    }

    /// Drops the utterance.
    public func cancel() async {
        reset()
        // The next utterance may begin before anything else is waited for.
        await first.cancel()
    }

    private func release() async {
        let second = second
        // The transcript does not wait for a slow release.
        _ = await Task<Void, any Error> { await second.release() }
            .result(within: deadline.limit, clock: deadline.clock)
        // Nothing waits for it.
        Task.detached(priority: .utility) { [didRelease] in didRelease() }
    }

    private func dropWork() {
        work?.task.cancel()
        rescoring?.task.cancel()
        (work, rescoring) = (nil, nil)
    }

    private func reset() {
        dropWork()
        samples = []
        isSecondUsed = false
    }

    /// The rescoring of these texts, which may have begun ahead.
    private func rescoring(of texts: [String]) -> Rescoring {
        if let rescoring, rescoring.texts == texts { return rescoring.task }
        let second = second
        return Task { try await second.rescore(texts) }
    }

    private static func texts(of transcripts: [Transcript]) -> [String] {
        transcripts.map(\.text).filter { !$0.isEmpty }
    }

    /// The task's value, unless it takes longer than the limit.
    private func inTime<Value: Sendable>(_ task: Task<Value, any Error>) async throws -> Value {
        let deadline = deadline
        return try await withTaskCancellationHandler {
            // A task that does not end when it is cancelled is left behind, not waited for.
            let result = await task.result(within: deadline.limit, clock: deadline.clock)
            guard let result else {
                task.cancel()
                throw CancellationError()
            }
            return try result.get()
        } onCancel: {
            task.cancel()
        }
    }

    /// The constrained recogniser transcribes free text with the rest; without it the streaming one dictates.
    public nonisolated func expectDictation() {
        if !isSecondReady.load(ordering: .relaxed) { first.expectDictation() }
    }

    /// Transcribes a part of the utterance again with the streaming recogniser's general model, where the constrained
    /// recogniser gave no result.
    public func dictate(_ range: Range<Int>) async throws -> Transcript? {
        isSecondUsed ? nil : try await first.dictate(range)
    }

    /// The streaming recogniser's.
    public func adaptationState() async -> String? { await first.adaptationState() }

    /// For the streaming recogniser.
    public func restore(_ adaptationState: String) async { await first.restore(adaptationState) }
}
