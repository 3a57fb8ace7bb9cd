import Domain
import Language
import ArgumentParser
import Foundation
import Logging
import SpeechPocketSphinx
import VoiceESpeak

/// Makes what the streaming recogniser hears before it knows its owner.
struct MakeVocabulary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocabulary", abstract: "Make the vocabulary that VanOrb begins with on its first day.",
        discussion: "It is for the setting paths.vocabulary, and saves the first start the making of it.")

    @Option(help: "The folder where it goes.")
    var output: String
    @Option(help: "The language.")
    var language = "en"
    @Option(help: "The acoustic model's folder.")
    var acousticModel = "/usr/share/pocketsphinx/model/en-us"

    func run() async throws {
        let books = try Phrasebooks(folder: LanguageFolder(language: language, root: LanguageFolder.shippedRoot))
        let logger = Logger(label: "vanorb-lab")
        let recogniser = PocketSphinxRecogniser(
            modelFolder: acousticModel, workFolder: output,
            phonemiser: ESpeakVoice(order: books.speaking.voices, logger: logger), logger: logger)
        try await recogniser.prepare(VocabularyBuilder(PhraseIndex(books: books, names: OwnerNames())).vocabulary)
    }
}
