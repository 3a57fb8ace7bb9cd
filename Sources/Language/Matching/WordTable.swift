/// Words as small numbers, shared by all automata of one vocabulary.
package struct WordTable: Sendable {
    package private(set) var words: [String] = []
    private var ids: [String: Int32] = [:]
    private var outlines: [WordOutline] = []
    private var bySound: [String: [Int32]] = [:]
    private let rules: WordRules

    /// - Parameter rules: of the language: what is one word in the plural, and what sounds alike.
    package init(_ rules: WordRules) { self.rules = rules }

    /// The singular of a plural.
    func stem(_ word: String) -> String { rules.singular(word) }

    package mutating func id(of word: String) -> Int32 {
        if let id = ids[word] { return id }
        let id = Int32(words.count)
        words.append(word)
        ids[word] = id
        outlines.append(WordOutline(word))
        let key = rules.sounds.key(word)
        if key.count >= 3 { bySound[key, default: []].append(id) }
        return id
    }

    /// The word's number, or -1 for a word that no template has.
    func lookup(_ word: String) -> Int32 { ids[word] ?? -1 }

    /// The words that may have been meant where `heard` was heard, itself not among them.
    package func words(soundingLike heard: String, by rules: MatchingRules) -> Set<Int32> {
        let outline = WordOutline(heard)
        guard outline.length >= 4, !rules.protected.contains(heard) else { return [] }
        var found = Set<Int32>()
        for (index, other) in outlines.enumerated() where outline.mayBeNear(other) {
            if rules.sounds(heard, like: words[index]) { found.insert(Int32(index)) }
        }
        for id in bySound[self.rules.sounds.key(heard)] ?? [] where rules.sounds(heard, like: words[Int(id)]) {
            found.insert(id)
        }
        if let own = ids[heard] { found.remove(own) }
        return found
    }
}

/// As much of a word as tells at once, for nearly all others, that they are too different to be confused.
private struct WordOutline: Sendable {
    let length: Int
    /// A bit for each letter of the Latin alphabet that occurs, and one for all else.
    let letters: UInt32

    init(_ word: String) {
        length = word.utf8.count
        letters = word.utf8.reduce(0) { bits, byte in
            bits | 1 << UInt32((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - UInt8(ascii: "a") : 31)
        }
    }

    /// False when the edit distance is certainly above what `MatchingRules.sounds` allows: one edit changes at most two
    /// letters of the set.
    func mayBeNear(_ other: WordOutline) -> Bool {
        let limit = min(length, other.length) >= 7 ? 2 : 1
        return other.length >= 4 && abs(length - other.length) <= limit
            && (letters ^ other.letters).nonzeroBitCount <= 2 * limit
    }
}
