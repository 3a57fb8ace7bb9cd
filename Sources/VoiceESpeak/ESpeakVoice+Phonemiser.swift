import Domain

extension ESpeakVoice: Phonemiser {
    /// Words spoken in one go: a reply that is to be spoken waits for so many at most, a few milliseconds.
    private static let batch = 100

    private static let accents: [(order: [VoiceChoice], table: PhoneTable)] = [
        ([.language("en-us"), .languageFamily("en-us")], .american),
        ([.language("en-gb"), .languageFamily("en-gb")], .british),
    ]

    /// The American pronunciation of each word, and the British where it differs. The voice of the replies is loaded
    /// again after each batch.
    /// - Throws: `ESpeakError` when neither accent can be had.
    public func pronunciations(of words: [String]) async throws -> [String: [[String]]] {
        var result: [String: [[String]]] = [:]
        for start in stride(from: 0, to: words.count, by: Self.batch) {
            try pronounce(words[start..<min(start + Self.batch, words.count)], into: &result)
            await Task.yield()
        }
        return result
    }

    private func pronounce(_ words: ArraySlice<String>, into result: inout [String: [[String]]]) throws {
        try engine.open(dataFolder, trial: trial)
        let before = engine.loadedVoice
        defer { if let before { _ = engine.load(before) } }
        var failure: (any Error)?
        var accents = 0
        for accent in Self.accents {
            do {
                _ = try engine.loadVoice(accent.order)
                accents += 1
            } catch {
                failure = error
                continue
            }
            for word in words {
                guard let phones = accent.table.phones(try engine.phonemes(word)) else { continue }
                if result[word]?.contains(phones) != true { result[word, default: []].append(phones) }
            }
        }
        if accents == 0, let failure { throw failure }
    }
}
