import Foundation

/// Which words are wanted.
public struct WordsArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// These words, whether or not they are in the vocabulary; nil or empty for the vocabulary's.
    public var words: [String]?
    /// Of the vocabulary all words; otherwise only those whose pronunciation is unknown, guessed, spelled or the
    /// owner's.
    public var all: Bool?

    /// These words, or the vocabulary's.
    public init(words: [String]? = nil, all: Bool? = nil) {
        self.words = words
        self.all = all
    }

    /// - Throws: when there are too many words or a word is too long.
    public func check() throws(ControlError) {
        guard let words else { return }
        guard words.count <= ControlLimits.askedWords else {
            throw .badArguments("arguments.words: at most \(ControlLimits.askedWords) words can be asked for at once")
        }
        for word in words { try WordSetArguments.check(word) }
    }
}

/// How a word is expected to be said.
public struct WordRow: Codable, Sendable, Equatable {
    /// Where its pronunciations are from.
    public enum Source: String, Codable, Sendable, Equatable {
        /// Nobody knows how it is said: it cannot be heard.
        case none
        /// Guessed from its letters.
        case guessed
        /// Spelled out.
        case spelled
        /// The owner's own.
        case yours
        /// The dictionary's.
        case dictionary
    }

    /// The word.
    public var word: String
    /// Where its pronunciations are from.
    public var source: Source
    /// The pronunciations, each as CMU's phones with blanks between them.
    public var phones: [String]
    /// What the owner wrote that it sounds like.
    public var spellings: [String]
    /// False for a word that is not in the vocabulary at present.
    public var used: Bool

    /// A word.
    public init(word: String, source: Source, phones: [String], spellings: [String] = [], used: Bool = true) {
        self.word = word
        self.source = source
        self.phones = phones
        self.spellings = spellings
        self.used = used
    }
}

/// Words with their pronunciations.
public struct WordsResult: Codable, Sendable, Equatable {
    /// Those that nobody knows how to say first, then by how sure it is, then by the alphabet; at most
    /// `ControlLimits.listEntries`.
    public var words: [WordRow]
    /// How many more there are, and how many words the vocabulary has.
    public var more: Int, vocabulary: Int

    /// A list.
    public init(words: [WordRow], more: Int, vocabulary: Int) {
        self.words = words
        self.more = more
        self.vocabulary = vocabulary
    }
}

/// A word to be spoken.
public struct WordSpeakArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// The word.
    public var word: String
    /// True for an answer with the sound in it, and silence in the van.
    public var returnsSound: Bool?

    /// A word, aloud unless the sound is to be returned.
    public init(word: String, returnsSound: Bool? = nil) {
        self.word = word
        self.returnsSound = returnsSound
    }

    /// - Throws: when the word is empty or too long.
    public func check() throws(ControlError) { try WordSetArguments.check(word) }
}

/// A word that was spoken.
public struct WordSpeakResult: Codable, Sendable, Equatable {
    /// The word and its pronunciations.
    public var word: WordRow
    /// A WAV file of all its pronunciations, one after the other, where it was asked for.
    public var sound: Data?

    /// A word.
    public init(word: WordRow, sound: Data? = nil) {
        self.word = word
        self.sound = sound
    }
}

/// How a word is said from now on.
public struct WordSetArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// The word.
    public var word: String
    /// What it sounds like, in one or several ways; nil forgets what was set.
    public var spellings: [String]?

    /// A change of one word.
    public init(word: String, spellings: [String]?) {
        self.word = word
        self.spellings = spellings
    }

    /// - Throws: when the word or the number of spellings is out of range.
    public func check() throws(ControlError) {
        try Self.check(word)
        guard let spellings, !(1...ControlLimits.spellings).contains(spellings.count) else { return }
        throw .badArguments("arguments.spellings: 1 to \(ControlLimits.spellings) are expected, not \(spellings.count)")
    }

    static func check(_ word: String) throws(ControlError) {
        guard !(1...ControlLimits.wordCharacters).contains(word.count) else { return }
        throw .badArguments("arguments.word: 1 to \(ControlLimits.wordCharacters) characters are expected")
    }
}
