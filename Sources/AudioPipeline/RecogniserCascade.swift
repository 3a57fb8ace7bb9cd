import Domain
import Foundation
import Logging
import Synchronization

/// Two recognisers as one. The first follows the utterance: words as they are spoken, and what it learns of the voice.
/// The second hears it whole once it seems to be over, and what it heard is what was said; where it fails or is late,
/// the first's transcript stands.
public actor RecogniserCascade: Recogniser {
    /// The streaming recogniser's name: what is kept over a restart is what that one has learnt.
    public nonisolated var name: String { first.name }

    private let first: any Recogniser
    private let second: any UtteranceRecogniser
    private let judge: TranscriptSelector
    private let limit: Duration
    private let clock: any Clock<Duration>
    private let didHear: @Sendable () -> Void
    private let logger: Logger

    /// What was heard, and how long that took.
    private typealias Work = Task<(ConstrainedResult, Duration), any Error>
    /// What the streaming recogniser was going to tell, weighed ahead of the end.
    private typealias Weighing = Task<[ConstrainedResult.Reading], any Error>
    private var samples: [Int16] = []
    private var isAnswering = false
    private var work: (speech: Range<Int>, task: Work)?
    private var weighing: (texts: [String], task: Weighing)?
    private var lines: [String] = []
    private var isHeardBySecond = false
    private let secondServes = Atomic(false)

    /// What is kept before the speech, and behind it: the voice activity misses quiet endings.
    private static let lead = 6_400, tail = 8_000

    /// - Parameters:
    ///   - limit: how long the constrained recogniser is waited for after the end of the utterance.
    ///   - clock: measures the limit.
    ///   - didHear: called when the constrained recogniser has let go an utterance, which takes much memory, to give it
    ///     back.
    public init(
        first: any Recogniser, second: any UtteranceRecogniser, judge: TranscriptSelector,
        limit: Duration = .seconds(3),
        clock: any Clock<Duration> = ContinuousClock(), didHear: @escaping @Sendable () -> Void = {}, logger: Logger
    ) {
        self.didHear = didHear
        self.first = first
        self.second = second
        self.judge = judge
        self.limit = limit
        self.clock = clock
        self.logger = logger
    }

    /// Makes both ready.
    /// - Throws: the streaming recogniser's error; without the second one hears all the same.
    public func prepare(_ vocabulary: Vocabulary) async throws {
        async let other: Void = second.prepare(vocabulary)
        try await first.prepare(vocabulary)
        do {
            try await other
            secondServes.store(true, ordering: .relaxed)
        } catch {
            secondServes.store(false, ordering: .relaxed)
            logger.warning("the streaming recogniser hears alone: \(error)")
        }
    }

    /// The streaming recogniser hears alone until `prepare` is done.
    public func resume(towards vocabulary: Vocabulary) async -> Bool { await first.resume(towards: vocabulary) }

    /// Begins an utterance, to which anything may be the answer.
    public func begin() async throws { try await begin(answering: true) }

    /// Begins an utterance.
    public func begin(answering: Bool) async throws {
        forget()
        isAnswering = answering
        try await first.begin(answering: answering)
    }

    /// Takes the next samples; the words so far are the streaming recogniser's.
    public func accept(_ samples: [Int16]) async throws -> String? {
        self.samples += samples
        let words = try await first.accept(samples)
        await weighAhead()
        return words
    }

    /// The rest of the closing silence is time enough to weigh what the streaming recogniser has heard.
    private func weighAhead() async {
        guard weighing == nil, let task = work?.task, let provisionalResult = await first.provisionalResult(),
            // Something else may have begun meanwhile.
            weighing == nil, task == work?.task
        else { return }
        let second = second, texts = Self.texts(of: provisionalResult)
        guard !texts.isEmpty else { return }
        weighing = (
            texts,
            Task {
                _ = try await task.value
                return try await second.weigh(texts)
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
                return (try await second.hear(sound, answering: isAnswering), began.duration(to: .now))
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
        let shortcoming: String
        do {
            guard let task = work?.task else { throw Shortcoming(description: "no speech was found for it") }
            var (bound, taken) = try await inTime(task)
            let texts = Self.texts(of: heard)
            if !texts.isEmpty { bound.weighed = try await inTime(weighing(of: texts)) }
            await letGo()
            isHeardBySecond = true
            lines += account(of: bound)
            lines.append("\(second.name) took \(Int(taken.milliseconds)) ms")
            return judge.transcripts(bound, heard, answering: isAnswering)
        } catch is CancellationError {
            shortcoming = "it took longer than \(limit)"
        } catch {
            shortcoming = "\(error)"
        }
        lines.append("\(second.name) was not heard: \(shortcoming)")
        logger.warning("the streaming recogniser's transcript stands: \(shortcoming)")
        return heard
    }

    /// What each recogniser heard of the utterance that was finished last, or why the second was not heard.
    public func diagnostics() async -> [String] { lines }

    private func account(of bound: ConstrainedResult) -> [String] {
        func line(_ reading: ConstrainedResult.Reading, _ note: String = "") -> String {
            "\(second.name)\(note): “\(reading.text)” (log-likelihood ratio \(Self.figure(reading.logLikelihoodRatio)), "
                + "acoustic score \(Self.figure(reading.acousticScore)), score \(Self.figure(reading.score)))"
        }
        return bound.readings.map { line($0) } + bound.weighed.map { line($0, ", weighed") }
            + ["\(second.name), freely: “\(bound.free)”"]
    }

    private static func figure(_ value: Double) -> String { String(format: "%.2f", value) }

    private struct Shortcoming: Error, CustomStringConvertible {
        let description: String
    }

    /// Drops the utterance.
    public func cancel() async {
        forget()
        // The next utterance may begin before anything else is waited for.
        await first.cancel()
    }

    private func letGo() async {
        let second = second
        // What takes long to forget holds up no transcript.
        _ = await Task<Void, any Error> { await second.forget() }.result(within: limit, clock: clock)
        // Nobody waits for it.
        Task.detached(priority: .utility) { [didHear] in didHear() }
    }

    private func dropWork() {
        work?.task.cancel()
        weighing?.task.cancel()
        (work, weighing) = (nil, nil)
    }

    private func forget() {
        dropWork()
        samples = []
        isHeardBySecond = false
    }

    /// The weighing of these words, which may have begun ahead.
    private func weighing(of texts: [String]) -> Weighing {
        if let weighing, weighing.texts == texts { return weighing.task }
        let second = second
        return Task { try await second.weigh(texts) }
    }

    private static func texts(of transcripts: [Transcript]) -> [String] {
        transcripts.map(\.text).filter { !$0.isEmpty }
    }

    /// What a task comes to, unless it takes longer than the limit.
    private func inTime<Value: Sendable>(_ task: Task<Value, any Error>) async throws -> Value {
        let clock = clock, limit = limit
        return try await withTaskCancellationHandler {
            // A task that does not end when it is cancelled is left behind, not waited for.
            let result = await task.result(within: limit, clock: clock)
            guard let result else {
                task.cancel()
                throw CancellationError()
            }
            return try result.get()
        } onCancel: {
            task.cancel()
        }
    }

    /// The constrained recogniser hears free text with the rest; without it the first dictates.
    public nonisolated func expectDictation() {
        if !secondServes.load(ordering: .relaxed) { first.expectDictation() }
    }

    /// Hears a part of the utterance once more with the streaming recogniser's general model, where the constrained
    /// recogniser did not hear it.
    public func dictate(_ range: Range<Int>) async throws -> Transcript? {
        isHeardBySecond ? nil : try await first.dictate(range)
    }

    /// What the streaming recogniser learnt.
    public func adaptationState() async -> String? { await first.adaptationState() }

    /// For the streaming recogniser.
    public func restore(_ adaptationState: String) async { await first.restore(adaptationState) }
}
