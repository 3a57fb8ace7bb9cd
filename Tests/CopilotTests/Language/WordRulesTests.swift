import CopilotTestKit
import Foundation
import Testing

@testable import Configuration
@testable import Devices
@testable import Domain
@testable import Language

/// How words change and sound is data of the language's folder.
@Suite struct WordRulesTests {
    private static let german = Result {
        try Phrasebooks(folder: LanguageFolder(language: "de", root: TestLanguages.root))
    }

    private func rules(_ text: String) throws -> WordRules {
        try WordRules(ConfigurationNode(parsing: text, file: "words.yaml"))
    }

    // MARK: English

    @Test(arguments: [
        ("kit", "kits"), ("battery", "batteries"), ("box", "boxes"), ("torch", "torches"), ("gas", "gases"),
        ("glass", "glasses"), ("key", "keys"), ("rope", "ropes"), ("y", "ys"), ("", ""), ("kits", "kits"),
    ])
    func englishPlurals(one: String, several: String) { #expect(English.books.words.plural(one) == several) }

    @Test(arguments: [
        ("bus", "bus"), ("pies", "pie"), ("batteries", "battery"), ("dresses", "dress"), ("axes", "ax"), ("as", "as"),
        ("its", "its"), ("keys", "key"),
    ])
    func englishSingulars(several: String, one: String) { #expect(English.books.words.singular(several) == one) }

    @Test(arguments: [
        ("water", "tr"), ("phone", "fn"), ("cheque", "jk"), ("city", "st"), ("cat", "kt"), ("light", "lt"),
        ("shower", "jr"), ("kettle", "ktl"), ("awning", "annk"), ("this", "fs"), ("isn't", "asnt"),
    ])
    func englishSounds(word: String, key: String) { #expect(English.books.words.sounds.key(word) == key) }

    @Test func aThing_isFoundByWhatElseItIsCalled() {
        var names = English.books.sampleNames
        names[.item] = [OwnerName(name: "toilet paper", id: "1"), OwnerName(name: "torch", id: "2")]
        let router = Router(index: PhraseIndex(books: English.books, names: names), classifier: nil)
        for said in ["where is the bog roll", "where are the loo rolls", "where is the toilet paper"] {
            #expect(router.route(said).chosen?.slots["item"]?.names.map(\.id) == ["1"], "\(said)")
        }
        // What is called so is meant first.
        names[.item] += [OwnerName(name: "loo roll", id: "3")]
        let both = Router(index: PhraseIndex(books: English.books, names: names), classifier: nil)
        #expect(both.route("where is the loo roll").chosen?.slots["item"]?.names.map(\.id) == ["3"])
    }

    @Test func aPlace_isWrittenAsOnAMap() {
        #expect(English.books.words.titled("the isle of man") == "the Isle of Man")
    }

    // MARK: German

    @Test(arguments: [
        ("gasflaschen", "gasflasche"), ("campingstühle", "campingstuhl"), ("deckenlichter", "deckenlicht"),
        ("wasserkessel", "wasserkessel"), ("campingstuhl", "campingstuhl"),
    ])
    func germanSingulars(several: String, one: String) throws {
        let words = try Self.german.get().words
        #expect(words.singular(several) == one)
        if several != one { #expect(words.plural(one) == several) }
        #expect(words.isPlural(several) == (several != one))
    }

    @Test(arguments: [
        ("wo sind die Gasflaschen", "manifest.find_item", "item", "gasflasche"),
        ("Wo sind meine Campingstühle?", "manifest.find_item", "item", "campingstuhl"),
        ("mach die Leselampen aus", "van.turn_off", "device", "leselampe"),
        ("schalte die Deckenlichter ein", "van.turn_on", "device", "deckenlicht"),
        ("Deckenlicht an", "van.turn_on", "device", "deckenlicht"),
    ])
    func aGermanPlural_isUnderstood(text: String, intent: String, slot: String, name: String) throws {
        let books = try Self.german.get()
        let router = Router(index: PhraseIndex(books: books, names: books.sampleNames), classifier: nil)
        let chosen = try #require(router.route(text).chosen)
        #expect("\(chosen.handler).\(chosen.intent)" == intent)
        #expect(chosen.slots[slot]?.names.map(\.name) == [name])
    }

    @Test func theGermanVocabulary_hasGermanArticles_andNoEnglishOnes() throws {
        let books = try Self.german.get()
        let vocabulary = VocabularyBuilder.vocabulary(of: PhraseIndex(books: books, names: books.sampleNames))
        let words = Set(vocabulary.words)
        #expect(words.isSuperset(of: ["die", "der", "das", "meine", "campingstuhl", "campingstühle"]))
        #expect(words.isDisjoint(with: ["the", "a", "my", "our", "and"]))
        #expect(vocabulary.unstressed == ["der", "die", "das", "den"])
        #expect(books.normaliser.normalise("Salz & Pfeffer").words == ["salz", "und", "pfeffer"])
    }

    @Test func aGermanNoun_namesTheClassOfADevice() throws {
        let words = try Self.german.get().words
        #expect(words.deviceClass("türen") == "door")
        #expect(words.deviceClass("fenster") == "window")
        #expect(English.books.words.deviceClass("windows") == "window")
    }

    // MARK: a file that is wrong

    @Test(arguments: [
        ("plural:\n  - {endings: [s], drop: 2}", 2), ("sounds:\n  - {letters: a, sound: bc}", 2),
        ("sounds:\n  - {sound: b}", 2), ("plurals: []", 1), ("articles: {common: [the], many: [a]}", 1),
    ])
    func whatIsWrong_isNamedWithItsLine(text: String, line: Int) {
        let error = #expect(throws: ConfigurationError.self) { try rules(text) }
        #expect(error?.file == "words.yaml")
        #expect(error?.line == line)
    }

    @Test func tooManyRules_areRefused() {
        let text = "plural:\n" + String(repeating: "  - {add: s}\n", count: 101)
        #expect(throws: ConfigurationError.self) { try rules(text) }
    }

    @Test func withoutRules_wordsStayAndNothingSoundsAlike() throws {
        let rules = try rules("{}")
        #expect(rules.plural("lamp") == "lamp")
        #expect(rules.singular("lamps") == "lamps")
        #expect(rules.sounds.key("lamp").isEmpty)
    }
}
