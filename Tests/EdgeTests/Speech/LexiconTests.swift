import Domain
import Language
import Foundation
import Testing
import VoiceESpeak

@testable import SpeechPocketSphinx

/// A folder like Debian's model folder, with a dictionary of the test's own.
struct ModelFolder {
    let folder = WorkFolder()
    var dictionary: String { "\(folder.path)/test.dict" }

    init(dictionary text: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/en-us", withDestinationPath: "/usr/share/pocketsphinx/model/en-us/en-us")
        try text.write(toFile: dictionary, atomically: true, encoding: .utf8)
    }
}

@Suite(.serialized) struct LexiconTests {
    private static let dictionary = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

    private func lexicon(
        _ words: [String], overrides: [String: [[String]]] = [:], guesses: Bool = true
    ) async throws -> Lexicon {
        try await Lexicon(
            words: words, overrides: overrides, dictionary: CMUDictionary(path: Self.dictionary),
            rules: PronunciationRules.shipped(language: "en"), phonemiser: guesses ? ESpeakVoice(logger: quiet) : nil)
    }

    private func said(_ phones: String...) -> [[String]] { phones.map { $0.split(separator: " ").map(String.init) } }

    @Test func source_tellsWhereAPronunciationIsFrom() async throws {
        let lexicon = try await lexicon(
            ["lamp", "lidl", "jabberwockle", "lpg", "12v", "x7#", "¿"], overrides: ["lidl": said("L IH D AH L")])
        #expect(
            lexicon.sources == [
                "lamp": .dictionary, "lidl": .owner, "jabberwockle": .guessed, "lpg": .spelled, "12v": .spelled,
            ])
        #expect(lexicon.unpronounceable == ["x7#", "¿"])
    }

    @Test func ownersPronunciation_standsAlone() async throws {
        let lexicon = try await lexicon(["schedule"], overrides: ["schedule": said("S K EH JH UW L")])
        #expect(lexicon.entries["schedule"] == said("S K EH JH UW L"))
    }

    @Test func initialism_isAlsoSpelled_whereTheDictionaryReadsIt() async throws {
        let lexicon = try await lexicon(["led", "gps", "leds", "usb"], guesses: false)
        #expect(lexicon.entries["led"] == said("L EH D", "EH L IY D IY"))
        #expect(lexicon.entries["gps"]?.contains(said("JH IY P IY EH S")[0]) == true)
        #expect(lexicon.entries["leds"] == said("EH L IY D IY Z"))
        #expect(lexicon.entries["usb"] == said("Y UW EH S B IY"))
    }

    @Test func numbersAndLetters_areReadBothWays() async throws {
        let lexicon = try await lexicon(["12v", "h2o"], guesses: false)
        #expect(lexicon.entries["12v"] == said("T W EH L V V IY", "W AH N T UW V IY"))
        #expect(lexicon.entries["h2o"] == said("EY CH T UW OW", "HH EY CH T UW OW"))
    }

    @Test func britishPronunciations_areAdded_toThoseOfTheDictionary() async throws {
        let lexicon = try await lexicon(["schedule", "bath", "garage", "yoghurt", "lamp"], guesses: false)
        #expect(lexicon.entries["schedule"]?.first == said("S K EH JH UH L")[0])
        #expect(lexicon.entries["schedule"]?.contains(said("SH EH D Y UW L")[0]) == true)
        #expect(lexicon.entries["bath"] == said("B AE TH", "B AA TH"))
        #expect(lexicon.entries["garage"] == said("G ER AA ZH", "G AE R AA ZH", "G AE R IH JH"))
        #expect(lexicon.entries["yoghurt"] == said("Y AO G ER T"))
        #expect(lexicon.entries["lamp"] == said("L AE M P"))
    }

    @Test func rulesOfTheLanguage_holdOnlyPhonesThatTheModelKnows() throws {
        let rules = try PronunciationRules.shipped(language: "en")
        for (word, variants) in rules.additions {
            #expect(variants.joined().allSatisfy(Lexicon.phones.contains), "\(word): \(variants)")
        }
        for letter in "abcdefghijklmnopqrstuvwxyz0123456789" {
            #expect(rules.names(of: letter)?.joined().allSatisfy(Lexicon.phones.contains) == true, "\(letter)")
        }
    }

    @Test func additions_makeTheVocabularyHardlyLarger() async throws {
        let books = try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot))
        let words = VocabularyBuilder.vocabulary(of: PhraseIndex(books: books, names: OwnerNames())).words
        let dictionary = try CMUDictionary(path: Self.dictionary)
        let plain = try await Lexicon(words: words, overrides: [:], dictionary: dictionary, phonemiser: nil)
        let whole = try await Lexicon(
            words: words, overrides: [:], dictionary: dictionary, rules: .shipped(language: "en"), phonemiser: nil)
        func size(_ lexicon: Lexicon) -> Int {
            plain.entries.keys.reduce(0) { $0 + (lexicon.entries[$1]?.count ?? 0) }
        }
        let growth = Double(size(whole)) / Double(size(plain))
        #expect(growth > 1 && growth < 1.1, "\(size(plain)) pronunciations became \(size(whole))")
        #expect(whole.dictionaryProblem == nil)
    }

    @Test func badLines_areCounted_andTheFirstAreNamed() async throws {
        let bad = (0..<20).map { "broken\($0)" }.joined(separator: "\n")
        let model = try ModelFolder(
            dictionary:
                "stop S T AA P\n\n;;; a remark\nstart S T QQ\nstart(2) S T AA1 R T # a remark\n\(bad)\n \u{FF}\n")
        let reading = try CMUDictionary(path: model.dictionary).read(["stop", "start"])
        #expect(reading.pronunciations == ["stop": said("S T AA P"), "start": said("S T AA R T")])
        #expect(reading.badLines == 22)
        let problem = try #require(reading.problem)
        #expect(problem.contains("\(model.dictionary):4: “start”") && problem.contains("\(model.dictionary):6: "))
        #expect(problem.hasSuffix("and 17 more"))
    }

    @Test func recogniser_hearsOnWithABadDictionary_andSaysSoOnce() async throws {
        let model = try ModelFolder(dictionary: "stop S T AA P\nnonsense\nthe DH AH\npump P AH M P\npump(2) P !!\n")
        let log = LogRecorder(), work = WorkFolder()
        let recogniser = PocketSphinxRecogniser(
            SphinxFiles(model: model.folder.path, work: work.path), phonemiser: nil, logger: log.logger())
        try await recogniser.prepare(vocabulary(["stop the pump", "the pump"]))
        try await recogniser.prepare(vocabulary(["stop the pump", "the pump", "stop"]))
        let heard = try await recogniser.hear(try SpokenSentence("stop the pump")).transcripts.first
        #expect(heard?.text == "stop the pump")
        let warnings = log.text.split(separator: "\n").filter { $0.contains("of the dictionary") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("\(model.dictionary):2: ") == true, "\(warnings)")
        #expect(warnings.first?.contains("\(model.dictionary):5: ") == true, "\(warnings)")
    }

    @Test func ownersSpelling_letsAWordBeHeard_thatWasNotBefore() async throws {
        let items = ["shuttle", "bottle", "shovel", "kettle", "jolly roger", "jacket", "xqjotl"]
        func van(_ pronunciations: [String: [[String]]]) -> Vocabulary {
            Vocabulary(
                language: "en",
                sentences: [
                    .init(
                        pattern: .sequence([.word("where"), .word("is"), .word("the"), .wordClass(0)]), weight: 1)
                ], classes: [.init(name: "item", values: items.map(words))], pronunciations: pronunciations)
        }
        let voice = ESpeakVoice(logger: quiet), folder = WorkFolder()
        let recogniser = recogniser(folder, phonemiser: voice)
        try await recogniser.prepare(van([:]))
        let spoken = try SpokenSentence("where is the zhottle")
        let before = try await recogniser.hear(spoken).transcripts.first?.text
        #expect(before?.contains("xqjotl") != true)
        let phones = try await PronunciationGuide(phonemiser: voice).phones(soundingLike: "zhot ul", language: "en")
        try await recogniser.prepare(van(["xqjotl": phones]))
        #expect(try await recogniser.hear(spoken).transcripts.first?.text == "where is the xqjotl")
    }
}
