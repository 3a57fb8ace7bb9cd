import Domain
import Language
import Foundation
import Testing

@testable import vanorb_lab

@Suite struct StudyTests {
    private let index: PhraseIndex

    init() throws {
        let kitchen = try SmallPhrasebook()
        index = PhraseIndex(books: kitchen.books, names: OwnerNames())
    }

    private func draw(_ part: StudySentences.Part, seed: UInt64 = 1) -> [StudySentences.Sentence] {
        StudySentences(index: index, classifier: nil, seed: seed).draw(100, part: part)
    }

    @Test func sentences_areDistinct_andMeanWhatTheyWereDrawnFor() {
        let sentences = draw(.all)
        #expect(sentences.count >= 4)
        #expect(Set(sentences.map(\.text)).count == sentences.count)
        let router = Router(index: index, classifier: nil)
        for sentence in sentences {
            let command = router.route(sentence.text).chosen
            #expect(command.map { "\($0.handler).\($0.intent)" } == sentence.intent, "\(sentence.text)")
            #expect(command?.slots.mapValues(\.text) == sentence.slots)
        }
        #expect(Set(sentences.map(\.intent)) == ["custom.brew", "custom.clean"])
    }

    @Test func theSameSeed_drawsTheSameSentences() {
        #expect(draw(.all) == draw(.all))
    }

    @Test func noSentence_isInBothParts() {
        let tune = Set(draw(.tune).map(\.text)), report = Set(draw(.report, seed: 5).map(\.text))
        #expect(tune.isDisjoint(with: report))
        let words = (0..<1_000).map { "sentence number \($0)" }
        let share = words.count { StudySentences.Part.tune.holds($0) }
        #expect(400...600 ~= share)
        #expect(words.allSatisfy { StudySentences.Part.tune.holds($0) != StudySentences.Part.report.holds($0) })
    }

    @Test func engineNoise_isReproducible_andLiesBelowSpeech() throws {
        let noise = EngineNoise(seed: 3).samples(.seconds(2))
        #expect(noise.count == 32_000)
        #expect(noise == EngineNoise(seed: 3).samples(.seconds(2)))
        #expect(noise != EngineNoise(seed: 4).samples(.seconds(2)))
        #expect(noise.map { abs(Int($0)) }.max() == 16_384)
        // A first difference takes away what is low: most of an engine's energy.
        func energy(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 } }
        let values = noise.map { Double($0) }
        let rough = zip(values.dropFirst(), values).map { $0 - $1 }
        #expect(energy(rough) < energy(values) / 5)
    }
}
