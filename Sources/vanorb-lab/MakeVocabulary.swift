import Domain
import Language
import ArgumentParser
import Foundation
import Logging
import SpeechPocketSphinx
import VoiceESpeak

/// Compiles the vocabulary that the streaming recogniser starts with on a new installation.
struct MakeVocabulary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocabulary", abstract: "Compile the vocabulary for the first start.",
        discussion: "For the setting paths.vocabulary; without it the first start compiles it.")

    @Option(help: "The output folder.")
    var output: String
    @Option(help: "The language.")
    var language = "en"
    @Option(help: "The acoustic model's folder.")
    var acousticModel = "/usr/share/pocketsphinx/model/en-us"

    func run() async throws {
        let books = try Phrasebooks(folder: LanguageFolder(language: language, root: LanguageFolder.shippedRoot))
        let logger = Logger(label: "vanorb-lab")
        let recogniser = PocketSphinxRecogniser(
            SphinxFiles(model: acousticModel, work: output),
            phonemiser: ESpeakVoice(order: books.speaking.voices, logger: logger), logger: logger)
        try await recogniser.prepare(VocabularyBuilder(PhraseIndex(books: books, names: OwnerNames())).vocabulary)
    }
}
