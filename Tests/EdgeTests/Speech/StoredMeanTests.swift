import Foundation
import Testing

@testable import SpeechPocketSphinx

/// What the recogniser has learnt of a voice, over a restart.
@Suite struct StoredMeanTests {
    private let folder = WorkFolder()
    private let mean = (0..<13).map { Float($0) * 1.5 - 4 }

    @Test func aMean_isReadAsItWasKept() {
        #expect(StoredMean.mean(in: StoredMean(mean, of: "a|b").text, of: "a|b") == mean)
    }

    @Test(arguments: [
        "", "a|b", "a|b\n", "a|b\n1 2 3", "a|b\n1 2 3 4 5 6 7 8 9 10 11 12 nan", "a|b\n1 2 3 4 5 6 7 8 9 10 11 12 inf",
        "a|b\n1 2 3 4 5 6 7 8 9 10 11 12 x", "a|b\n1 2 3 4 5 6 7 8 9 10 11 12 13 14",
        "a|b\n1 2 3 4 5 6 7 8 9 10 11 12 9e9", "c|d\n1 2 3 4 5 6 7 8 9 10 11 12 13",
        "a|b\n1 2 3 4 5 6 7 8 9 10 11 12 13\n",
    ])
    func damage_andAnotherModelsMean_areLeftOut(text: String) {
        #expect(StoredMean.mean(in: text, of: "a|b") == nil)
    }

    @Test func whatWasLearnt_isWhereTheNextStartBegins() async throws {
        let before = recogniser(folder)
        #expect(await before.adaptationState() == nil)
        try await before.prepare(VanVocabulary.vocabulary)
        let fresh = try #require(await before.adaptationState())
        _ = try await before.hear(try SpokenSentence("turn on the water pump"))
        let learnt = try #require(await before.adaptationState())
        #expect(learnt != fresh)
        let after = recogniser(folder)
        await after.restore(learnt)
        try await after.prepare(VanVocabulary.vocabulary)
        #expect(await after.adaptationState() == learnt)
        #expect(
            try await after.hear(try SpokenSentence("start a trip to spain")).transcripts.first?.text
                == "start a trip to spain")
    }

    @Test func nonsense_changesNothing() async throws {
        let one = recogniser(folder), other = recogniser(folder)
        await one.restore("13 13 13")
        try await one.prepare(VanVocabulary.vocabulary)
        try await other.prepare(VanVocabulary.vocabulary)
        #expect(await one.adaptationState() == other.adaptationState())
    }
}
