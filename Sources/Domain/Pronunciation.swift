/// How the recogniser expects a word to be said.
public struct WordPronunciation: Sendable, Equatable {
    /// Where a pronunciation is from.
    public enum Source: String, Sendable, CaseIterable {
        /// Nobody knows how it is said: it cannot be heard.
        case none
        /// Guessed from its letters.
        case guessed
        /// Spelled out: `usb`, `h2o`.
        case spelled
        /// The owner's own.
        case owner = "yours"
        /// The dictionary's.
        case dictionary
    }

    /// The word, lower case.
    public let word: String
    /// Where it is from.
    public let source: Source
    /// The pronunciations, each as phones of the CMU set without stress; empty for `none`.
    public let phones: [[String]]

    /// A word's pronunciations.
    public init(word: String, source: Source, phones: [[String]]) {
        self.word = word
        self.source = source
        self.phones = phones
    }
}

/// One of the owner's own pronunciations of a word.
public struct OwnerPronunciation: Sendable, Equatable {
    /// What the owner wrote that it sounds like, such as `lid ul`.
    public let spelling: String
    /// Its phones of the CMU set without stress. One spelling may have several pronunciations.
    public let phones: [String]

    /// `spelling`, said as `phones`.
    public init(spelling: String, phones: [String]) {
        self.spelling = spelling
        self.phones = phones
    }
}

/// How the owner says words; these pronunciations count instead of the dictionary's.
public protocol OwnerWordStore: Sendable {
    /// All words of a language with their pronunciations in the order they were given.
    func ownerWords(language: String) async throws -> [String: [OwnerPronunciation]]
    /// Keeps the pronunciations of a word in place of the ones it had; at least one.
    func setOwnerWord(_ word: String, language: String, to pronunciations: [OwnerPronunciation]) async throws
    /// Deletes a word's pronunciations; false when there are none.
    func removeOwnerWord(_ word: String, language: String) async throws -> Bool
}
