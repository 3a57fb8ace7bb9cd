import Domain
import Testing

@testable import SpeechPocketSphinx

/// How far two readings of one utterance are believed.
@Suite struct AgreementTests {
    private func transcript(_ text: String, _ confidence: Double = 0.9) -> Transcript {
        Transcript(text: text, confidence: confidence)
    }

    private func best(
        _ free: [Transcript], _ bound: String?, kind: SentenceCheck.Kind? = nil, isForced: Bool = false
    ) throws -> Transcript {
        let agreement = Agreement(
            free: free, bound: bound.map { transcript($0, 1) }, isForced: isForced, kind: kind)
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
        let leaning = try best([transcript("and last month")], "add a month", kind: .leaning)
        #expect(leaning.text == "and last month")
        #expect(leaning.confidence > 0.45)
    }

    @Test(arguments: [SentenceCheck.Kind.polite, .open])
    func aSentenceThatTheGrammarHasNot_isTakenAsItWasHeard(kind: SentenceCheck.Kind) throws {
        let heard = try best([transcript("turn that off again", 0.8)], "turn that off vent", kind: kind)
        #expect(heard.text == "turn that off again")
        #expect(heard.confidence > 0.45)
    }

    @Test func wordsThatAreNoSentence_neverPrevailOverTheGrammars_howeverSureOfThem() throws {
        let heard = try best(
            [transcript("can i have a dark roast coffee with soy milk and if", 0.98)],
            "can i have a dark roast coffee with soy milk")
        #expect(heard.text == "can i have a dark roast coffee with soy milk")
    }

    @Test func politeWordsOutOfNoise_doNotPrevail() throws {
        let heard = try best([transcript("please lock the door so", 0.5)], "lock the door", kind: .polite)
        #expect(heard.text == "lock the door")
    }

    @Test func fewWordsForcedOntoOtherSounds_areDoubted() throws {
        let few = try best([transcript("see you", 0.8)], "see you", isForced: true)
        let many = try best([transcript("get me a large mocha", 0.8)], "get me a large mocha", isForced: true)
        #expect(few.confidence < 0.45)
        #expect(many.confidence > 0.45)
    }

    @Test func ofTwoCommands_theOneThatWasFoundFreely_prevails_whereItIsSure() throws {
        let sure = try best([transcript("a bit of sweetener", 0.9)], "a bit of sugar", kind: .command)
        let unsure = try best([transcript("a bit of sweetener", 0.8)], "a bit of sugar", kind: .command)
        #expect(sure.text == "a bit of sweetener")
        #expect(unsure.text == "a bit of sugar")
    }

    @Test func readingsWithNothingInCommon_areBothDoubted() throws {
        let heard = try best([transcript("television", 1)], "yellow")
        #expect(heard.text == "television")
        #expect(heard.confidence < 0.45)
    }

    @Test func whatNoSentenceFits_isBelievedLess() throws {
        #expect(try best([transcript("well exit the door", 0.6)], nil).confidence < 0.45)
        #expect(Agreement(free: [], bound: nil).transcripts.isEmpty)
        #expect(
            Agreement(free: [], bound: transcript("stop")).transcripts.allSatisfy { $0.confidence == 0 })
    }

    @Test func whereTheGrammarWasNotAsked_aSureSearchIsBelieved() throws {
        let free = [transcript("turn on the pump", 0.8)]
        let unasked = try #require(Agreement(free: free, bound: nil, isSearched: false).transcripts.first)
        let refused = try #require(Agreement(free: free, bound: nil).transcripts.first)
        #expect(unasked.confidence > 0.45)
        #expect(refused.confidence < 0.45)
    }

    @Test func transcripts_comeBestFirst_andOnceEach() {
        let free = [
            transcript("turn on the pump", 0.8), transcript("turn on a pump", 0.7), transcript("turn the pump", 0.6),
        ]
        let transcripts = Agreement(free: free, bound: transcript("turn on a pump", 1)).transcripts
        #expect(Set(transcripts.map(\.text)).count == transcripts.count)
        #expect(zip(transcripts, transcripts.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    }
}
