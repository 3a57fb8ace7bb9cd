import Domain
import Foundation
import SystemTestKit
import Testing

@testable import SpeechMoonshine
import OnnxRuntime

/// The real model on real speech.
@Suite(.enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing), .serialized)
struct MoonshineRecogniserTests {
    private func recogniser() async throws -> MoonshineRecogniser {
        let recogniser = try MoonshineRecogniser(folder: #require(ConstrainedRecogniser.folder))
        try await recogniser.prepare(ConstrainedRecogniser.vocabulary)
        return recogniser
    }

    @Test(arguments: [
        ("where is the fire extinguisher", ["where is the fire extinguisher"]),
        (
            "log diesel for fifty pounds",
            ["log diesel for £50", "log diesel for fifty pounds", "log diesel for 50 pounds"]
        ),
        ("check the tyre pressure", ["check the tyre pressure", "check the tire pressure"]),
    ])
    func command_isHeardAsItWasSaid_andBelieved(_ said: String, _ expected: [String]) async throws {
        let heard = try await recogniser().transcribe(Flite.samples(said, voice: "rms"))
        let best = try #require(heard.readings.first)
        #expect(expected.contains(best.text))
        let judged = try ConstrainedRecogniser.judge().transcripts(heard, [], answering: false)
        #expect(judged.first.map { $0.text == best.text && $0.confidence > 0.45 } == true)
    }

    @Test func otherSentences_areWeighed_bySound() async throws {
        let recogniser = try await recogniser()
        #expect(try await recogniser.rescore(["where is the tow rope"]).isEmpty)
        let heard = try await recogniser.transcribe(Flite.samples("where is the tow rope"))
        #expect(try await recogniser.rescore([]).isEmpty)
        let weighed = try await recogniser.rescore(["check the tyre pressure", "where is the kettle"])
        await recogniser.release()
        #expect(try await recogniser.rescore(["check the tyre pressure"]).isEmpty)
        let best = try #require(heard.readings.first),
            other = try #require(weighed.first { $0.text.contains("pressure") })
        #expect(other.logLikelihoodRatio > best.logLikelihoodRatio + 10)
        #expect(!weighed.contains { $0.text.contains("kettle") })
    }

    @Test func whatSoundsLikeTheStreamingRecognisersWords_isWeighed_whereItIsNotClearWhatWasSaid() async throws {
        let recogniser = try await recogniser()
        _ = try await recogniser.transcribe(Flite.samples("whether his tow rope"))
        let weighed = try await recogniser.rescore(["were is the fire distinguisher"])
        #expect(weighed.contains { $0.text == "where is the fire extinguisher" })
        _ = try await recogniser.transcribe(Flite.samples("where is the tow rope"))
        #expect(try await recogniser.rescore(["were is the fire distinguisher"]).isEmpty)
    }

    @Test func answer_isHeard_onlyWhereSomethingWasAsked() async throws {
        let recogniser = try await recogniser(), sound = try Flite.samples("very good", voice: "rms")
        #expect(try await recogniser.transcribe(sound, answering: true).readings.first?.text == "very good")
        #expect(try await recogniser.transcribe(sound, answering: false).readings.allSatisfy { $0.text != "very good" })
    }

    @Test func freeText_isHeardInWordsThatNoPhrasebookHas() async throws {
        let heard = try await recogniser().transcribe(
            Flite.samples("add a task to polish the chrome bumper"))
        #expect(heard.readings.first?.text == "add a task to polish the chrome bumper")
    }

    @Test func politeCommand_isRecognisedWhereTheModelWritesItFreely() async throws {
        let polite = try await recogniser().transcribe(
            Flite.samples("could you check the tyre pressure", voice: "rms"))
        #expect(polite.readings.first?.text.hasPrefix("could you check the t") == true)
    }

    @Test func otherSpeech_isFarFromAnySentence() async throws {
        let heard = try await recogniser().transcribe(
            Flite.samples("my grandmother used to grow tomatoes by the sea"))
        #expect(try ConstrainedRecogniser.judge().transcripts(heard, [], answering: false).isEmpty)
        #expect(heard.free.contains("tomatoes"))
    }

    @Test func silenceAndNoSound_areNothing() async throws {
        let recogniser = try await recogniser()
        #expect(try await recogniser.transcribe([]).readings.isEmpty)
        let silence = try await recogniser.transcribe([Int16](repeating: 0, count: 32_000))
        #expect(try ConstrainedRecogniser.judge().transcripts(silence, [], answering: false).isEmpty)
    }

    @Test func tenMinutes_areRefused_andTheEarHearsOn() async throws {
        let recogniser = try await recogniser()
        await #expect(throws: OnnxError.self) {
            try await recogniser.transcribe([Int16](repeating: 900, count: 9_600_000))
        }
        let heard = try await recogniser.transcribe(Flite.samples("where is the tow rope"))
        #expect(heard.readings.first?.text == "where is the tow rope")
    }

    @Test func newName_isHeardInTheNextUtterance() async throws {
        let recogniser = try await recogniser()
        let before = ConstrainedRecogniser.vocabulary
        let names = Vocabulary.WordClass(name: "item", values: [words("kettle")])
        try await recogniser.prepare(
            Vocabulary(
                language: "en", sentences: before.sentences, classes: [names] + before.classes.dropFirst(),
                writing: before.writing, joins: before.joins))
        let heard = try await recogniser.transcribe(Flite.samples("where is the kettle"))
        #expect(heard.readings.first?.text == "where is the kettle")
    }

    @Test func nameOfEmojiOrOfTwoHundredLetters_harmsNothing() async throws {
        let recogniser = try await recogniser()
        let before = ConstrainedRecogniser.vocabulary
        let odd = [words("🏕🔥"), words(String(repeating: "a", count: 200)), words("kettle")]
        try await recogniser.prepare(
            Vocabulary(
                language: "en", sentences: before.sentences,
                classes: [.init(name: "item", values: odd)] + before.classes.dropFirst()))
        let heard = try await recogniser.transcribe(Flite.samples("where is the kettle"))
        #expect(heard.readings.first?.text == "where is the kettle")
    }

    @Test func whenACommandIsMeant_isHeardBehindIt() async throws {
        var vocabulary = ConstrainedRecogniser.vocabulary
        vocabulary.later = [.sequence([.word("in"), .word("ten"), .word("minutes")])]
        let recogniser = try await recogniser()
        try await recogniser.prepare(vocabulary)
        let heard = try await recogniser.transcribe(Flite.samples("where is the fire extinguisher in ten minutes"))
        #expect(heard.readings.first?.text == "where is the fire extinguisher in ten minutes")
    }

    @Test func otherLanguage_isRefusedByName() async throws {
        let recogniser = try await recogniser()
        await #expect(throws: OnnxError.self) {
            try await recogniser.prepare(
                Vocabulary(language: "de", sentences: ConstrainedRecogniser.vocabulary.sentences, classes: []))
        }
        await #expect(throws: OnnxError.self) { try await recogniser.transcribe([1, 2, 3]) }
    }

    @Test func cancelledHearing_endsSoon_andTheEarHearsOn() async throws {
        let recogniser = try await recogniser()
        let sound = try Flite.samples("where is the fire extinguisher")
        let task = Task { try await recogniser.transcribe(sound + sound + sound) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await recogniser.transcribe(sound).readings.first?.text == "where is the fire extinguisher")
    }

    @Test func modelsThatAreCreatedAndDestroyed_leaveNoFileMapped() throws {
        let folder = try #require(ConstrainedRecogniser.folder)
        func mapped() throws -> Int {
            try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
                .count { $0.contains("coder_model") || $0.hasSuffix("tokenizer.bin") }
        }
        for _ in 0..<5 {
            let model = try MoonshineModel(folder: folder, OnnxSettings())
            let decoding = try model.encode(
                [Float](repeating: 0.01, count: 16_000), rows: 2, steps: 4, stop: OnnxStop(model.library))
            try decoding.begin(Tokeniser.start)
            try decoding.step([(0, 300), (0, 301)])
            // Both may go after their last use, which would leave nothing to count.
            let count = try withExtendedLifetime((model, decoding)) { try mapped() }
            #expect(count > 0)
        }
        #expect(try mapped() == 0)
    }
}

/// What is wrong with the files is said; nothing crashes.
@Suite struct ModelFilesTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/second-ear-\(UUID().uuidString)"
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func missingFiles_areNamed() throws {
        let folder = try Folder()
        let failure = #expect(throws: OnnxError.self) { try MoonshineRecogniser(folder: folder.path) }
        #expect(failure?.detail.contains("encoder_model.ort") == true)
        #expect(failure?.detail.contains("deploy/second-ear") == true)
    }

    @Test(
        .enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing),
        arguments: ["encoder_model.ort", "tokenizer.bin"])
    func truncatedFile_isNamed(_ name: String) throws {
        let folder = try Folder(), whole = try #require(ConstrainedRecogniser.folder)
        let files = MoonshineModel.files
        for file in [files.encoder, files.decoder, files.tokeniser, OnnxLibrary.file] {
            if file == name {
                let half = try Data(contentsOf: URL(filePath: "\(whole)/\(file)")).prefix(10_000)
                try half.write(to: URL(filePath: "\(folder.path)/\(file)"))
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder.path)/\(file)", withDestinationPath: "\(whole)/\(file)")
            }
        }
        let failure = #expect(throws: OnnxError.self) { try MoonshineRecogniser(folder: folder.path) }
        #expect(failure?.detail.contains(name) == true)
    }

    @Test func otherLibraryInItsPlace_isRefused() throws {
        let folder = try Folder()
        #expect(throws: OnnxError.self) { try OnnxLibrary(path: folder.path + "/libonnxruntime.so.1") }
        // A library, but not this one; found by the loader as every program's C library is.
        let failure = #expect(throws: OnnxError.self) { try OnnxLibrary(path: "libm.so.6") }
        #expect(failure?.call == "OrtGetApiBase")
    }

    @Test func logSum_isThatOfTheDefinition() {
        var values: [Float] = (0..<1_003).map { Float($0 % 97) / 7 - 40 }
        values[500] = 20
        var sum = 0.0
        for value in values { sum += exp(Double(value)) }
        let found = LogSum.of(values, count: values.count)
        #expect(abs(Double(found) - log(sum)) < 1e-3)
    }
}
