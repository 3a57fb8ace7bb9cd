import AudioPipeline
import Domain
import Testing

/// Where an utterance ends, counted in samples.
@Suite struct EndpointerTests {
    /// A stretch of time with the probability of speech in it.
    private typealias Stretch = (milliseconds: Int, probability: Double)
    private struct Found: Equatable {
        let verdict: Endpointer.Verdict
        let milliseconds: Int
    }

    /// Feeds stretches in blocks; the probability of a block is that of its last sample.
    private func verdicts(
        _ stretches: [Stretch], block: Int = 160, settings: Endpointer.Settings = Endpointer.Settings(),
        holdAt: Int? = nil, traits: VoiceActivityTraits = VoiceActivityTraits()
    ) -> [Found] {
        var endpointer = Endpointer(settings), found: [Found] = []
        let track = stretches.flatMap { Array(repeating: $0.probability, count: $0.milliseconds * 16) }
        var position = 0
        while position < track.count {
            let count = min(block, track.count - position)
            if let hold = holdAt, position >= hold * 16 { endpointer.hold() }
            position += count
            guard let verdict = endpointer.accept(probability: track[position - 1], count: count, traits: traits)
            else { continue }
            found.append(Found(verdict: verdict, milliseconds: position / 16))
            if verdict != .speechBegan { break }
        }
        return found
    }

    @Test func closingSilence_isCountedFromTheLastVoice() {
        let found = verdicts([(500, 0), (1_000, 0.9), (5_000, 0)])
        #expect(
            found == [
                Found(verdict: .speechBegan, milliseconds: 600), Found(verdict: .speechEnded, milliseconds: 3_000),
            ])
    }

    @Test func aPauseWithinASentence_doesNotEndIt() {
        let found = verdicts([(500, 0.9), (1_480, 0), (500, 0.9), (3_000, 0)])
        #expect(found.last == Found(verdict: .speechEnded, milliseconds: 500 + 1_480 + 500 + 1_500))
    }

    /// A detector that knows more of itself than the board's file does.
    @Test func whatADetectorSaysOfItself_goesBeforeTheSettings() {
        var settings = Endpointer.Settings()
        settings.tail = .milliseconds(200)
        let traits = VoiceActivityTraits(hysteresis: 0.15, tail: .milliseconds(100))
        let breath = verdicts([(500, 0.9), (1_000, 0.4), (300, 0.9), (3_000, 0)], settings: settings, traits: traits)
        #expect(breath.last == Found(verdict: .speechEnded, milliseconds: 1_800 + 1_600))
        // What has not begun needs the whole threshold, and so does what begins again.
        #expect(verdicts([(6_000, 0.4)], traits: traits) == [Found(verdict: .noSpeech, milliseconds: 5_000)])
        let murmur = verdicts([(500, 0.9), (200, 0.1), (4_000, 0.4)], settings: settings, traits: traits)
        #expect(murmur.last == Found(verdict: .speechEnded, milliseconds: 500 + 1_600))
    }

    @Test func whatIsMissedOfAQuietEnding_isWaitedFor() {
        var settings = Endpointer.Settings()
        settings.tail = .milliseconds(200)
        let found = verdicts([(500, 0.9), (1_680, 0), (500, 0.9), (3_000, 0)], settings: settings)
        #expect(found.last == Found(verdict: .speechEnded, milliseconds: 500 + 1_680 + 500 + 1_700))
    }

    /// Feeds frames of 32 ms, all of them voice, at levels in decibels.
    /// - Returns: after how many milliseconds the utterance ended, and the endpointer.
    private func end(_ stretches: [(milliseconds: Int, level: Double)]) -> (milliseconds: Int?, endpointer: Endpointer)
    {
        var endpointer = Endpointer(Endpointer.Settings()), fed = 0
        for (milliseconds, level) in stretches {
            for _ in 0..<milliseconds / 32 {
                fed += 32
                if endpointer.accept(probability: 1, level: level, count: 512) == .speechEnded {
                    return (fed, endpointer)
                }
            }
        }
        return (nil, endpointer)
    }

    @Test func voicesBesideTheVan_doNotKeepTheUtteranceOpen() {
        let (ended, endpointer) = end([(1_600, -20), (8_000, -45)])
        #expect(ended == 1_600 + 1_504)
        #expect(endpointer.utterance == 0..<1_600 * 16)
    }

    @Test func aSpeakerWhoBecomesQuiet_isNotCutOff() {
        #expect(end([(1_600, -20), (8_000, -38)]).milliseconds == nil)
        #expect(end([(96, -20), (8_000, -45)]).milliseconds == nil)
    }

    @Test func aDoorThatSlams_doesNotMakeTheSpeakerABackground() {
        #expect(end([(960, -30), (320, -5), (8_000, -30)]).milliseconds == nil)
    }

    @Test func voicesBeforeTheSpeaker_areForgottenForTheSpeakers() {
        #expect(end([(640, -50), (1_600, -20), (4_000, -50)]).milliseconds == 640 + 1_600 + 1_504)
    }

    @Test func aClick_beginsNothing() {
        let found = verdicts([(500, 0), (60, 1), (6_000, 0)])
        #expect(found == [Found(verdict: .noSpeech, milliseconds: 5_000)])
    }

    @Test func speechThatBeganBesideTheChime_isNotTakenForABurst() {
        var settings = Endpointer.Settings()
        settings.chime = .milliseconds(220)
        var endpointer = Endpointer(settings)
        for _ in 0..<16 { _ = endpointer.accept(probability: 1, count: 512) }
        for _ in 0..<47 { _ = endpointer.accept(probability: 0, count: 512) }
        #expect(endpointer.hasSpeech)
        #expect(!endpointer.isFleeting)
    }

    @Test func afterAFalseStart_theWaitForSpeechBeginsAnew_andTheUtteranceIsCountedFromThere() {
        var endpointer = Endpointer(Endpointer.Settings())
        func feed(_ milliseconds: Int, _ probability: Double) -> Endpointer.Verdict? {
            var last: Endpointer.Verdict?
            for _ in 0..<milliseconds / 10 {
                last = endpointer.accept(probability: probability, count: 160) ?? last
            }
            return last
        }
        #expect(feed(4_000, 0) == nil)
        #expect(feed(200, 1) == .speechBegan)
        #expect(endpointer.isFleeting)
        #expect(feed(1_500, 0) == .speechEnded)
        endpointer.startAgain()
        #expect(feed(3_000, 0) == nil)
        #expect(feed(1_000, 1) == .speechBegan)
        #expect(!endpointer.isFleeting)
        #expect(endpointer.utterance == 48_000..<64_000)
        #expect(endpointer.speechStart == 8_700 * 16)
    }

    @Test func clicksFarApart_doNotAddUp() {
        let clicks: [Stretch] = Array(repeating: [(60, 1), (300, 0)], count: 12).flatMap { $0 }
        #expect(verdicts(clicks + [(3_000, 0)]).first?.verdict == .noSpeech)
    }

    @Test func aShortGap_belongsToTheSpeechAroundIt() {
        #expect(verdicts([(60, 1), (30, 0), (60, 1), (100, 0)]).first?.verdict == .speechBegan)
        #expect(verdicts([(60, 1), (60, 0), (60, 1), (100, 0)]).isEmpty)
    }

    @Test func aProbabilityAtTheThreshold_isNoVoice() {
        #expect(verdicts([(6_000, 0.5)]).first?.verdict == .noSpeech)
        #expect(verdicts([(1_000, 0.51)]).first?.verdict == .speechBegan)
    }

    @Test func theChimeItself_beginsNothing_norDoesItsTail() {
        var settings = Endpointer.Settings()
        settings.chime = .milliseconds(200)
        #expect(verdicts([(260, 1), (6_000, 0)], settings: settings).map(\.verdict) == [.noSpeech])
    }

    @Test func speechThatStartsDuringTheChime_isKept() {
        var settings = Endpointer.Settings()
        settings.chime = .milliseconds(200)
        let found = verdicts([(100, 0), (800, 1), (3_000, 0)], settings: settings)
        #expect(found.map(\.verdict) == [.speechBegan, .speechEnded])
        #expect(found.last?.milliseconds == 900 + 1_500)
    }

    @Test func listeningHasALimit() {
        #expect(
            verdicts([(20_000, 1)]).last == Found(verdict: .limit, milliseconds: 15_000))
    }

    @Test func aHold_isNotEndedBySilence_butByItsOwnLimit() {
        let found = verdicts([(500, 1), (70_000, 0)], holdAt: 400)
        #expect(found.last == Found(verdict: .limit, milliseconds: 60_000))
    }

    @Test func aHoldInSilence_isNotNoSpeech() {
        #expect(verdicts([(8_000, 0)], holdAt: 400).isEmpty)
    }

    @Test func theLimitOfWaitingForSpeech_isASetting() {
        var settings = Endpointer.Settings()
        settings.noSpeech = .seconds(20)
        settings.limit = .seconds(20)
        #expect(verdicts([(30_000, 0)], settings: settings).first?.milliseconds == 20_000)
    }

    @Test(arguments: [1, 80, 160, 256, 400, 512, 800])
    func theSizeOfTheBlocks_changesTheEndByLessThanABlock(block: Int) throws {
        let stretches: [Stretch] = [(700, 0.1), (900, 0.95), (600, 0.2), (400, 0.8), (4_000, 0)]
        let found = verdicts(stretches, block: block)
        #expect(found.map(\.verdict) == [.speechBegan, .speechEnded])
        let end = try #require(found.last)
        let blockMilliseconds = (block + 15) / 16
        #expect(abs(end.milliseconds - (2_600 + 1_500)) <= 2 * blockMilliseconds)
    }

    @Test func theUtterancesPlace_isKnown() {
        var endpointer = Endpointer(Endpointer.Settings())
        for _ in 0..<10 { _ = endpointer.accept(probability: 0, count: 512) }
        for _ in 0..<20 { _ = endpointer.accept(probability: 1, count: 512) }
        _ = endpointer.accept(probability: 0, count: 512)
        #expect(endpointer.hasSpeech)
        #expect(endpointer.speechStart == 10 * 512)
        #expect(endpointer.speechEnd == 30 * 512)
    }
}
