/// How different two texts sound, in letters: a Levenshtein distance (1966) over letters as they are spoken, in which
/// replacing a vowel by another, or a voiced consonant by its voiceless counterpart, is cheap.
struct SoundLikeness {
    /// The cost of a letter that only one of the two has.
    static let letterCost: Float = 0.8, vowelCost: Float = 0.5

    /// The letters as they are spoken: “ph” as “f”, doubled ones once, no silent “e”.
    static func letters(_ text: some StringProtocol) -> [UInt8] {
        let plain = text.utf8.filter { isLetter($0) || isDigit($0) }
        var result: [UInt8] = []
        var place = 0
        while place < plain.count {
            let letter = plain[place], next = place + 1 < plain.count ? plain[place + 1] : 0
            place += 1
            switch (letter, next) {
            case (UInt8(ascii: "p"), UInt8(ascii: "h")):
                result.append(UInt8(ascii: "f"))
                place += 1
            case (UInt8(ascii: "c"), UInt8(ascii: "k")): continue
            case (UInt8(ascii: "c"), UInt8(ascii: "e")), (UInt8(ascii: "c"), UInt8(ascii: "i")),
                (UInt8(ascii: "c"), UInt8(ascii: "y")):
                result.append(UInt8(ascii: "s"))
            case (UInt8(ascii: "c"), _): result.append(UInt8(ascii: "k"))
            case (UInt8(ascii: "q"), _): result.append(UInt8(ascii: "k"))
            case (UInt8(ascii: "x"), _): result += [UInt8(ascii: "k"), UInt8(ascii: "s")]
            case (UInt8(ascii: "y"), _) where !result.isEmpty: result.append(UInt8(ascii: "i"))
            case (UInt8(ascii: "e"), 0) where result.count > 2: continue
            default: if letter != next || isDigit(letter) { result.append(letter) }
            }
        }
        return result
    }

    private static func isLetter(_ letter: UInt8) -> Bool { letter >= 97 && letter <= 122 }
    private static func isDigit(_ letter: UInt8) -> Bool { letter >= 48 && letter <= 57 }
    private static func isVowel(_ letter: UInt8) -> Bool { "aeiou".utf8.contains(letter) }

    private var costs = [Float](repeating: Self.letterCost, count: 128)
    /// The cost of replacing one letter by another, by the codes of both.
    private var changes = [Float](repeating: 1, count: 128 * 128)
    private var row: [Float] = []

    /// Pairs that are easily confused.
    private static let pairs = [
        "bp", "dt", "gk", "vf", "zs", "mn", "jg", "wu", "yi", "lr", "hk", "sk", "vb", "dn", "td",
    ]

    init() {
        for letter in "aeiouh".utf8 { costs[Int(letter)] = Self.vowelCost }
        for left in "aeiou".utf8 { for right in "aeiou".utf8 { changes[Int(left) * 128 + Int(right)] = 0.4 } }
        for pair in Self.pairs {
            let both = Array(pair.utf8)
            changes[Int(both[0]) * 128 + Int(both[1])] = 0.5
            changes[Int(both[1]) * 128 + Int(both[0])] = 0.5
        }
        for letter in 0..<128 { changes[letter * 128 + letter] = 0 }
    }

    /// The cost of leaving out all letters.
    func absence(of letters: [UInt8]) -> Float { letters.reduce(0) { $0 + costs[Int($1)] } }

    /// How different the letters are.
    mutating func distance(_ left: [UInt8], _ right: [UInt8]) -> Float {
        row.removeAll(keepingCapacity: true)
        row.append(0)
        for letter in right { row.append(row[row.count - 1] + costs[Int(letter)]) }
        for letter in left {
            var corner = row[0]
            let cost = costs[Int(letter)]
            row[0] += cost
            for (place, other) in right.enumerated() {
                let change = corner + changes[Int(letter) * 128 + Int(other)]
                corner = row[place + 1]
                row[place + 1] = min(change, corner + cost, row[place] + costs[Int(other)])
            }
        }
        return row[right.count]
    }
}
