import Domain
import Language

/// The words of a vocabulary with how they are pronounced.
struct Lexicon {
    /// CMU's 39 phones, which the acoustic model knows (http://www.speech.cs.cmu.edu/cgi-bin/cmudict).
    static let phones: Set<String> = [
        "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY", "JH",
        "K", "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH",
    ]

    /// More pronunciations of one word than these make it likelier to be heard for another.
    static let variantLimit = 8

    /// Each word's pronunciations, without repetitions; no word has none.
    let entries: [String: [[String]]]
    /// Where each word's pronunciations are from.
    let sources: [String: WordPronunciation.Source]
    /// The words for which there is no pronunciation, sorted.
    let unpronounceable: [String]
    /// What could not be read of the dictionary, with file and line; nil when all could.
    let dictionaryProblem: String?

    /// Asks in turn the owner's own pronunciations, the dictionary together with the language's rules, the rules'
    /// spelling, and the phonemiser.
    init(
        words: [String], overrides: [String: [[String]]], dictionary: CMUDictionary,
        rules: PronunciationRules = PronunciationRules(), phonemiser: (any Phonemiser)?
    ) async throws {
        let usable = words.filter(Self.isUsable)
        var known: [String: [[String]]] = [:], sources: [String: WordPronunciation.Source] = [:]
        func learn(_ word: String, _ variants: [[String]]?, _ source: WordPronunciation.Source) {
            guard known[word] == nil, let variants = variants.flatMap(Self.valid) else { return }
            known[word] = variants
            sources[word] = source
        }
        for word in usable { learn(word, overrides[word], .owner) }
        let rest = usable.filter { known[$0] == nil }
        let spellings = rest.reduce(into: [:]) { $0[$1] = rules.spelling(of: $1) }
        // The words within spelled ones are looked up in the same pass through the file.
        let parts = Set(spellings.values.flatMap(\.words)).subtracting(rest)
        let reading = dictionary.read(rest + parts)
        dictionaryProblem = reading.problem
        for word in rest {
            let spelled = spellings[word].map { Self.said($0, reading.pronunciations) } ?? []
            let listed = spellings[word]?.isListed == true ? spelled : []
            let written = (reading.pronunciations[word] ?? []) + (rules.additions[word] ?? [])
            if !written.isEmpty { learn(word, written + listed, .dictionary) }
            if !spelled.isEmpty { learn(word, spelled, .spelled) }
        }
        let missing = usable.filter { known[$0] == nil && Self.isReadable($0) }
        if !missing.isEmpty, let phonemiser {
            let made = try await phonemiser.pronunciations(of: missing)
            for word in missing { learn(word, made[word], .guessed) }
        }
        entries = known
        self.sources = sources
        unpronounceable = words.filter { known[$0] == nil }.sorted()
    }

    /// The words in the form PocketSphinx reads, sorted.
    var text: String {
        var lines = ""
        for (word, variants) in entries.sorted(by: { $0.key < $1.key }) {
            for (index, phones) in variants.enumerated() {
                lines += index == 0 ? word : "\(word)(\(index + 1))"
                lines += " " + phones.joined(separator: " ") + "\n"
            }
        }
        return lines
    }

    /// A phone as the acoustic model names it: `IH1` is `IH`.
    static func withoutStress(_ phone: String) -> String { phone.uppercased().filter { !$0.isNumber } }

    /// Every way to say the parts one after the other, as far as the limit goes; empty where a part has none.
    static func joined(_ parts: [[[String]]], limit: Int = variantLimit) -> [[String]] {
        guard !parts.isEmpty else { return [] }
        return parts.reduce([[]]) { ways, part in
            Array(part.lazy.flatMap { variant in ways.lazy.map { $0 + variant } }.prefix(limit))
        }
    }

    private static func said(_ spelling: PronunciationRules.Spelling, _ known: [String: [[String]]]) -> [[String]] {
        spelling.readings.flatMap { pieces in
            joined(
                pieces.map { piece in
                    switch piece {
                    case .phones(let variants): variants
                    case .word(let word): Array(known[word]?.prefix(1) ?? [])
                    }
                }, limit: 4)
        }
    }

    /// False for what would mean something else in the files the library reads: spaces, a variant's bracket, or the
    /// marks for the ends of a sentence and for noise.
    private static func isUsable(_ word: String) -> Bool {
        guard let first = word.first, !word.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return false }
        return !"<[+#;".contains(first) && !word.contains(where: { $0.isWhitespace || "()\\".contains($0) })
    }

    /// False for what is not read aloud as a word: `x7#`.
    static func isReadable(_ word: String) -> Bool {
        word.contains(where: { $0.isLetter || $0.isNumber })
            && word.allSatisfy { $0.isLetter || $0.isNumber || "'.-&".contains($0) }
    }

    private static func valid(_ variants: [[String]]) -> [[String]]? {
        var result: [[String]] = []
        for variant in variants {
            let phones = variant.map(withoutStress)
            guard !phones.isEmpty, phones.allSatisfy(Self.phones.contains), !result.contains(phones) else { continue }
            result.append(phones)
        }
        return result.isEmpty ? nil : Array(result.prefix(variantLimit))
    }
}

extension PronunciationRules.Spelling {
    /// The words within it that are read as words.
    fileprivate var words: [String] {
        readings.joined().compactMap { piece in
            if case .word(let word) = piece { word } else { nil }
        }
    }
}
