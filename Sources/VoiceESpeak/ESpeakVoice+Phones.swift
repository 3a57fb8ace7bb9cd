import Domain

extension ESpeakVoice {
    /// CMU's phones in the library's own letters, as the voice `en-us` has them. Vowels that differ without stress have
    /// that sound second.
    private static let letters: [String: (stressed: String, unstressed: String)] = [
        "AA": ("A:", "A:"), "AE": ("a", "a"), "AH": ("V", "@"), "AO": ("O:", "O:"), "AW": ("aU", "aU"),
        "AY": ("aI", "aI"), "EH": ("E", "E"), "ER": ("3:", "3"), "EY": ("eI", "eI"), "IH": ("I", "I"),
        "IY": ("i:", "i"), "OW": ("oU", "oU"), "OY": ("OI", "OI"), "UH": ("U", "U"), "UW": ("u:", "u:"),
    ]

    private static let consonants: [String: String] = [
        "B": "b", "CH": "tS", "D": "d", "DH": "D", "F": "f", "G": "g", "HH": "h", "JH": "dZ", "K": "k", "L": "l",
        "M": "m", "N": "n", "NG": "N", "P": "p", "R": "r", "S": "s", "SH": "S", "T": "t", "TH": "T", "V": "v",
        "W": "w", "Y": "j", "Z": "z", "ZH": "Z",
    ]

    /// Speaks phones of the CMU set, as the recogniser expects them; in an American voice, as they
    /// are American. They have no stress: the first full vowel gets it.
    /// - Parameter text: the text of the sound.
    /// - Throws: `ESpeakError`, also for an unknown phone.
    public func synthesise(
        phones: [String], for text: String, voice settings: VoiceSettings
    ) async throws -> SynthesisedSentence {
        let phonemes = try Self.phonemes(phones)
        try engine.open(dataFolder, trial: trial)
        let before = engine.loadedVoice
        defer { if let before { _ = engine.load(before) } }
        _ = try engine.loadVoice([.language("en-us"), .languageFamily("en-us"), .language("en-gb")])
        let take = SynthesisTake()
        try engine.synthesise(
            "[[\(phonemes)]]", rate: settings.wordsPerMinute, pitch: 50,
            volume: Int((100 * min(max(settings.volume, 0), 2)).rounded()), phonemes: true, into: take)
        return SynthesisedSentence(
            text: text, sound: Sound(samples: take.samples, sampleRate: take.sampleRate ?? engine.sampleRate),
            words: [])
    }

    /// The library's letters for `phones`; a bar keeps two of them from being read as one.
    static func phonemes(_ phones: [String]) throws -> String {
        let vowels = phones.indices.filter { letters[phones[$0]] != nil }
        let stressed = vowels.first { phones[$0] != "AH" } ?? vowels.first
        return try phones.indices.map { index in
            if let vowel = letters[phones[index]] {
                return index == stressed ? "'" + vowel.stressed : vowel.unstressed
            }
            guard let consonant = consonants[phones[index]] else {
                throw ESpeakError(call: "phonemes", detail: "“\(phones[index])” is not a phone of the CMU set")
            }
            return consonant
        }.joined(separator: "|")
    }
}
