import Domain
import CopilotTestKit
import Foundation
import Synchronization
import Testing

@testable import SpeechPocketSphinx

@Suite(.serialized) struct DictationTests {
    private let folder = WorkFolder()
    private static let vocabulary = vocabularyOfTasks()

    /// “Add a task to …” with words that are not “parcel” or “pharmacy”.
    private static func vocabularyOfTasks() -> Vocabulary {
        let tasks = ["check the tyres", "fill the water tank", "clean the windows", "pack the awning"]
        return Vocabulary(
            language: "en",
            sentences: [
                .init(pattern: .sequence([words("add a task to"), .wordClass(0)]), weight: 1),
                .init(pattern: words("turn on the water pump"), weight: 1),
            ], classes: [.init(name: "task", values: tasks.map(words))])
    }

    /// Where the words behind “add a task to” are, in what was heard.
    private func stretch(_ transcript: Transcript) throws -> Range<Int> {
        #expect(transcript.text.hasPrefix("add a task to"), "heard “\(transcript.text)”")
        try #require(transcript.words.count >= 4)
        return transcript.words[3].end..<Int.max
    }

    @Test(arguments: ["slt", "rms"])
    func wordsOutsideTheVocabulary_areHeardInTheirStretch(voice: String) async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(Self.vocabulary)
        let spoken = try SpokenSentence("add a task to collect the parcel from the pharmacy", voice: voice)
        let first = try #require(try await recogniser.hear(spoken).transcripts.first)
        let second = try #require(try await recogniser.dictate(stretch(first)))
        #expect(second.text == "collect the parcel from the pharmacy")
        #expect((0...1).contains(second.confidence))
        #expect(second.words.allSatisfy { $0.start >= 0 && $0.end <= spoken.samples.count })
        // The utterance stays until the next one begins.
        #expect(try await recogniser.dictate(0..<1_600) == nil)
        try await recogniser.begin()
        #expect(try await recogniser.dictate(0..<Int.max) == nil)
        await recogniser.cancel()
    }

    @Test func theNextUtterance_givesUpTheDictationOfTheLast() async throws {
        let recogniser = recogniser(folder)
        try await recogniser.prepare(Self.vocabulary)
        let spoken = try SpokenSentence("add a task to collect the parcel from the pharmacy")
        _ = try await recogniser.hear(spoken)
        let dictation = recogniser.dictation
        let number = dictation.utterance
        await recogniser.cancel()
        #expect(
            try await dictation.transcript(of: spoken.samples, in: 0..<Int.max, mean: nil, number: number) == nil)
        let next = try await recogniser.hear(try SpokenSentence("turn on the water pump")).transcripts
        #expect(next.first?.text == "turn on the water pump")
    }

    @Test func modelThatIsNotNeededAnyMore_isLetGo() async throws {
        let clock = ManualClock(), (released, release) = AsyncStream<Void>.makeStream()
        let recogniser = PocketSphinxRecogniser(
            SphinxFiles(work: folder.path), phonemiser: nil, retention: .init(.seconds(60), clock: clock),
            didRelease: { release.yield() }, logger: quiet)
        let dictation = recogniser.dictation
        #expect(await !dictation.isLoaded)
        try await dictation.load()
        #expect(await dictation.isLoaded)
        try await clock.sleeperRegistered(for: .seconds(60))
        clock.advance(by: .seconds(61))
        var releases = released.makeAsyncIterator()
        _ = await releases.next()
        #expect(await !dictation.isLoaded)
    }

    @Test func missingGeneralModel_isAnErrorThatNamesIt_andTheRecogniserStaysUsable() async throws {
        // The acoustic model and the dictionary without the general language model.
        let model = WorkFolder(), installed = "/usr/share/pocketsphinx/model/en-us"
        try FileManager.default.createDirectory(atPath: model.path, withIntermediateDirectories: true)
        for name in ["en-us", "cmudict-en-us.dict"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(model.path)/\(name)", withDestinationPath: "\(installed)/\(name)")
        }
        let recogniser = PocketSphinxRecogniser(
            SphinxFiles(model: model.path, work: folder.path), phonemiser: nil, logger: quiet)
        try await recogniser.prepare(Self.vocabulary)
        let spoken = try SpokenSentence("turn on the water pump")
        #expect(try await recogniser.hear(spoken).transcripts.first?.text == "turn on the water pump")
        let failure = await #expect(throws: PocketSphinxError.self) { try await recogniser.dictate(0..<Int.max) }
        #expect(failure?.description.contains("\(model.path)/en-us.lm.bin") == true)
        #expect(failure?.description.contains("pocketsphinx-en-us") == true)
        #expect(try await recogniser.hear(spoken).transcripts.first?.text == "turn on the water pump")
    }
}
