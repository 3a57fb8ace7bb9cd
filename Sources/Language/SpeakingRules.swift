import Domain
import Configuration

/// How replies are spoken, from the language's `speaking.yaml`.
public struct SpeakingRules: Sendable, Equatable {
    /// The voices to try after the owner's, first to last.
    public let voices: [VoiceChoice]
    /// Words with a full stop that ends no sentence, lower case.
    public let abbreviations: Set<String>

    /// The rules of a language. One without the file is spoken by any voice of that language.
    package init(_ folder: LanguageFolder) throws {
        guard folder.hasFile("speaking.yaml") else {
            voices = [.language(folder.language), .languageFamily(folder.language)]
            abbreviations = []
            return
        }
        let nodes = try folder.file("speaking.yaml").entries(allowed: ["voices", "abbreviations"])
        voices = try nodes["voices"]?.elements().map(Self.choice) ?? [.languageFamily(folder.language)]
        abbreviations = Set(try nodes["abbreviations"]?.strings().map { $0.lowercased() } ?? [])
    }

    private static func choice(_ node: ConfigurationNode) throws -> VoiceChoice {
        let entry = try node.entries(allowed: ["named", "language", "family"])
        guard entry.count == 1, let (kind, value) = entry.first else {
            throw node.error("expected {named: …}, {language: …} or {family: …}")
        }
        let text = try value.string().lowercased()
        return kind == "named" ? .named(text) : kind == "language" ? .language(text) : .languageFamily(text)
    }
}
