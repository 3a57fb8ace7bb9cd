/// How the model writes the words of a vocabulary, as tokens.
struct Spellings {
    /// Ways to write one word, each a place in `tokens`.
    struct Word {
        /// Behind a space, as words are written.
        var apart: [Int32] = []
        /// Behind a hyphen: “eight-ounce”.
        var joined: [Int32] = []
    }

    /// Longer names cannot be recognised.
    private static let mostTokens = 200
    /// Words of no more letters may be initialisms.
    private static let shortest = 4

    private(set) var tokens: [[Int32]] = []
    private(set) var words: [Word] = []
    private var texts: [String] = []
    private var numbers: [String: Int32] = [:]
    private let tokeniser: Tokeniser
    private let others: [String: [String]]

    /// - Parameter others: how else some words are written: “tire” for “tyre”, “5” for “five”.
    init(_ tokeniser: Tokeniser, others: [String: [String]]) {
        self.tokeniser = tokeniser
        self.others = others
    }

    /// More words than any vocabulary has; beyond it, the words of deleted names are dropped by starting over.
    private static let mostWords = 50_000

    /// Whether the spellings can be reused: they are most of the work of building a net.
    func serves(_ others: [String: [String]]) -> Bool { self.others == others && words.count < Self.mostWords }

    /// The number of a word.
    mutating func word(_ text: String) -> Int32 {
        if let known = numbers[text] { return known }
        var word = Word()
        for variant in [text] + (others[text] ?? []) {
            for written in Self.inCapitalsAndNot(variant) {
                add("▁" + written, to: &word.apart)
                add(written, to: &word.joined)
            }
        }
        return add(text, word)
    }

    /// The number of a digit or sign, which is written without a space before it.
    mutating func sign(_ text: String) -> Int32 {
        let key = Self.signPrefix + text
        if let known = numbers[key] { return known }
        var word = Word()
        add(text, to: &word.apart)
        word.joined = word.apart
        return add(key, word)
    }

    /// Distinguishes signs from words.
    static let signPrefix = "sign:"

    /// The word of a number, or behind `signPrefix` the sign.
    func text(of word: Int32) -> String { texts[Int(word)] }

    private mutating func add(_ key: String, _ word: Word) -> Int32 {
        texts.append(key)
        numbers[key] = Int32(words.count)
        words.append(word)
        return Int32(words.count - 1)
    }

    private mutating func add(_ text: String, to ways: inout [Int32]) {
        let made = tokeniser.encode(text)
        guard !made.isEmpty, made.count <= Self.mostTokens, !ways.contains(where: { tokens[Int($0)] == made }) else {
            return
        }
        ways.append(Int32(tokens.count))
        tokens.append(made)
    }

    private static func inCapitalsAndNot(_ text: String) -> [String] {
        var ways = [text, text.prefix(1).uppercased() + text.dropFirst()]
        if text.count <= shortest { ways.append(text.uppercased()) }
        return ways
    }
}
