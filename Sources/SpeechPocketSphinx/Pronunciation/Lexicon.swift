import Copilot

/// The words of a vocabulary with how they are pronounced.
struct Lexicon {
    /// CMU's 39 phones, which the acoustic model knows (http://www.speech.cs.cmu.edu/cgi-bin/cmudict).
    static let phones: Set<String> = [
        "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY", "JH",
        "K", "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH",
    ]

    /// Each word's pronunciations, without repetitions; no word has none.
    let entries: [String: [[String]]]
    /// The words for which there is no pronunciation, sorted.
    let unpronounceable: [String]

    /// Asks in turn the owner's own pronunciations, the dictionary and the phonemiser.
    init(
        words: [String], overrides: [String: [[String]]], dictionary: CMUDictionary, phonemiser: (any Phonemiser)?
    ) async throws {
        let usable = words.filter(Self.isUsable)
        var known: [String: [[String]]] = [:]
        for word in usable { known[word] = overrides[word].flatMap(Self.valid) }
        for (word, variants) in dictionary.pronunciations(of: usable.filter({ known[$0] == nil })) {
            known[word] = Self.valid(variants)
        }
        let missing = usable.filter { known[$0] == nil }
        if !missing.isEmpty, let phonemiser {
            let made = try await phonemiser.pronunciations(of: missing)
            for word in missing { known[word] = made[word].flatMap(Self.valid) }
        }
        entries = known
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

    /// False for what would mean something else in the files the library reads: spaces, a variant's bracket, or the
    /// marks for the ends of a sentence and for noise.
    private static func isUsable(_ word: String) -> Bool {
        guard let first = word.first, !word.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return false }
        return !"<[+#;".contains(first) && !word.contains(where: { $0.isWhitespace || "()\\".contains($0) })
    }

    private static func valid(_ variants: [[String]]) -> [[String]]? {
        var result: [[String]] = []
        for variant in variants {
            let phones = variant.map { $0.uppercased().filter { !$0.isNumber } }
            guard !phones.isEmpty, phones.allSatisfy(Self.phones.contains), !result.contains(phones) else { continue }
            result.append(phones)
        }
        return result.isEmpty ? nil : result
    }
}
