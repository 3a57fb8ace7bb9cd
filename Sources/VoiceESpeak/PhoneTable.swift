/// How the library's phonemes are written in CMU's phones, without stress.
///
/// The library's own letters are used rather than the International Phonetic Alphabet: each stands for exactly one
/// phoneme of a voice's table (`3` and `@` are one sound in IPA, and only the first is an American r), and they are
/// ASCII. The table holds every phoneme that the voices `en-us` and `en-gb` gave for the 125,945 words of the CMU
/// dictionary. Lines of one accent come first; the rest holds for both.
struct PhoneTable: Sendable {
    private let own: [String: [String]]

    /// American: an r after a vowel is spoken.
    static let american = PhoneTable(own: [
        "3": ["ER"], "@r": ["ER"], "aa": ["AE"], "A@": ["AA", "R"], "0": ["AA"], "O@": ["AO", "R"], "o@": ["AO", "R"],
        "i@3": ["IH", "R"], "e@": ["EH", "R"], "U@": ["UH", "R"], "aI3": ["AY", "ER"],
    ])

    /// British: an r after a vowel is silent, `bath` has a long vowel and `lot` a rounded one.
    static let british = PhoneTable(own: [
        "3": ["AH"], "@r": ["AH"], "aa": ["AA"], "A@": ["AA"], "0": ["AO"], "O@": ["AO"], "o@": ["AO"],
        "i@3": ["IH", "AH"], "e@": ["EH"], "U@": ["UH", "AH"], "aI3": ["AY", "AH"],
    ])

    private static let common: [String: [String]] = [
        // Vowels
        "@": ["AH"], "@2": ["AH"], "@5": ["AH"], "@-": ["AH"], "a#": ["AH"], "V": ["AH"], "a": ["AE"], "A:": ["AA"],
        "E": ["EH"], "I": ["IH"], "I2": ["IH"], "I#": ["IH"], "i": ["IY"], "i:": ["IY"], "O": ["AO"], "O2": ["AO"],
        "O:": ["AO"], "U": ["UH"], "u": ["UW"], "u:": ["UW"], "3:": ["ER"], "o": ["OW"],
        "aI": ["AY"], "aU": ["AW"], "eI": ["EY"], "OI": ["OY"], "oU": ["OW"], "i@": ["IY", "AH"], "aI@": ["AY", "AH"],
        "A~": ["AA", "N"], "O~": ["AO", "N"],
        // Consonants
        "b": ["B"], "d": ["D"], "D": ["DH"], "dZ": ["JH"], "f": ["F"], "g": ["G"], "h": ["HH"], "j": ["Y"], "k": ["K"],
        "l": ["L"], "l#": ["L"], "@L": ["AH", "L"], "m": ["M"], "n": ["N"], "n-": ["AH", "N"], "N": ["NG"], "p": ["P"],
        "r": ["R"], "r-": ["R"], "s": ["S"], "S": ["SH"], "t": ["T"], "t#": ["T"], "t2": ["T"], "?": ["T"],
        "tS": ["CH"], "T": ["TH"], "v": ["V"], "w": ["W"], "x": ["K"], "z": ["Z"], "Z": ["ZH"],
        // A glide between two vowels, which CMU's transcriptions leave out, and a pause.
        ";": [], "|": [],
    ]

    /// The phones of what the library wrote for a word, or nil when a phoneme is not in the table.
    func phones(_ phonemes: String) -> [String]? {
        let symbols = phonemes.split { $0 == "_" || $0 == " " }.map { $0.drop { "',%=".contains($0) } }
        var result: [String] = []
        for (index, symbol) in symbols.enumerated() where !symbol.isEmpty {
            guard let phones = own[String(symbol)] ?? Self.common[String(symbol)] else { return nil }
            // Before a glide the short vowel is CMU's long one: `colloquial` ends in IY AH L.
            if symbol == "I", index + 1 < symbols.count, symbols[index + 1] == ";" {
                result.append("IY")
            } else {
                result += phones
            }
        }
        // CMU writes one phone for a vowel with its r and the r of the next syllable: `battery` ends in ER IY.
        var joined: [String] = []
        for phone in result {
            if phone == "R", let last = joined.last, last == "ER" || last == "R" { continue }
            joined.append(phone)
        }
        return joined.isEmpty ? nil : joined
    }
}
