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

    @Test func anotherProgram_maySpeak_andIsNamedWhereItFails() throws {
        let folder = NSTemporaryDirectory() + "/speaker-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func program(_ name: String, _ script: String) throws -> SyntheticVoice {
            let path = "\(folder)/\(name)"
            try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return SyntheticVoice(program: path, cache: folder + "/cache")
        }
        let speaker = try program("speaker", "exec flite -voice slt -t \"$1\" -o \"$2\"")
        #expect(try speaker.speak("turn it off", lead: .zero, tail: .zero).count > 8_000)
        let broken = try program("broken", "exit 3")
        #expect {
            try broken.speak("turn it off", lead: .zero, tail: .zero)
        } throws: {
            "\($0)".contains("\(folder)/broken")
        }
    }

    @Test func computedNoise_isAddedByItsName() throws {
        let options = try NoiseOptions.parse(["--noise", "rain", "--snr", "6"])
        #expect(try options.mixer()?.noise == VanNoise.rain.samples(.seconds(60), seed: 1))
    }

    @Test(arguments: VanNoise.allCases) func vanNoise_isReproducible_andPeaksAtHalfOfFullScale(noise: VanNoise) {
        let sound = noise.samples(.seconds(1), seed: 3)
        #expect(sound.count == 16_000)
        #expect(sound == noise.samples(.seconds(1), seed: 3))
        #expect(sound != noise.samples(.seconds(1), seed: 4))
        #expect(sound.map { abs(Int($0)) }.max() == 16_384)
    }

    @Test(arguments: [VanNoise.idle, .cruise]) func engineNoise_liesBelowSpeech(noise: VanNoise) {
        // A first difference takes away what is low: most of an engine's energy.
        func energy(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 } }
        let values = noise.samples(.seconds(2), seed: 3).map { Double($0) }
        let rough = zip(values.dropFirst(), values).map { $0 - $1 }
        #expect(energy(rough) < energy(values) / 5)
    }

    @Test func dieselsFiring_isHeardAtItsFrequency() {
        // Two firings each revolution: 800 and 2,400 a minute are 26.7 and 80 a second. The strength of one frequency
        // in the sound's envelope, against that of frequencies beside it.
        func strength(_ hertz: Double, _ sound: [Double]) -> Double {
            let wave = sound.indices.map { 2 * .pi * hertz * Double($0) / 16_000 }
            let real = zip(sound, wave).reduce(0) { $0 + $1.0 * cos($1.1) }
            let imaginary = zip(sound, wave).reduce(0) { $0 + $1.0 * sin($1.1) }
            return (real * real + imaginary * imaginary).squareRoot()
        }
        for (noise, firing) in [(VanNoise.idle, 26.7), (.cruise, 80)] {
            let sound = noise.samples(.seconds(2), seed: 3).map { Double($0) }
            // The second harmonic of the idle, whose first lies below what the body rings at.
            let wanted = noise == .idle ? 2 * firing : firing
            let near = (-4...4).map { strength(wanted * (1 + 0.01 * Double($0)), sound) }.max() ?? 0
            let beside = [0.8, 1.25].map { strength(wanted * $0, sound) }.max() ?? 0
            #expect(near > 3 * beside, "\(noise)")
        }
    }
}
