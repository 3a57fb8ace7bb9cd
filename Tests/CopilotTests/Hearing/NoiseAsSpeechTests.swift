import Domain
import AudioPipeline
import CopilotTestKit
import Testing

/// Noise, of which the constrained recogniser makes a sentence that is often said.
@Suite struct NoiseAsSpeechTests {
    private let judge = TranscriptSelector { English.books.normaliser.normalise($0).text }
    private static let threshold = 0.45

    private func belief(_ judge: TranscriptSelector, _ heard: Heard) -> Double {
        let reading = ConstrainedResult.Reading(
            text: heard.text, logLikelihoodRatio: heard.logLikelihoodRatio, score: 1, acousticScore: heard.acousticScore
        )
        let first = heard.first.map { [Transcript(text: $0, confidence: 0.45)] } ?? []
        return judge.transcripts(ConstrainedResult(readings: [reading], free: heard.free), first, answering: false)
            .first?.confidence ?? 0
    }

    struct Heard: Sendable {
        let text: String, logLikelihoodRatio: Double, acousticScore: Double, free: String, first: String?
    }

    /// As the recognisers heard bursts of white and brown noise and of an engine, −3 to −25 dBFS.
    @Test(arguments: [
        Heard(text: "hello how are you", logLikelihoodRatio: 5.69, acousticScore: -1.13, free: "So.", first: "uh uh"),
        Heard(
            text: "i don't know what to say", logLikelihoodRatio: 6.92, acousticScore: -1.28, free: "🎵🎵🎵🎵🎵🎵", first: nil
        ),
        Heard(
            text: "i don't know what to say", logLikelihoodRatio: 5.64, acousticScore: -0.89, free: "",
            first: "up a bit"),
        Heard(
            text: "i don't know what to say", logLikelihoodRatio: -5.91, acousticScore: -1.19,
            free: "And I'm going to go to the next one.",
            first: "up"),
        Heard(
            text: "i've been in an accident", logLikelihoodRatio: -1.7, acousticScore: -1.9,
            free: "♪ The river and the river will be the heaven ♪", first: "up"),
        Heard(text: "don't worry about it", logLikelihoodRatio: 4, acousticScore: -1, free: "you", first: "thank"),
    ])
    func sentenceThatNeitherEarHeardFreely_isNotBelieved(heard: Heard) {
        var credulous = judge
        credulous.solitude = 0
        #expect(belief(credulous, heard) >= Self.threshold, "it is the lack of support that counts")
        #expect(belief(judge, heard) < Self.threshold)
    }

    @Test(arguments: [
        Heard(text: "that's it", logLikelihoodRatio: 0, acousticScore: -0.1, free: "That's it.", first: "that should"),
        Heard(
            text: "don't worry about it", logLikelihoodRatio: 2, acousticScore: -1, free: "Don't worry about it.",
            first: nil),
        Heard(
            text: "don't worry about it", logLikelihoodRatio: 9, acousticScore: -1, free: "you",
            first: "don't worry about"),
        Heard(
            text: "log diesel for fifty pounds", logLikelihoodRatio: 3, acousticScore: -0.8,
            free: "Log Diesel for £50.", first: nil),
    ])
    func sentenceThatOneOfThemHeardFreely_isBelievedAsBefore(heard: Heard) {
        var credulous = judge
        credulous.solitude = 0
        #expect(belief(judge, heard) == belief(credulous, heard))
    }
}
