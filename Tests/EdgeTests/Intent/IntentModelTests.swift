import Foundation
import Testing

@testable import IntentLinear

@Suite struct IntentModelTests {
    /// Trained once; it only reads what it holds.
    static let model = Result {
        try IntentTrainer.train(sentences: SyntheticCorpus.sentences())
    }

    @Test(arguments: [
        ("log diesel for £50", "finance.log_expense"),
        ("log 12.75 euros for parking", "finance.log_expense"),
        ("where did i put the axe", "manifest.find_item"),
        ("turn the reading light off", "van.turn_off"),
        ("start a trip to portugal", "travel.start_trip"),
        ("let us have a cup of coffee", "none"),
    ])
    func sentenceNearToTheTemplates_getsItsIntent(_ text: String, _ intent: String) throws {
        let guesses = try Self.model.get().classify(text, count: 3)
        #expect(guesses.first?.intent == intent)
        #expect(guesses.count == 3)
        #expect(zip(guesses, guesses.dropFirst()).allSatisfy { $0.probability >= $1.probability })
    }

    @Test func misspeltWords_stayNearTheirKin() throws {
        #expect(try Self.model.get().classify("swich off the bedrom lamp", count: 1).first?.intent == "van.turn_off")
    }

    @Test func probabilitiesOfAllIntents_sumToOne() throws {
        let model = try Self.model.get()
        let guesses = model.classify("open the awning", count: 1_000)
        #expect(guesses.count == model.intents.count)
        #expect(abs(guesses.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
    }

    @Test(arguments: ["", "   ", "\n"])
    func textWithoutWords_getsNoGuess(_ text: String) throws {
        #expect(try Self.model.get().classify(text, count: 3).isEmpty)
    }

    @Test func oddTexts_areSurvived() throws {
        let model = try Self.model.get()
        for text in ["🚐", "\u{0}", String(repeating: "a", count: 20_000), "1.2.3.4,,,", "ß İ ﷽"] {
            #expect(model.classify(text, count: 1).count == 1)
        }
        #expect(model.classify("open the awning", count: 0).isEmpty)
        #expect(model.classify("open the awning", count: -1).isEmpty)
    }

    @Test func unknownWords_areLessSureThanKnownOnes() throws {
        let model = try Self.model.get()
        let known = try #require(model.classify("turn on the kitchen lights", count: 1).first)
        let unknown = try #require(model.classify("zyxomma quuxly frobnicate", count: 1).first)
        #expect(known.probability > 0.75)
        #expect(unknown.probability < known.probability)
    }

    @Test func heldOutSentences_areRight_andTheirProbabilityIsCalibrated() throws {
        let quality = try Self.model.get().quality
        #expect(quality.heldOut > 100)
        #expect(quality.accuracy > 0.9)
        #expect(quality.calibrationError < 0.05)
        #expect(quality.calibrationError <= quality.calibrationErrorBefore)
    }

    @Test func twoTasksAtOnce_getTheSameGuesses() async throws {
        let model = try Self.model.get()
        let expected = model.classify("dim the awning light to 50", count: 3)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { model.classify("dim the awning light to 50", count: 3) == expected } }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test func numbersAreFoldedToOneToken() {
        func words(_ text: String) -> [String] { Features.words(text).map { String(decoding: $0, as: UTF8.self) } }
        #expect(words("Log £12.50, or 3 at 10:30") == ["log", "£#", "or", "#", "at", "#"])
        #expect(words("240v is 50%") == ["#v", "is", "#%"])
        #expect(words("dr. no, ltd") == ["dr.", "no,", "ltd"])
    }

    @Test func featuresAreHashedByFNV1a() {
        // Published test vectors of FNV-1a, 32 bits: "" and "a" and "foobar"; ours begins with the kind and ends
        // folded.
        func folded(_ hash: UInt32) -> UInt32 { hash ^ (hash >> 16) }
        #expect(Features.hash(UInt8(ascii: "a"), []) == folded(0xE40C_292C))
        #expect(Features.hash(UInt8(ascii: "f"), Array("oobar".utf8)) == folded(0xBF9C_F968))
    }
}
