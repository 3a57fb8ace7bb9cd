import Configuration
import Foundation

/// How a language spells, and how it says words otherwise than the recogniser's dictionary: `pronunciations.yaml` of
/// the language's folder. Phones are handed on as they are written there; what they mean is the recogniser's business.
public struct PronunciationRules: Sendable {
    /// A piece of a word that is spelled out.
    public enum Piece: Sendable, Equatable {
        /// One of these pronunciations, each a list of phones: a letter's or a digit's name.
        case phones([[String]])
        /// A word to be read as such: the “twelve” of `12v`.
        case word(String)
    }

    /// A word spelled out.
    public struct Spelling: Sendable, Equatable {
        /// The ways to read it, the likeliest first; each is said piece by piece.
        public let readings: [[Piece]]
        /// True for one that the language lists as an initialism: it counts beside what the dictionary says.
        public let isListed: Bool
    }

    /// Pronunciations that count beside the dictionary's, by word.
    public let additions: [String: [[String]]]
    /// The file's text, which tells one version of the rules from another; empty without a file.
    public let text: String
    private let letters: [Character: [[String]]]
    private let plural: (letter: Character, phones: [[String]])?
    private let vowels: Set<Character>
    private let initialisms: Set<String>
    private let numbers: NumberWords?

    /// No initialism is longer without its vowels, and nobody spells out more than that of a serial number.
    private static let longestWithoutVowel = 4, longest = 12
    /// Letters at a digit from here on are read as a word where they have a vowel: `gopro7`.
    private static let shortestWord = 3

    /// No rules: nothing is spelled, nothing is added.
    public init() {
        (additions, text, letters, plural, vowels, initialisms) = ([:], "", [:], nil, [], [])
        numbers = nil
    }

    /// Reads the language's file; a language without one has no rules.
    /// - Throws: `ConfigurationError`.
    public init(_ folder: LanguageFolder) throws {
        guard folder.hasFile("pronunciations.yaml") else {
            self.init()
            return
        }
        try self.init(folder.file("pronunciations.yaml"), numbers: NumberWords(folder.file("numbers.yaml")))
    }

    private init(_ root: ConfigurationNode, numbers: NumberWords) throws {
        let nodes = try root.entries(allowed: ["letters", "plural", "vowels", "initialisms", "additions"])
        letters = try Dictionary(
            uniqueKeysWithValues: nodes["letters"]?.entries().map { key, node in
                guard let letter = key.first, key.count == 1 else { throw node.error("the key must be one character") }
                return (letter, try Self.phones(node))
            } ?? [])
        plural = try nodes["plural"].map { node in
            let entries = try node.entries(allowed: ["letter", "phones"])
            guard let letter = try entries["letter"]?.string(), letter.count == 1, let first = letter.first,
                let ending = entries["phones"]
            else { throw node.error("a letter and its phones are expected") }
            return (first, try Self.phones(ending))
        }
        vowels = Set(try nodes["vowels"]?.string() ?? "")
        initialisms = Set(try nodes["initialisms"]?.strings() ?? [])
        additions = try Dictionary(
            uniqueKeysWithValues: nodes["additions"]?.entries().map { ($0.key, try Self.phones($0.value)) } ?? [])
        self.numbers = numbers
        text = try String(contentsOfFile: root.file, encoding: .utf8)
    }

    private static func phones(_ node: ConfigurationNode) throws -> [[String]] {
        let variants = try node.strings().map { $0.split(separator: " ").map(String.init) }
        guard !variants.isEmpty, variants.allSatisfy({ !$0.isEmpty }) else { throw node.error("phones are expected") }
        return variants
    }

    /// The rules of a language that ships with the program.
    /// - Throws: `ConfigurationError`.
    public static func shipped(language: String) throws -> PronunciationRules {
        try PronunciationRules(LanguageFolder(language: language, root: LanguageFolder.shippedRoot))
    }

    /// True when a word has one of the language's vowels, and so could be read; true in a language without rules.
    public func hasVowel(_ word: some StringProtocol) -> Bool {
        vowels.isEmpty || word.contains(where: vowels.contains)
    }

    /// A letter's or a digit's names; nil for anything else.
    public func names(of letter: Character) -> [[String]]? { letters[letter] }

    /// How `word`, lower case, is spelled; nil for one that is not. A word with digits is, one without vowels is where
    /// it is short, and the language's initialisms are, each also in the plural.
    public func spelling(of word: String) -> Spelling? {
        guard !letters.isEmpty, word.count <= Self.longest else { return nil }
        if word.contains(where: \.isNumber) {
            return mixed(word).map { Spelling(readings: $0, isListed: false) }
        }
        let isListed = initialisms.contains(word)
        if let plural, !isListed, word.count > 2, word.last == plural.letter, isSpelled(word.dropLast()) {
            return named(word.dropLast()).map {
                Spelling(
                    readings: [$0 + [.phones(plural.phones)]], isListed: initialisms.contains(String(word.dropLast())))
            }
        }
        return isSpelled(word[...]) ? named(word[...]).map { Spelling(readings: [$0], isListed: isListed) } : nil
    }

    private func isSpelled(_ word: Substring) -> Bool {
        initialisms.contains(String(word))
            || (2...Self.longestWithoutVowel).contains(word.count) && !hasVowel(word)
    }

    /// Character by character; nil where one has no name.
    private func named(_ characters: Substring) -> [Piece]? {
        let names = characters.map { letters[$0] }
        return names.contains { $0 == nil } ? nil : names.compactMap { $0.map(Piece.phones) }
    }

    /// Letters and digits in one word. Its numbers are read as numbers, or digit by digit.
    private func mixed(_ word: String) -> [[Piece]]? {
        var runs: [Substring] = [], start = word.startIndex
        while start < word.endIndex {
            let isNumber = word[start].isNumber
            let end = word[start...].firstIndex { $0.isNumber != isNumber } ?? word.endIndex
            runs.append(word[start..<end])
            start = end
        }
        func reading(asNumbers: Bool) -> [Piece]? {
            var pieces: [Piece] = []
            for run in runs {
                if asNumbers, let number = numberWords(run) {
                    pieces += number.map { .word($0) }
                } else if run.count >= Self.shortestWord, run.allSatisfy(\.isLetter), hasVowel(run),
                    !initialisms.contains(String(run))
                {
                    pieces.append(.word(String(run)))
                } else {
                    guard let names = named(run) else { return nil }
                    pieces += names
                }
            }
            return pieces
        }
        let readings = [reading(asNumbers: true), reading(asNumbers: false)].compactMap { $0 }
        guard let first = readings.first else { return nil }
        return readings.last == first ? [first] : readings
    }

    /// The words of a number of two to four digits; shorter ones are digits, longer ones nobody reads as numbers.
    private func numberWords(_ run: Substring) -> [String]? {
        guard (2...4).contains(run.count), run.first != "0", run.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return numbers?.words(forDigits: String(run), decimals: "")
    }
}
