import Domain
import Language
import AudioPipeline
import Foundation
import Testing

@testable import SpeechMoonshine

/// The constrained recogniser where deploy/test put it.
enum ConstrainedRecogniser {
    /// Nil where it could not be had; what needs it is skipped then.
    static let folder: String? = {
        let folder = ProcessInfo.processInfo.environment["VANORB_SECOND_EAR"] ?? ""
        return FileManager.default.isReadableFile(atPath: "\(folder)/\(MoonshineModel.files.tokeniser)") ? folder : nil
    }()

    static let missing: Comment = "the constrained recogniser is not in VANORB_SECOND_EAR; deploy/test says why"

    static func tokeniser() throws -> Tokeniser {
        let folder = try #require(folder)
        return try Tokeniser(Array(Data(contentsOf: URL(filePath: "\(folder)/\(MoonshineModel.files.tokeniser)"))))
    }

    /// The judge, by the same language.
    static func judge() throws -> TranscriptSelector {
        let normaliser = try Self.normaliser()
        return TranscriptSelector { normaliser.normalise($0).text }
    }

    static func normaliser() throws -> Normaliser {
        try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot)).normaliser
    }

    /// Commands with a name, an amount, free text, politeness, and one that leans on the one before.
    static var vocabulary: Vocabulary {
        let names = ["tow rope", "first aid kit", "fire extinguisher"].map(words)
        let number = Vocabulary.WordClass(name: "number", values: ["fifty", "five"].map(words), written: ["#", "#.#"])
        let money = Vocabulary.WordClass(
            name: "money", values: [.sequence([.wordClass(1), .word("pounds")])], written: ["£#", "£#.##"])
        let text = Vocabulary.WordClass(name: "text", values: [.word("water")], isOpen: true)
        func command(_ pattern: Vocabulary.Pattern) -> Vocabulary.Sentence {
            .init(
                pattern: .sequence([.optional(words("could you")), pattern]), weight: 1, command: pattern)
        }
        return Vocabulary(
            language: "en",
            sentences: [
                command(.sequence([words("where is the"), .wordClass(0)])),
                command(.sequence([words("log diesel for"), .wordClass(2)])),
                command(.sequence([words("add a task to"), .wordClass(3)])),
                command(words("check the tyre pressure")),
                command(.sequence([.wordClass(3), words("is done")])),
                .init(pattern: words("and last month"), weight: 1, command: nil),
                .init(pattern: words("very good"), weight: 1, command: words("very good"), isAnswer: true),
            ],
            classes: [.init(name: "item", values: names), number, money, text],
            writing: ["tyre": ["tire"], "fifty": ["50"], "five": ["5"]], joins: [["and"]],
            answers: [words("the second one"), .wordClass(2)])
    }
}

extension MoonshineRecogniser {
    /// What was said where nothing was asked.
    func transcribe(_ samples: [Int16]) async throws -> ConstrainedResult {
        try await transcribe(samples, answering: false)
    }
}
