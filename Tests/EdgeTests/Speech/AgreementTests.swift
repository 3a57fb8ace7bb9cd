import Copilot
import Testing

@testable import SpeechPocketSphinx

/// How far two readings of one utterance are believed.
@Suite struct AgreementTests {
    private func transcript(_ text: String, _ confidence: Double = 0.9) -> Transcript {
        Transcript(text: text, confidence: confidence)
    }

    private func best(_ free: [Transcript], _ bound: String?, leans: Bool = false) throws -> Transcript {
        let agreement = Agreement(free: free, bound: bound.map { transcript($0, 1) }, leans: leans)
        return try #require(agreement.transcripts.first)
    }

    @Test func theSameWords_areBelieved() throws {
        #expect(try best([transcript("turn on the pump")], "turn on the pump").confidence > 0.9)
    }

    @Test func theGrammarsWords_areTheTranscript_believedByWhatIsCommon() throws {
        let near = try best([transcript("turn on the bump", 0.8)], "turn on the pump")
        let far = try best([transcript("two on a bus")], "turn on the pump")
        #expect(near.text == "turn on the pump")
        #expect(near.confidence > 0.45)
        #expect(far.confidence < 0.45)
    }

    @Test func aLongSentence_mayDifferInMore_thanAShortOne() throws {
        let long = try best(
            [transcript("can i have a large dog roast mocha with milk", 0.8)],
            "can i have a large dark roast mocha with milk")
        let short = try best([transcript("kill this")], "kill it")
        #expect(long.confidence > 0.45)
        #expect(short.confidence < 0.45)
    }

    @Test func politeWordsAround_costLittle() throws {
        let polite = try best([transcript("please turn on the pump would you", 0.8)], "turn on the pump")
        #expect(polite.confidence > 0.45)
    }

    @Test func aSentenceThatLeans_isTakenAsItWasHeard() throws {
        let leaning = try best([transcript("and last month")], "add a month", leans: true)
        #expect(leaning.text == "and last month")
        #expect(leaning.confidence > 0.45)
    }

    @Test func aFreeSearchThatIsSure_isRightAboutItsWords() throws {
        let heard = try best([transcript("turn that off again", 0.95)], "turn that off vent")
        #expect(heard.text == "turn that off again")
        #expect(heard.confidence > 0.45)
    }

    @Test func readingsWithNothingInCommon_areBothDoubted() throws {
        let heard = try best([transcript("television", 1)], "yellow")
        #expect(heard.text == "television")
        #expect(heard.confidence < 0.45)
    }

    @Test func whatNoSentenceFits_isBelievedLess() throws {
        #expect(try best([transcript("well exit the door", 0.6)], nil).confidence < 0.45)
        #expect(Agreement(free: [], bound: nil, leans: false).transcripts.isEmpty)
        #expect(
            Agreement(free: [], bound: transcript("stop"), leans: false).transcripts.allSatisfy { $0.confidence == 0 })
    }

    @Test func transcripts_comeBestFirst_andOnceEach() {
        let free = [
            transcript("turn on the pump", 0.8), transcript("turn on a pump", 0.7), transcript("turn the pump", 0.6),
        ]
        let transcripts = Agreement(free: free, bound: transcript("turn on a pump", 1), leans: false).transcripts
        #expect(Set(transcripts.map(\.text)).count == transcripts.count)
        #expect(zip(transcripts, transcripts.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    }
}
