import Domain
import Foundation
import Testing

@testable import SpeechPocketSphinx

/// The first moments after a start, in which the present vocabulary is still being made.
@Suite struct ResumeTests {
    let folder = WorkFolder(), shipped = WorkFolder()
    private let later = vocabulary(["start a trip to spain", "wind out the awning"])

    private func recogniser(shipped: String? = nil) -> PocketSphinxRecogniser {
        PocketSphinxRecogniser(SphinxFiles(work: folder.path, shipped: shipped), phonemiser: nil, logger: quiet)
    }

    private func text(_ recogniser: PocketSphinxRecogniser, _ sentence: String) async throws -> String? {
        try await recogniser.hear(try SpokenSentence(sentence)).0.first?.text
    }

    @Test func wordsOfBefore_areHeardAtOnce_andThoseOfNowOncePrepared() async throws {
        try await recogniser().prepare(VanVocabulary.vocabulary)
        let next = recogniser(), files = folder.files
        #expect(await next.resume(towards: later))
        #expect(folder.files == files, "nothing is made")
        #expect(try await text(next, "turn on the water pump") == "turn on the water pump")
        try await next.prepare(later)
        #expect(try await text(next, "wind out the awning") == "wind out the awning")
    }

    @Test func firstDay_hearsThePackagesWords() async throws {
        try await PocketSphinxRecogniser(SphinxFiles(work: shipped.path), phonemiser: nil, logger: quiet)
            .prepare(VanVocabulary.vocabulary)
        let files = shipped.files
        let first = recogniser(shipped: shipped.path)
        #expect(await first.resume(towards: later))
        #expect(try await text(first, "turn on the water pump") == "turn on the water pump")
        try await first.prepare(later)
        #expect(shipped.files == files, "the package's are only read")
    }

    @Test func thePackagesWords_areUsedAsTheyAre_whereTheOwnerHasNoOthers() async throws {
        try await PocketSphinxRecogniser(SphinxFiles(work: shipped.path), phonemiser: nil, logger: quiet).prepare(later)
        let first = recogniser(shipped: shipped.path)
        #expect(await !first.resume(towards: later), "the right ones are at hand")
        try await first.prepare(later)
        #expect(folder.files.isEmpty)
        #expect(try await text(first, "wind out the awning") == "wind out the awning")
    }

    @Test func damagedFiles_orAnotherLanguages_areNotHeardWith() async throws {
        try await recogniser().prepare(VanVocabulary.vocabulary)
        let foreign = Vocabulary(language: "xx", sentences: later.sentences, classes: [])
        #expect(await !recogniser().resume(towards: foreign))
        let grammar = try #require(folder.files.first { $0.hasSuffix(".fsg") })
        try Data("cut".utf8).write(to: URL(filePath: "\(folder.path)/\(grammar)"))
        #expect(await !recogniser().resume(towards: later))
        #expect(await !recogniser(shipped: "/nowhere").resume(towards: later))
    }

    @Test func whereItHearsAlready_nothingOlderTakesOver() async throws {
        try await recogniser().prepare(VanVocabulary.vocabulary)
        let next = recogniser()
        try await next.prepare(VanVocabulary.vocabulary)
        #expect(await !next.resume(towards: later))
    }
}
