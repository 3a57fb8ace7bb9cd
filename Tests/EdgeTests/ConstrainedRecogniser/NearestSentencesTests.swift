import Testing

@testable import SpeechMoonshine

/// What was written freely finds the sentences that sound like it, wherever it went wrong.
@Suite(.enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing)) struct NearestSentencesTests {
    private let automaton: TokenAutomaton

    init() throws {
        automaton = try TokenAutomaton(ConstrainedRecogniser.vocabulary, ConstrainedRecogniser.tokeniser())
    }

    private func nearest(_ heard: String, answering: Bool = false, most: Int = 1) -> [String] {
        automaton.nearest(to: heard, answering: answering, limit: most)
    }

    @Test(arguments: [
        // The beginning, one word as two, two words as one, a word too many, a word too few.
        ("were is the toe rope", "where is the tow rope"), ("check the tie a pressure", "check the tyre pressure"),
        ("where is the first eight kit", "where is the first aid kit"),
        ("checked a tyre pressure", "check the tyre pressure"),
        ("so where is the tow rope", "where is the tow rope"),
        ("where is fire extinguisher", "where is the fire extinguisher"),
        ("hair is the fire extinguish", "where is the fire extinguisher"),
    ])
    func whatSoundsLikeASentence_findsIt(_ heard: String, _ sentence: String) {
        #expect(nearest(heard) == [sentence])
    }

    @Test func sentencesComeByLikeness_eachOnce() {
        let found = nearest("where is the tow rope", most: 5)
        #expect(found.first == "where is the tow rope")
        #expect(Set(found).count == found.count)
    }

    @Test func answers_areFoundWhereOneIsAwaited() {
        #expect(nearest("the second ton", answering: true) == ["the second one"])
        #expect(nearest("the second ton") != ["the second one"])
    }

    @Test(arguments: ["", "completely other words about the weather and the sea", "€", "1,000,000"])
    func whatSoundsLikeNothing_findsNothing(_ heard: String) {
        #expect(nearest(heard).isEmpty)
    }

    @Test func moreWordsThanACommandHas_areNotSoughtFor() {
        #expect(nearest(String(repeating: "check the tyre pressure ", count: 5)).isEmpty)
    }
}
