import Domain
import Foundation
import Testing
import VoiceESpeak

@testable import SpeechPocketSphinx

@Suite(.serialized) struct RecogniserTests {
    private let folder = WorkFolder()

    @Test(arguments: [
        ("log diesel for fifty pounds", "slt"), ("turn on the water pump", "awb"),
        ("where is the first aid kit", "rms"),
        ("how much money do i have", "kal16"),
    ])
    func spokenSentence_isRecognised(sentence: String, voice: String) async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        let spoken = try SpokenSentence(sentence, voice: voice)
        let (transcripts, partials) = try await recogniser.hear(spoken)
        let best = try #require(transcripts.first)
        #expect(best.text == sentence)
        #expect(best.words.map(\.text) == sentence.split(separator: " ").map(String.init))
        #expect((0...1).contains(best.confidence))
        #expect(best.words.allSatisfy { (0...1).contains($0.confidence) && $0.start < $0.end })
        #expect(zip(best.words, best.words.dropFirst()).allSatisfy { $0.end <= $1.start })
        // The half second of silence before and after is not counted to the words.
        #expect((best.words.first?.start ?? 0) > 4_000)
        #expect((best.words.last?.end ?? .max) < spoken.samples.count - 4_000)
        #expect(partials.count > 1)
        #expect(transcripts.count <= 5)
        #expect(Set(transcripts.map(\.text)).count == transcripts.count)
        #expect(zip(transcripts, transcripts.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    }

    @Test func newVocabulary_waitsForTheUtteranceUnderWay() async throws {
        let recogniser = recogniser(folder)
        let diesel = try SpokenSentence("log diesel for fifty pounds")
        let pump = try SpokenSentence("turn on the water pump")
        try await recogniser.prepare(vocabulary(["log diesel for fifty pounds", "stop"]))
        try await recogniser.begin()
        for block in diesel.blocks.prefix(40) { _ = try await recogniser.accept(block) }
        try await recogniser.prepare(vocabulary(["turn on the water pump", "stop"]))
        for block in diesel.blocks.dropFirst(40) { _ = try await recogniser.accept(block) }
        #expect(try await recogniser.finish().first?.text == "log diesel for fifty pounds")
        #expect(try await recogniser.hear(pump).transcripts.first?.text == "turn on the water pump")
    }

    @Test func cancelledUtterance_leavesNothingBehind() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        try await recogniser.begin()
        for block in try SpokenSentence("start a trip to spain").blocks { _ = try await recogniser.accept(block) }
        await recogniser.cancel()
        await recogniser.cancel()
        await #expect(throws: PocketSphinxError.self) { try await recogniser.finish() }
        let (transcripts, _) = try await recogniser.hear(try SpokenSentence("turn on the water pump"))
        #expect(transcripts.first?.text == "turn on the water pump")
    }

    @Test func silence_andNothingAtAll_giveNoTranscript() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        try await recogniser.begin()
        #expect(try await recogniser.finish().isEmpty)
        try await recogniser.begin()
        #expect(try await recogniser.accept([]) == nil)
        for _ in 0..<60 { _ = try await recogniser.accept([Int16](repeating: 0, count: 512)) }
        #expect(try await recogniser.finish().isEmpty)
    }

    @Test func callsOutOfOrder_areErrors() async throws {
        let recogniser = recogniser(folder)
        await #expect(throws: PocketSphinxError.self) { try await recogniser.begin() }
        try await recogniser.prepare(vocabulary(["stop"]))
        await #expect(throws: PocketSphinxError.self) { _ = try await recogniser.accept([1, 2, 3]) }
        await #expect(throws: PocketSphinxError.self) { _ = try await recogniser.finish() }
        // An utterance still under way is dropped by the next.
        try await recogniser.begin()
        try await recogniser.begin()
        await recogniser.cancel()
    }

    @Test func missingModel_namesFolderAndPackage_andKeepsWhatItHad() async throws {
        let missing = PocketSphinxRecogniser(
            SphinxFiles(model: "/nowhere/model", work: folder.path), phonemiser: nil, logger: quiet)
        let failure = await #expect(throws: PocketSphinxError.self) { try await missing.prepare(vocabulary(["stop"])) }
        #expect(failure?.description.contains("/nowhere/model") == true)
        #expect(failure?.description.contains("pocketsphinx-en-us") == true)
    }

    @Test func vocabularyInUse_askedForAgain_costsNothing() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        let files = folder.files
        for name in files { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
        try await recogniser.prepare(VanVocabulary.vocabulary)
        #expect(folder.files.isEmpty)
    }

    @Test func vocabularyWithoutSentences_isAnError_andTheOldOneStays() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(VanVocabulary.vocabulary)
        await #expect(throws: PocketSphinxError.self) { try await recogniser.prepare(vocabulary([])) }
        let (transcripts, _) = try await recogniser.hear(try SpokenSentence("start a trip to spain"))
        #expect(transcripts.first?.text == "start a trip to spain")
    }

    @Test func unwritableWorkFolder_isAnErrorThatNamesIt() async throws {
        let recogniser = PocketSphinxRecogniser(SphinxFiles(work: "/proc/vanorb"), phonemiser: nil, logger: quiet)
        let failure = await #expect(throws: PocketSphinxError.self) {
            try await recogniser.prepare(vocabulary(["stop"]))
        }
        #expect(failure?.description.contains("/proc/vanorb") == true)
    }

    @Test func wordWithoutPronunciation_isLeftOutWithAWarning() async throws {
        let log = LogRecorder()
        let recogniser = recogniser(folder, logger: log.logger())
        try await recogniser.prepare(
            vocabulary([
                "turn on the zzxqj", "turn on the water pump", "bad(word", "<s>", "two words", "caf\u{e9} \u{1F600}",
            ])
        )
        #expect(await recogniser.unpronounceable.contains("zzxqj"))
        #expect(await recogniser.unpronounceable.contains("bad(word"))
        #expect(await recogniser.unpronounceable.contains("<s>"))
        #expect(log.text.contains("zzxqj"))
        let (transcripts, _) = try await recogniser.hear(try SpokenSentence("turn on the water pump"))
        #expect(transcripts.first?.text == "turn on the water pump")
    }

    @Test func wordsWithSpacesInside_doNotReachTheFiles() async throws {
        let recogniser = recogniser(folder)
        let odd = ["two words", "", "line\nbreak", "nul\u{0}l", "[NOISE]", "##x", "a\\b"]
        let sentences = odd.map { Vocabulary.Sentence(pattern: .word($0), weight: 1) }
        try await recogniser.prepare(
            Vocabulary(
                language: "en", sentences: sentences + [.init(pattern: words("stop"), weight: 1)], classes: []))
        #expect(Set(await recogniser.unpronounceable) == Set(odd))
    }

    @Test func ownersPronunciation_comesFirst() async throws {
        let recogniser = PocketSphinxRecogniser(
            SphinxFiles(work: folder.path), phonemiser: nil,
            overrides: ["zogblat": [["W", "AO1", "T", "ER0"]], "bad": [["XX"]]], logger: quiet)
        try await recogniser.prepare(vocabulary(["turn on the zogblat", "bad"]))
        #expect(await recogniser.unpronounceable.isEmpty)
        let (transcripts, _) = try await recogniser.hear(try SpokenSentence("turn on the water"))
        #expect(transcripts.first?.text == "turn on the zogblat")
    }

    @Test func unknownWords_areSpelledByThePhonemiser() async throws {
        let recogniser = recogniser(folder, phonemiser: ESpeakVoice(logger: quiet))
        try await recogniser.prepare(vocabulary(["turn on the jabberwockle", "turn on the heater"]))
        #expect(await recogniser.unpronounceable.isEmpty)
        let (transcripts, _) = try await recogniser.hear(try SpokenSentence("turn on the jabberwockle", voice: "rms"))
        #expect(transcripts.first?.text == "turn on the jabberwockle")
    }
}

@Suite(.serialized) struct VocabularyCacheTests {
    private let folder = WorkFolder()

    @Test func sameVocabulary_isReadFromTheWorkFolder() async throws {
        try await recogniser(folder).prepare(VanVocabulary.vocabulary)
        let dates = try dates()
        try await recogniser(folder).prepare(VanVocabulary.vocabulary)
        #expect(try self.dates() == dates)
    }

    @Test(arguments: ["lm", "fsg", "dict", "seal"], [true, false])
    func damagedFile_isMadeAgain(kind: String, isCut: Bool) async throws {
        try await recogniser(folder).prepare(VanVocabulary.vocabulary)
        let name = try #require(folder.files.first { $0.hasSuffix(kind) })
        let url = URL(fileURLWithPath: "\(folder.path)/\(name)")
        let whole = try Data(contentsOf: url)
        var damaged = whole
        if isCut { damaged.removeLast(whole.count / 2) } else { damaged[whole.count / 2] ^= 0x55 }
        try damaged.write(to: url)
        try await recogniser(folder).prepare(VanVocabulary.vocabulary)
        #expect(try Data(contentsOf: url) == whole)
    }

    @Test func otherVocabulary_replacesTheFiles() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(vocabulary(["stop"]))
        let before = folder.files
        try await recogniser.prepare(vocabulary(["start"]))
        #expect(folder.files.map { $0.split(separator: ".").last } == ["dict", "fsg", "lm", "seal"])
        #expect(Set(folder.files).isDisjoint(with: before))
    }

    @Test func digest_differsWithEveryPartOfAVocabulary() {
        func digest(_ vocabulary: Vocabulary) -> String {
            var digest = ContentDigest()
            digest.add(vocabulary)
            return digest.text
        }
        let variants: [Vocabulary] = [
            vocabulary(["a b"]), vocabulary(["ab"]), vocabulary(["a", "b"]), vocabulary(["b a"]),
            Vocabulary(language: "de", sentences: vocabulary(["a b"]).sentences, classes: []),
            Vocabulary(language: "en", sentences: [.init(pattern: words("a b"), weight: 2)], classes: []),
            Vocabulary(
                language: "en", sentences: [.init(pattern: .choice([.word("a"), .word("b")]), weight: 1)], classes: []),
            Vocabulary(
                language: "en", sentences: vocabulary(["a b"]).sentences,
                classes: [.init(name: "x", values: [.word("a")])]),
        ]
        #expect(Set(variants.map(digest)).count == variants.count)
    }

    private func dates() throws -> [Date?] {
        try folder.files.map {
            try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\($0)")[.modificationDate] as? Date
        }
    }
}

@Suite(.serialized) struct RecogniserTeardownTests {
    @Test func twentyRecognisers_comeAndGo() async throws {
        let folder = WorkFolder()
        let block = [Int16](repeating: 100, count: 512)
        for round in 0..<20 {
            let recogniser = recogniser(folder)
            try await recogniser.prepare(vocabulary(["stop", "start"]))
            try await recogniser.begin()
            _ = try await recogniser.accept(block)
            if round.isMultiple(of: 3) { await recogniser.cancel() }
            if round.isMultiple(of: 2) { try await recogniser.prepare(vocabulary(["other"])) }
        }
    }
}
