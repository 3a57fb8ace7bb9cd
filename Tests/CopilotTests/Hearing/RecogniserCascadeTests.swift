import Domain
import AudioPipeline
import CopilotTestKit
import Logging
import Synchronization
import Testing

/// The constrained recogniser decides where it is there; where it is not, the first one's word stands.
@Suite struct RecogniserCascadeTests {
    private struct Trouble: Error {}

    private final class ScriptedConstrainedRecogniser: UtteranceRecogniser {
        let name = "second"
        let hearing: ConstrainedResult?
        /// Held until the hearing is cancelled.
        let isSlow: Bool
        let heard = Mutex<[Int]>([])
        let answers = Mutex<[Bool]>([])
        let rescored = Mutex<[String]>([])

        init(_ hearing: ConstrainedResult?, isSlow: Bool = false) {
            self.hearing = hearing
            self.isSlow = isSlow
        }

        func prepare(_ vocabulary: Vocabulary) async throws {}

        func rescore(_ texts: [String]) async throws -> [ConstrainedResult.Reading] {
            rescored.withLock { $0 += texts }
            return hearing?.rescored ?? []
        }

        func release() async { if isSlow { await never() } }

        /// Returns when the task is cancelled.
        private func never() async {
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            withExtendedLifetime(end) {}
        }

        func transcribe(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult {
            heard.withLock { $0.append(samples.count) }
            answers.withLock { $0.append(answering) }
            if isSlow {
                await never()
                throw CancellationError()
            }
            guard let hearing else { throw Trouble() }
            return hearing
        }
    }

    private final class DictatingRecogniser: Recogniser {
        let name = "first"
        let dictations = Mutex(0)
        func prepare(_ vocabulary: Vocabulary) async throws {}
        func begin() async throws {}
        func accept(_ samples: [Int16]) async throws -> String? { nil }
        func finish() async throws -> [Transcript] { [Transcript(text: "log easel", confidence: 0.5)] }
        func cancel() async {}
        func dictate(_ range: Range<Int>) async throws -> Transcript? {
            dictations.withLock { $0 += 1 }
            return nil
        }
    }

    private static func bound(_ text: String, logLikelihoodRatio: Double) -> ConstrainedResult {
        ConstrainedResult(readings: [.init(text: text, logLikelihoodRatio: logLikelihoodRatio, score: 10)], free: text)
    }

    private func recognisers(
        first: String, _ second: ScriptedConstrainedRecogniser, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> RecogniserCascade {
        let recognisers = RecogniserCascade(
            first: ScriptedRecogniser(texts: [first, first]), second: second,
            judge: TranscriptSelector { English.books.normaliser.normalise($0).text },
            deadline: .init(clock: clock),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await recognisers.prepare(Vocabulary(language: "en", sentences: [], classes: []))
        try await recognisers.begin()
        _ = try await recognisers.accept([Int16](repeating: 0, count: 40_000))
        return recognisers
    }

    @Test func whatTheConstrainedRecogniserHeard_isWhatWasSaid() async throws {
        let recognisers = try await recognisers(
            first: "log easel", .init(Self.bound("log diesel for £50", logLikelihoodRatio: 1)))
        await recognisers.speculativelyFinish(10_000..<20_000)
        let transcripts = try await recognisers.finish()
        #expect(transcripts.first?.text == "log diesel for £50")
        #expect((transcripts.first?.confidence ?? 0) > 0.9)
        #expect(await !recognisers.diagnostics().contains { $0.contains("not heard") })
    }

    @Test func forcedReading_isNotTold_andTheStreamingRecogniserDoesNotOutvoteIt() async throws {
        let recognisers = try await recognisers(
            first: "turn on the pump", .init(Self.bound("log diesel for £50", logLikelihoodRatio: 60)))
        await recognisers.speculativelyFinish(10_000..<20_000)
        #expect(try await recognisers.finish().isEmpty)
    }

    private let judge = TranscriptSelector { English.books.normaliser.normalise($0).text }

    private func belief(
        _ text: String, logLikelihoodRatio: Double = 1, acousticScore: Double = -0.3, first: Transcript? = nil,
        answering: Bool = false
    ) -> Double {
        let hearing = ConstrainedResult(
            readings: [
                .init(text: text, logLikelihoodRatio: logLikelihoodRatio, score: 10, acousticScore: acousticScore)
            ], free: text)
        return judge.transcripts(hearing, first.map { [$0] } ?? [], answering: answering).first?.confidence ?? 0
    }

    @Test func shortSentence_mustFitBetterThanALongOne_butNotAsMuchWhereItAnswers() {
        #expect(belief("that's all", logLikelihoodRatio: 3) < 0.45)
        #expect(belief("add a task to oil the hinges of the sliding door", logLikelihoodRatio: 3) > 0.45)
        #expect(
            belief("yes", logLikelihoodRatio: 0, answering: true)
                > belief("yes", logLikelihoodRatio: 0, answering: false))
    }

    @Test func sameWordsFromBothRecognisers_areBelievedMore_alsoInFigures() {
        let alone = belief("log diesel for £50", logLikelihoodRatio: 6)
        let first = Transcript(text: "log diesel for fifty pounds", confidence: 0.9)
        #expect(belief("log diesel for £50", logLikelihoodRatio: 6, first: first) > alone)
        // A short one is believed from both.
        #expect(belief("gas leak", first: Transcript(text: "gas leak", confidence: 0.9)) > 0.45)
    }

    @Test func shortSentence_thatBothHeard_isBelieved_whereTheFirstIsSure() {
        func believed(_ confidence: Double) -> Double {
            let bound = ConstrainedResult(
                readings: [.init(text: "amex balance", logLikelihoodRatio: 5, score: 3, acousticScore: -1.4)],
                free: "annex balance")
            let first = [Transcript(text: "amex balance", confidence: confidence)]
            return judge.transcripts(bound, first, answering: false).first?.confidence ?? 0
        }
        #expect(believed(0.95) > 0.45)
        #expect(believed(0.3) < 0.45)
    }

    @Test func sentenceOfUnclearPieces_isNotBelieved_howeverSmallItsGap() {
        #expect(belief("door down and up again", logLikelihoodRatio: 0, acousticScore: -4.2) < 0.1)
    }

    @Test func whatTheStreamingRecogniserHeard_countsAsFarAsTheSecondHearsItToo() {
        var hearing = ConstrainedResult(
            readings: [.init(text: "what", logLikelihoodRatio: 12, score: -12, acousticScore: -5)],
            free: "what was the costliest thing we locked")
        let first = [Transcript(text: "what was the costliest thing we logged", confidence: 0.9)]
        #expect(judge.transcripts(hearing, first, answering: false).isEmpty)
        hearing.rescored = [.init(text: first[0].text, logLikelihoodRatio: 3, score: -1, acousticScore: -0.6)]
        let best = judge.transcripts(hearing, first, answering: false).first
        #expect(best?.text == first[0].text)
        #expect((best?.confidence ?? 0) > 0.7)
        // Something else altogether does not fit the sound.
        hearing.rescored = [
            .init(text: "turn on the water pump", logLikelihoodRatio: 40, score: -41, acousticScore: -6)
        ]
        let other = [Transcript(text: "turn on the water pump", confidence: 0.9)]
        #expect(judge.transcripts(hearing, other, answering: false).isEmpty)
    }

    @Test func sentencesThatTheStreamingRecogniserCannotTellApart_areToldApartByTheSecond() {
        var hearing = ConstrainedResult(
            readings: [
                .init(text: "do i have wind in the awning", logLikelihoodRatio: 0, score: 14, acousticScore: -0.2)
            ], free: "")
        hearing.rescored = [
            .init(text: "do i have winter in the awning", logLikelihoodRatio: 3, score: 11, acousticScore: -0.4)
        ]
        let first = ["winter", "wind", "window"].map {
            Transcript(text: "do i have \($0) in the awning", confidence: 0.7)
        }
        let judged = judge.transcripts(hearing, first, answering: false)
        #expect(judged.first?.text == "do i have wind in the awning")
    }

    @Test func whatTheStreamingRecogniserHeard_thatIsNoSentence_isNotWhatWasSaid() {
        var hearing = ConstrainedResult(
            readings: [.init(text: "check our payload", logLikelihoodRatio: 0, score: 3, acousticScore: -0.5)],
            free: "check our thing load")
        hearing.rescored = [.init(text: "check our load", logLikelihoodRatio: 6, score: -3, acousticScore: -1.8)]
        let first = [Transcript(text: "check our the load", confidence: 0.9)]
        #expect(judge.transcripts(hearing, first, answering: false).first?.text == "check our payload")
    }

    @Test
    func freeText_thatTheStreamingRecogniserPutsInItsOwnWords_isTheConstrainedRecognisers_unlessItHearsTheFirstsBetter()
    {
        let first = Transcript(text: "add a task to oil this week hinges", confidence: 0.9)
        func heard(logLikelihoodRatio: Double) -> String? {
            var bound = ConstrainedResult(
                readings: [
                    .init(
                        text: "add a task to oil the squeaky hinges", logLikelihoodRatio: 1, score: 2,
                        acousticScore: -0.2, isFree: true)
                ], free: "add a task to oil the squeaky hinges")
            bound.rescored = [
                .init(text: first.text, logLikelihoodRatio: logLikelihoodRatio, score: 4, acousticScore: -0.9)
            ]
            return judge.transcripts(bound, [first], answering: false).first?.text
        }
        #expect(heard(logLikelihoodRatio: 8) == "add a task to oil the squeaky hinges")
        #expect(heard(logLikelihoodRatio: 0.5) == first.text)
    }

    /// A word that is clear is believed, whatever the streaming recogniser made of it; one that is not, or that could be
    /// something else, is not.
    @Test(arguments: [(-0.2, 0.0, true), (-0.6, 0.5, true), (-1.7, 0.5, false), (-0.6, 9.0, false)])
    func aWordByItself_isBelievedWhereItIsClear(_ acousticScore: Double, _ ratio: Double, isBelieved: Bool) {
        let hearing = ConstrainedResult(
            readings: [.init(text: "slower", logLikelihoodRatio: ratio, score: 1, acousticScore: acousticScore)],
            free: "slower")
        let heard = judge.transcripts(hearing, [Transcript(text: "slow her", confidence: 0.2)], answering: false)
        #expect((heard.first?.confidence ?? 0 > 0.45) == isBelieved, "\(heard)")
    }

    @Test func itsOwnSentences_areFoundAmongTheDiagnostics() async throws {
        var hearing = Self.bound("log diesel", logLikelihoodRatio: 0.5)
        hearing.rescored = [.init(text: "log easel", logLikelihoodRatio: 3, score: -1)]
        let recognisers = try await ended(DictatingRecogniser(), ScriptedConstrainedRecogniser(hearing))
        #expect(RecogniserCascade.readings(in: await recognisers.diagnostics()) == ["log diesel"])
    }

    @Test func readingHardlyBehindTheBest_isItsRival() {
        let hearing = ConstrainedResult(
            readings: [("fifty", 10), ("fifteen", 9.7), ("sixty", 9)].map { word, score in
                .init(text: "log \(word) pounds for diesel", logLikelihoodRatio: 1, score: score, acousticScore: -0.3)
            }, free: "")
        let transcripts = judge.transcripts(hearing, [], answering: false)
        #expect(transcripts.map(\.isRival) == [false, true, false])
    }

    @Test func speechThatGoesOn_isHeardAnew_andTheSameIsNotHeardTwice() async throws {
        let second = ScriptedConstrainedRecogniser(Self.bound("log diesel", logLikelihoodRatio: 0))
        let recognisers = try await recognisers(first: "log diesel", second)
        await recognisers.speculativelyFinish(10_000..<20_000)
        await recognisers.speculativelyFinish(10_000..<20_000)
        await recognisers.speculativelyFinish(10_000..<30_000)
        _ = try await recognisers.finish()
        // With what is kept around the speech; the first may have been cancelled before it began.
        let heard = second.heard.withLock { $0 }
        #expect(heard.last == 34_400)
        #expect(heard.count <= 2)
    }

    private func ended(_ first: any Recogniser, _ second: ScriptedConstrainedRecogniser) async throws
        -> RecogniserCascade
    {
        let recognisers = RecogniserCascade(
            first: first, second: second, judge: TranscriptSelector { English.books.normaliser.normalise($0).text },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await recognisers.begin()
        _ = try await recognisers.accept([Int16](repeating: 0, count: 40_000))
        await recognisers.speculativelyFinish(8_000..<24_000)
        _ = try await recognisers.accept([Int16](repeating: 0, count: 512))
        _ = try await recognisers.finish()
        return recognisers
    }

    @Test func whatTheStreamingRecogniserIsGoingToTell_isWeighedAhead_andOnlyOnce() async throws {
        let second = ScriptedConstrainedRecogniser(Self.bound("log diesel", logLikelihoodRatio: 1))
        let first = ScriptedRecogniser(texts: ["log easel"])
        first.foresee([Transcript(text: "log easel", confidence: 0.9)])
        _ = try await ended(first, second)
        #expect(second.rescored.withLock { $0 } == ["log easel"])
    }

    @Test func whatTheStreamingRecogniserTellsAfterAll_isWeighed_whateverWasForeseen() async throws {
        let second = ScriptedConstrainedRecogniser(Self.bound("log diesel", logLikelihoodRatio: 1))
        let first = ScriptedRecogniser(texts: ["log easel"])
        first.foresee([Transcript(text: "log", confidence: 0.9)])
        _ = try await ended(first, second)
        #expect(second.rescored.withLock { $0 }.last == "log easel")
    }

    @Test func whatTheConstrainedRecogniserHeard_isNotDictatedAnew_andWithoutItTheFirstDictates() async throws {
        let first = DictatingRecogniser()
        _ = try await ended(first, ScriptedConstrainedRecogniser(Self.bound("log diesel", logLikelihoodRatio: 1)))
            .dictate(0..<100)
        #expect(first.dictations.withLock { $0 } == 0)
        _ = try await ended(first, ScriptedConstrainedRecogniser(nil)).dictate(0..<100)
        #expect(first.dictations.withLock { $0 } == 1)
    }

    @Test func answers_areListenedFor_whereSomethingWasAsked() async throws {
        let second = ScriptedConstrainedRecogniser(Self.bound("log diesel", logLikelihoodRatio: 0))
        let recognisers = try await recognisers(first: "log diesel", second)
        for isAsked in [true, false] {
            try await recognisers.begin(answering: isAsked)
            _ = try await recognisers.accept([Int16](repeating: 0, count: 40_000))
            await recognisers.speculativelyFinish(10_000..<20_000)
            _ = try await recognisers.finish()
            #expect(second.answers.withLock { $0.last } == isAsked)
        }
    }

    @Test func failingSecondEar_leavesTheFirstOnesWord() async throws {
        let recognisers = try await recognisers(first: "log diesel", .init(nil))
        await recognisers.speculativelyFinish(10_000..<20_000)
        #expect(try await recognisers.finish().first?.text == "log diesel")
        #expect(await recognisers.diagnostics().contains { $0.contains("second gave no result") })
    }

    @Test func cancelling_doesNotWaitForTheConstrainedRecogniser() async throws {
        let recognisers = try await recognisers(first: "log diesel", .init(nil, isSlow: true))
        await recognisers.speculativelyFinish(10_000..<20_000)
        await recognisers.cancel()
        // An utterance that was begun after the cancelling is not what was cancelled.
        try await recognisers.begin()
        #expect(try await recognisers.accept([0]) == nil)
    }

    @Test func lateSecondEar_isNotWaitedForLongerThanItsLimit() async throws {
        let clock = ManualClock()
        let recognisers = try await recognisers(first: "log diesel", .init(nil, isSlow: true), clock: clock)
        await recognisers.speculativelyFinish(10_000..<20_000)
        async let transcripts = recognisers.finish()
        try await clock.sleeperRegistered(for: .seconds(3))
        clock.advance(by: .seconds(4))
        #expect(try await transcripts.first?.text == "log diesel")
        #expect(await recognisers.diagnostics().last?.contains("longer") == true)
    }

    @Test func utteranceWithoutSpeech_isTheStreamingRecognisersAlone() async throws {
        let second = ScriptedConstrainedRecogniser(Self.bound("log diesel", logLikelihoodRatio: 0))
        let recognisers = try await recognisers(first: "log easel", second)
        #expect(try await recognisers.finish().first?.text == "log easel")
        #expect(second.heard.withLock { $0.isEmpty })
    }
}
