import Domain
import Language

/// Tells how words are pronounced and what “sounds like” spellings mean: the same dictionary, rules and guesses as the
/// recogniser's, asked for by the owner.
public struct PronunciationGuide: Sendable {
    private let modelFolder: String
    private let phonemiser: (any Phonemiser)?

    /// A guide to the dictionary in `modelFolder`; `phonemiser` guesses what it lacks.
    public init(modelFolder: String = "/usr/share/pocketsphinx/model/en-us", phonemiser: (any Phonemiser)?) {
        self.modelFolder = modelFolder
        self.phonemiser = phonemiser
    }

    /// The pronunciations of `words`, in their order.
    /// - Parameter owners: the owner's own, which come first.
    /// - Throws: `PocketSphinxError` without a dictionary, `ConfigurationError` for the language's rules, or the
    ///   phonemiser's error.
    public func pronunciations(
        of words: [String], language: String, owners: [String: [[String]]] = [:]
    ) async throws -> [WordPronunciation] {
        let lexicon = try await lexicon(words, language, owners)
        return words.map { word in
            WordPronunciation(
                word: word, source: lexicon.sources[word] ?? .none, phones: lexicon.entries[word] ?? [])
        }
    }

    /// What a “sounds like” spelling means: words of the dictionary and syllables that can be read, such as `lid ul`,
    /// or CMU's phones in capitals, such as `L IH1 D AH0 L`.
    /// - Returns: at least one pronunciation, without stress.
    /// - Throws: `SpellingError` that says what cannot be pronounced; else as `pronunciations`.
    public func phones(soundingLike spelling: String, language: String) async throws -> [[String]] {
        let parsed = try SoundsLike(spelling)
        guard case .parts(let parts) = parsed else {
            if case .phones(let phones) = parsed { return [phones] }
            return []
        }
        let rules = try PronunciationRules.shipped(language: language)
        let lexicon = try await lexicon(parts, language, [:])
        let said = try parts.map { part in
            // A letter alone is meant by its name: “u s b”.
            if part.count == 1, let letter = part.first, let names = rules.names(of: letter) { return names }
            // The phonemiser reads anything, if need be letter by letter; that is not what was meant.
            let isWord = lexicon.sources[part] == .dictionary || part.contains(where: \.isNumber)
            guard let variants = lexicon.entries[part], isWord || rules.hasVowel(part) else {
                throw SpellingError("Nobody can pronounce “\(part)” in “\(spelling)”: it has no vowel")
            }
            // The dictionary also has some syllables as abbreviations: “ul” must not be “you ell”.
            let spelled = Lexicon.joined(part.compactMap { rules.names(of: $0) })
            let read = variants.filter { !spelled.contains($0) }
            return read.isEmpty ? variants : read
        }
        let ways = Lexicon.joined(said)
        guard ways.allSatisfy({ $0.count <= SoundsLike.longestWord }) else {
            throw SpellingError("“\(spelling)” is too long for one word: at most \(SoundsLike.longestWord) phones")
        }
        return ways
    }

    private func lexicon(
        _ words: [String], _ language: String, _ owners: [String: [[String]]]
    ) async throws -> Lexicon {
        try await Lexicon(
            words: words, overrides: owners,
            dictionary: CMUDictionary(path: SphinxModel(folder: modelFolder).dictionary),
            rules: PronunciationRules.shipped(language: language), phonemiser: phonemiser)
    }
}
