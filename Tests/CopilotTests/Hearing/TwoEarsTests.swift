import Domain
import AudioPipeline
import CopilotTestKit
import Logging
import Synchronization
import Testing

/// The second ear decides where it is there; where it is not, the first one's word stands.
@Suite struct TwoEarsTests {
    private struct Trouble: Error {}

    private final class ScriptedSecondEar: UtteranceRecogniser {
        let name = "second"
        let hearing: BoundHearing?
        /// Held until the hearing is cancelled.
        let isSlow: Bool
        let heard = Mutex<[Int]>([])
        let answers = Mutex<[Bool]>([])
        let weighed = Mutex<[String]>([])

        init(_ hearing: BoundHearing?, isSlow: Bool = false) {
            self.hearing = hearing
            self.isSlow = isSlow
        }

        func prepare(_ vocabulary: Vocabulary) async throws {}

        func weigh(_ texts: [String]) async throws -> [BoundHearing.Reading] {
            weighed.withLock { $0 += texts }
            return []
        }

        func forget() async { if isSlow { await never() } }

        /// Returns when the task is cancelled.
        private func never() async {
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            withExtendedLifetime(end) {}
        }

        func hear(_ samples: [Int16], answering: Bool) async throws -> BoundHearing {
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

    private final class DictatingEar: Recogniser {
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

    private static func bound(_ text: String, gap: Double) -> BoundHearing {
        BoundHearing(readings: [.init(text: text, gap: gap, score: 10)], free: text)
    }

    private func ears(
        first: String, _ second: ScriptedSecondEar, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> TwoEars {
        let ears = TwoEars(
            first: ScriptedRecogniser(texts: [first, first]), second: second,
            judge: SecondEarJudge { English.books.normaliser.normalise($0).text }, clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await ears.prepare(Vocabulary(language: "en", sentences: [], classes: []))
        try await ears.begin()
        _ = try await ears.accept([Int16](repeating: 0, count: 40_000))
        return ears
    }

    @Test func whatTheSecondEarHeard_isWhatWasSaid() async throws {
        let ears = try await ears(first: "log easel", .init(Self.bound("log diesel for £50", gap: 1)))
        await ears.settle(10_000..<20_000)
        let transcripts = try await ears.finish()
        #expect(transcripts.first?.text == "log diesel for £50")
        #expect((transcripts.first?.confidence ?? 0) > 0.9)
        #expect(await !ears.account().contains { $0.contains("not heard") })
    }

    @Test func forcedReading_isNotTold_andTheFirstEarDoesNotOutvoteIt() async throws {
        let ears = try await ears(first: "turn on the pump", .init(Self.bound("log diesel for £50", gap: 60)))
        await ears.settle(10_000..<20_000)
        #expect(try await ears.finish().isEmpty)
    }

    private let judge = SecondEarJudge { English.books.normaliser.normalise($0).text }

    private func belief(
        _ text: String, gap: Double = 1, clarity: Double = -0.3, first: Transcript? = nil, answering: Bool = false
    ) -> Double {
        let hearing = BoundHearing(
            readings: [.init(text: text, gap: gap, score: 10, clarity: clarity)], free: text)
        return judge.transcripts(hearing, first.map { [$0] } ?? [], answering: answering).first?.confidence ?? 0
    }

    @Test func shortSentence_mustFitBetterThanALongOne_butNotAsMuchWhereItAnswers() {
        #expect(belief("that's all", gap: 3) < 0.45)
        #expect(belief("add a task to oil the hinges of the sliding door", gap: 3) > 0.45)
        #expect(belief("yes", gap: 0, answering: true) > belief("yes", gap: 0, answering: false))
    }

    @Test func sameWordsFromBothEars_areBelievedMore_alsoInFigures() {
        let alone = belief("log diesel for £50", gap: 6)
        let first = Transcript(text: "log diesel for fifty pounds", confidence: 0.9)
        #expect(belief("log diesel for £50", gap: 6, first: first) > alone)
        // A short one is believed from both.
        #expect(belief("gas leak", first: Transcript(text: "gas leak", confidence: 0.9)) > 0.45)
    }

    @Test func shortSentence_thatBothHeard_isBelieved_whereTheFirstIsSure() {
        func believed(_ confidence: Double) -> Double {
            let bound = BoundHearing(
                readings: [.init(text: "amex balance", gap: 5, score: 3, clarity: -1.4)], free: "annex balance")
            let first = [Transcript(text: "amex balance", confidence: confidence)]
            return judge.transcripts(bound, first, answering: false).first?.confidence ?? 0
        }
        #expect(believed(0.95) > 0.45)
        #expect(believed(0.3) < 0.45)
    }

    @Test func sentenceOfUnclearPieces_isNotBelieved_howeverSmallItsGap() {
        #expect(belief("door down and up again", gap: 0, clarity: -4.2) < 0.1)
    }

    @Test func whatTheFirstEarHeard_countsAsFarAsTheSecondHearsItToo() {
        var hearing = BoundHearing(
            readings: [.init(text: "what", gap: 12, score: -12, clarity: -5)],
            free: "what was the costliest thing we locked")
        let first = [Transcript(text: "what was the costliest thing we logged", confidence: 0.9)]
        #expect(judge.transcripts(hearing, first, answering: false).isEmpty)
        hearing.weighed = [.init(text: first[0].text, gap: 3, score: -1, clarity: -0.6)]
        let best = judge.transcripts(hearing, first, answering: false).first
        #expect(best?.text == first[0].text)
        #expect((best?.confidence ?? 0) > 0.7)
        // Something else altogether does not fit the sound.
        hearing.weighed = [.init(text: "turn on the water pump", gap: 40, score: -41, clarity: -6)]
        let other = [Transcript(text: "turn on the water pump", confidence: 0.9)]
        #expect(judge.transcripts(hearing, other, answering: false).isEmpty)
    }

    @Test func sentencesThatTheFirstEarCannotTellApart_areToldApartByTheSecond() {
        var hearing = BoundHearing(
            readings: [.init(text: "do i have wind in the awning", gap: 0, score: 14, clarity: -0.2)], free: "")
        hearing.weighed = [.init(text: "do i have winter in the awning", gap: 3, score: 11, clarity: -0.4)]
        let first = ["winter", "wind", "window"].map {
            Transcript(text: "do i have \($0) in the awning", confidence: 0.7)
        }
        let judged = judge.transcripts(hearing, first, answering: false)
        #expect(judged.first?.text == "do i have wind in the awning")
    }

    @Test func whatTheFirstEarHeard_thatIsNoSentence_isNotWhatWasSaid() {
        var hearing = BoundHearing(
            readings: [.init(text: "check our payload", gap: 0, score: 3, clarity: -0.5)], free: "check our thing load")
        hearing.weighed = [.init(text: "check our load", gap: 6, score: -3, clarity: -1.8)]
        let first = [Transcript(text: "check our the load", confidence: 0.9)]
        #expect(judge.transcripts(hearing, first, answering: false).first?.text == "check our payload")
    }

    @Test func freeText_thatTheFirstEarPutsInItsOwnWords_isTheSecondEars_unlessItHearsTheFirstsBetter() {
        let first = Transcript(text: "add a task to oil this week hinges", confidence: 0.9)
        func heard(gap: Double) -> String? {
            var bound = BoundHearing(
                readings: [
                    .init(text: "add a task to oil the squeaky hinges", gap: 1, score: 2, clarity: -0.2, isFree: true)
                ], free: "add a task to oil the squeaky hinges")
            bound.weighed = [.init(text: first.text, gap: gap, score: 4, clarity: -0.9)]
            return judge.transcripts(bound, [first], answering: false).first?.text
        }
        #expect(heard(gap: 8) == "add a task to oil the squeaky hinges")
        #expect(heard(gap: 0.5) == first.text)
    }

    @Test func readingHardlyBehindTheBest_isItsRival() {
        let hearing = BoundHearing(
            readings: [("fifty", 10), ("fifteen", 9.5), ("sixty", 8)].map { word, score in
                .init(text: "log \(word) pounds for diesel", gap: 1, score: score, clarity: -0.3)
            }, free: "")
        let transcripts = judge.transcripts(hearing, [], answering: false)
        #expect(transcripts.map(\.isRival) == [false, true, false])
    }

    @Test func speechThatGoesOn_isHeardAnew_andTheSameIsNotHeardTwice() async throws {
        let second = ScriptedSecondEar(Self.bound("log diesel", gap: 0))
        let ears = try await ears(first: "log diesel", second)
        await ears.settle(10_000..<20_000)
        await ears.settle(10_000..<20_000)
        await ears.settle(10_000..<30_000)
        _ = try await ears.finish()
        // With what is kept around the speech; the first may have been cancelled before it began.
        #expect(second.heard.withLock { $0.last } == 6_400 + 20_000 + 8_000)
        #expect(second.heard.withLock { $0.count } <= 2)
    }

    private func ended(_ first: any Recogniser, _ second: ScriptedSecondEar) async throws -> TwoEars {
        let ears = TwoEars(
            first: first, second: second, judge: SecondEarJudge { English.books.normaliser.normalise($0).text },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await ears.begin()
        _ = try await ears.accept([Int16](repeating: 0, count: 40_000))
        await ears.settle(8_000..<24_000)
        _ = try await ears.accept([Int16](repeating: 0, count: 512))
        _ = try await ears.finish()
        return ears
    }

    @Test func whatTheFirstEarIsGoingToTell_isWeighedAhead_andOnlyOnce() async throws {
        let second = ScriptedSecondEar(Self.bound("log diesel", gap: 1))
        let first = ScriptedRecogniser(texts: ["log easel"])
        first.foresee([Transcript(text: "log easel", confidence: 0.9)])
        _ = try await ended(first, second)
        #expect(second.weighed.withLock { $0 } == ["log easel"])
    }

    @Test func whatTheFirstEarTellsAfterAll_isWeighed_whateverWasForeseen() async throws {
        let second = ScriptedSecondEar(Self.bound("log diesel", gap: 1))
        let first = ScriptedRecogniser(texts: ["log easel"])
        first.foresee([Transcript(text: "log", confidence: 0.9)])
        _ = try await ended(first, second)
        #expect(second.weighed.withLock { $0 }.last == "log easel")
    }

    @Test func whatTheSecondEarHeard_isNotDictatedAnew_andWithoutItTheFirstDictates() async throws {
        let first = DictatingEar()
        _ = try await ended(first, ScriptedSecondEar(Self.bound("log diesel", gap: 1))).dictate(0..<100)
        #expect(first.dictations.withLock { $0 } == 0)
        _ = try await ended(first, ScriptedSecondEar(nil)).dictate(0..<100)
        #expect(first.dictations.withLock { $0 } == 1)
    }

    @Test func answers_areListenedFor_whereSomethingWasAsked() async throws {
        let second = ScriptedSecondEar(Self.bound("log diesel", gap: 0))
        let ears = try await ears(first: "log diesel", second)
        for isAsked in [true, false] {
            try await ears.begin(answering: isAsked)
            _ = try await ears.accept([Int16](repeating: 0, count: 40_000))
            await ears.settle(10_000..<20_000)
            _ = try await ears.finish()
            #expect(second.answers.withLock { $0.last } == isAsked)
        }
    }

    @Test func failingSecondEar_leavesTheFirstOnesWord() async throws {
        let ears = try await ears(first: "log diesel", .init(nil))
        await ears.settle(10_000..<20_000)
        #expect(try await ears.finish().first?.text == "log diesel")
        #expect(await ears.account().contains { $0.contains("second was not heard") })
    }

    @Test func cancelling_doesNotWaitForTheSecondEar() async throws {
        let ears = try await ears(first: "log diesel", .init(nil, isSlow: true))
        await ears.settle(10_000..<20_000)
        await ears.cancel()
        // An utterance that was begun after the cancelling is not what was cancelled.
        try await ears.begin()
        #expect(try await ears.accept([0]) == nil)
    }

    @Test func lateSecondEar_isNotWaitedForLongerThanItsLimit() async throws {
        let clock = ManualClock()
        let ears = try await ears(first: "log diesel", .init(nil, isSlow: true), clock: clock)
        await ears.settle(10_000..<20_000)
        async let transcripts = ears.finish()
        try await clock.sleeperRegistered(for: .seconds(3))
        clock.advance(by: .seconds(4))
        #expect(try await transcripts.first?.text == "log diesel")
        #expect(await ears.account().last?.contains("longer") == true)
    }

    @Test func utteranceWithoutSpeech_isTheFirstEarsAlone() async throws {
        let second = ScriptedSecondEar(Self.bound("log diesel", gap: 0))
        let ears = try await ears(first: "log easel", second)
        #expect(try await ears.finish().first?.text == "log easel")
        #expect(second.heard.withLock { $0.isEmpty })
    }
}
