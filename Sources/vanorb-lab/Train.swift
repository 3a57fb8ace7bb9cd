import Language
import ArgumentParser
import Foundation
import IntentEncoder
import IntentLinear

/// Trains the intent classifier from the phrasebooks.
struct Train: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Train the intent classifier from the phrasebooks.",
        discussion: """
            The same phrasebooks give the same model. The result is for the setting paths.classifier. With --encoder \
            the semantic hint is made as well, in a file beside it whose name ends in .hint.
            """)

    @Option(help: "The output file.")
    var output: String
    @Option(help: "The language.")
    var language = "en"
    @Option(help: "A folder of custom phrasebooks to train on as well.")
    var phrases: String?
    @Option(help: "Sentences drawn from each phrase.")
    var perPhrase = IntentTraining.perPhrase
    @Option(help: "The folder of the sentence encoder, from deploy/encoder: make the semantic hint, too.")
    var encoder: String?
    @Option(help: "Also write the sentences as the classifier sees them to this file.")
    var listing: String?
    @Option(help: "The random seed.")
    var seed: UInt64 = 1

    func run() async throws {
        let started = ContinuousClock.now
        let encoder = try encoder.map { try MiniLM(folder: $0) }
        let books = try Phrasebooks(
            folder: LanguageFolder(language: language, root: LanguageFolder.shippedRoot),
            customFiles: phrases.map { Phrasebooks.customFiles(in: $0) } ?? [])
        for problem in books.problems { Notes.say("left out: \(problem)") }
        if let listing {
            let lines = try IntentTraining.sentences(books: books, perPhrase: perPhrase, seed: seed).flatMap {
                kind, sentences in
                sentences.map { "\(kind)\t\($0.intent)\t\($0.text)\n" }
            }
            try lines.joined().write(toFile: listing, atomically: true, encoding: .utf8)
        }
        let model = try IntentTraining.model(books: books, perPhrase: perPhrase, seed: seed)
        let folder = URL(filePath: output).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try model.save(to: output)
        let quality = model.quality
        print(
            """
            \(model.intents.count) intents, \(model.featureCount) features
            held out \(quality.heldOut): accuracy \(Self.rounded(quality.accuracy)), calibration error \
            \(Self.rounded(quality.calibrationError))
            \(output) in \(Self.rounded(started.duration(to: .now).seconds)) s
            """)
        guard let encoder else { return }
        let hint = try IntentTraining.hint(
            model: model, books: books, encoder: encoder, perPhrase: perPhrase, seed: seed)
        try hint.save(to: IntentTraining.hintPath(of: output))
        print(
            """
            \(hint.sentenceCount) sentences encoded
            \(IntentTraining.hintPath(of: output)) in \(Self.rounded(started.duration(to: .now).seconds)) s
            """)
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.3f", value) }
}
