import Domain
import AudioPipeline
import CopilotTestKit
import Testing

/// Noise, of which the second ear makes a sentence that is often said.
@Suite struct NoiseAsSpeechTests {
    private let judge = SecondEarJudge { English.books.normaliser.normalise($0).text }
    private static let threshold = 0.45

    private func belief(_ judge: SecondEarJudge, _ heard: Heard) -> Double {
        let reading = BoundHearing.Reading(
            text: heard.text, gap: heard.gap, score: 1, clarity: heard.clarity)
        let first = heard.first.map { [Transcript(text: $0, confidence: 0.45)] } ?? []
        return judge.transcripts(BoundHearing(readings: [reading], free: heard.free), first, answering: false)
            .first?.confidence ?? 0
    }

    struct Heard: Sendable {
        let text: String, gap: Double, clarity: Double, free: String, first: String?
    }

    /// As the ears heard bursts of white and brown noise and of an engine, −3 to −25 dBFS.
    @Test(arguments: [
        Heard(text: "hello how are you", gap: 5.69, clarity: -1.13, free: "So.", first: "uh uh"),
        Heard(text: "i don't know what to say", gap: 6.92, clarity: -1.28, free: "🎵🎵🎵🎵🎵🎵", first: nil),
        Heard(text: "i don't know what to say", gap: 5.64, clarity: -0.89, free: "", first: "up a bit"),
        Heard(
            text: "i don't know what to say", gap: -5.91, clarity: -1.19, free: "And I'm going to go to the next one.",
            first: "up"),
        Heard(
            text: "i've been in an accident", gap: -1.7, clarity: -1.9,
            free: "♪ The river and the river will be the heaven ♪", first: "up"),
        Heard(text: "don't worry about it", gap: 4, clarity: -1, free: "you", first: "thank"),
    ])
    func sentenceThatNeitherEarHeardFreely_isNotBelieved(heard: Heard) {
        var credulous = judge
        credulous.solitude = 0
        #expect(belief(credulous, heard) >= Self.threshold, "it is the lack of support that counts")
        #expect(belief(judge, heard) < Self.threshold)
    }

    @Test(arguments: [
        Heard(text: "that's it", gap: 0, clarity: -0.1, free: "That's it.", first: "that should"),
        Heard(text: "don't worry about it", gap: 2, clarity: -1, free: "Don't worry about it.", first: nil),
        Heard(text: "don't worry about it", gap: 9, clarity: -1, free: "you", first: "don't worry about"),
        Heard(
            text: "log diesel for fifty pounds", gap: 3, clarity: -0.8, free: "Log Diesel for £50.", first: nil),
    ])
    func sentenceThatOneOfThemHeardFreely_isBelievedAsBefore(heard: Heard) {
        var credulous = judge
        credulous.solitude = 0
        #expect(belief(judge, heard) == belief(credulous, heard))
    }
}
