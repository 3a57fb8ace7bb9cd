import Testing

@testable import SpeechPocketSphinx

@Suite struct CepstralReviewTests {
    /// Speech whose cepstra are all `value`, three frames a block.
    private func speak(_ review: inout CepstralReview, blocks: Int, value: Double, from frames: Int = 500) {
        for block in 0..<blocks {
            let start = frames + block * 3
            review.note(
                before: CepstralSum(sum: [Double(start) * value], frames: start),
                after: CepstralSum(sum: [Double(start + 3) * value], frames: start + 3), samples: 512)
        }
    }

    private func pause(_ review: inout CepstralReview, blocks: Int) {
        let still = CepstralSum(sum: [0], frames: 500)
        for _ in 0..<blocks { review.note(before: still, after: still, samples: 512) }
    }

    @Test func pauseAfterSpeech_isTheTimeToLook_once() {
        var review = CepstralReview(CepstralReview.Schedule(frames: []), size: 1)
        speak(&review, blocks: 30, value: 4)
        #expect(review.due() == nil)
        pause(&review, blocks: 10)
        #expect(review.due() == [4])
        #expect(review.due() == nil)
        speak(&review, blocks: 5, value: 4)
        pause(&review, blocks: 10)
        #expect(review.due() == nil)
        speak(&review, blocks: 35, value: 8)
        pause(&review, blocks: 10)
        #expect(review.due() == [6])
    }

    @Test func speechWithoutPause_isLookedAtAfterSoManyFrames() {
        var review = CepstralReview(CepstralReview.Schedule(), size: 1)
        speak(&review, blocks: 33, value: 2)
        #expect(review.due() == nil)
        speak(&review, blocks: 1, value: 2)
        #expect(review.due() == [2])
        speak(&review, blocks: 30, value: 2)
        #expect(review.due() == nil)
        speak(&review, blocks: 3, value: 2)
        #expect(review.due() == [2])
    }

    @Test func fewFrames_andLongUtterances_areLeftAlone() {
        var short = CepstralReview(CepstralReview.Schedule(), size: 1)
        speak(&short, blocks: 10, value: 2)
        pause(&short, blocks: 20)
        #expect(short.due() == nil)
        var long = CepstralReview(CepstralReview.Schedule(limit: 5_000), size: 1)
        speak(&long, blocks: 40, value: 2)
        #expect(long.due() == nil)
    }

    /// The library shortens its sum from time to time: what changes then is not one block's cepstra.
    @Test func shortenedSum_isNotMistakenForSpeech() {
        var review = CepstralReview(CepstralReview.Schedule(frames: [50]), size: 1)
        speak(&review, blocks: 16, value: 3)
        review.note(
            before: CepstralSum(sum: [2_400], frames: 800), after: CepstralSum(sum: [1_500], frames: 500), samples: 512)
        #expect(review.due() == nil)
        speak(&review, blocks: 1, value: 3)
        #expect(review.due() == [3])
    }
}

@Suite struct SpokenWordsTests {
    @Test func marksOfTheLibrary_areNoWords() {
        #expect(Decoder.spoken("<s> turn(2) on <sil> the [NOISE] pump(10) ++BREATH++ </s>") == "turn on the pump")
        #expect(Decoder.spoken("<sil>") == "")
        #expect(Decoder.spoken("") == "")
    }
}
