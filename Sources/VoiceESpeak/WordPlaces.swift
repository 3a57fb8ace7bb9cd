import Domain

/// Turns the library's places, counted in Unicode scalars, into places counted in `Character`s.
struct WordPlaces {
    /// For each scalar the `Character` it belongs to, and one entry for the end.
    private let characters: [Int]

    init(_ text: String) {
        var characters: [Int] = []
        var count = 0
        for character in text {
            for _ in character.unicodeScalars { characters.append(count) }
            count += 1
        }
        characters.append(count)
        self.characters = characters
    }

    /// The marks in order, inside the text and the sound. The library's times are in whole milliseconds.
    func marks(_ words: [SynthesisTake.Word], sampleRate: Int, samples: Int) -> [WordMark] {
        var result: [WordMark] = []
        let last = characters.count - 1
        for word in words {
            let first = min(max(word.position, 0), last)
            let end = min(max(first + word.length, first), last)
            guard end > first else { continue }
            let offset = characters[first]
            let length = max(1, characters[end - 1] + 1 - offset)
            let sample = min(word.time * sampleRate / 1_000, samples)
            result.append(
                WordMark(sample: max(sample, result.last?.sample ?? 0), textOffset: offset, textLength: length))
        }
        return result
    }
}
