/// A word of a normalised utterance.
public struct Token: Sendable, Equatable {
    /// The canonical word: lower case, numbers and symbols written out, spelling and contractions unified.
    public let text: String
    /// The index of the word it came from in `Utterance.words`.
    public let source: Int
}

/// What was said or typed, ready for matching.
public struct Utterance: Sendable, Equatable {
    /// As it came in.
    public let original: String
    /// The words as said, without punctuation, for free text.
    public let words: [String]
    /// The canonical words.
    public let tokens: [Token]

    package init(original: String, words: [String], tokens: [Token]) {
        self.original = original
        self.words = words
        self.tokens = tokens
    }

    /// The canonical words with spaces between them.
    public var text: String { tokens.map(\.text).joined(separator: " ") }
    /// True when nothing is left to match.
    public var isEmpty: Bool { tokens.isEmpty }

    /// The words as said that lie behind a range of tokens.
    func surface(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last, last < tokens.count else { return "" }
        return words[tokens[first].source...tokens[last].source].joined(separator: " ")
    }

    /// The utterance without some tokens at its beginning and end.
    package func trimmed(_ range: Range<Int>) -> Utterance {
        Utterance(original: original, words: words, tokens: Array(tokens[range]))
    }
}

/// Brings transcripts and typed text into the one form that templates are compared with. What is language in it is
/// data: `normaliser.yaml` and `numbers.yaml` of the language's folder.
public struct Normaliser: Sendable {
    /// The language's numerals.
    public let numbers: NumberWords
    private let mishearings: [([String], [String])]
    private let contractions: [String: [String]]
    private let endings: [(ending: String, word: String)]
    private let spellings: [String: String]
    private let leading: [[String]]
    private let trailing: [[String]]
    /// These, and those that are understood without a place in the recogniser's vocabulary, the longest first.
    private let understood: (leading: [[String]], trailing: [[String]])
    private let prefixSymbols: [Character: String]
    private let suffixUnits: [String: [String]]

    /// More than this is no command; the rest is not looked at.
    static let tokenLimit = 120

    /// Reads the language's data.
    /// - Throws: `ConfigurationError`.
    public init(_ folder: LanguageFolder) throws {
        numbers = try NumberWords(folder.file("numbers.yaml"))
        let root = try folder.file("normaliser.yaml")
        let nodes = try root.entries(allowed: [
            "mishearings", "contractions", "endings", "spellings", "leading", "trailing", "rare_leading",
            "rare_trailing", "prefix_symbols", "suffix_units",
        ])
        func split(_ text: String) -> [String] { text.lowercased().split(separator: " ").map(String.init) }
        func pairs(_ key: String) throws -> [(String, String)] {
            try nodes[key]?.entries().map { ($0.key.lowercased(), try $0.value.string().lowercased()) } ?? []
        }
        mishearings = try pairs("mishearings").map { (split($0), split($1)) }.sorted { $0.0.count > $1.0.count }
        contractions = Dictionary(try pairs("contractions").map { ($0, split($1)) }) { first, _ in first }
        endings = try pairs("endings").map { (ending: $0.0, word: $0.1) }
        spellings = Dictionary(try pairs("spellings")) { first, _ in first }
        func fillers(_ key: String) throws -> [[String]] {
            try (nodes[key]?.strings() ?? []).map(split).sorted { $0.count > $1.count }
        }
        (leading, trailing) = (try fillers("leading"), try fillers("trailing"))
        understood = (
            (leading + (try fillers("rare_leading"))).sorted { $0.count > $1.count },
            (trailing + (try fillers("rare_trailing"))).sorted { $0.count > $1.count }
        )
        suffixUnits = Dictionary(try pairs("suffix_units").map { ($0, split($1)) }) { first, _ in first }
        prefixSymbols = Dictionary(
            try pairs("prefix_symbols").compactMap { pair in pair.0.first.map { ($0, pair.1) } }
        ) { first, _ in first }
    }

    /// The filler phrases that may stand before and after a command, for the recogniser's vocabulary.
    public var fillers: (leading: [[String]], trailing: [[String]]) { (leading, trailing) }

    /// How else words are written that are canonical themselves: numbers in figures, American spellings.
    var otherSpellings: [String: [String]] {
        var others: [String: [String]] = [:]
        for (written, word) in spellings { others[word, default: []].append(written) }
        for number in 0...99 {
            let words = numbers.words(for: number)
            if words.count == 1 { others[words[0], default: []].append("\(number)") }
        }
        return others.mapValues { $0.sorted() }
    }

    /// What is written before or behind a number, by the words that it stands for: “£”, “kg”.
    package var signs: (before: [(sign: String, words: [String])], behind: [(sign: String, words: [String])]) {
        (
            prefixSymbols.map { (String($0.key), [$0.value]) }.sorted { $0.0 < $1.0 },
            suffixUnits.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        )
    }

    /// Normalises what was said or typed.
    public func normalise(_ text: String) -> Utterance {
        var words = Self.words(in: Self.withoutAsides(text)).map { $0 == Self.ampersand ? numbers.and : $0 }
        words = replacingMishearings(words)
        if words.count > Self.tokenLimit { words.removeSubrange(Self.tokenLimit...) }
        var tokens: [Token] = []
        for (index, word) in words.enumerated() {
            tokens += canonical(word).map { Token(text: $0, source: index) }
        }
        if tokens.count > Self.tokenLimit { tokens.removeSubrange(Self.tokenLimit...) }
        return Utterance(original: text, words: words, tokens: tokens)
    }

    /// The utterance without fillers (“could you … please”); itself when there are none or nothing else.
    public func withoutFillers(_ utterance: Utterance) -> Utterance {
        var range = 0..<utterance.tokens.count
        var changed = true
        while changed {
            changed = false
            for filler in understood.leading
            where filler.count < range.count
                && zip(filler, utterance.tokens[range]).allSatisfy({ $0 == $1.text })
            {
                range = range.lowerBound + filler.count..<range.upperBound
                changed = true
                break
            }
            for filler in understood.trailing
            where filler.count < range.count
                && zip(filler, utterance.tokens[range].suffix(filler.count)).allSatisfy({ $0 == $1.text })
            {
                range = range.lowerBound..<range.upperBound - filler.count
                changed = true
                break
            }
        }
        return utterance.trimmed(range)
    }

    /// A word without what may be run together with it: “wheel” of “the wheel’s flat”.
    func withoutEnding(_ word: String) -> String {
        let joined = endings.first { word.hasSuffix($0.ending) && word.count > $0.ending.count }
        return joined.map { String(word.dropLast($0.ending.count)) } ?? word
    }

    /// The utterance with the words that may be run together in writing taken apart: “the tank’s filled”.
    /// - Returns: nil where there are none.
    func takenApart(_ utterance: Utterance) -> Utterance? {
        let tokens = utterance.tokens.flatMap { token -> [Token] in
            guard let joined = endings.first(where: { token.text.hasSuffix($0.ending) && token.text != $0.ending })
            else { return [token] }
            let word = String(token.text.dropLast(joined.ending.count))
            return [Token(text: word, source: token.source), Token(text: joined.word, source: token.source)]
        }
        guard tokens != utterance.tokens, tokens.count <= Self.tokenLimit else { return nil }
        return Utterance(original: utterance.original, words: utterance.words, tokens: tokens)
    }

    /// The canonical words of one word as written in a template or a name.
    public func canonical(_ word: String) -> [String] {
        if word == Self.minusSign { return [numbers.minusWord] }
        if word == Self.ampersand { return [numbers.and] }
        if let expansion = contractions[word] { return expansion.map { spellings[$0] ?? $0 } }
        if let numeral = numeral(word) { return numeral }
        return [spellings[word] ?? word]
    }

    /// The canonical words of a phrase, such as an item's name.
    public func canonicalWords(_ phrase: String) -> [String] {
        Self.words(in: phrase).flatMap(canonical)
    }

    // MARK: text to words

    /// How a minus sign before a number is carried until `canonical` writes it out.
    static let minusSign = "−"
    /// How the sign between two words is carried until it is written out as the word that joins numbers.
    private static let ampersand = "&"

    /// Drops what stands in [ ], ( ) and * *: recognisers and people put asides there.
    static func withoutAsides(_ text: String) -> String {
        var result = "", closing: Character?, held = ""
        for character in text {
            if let end = closing {
                held.append(character)
                if character == end { (closing, held) = (nil, "") }
                continue
            }
            switch character {
            case "[": (closing, held) = ("]", "[")
            case "(": (closing, held) = (")", "(")
            case "*": (closing, held) = ("*", "*")
            default: result.append(character)
            }
        }
        // A bracket that is never closed was none.
        return closing == nil ? result : result + " " + held.dropFirst()
    }

    /// Written before an amount, or behind it.
    private static let currencySigns = "£$€¥"

    /// The words of text that is nothing but ASCII letters, digits, apostrophes and spaces, as most is; nil for any other.
    private static func plainWords(in text: String) -> [String]? {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            // The letters, small and capital, and the digits.
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, UInt8(ascii: "'"), UInt8(ascii: " "): true
            default: false
            }
        }
        guard text.utf8.allSatisfy(isPlain) else { return nil }
        return text.lowercased().utf8.split(separator: UInt8(ascii: " ")).compactMap { bytes in
            let word = String(Substring(bytes)).trimming { $0 == "'" }
            return word.isEmpty ? nil : word
        }
    }

    /// Lower-case words without punctuation; a hyphen parts two words; signs that belong to numbers stay.
    package static func words(in text: String) -> [String] {
        if let plain = plainWords(in: text) { return plain }
        let characters = Array(text.lowercased())
        var softened = ""
        for (index, character) in characters.enumerated() {
            switch character {
            case "’", "‘", "`": softened.append("'")
            case "-", "–", "−":
                // A minus stands before a digit at the start of a word; everywhere else a hyphen joins.
                let before = index > 0 ? characters[index - 1] : " "
                let after = index + 1 < characters.count ? characters[index + 1] : " "
                let isSign =
                    (before.isWhitespace || currencySigns.contains(before))
                    && (after.isNumber || currencySigns.contains(after))
                if isSign, let sign = softened.last, currencySigns.contains(sign) {
                    // “£-3” is read as “-£3”.
                    softened.removeLast()
                    softened += " \(minusSign) \(sign)"
                } else {
                    softened += isSign ? " \(minusSign) " : " "
                }
            case "—", "/", "_", "‐", "‑": softened.append(" ")
            default: softened.append(character)
            }
        }
        var result: [String] = []
        for piece in softened.split(whereSeparator: \.isWhitespace) {
            if piece == minusSign {
                result.append(minusSign)
                continue
            }
            let word = piece.filter { $0.isLetter || $0.isNumber || "'£$€¥%°.,:&+".contains($0) }
            let trimmed = String(word).trimming { ".,:'&+".contains($0) }
            if let last = result.last, trimmed.count == 1, currencySigns.contains(trimmed), last.last?.isNumber == true
            {
                // “50 €” is “50€”.
                result[result.count - 1] = last + trimmed
            } else if !trimmed.isEmpty {
                result.append(trimmed)
            } else if word == "&" {
                result.append(ampersand)
            }
        }
        return result
    }

    private func replacingMishearings(_ words: [String]) -> [String] {
        var result: [String] = [], index = 0
        outer: while index < words.count {
            for (heard, meant) in mishearings where words[index...].starts(with: heard) {
                result += meant
                index += heard.count
                continue outer
            }
            result.append(words[index])
            index += 1
        }
        return result
    }

    // MARK: numerals

    /// `£12.45` is “twelve pounds forty five”, `2.5kg` “two point five kilograms”, `50%` “fifty percent”.
    private func numeral(_ word: String) -> [String]? {
        guard word.contains(where: \.isNumber) else {
            // A lone letter is more likely a letter than a unit.
            let isAbbreviation = word.count > 1 || word.first?.isLetter == false
            return isAbbreviation ? suffixUnits[word].flatMap { $0.isEmpty ? nil : $0 } : nil
        }
        var rest = Substring(word), currency: String?
        if let first = rest.first, let name = prefixSymbols[first] {
            currency = name
            rest.removeFirst()
        }
        rest = Self.withDecimalPoint(rest)
        let whole = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ",") }.filter { $0 != "," }
        rest = rest.drop { $0.isASCII && ($0.isNumber || $0 == ",") }
        guard !whole.isEmpty else { return nil }
        var decimals = ""
        if rest.first == "." || rest.first == ":" {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            if !digits.isEmpty {
                let isTime = rest.first == ":"
                rest = rest.dropFirst(1 + digits.count)
                if isTime { return numbers.words(forDigits: whole, decimals: "") + clockMinutes(String(digits)) }
                decimals = String(digits)
            }
        }
        if let symbol = rest.first, rest.count == 1, let name = prefixSymbols[symbol] {
            currency = name
            rest = ""
        }
        if let currency {
            if let scale = suffixUnits[String(rest)], scale.allSatisfy({ numbers.scales[$0] != nil }) {
                return numbers.words(forDigits: whole, decimals: decimals) + scale + [currency]
            }
            guard rest.isEmpty else { return nil }
            // Two decimals of money are pence; the rest of the program reads “twelve pounds forty five” back.
            if decimals.count == 2, let minor = Int(decimals) {
                let tail = minor == 0 ? [] : numbers.words(for: minor)
                return numbers.words(forDigits: whole, decimals: "") + [currency] + tail
            }
            return numbers.words(forDigits: whole, decimals: decimals) + [currency]
        }
        let number = numbers.words(forDigits: whole, decimals: decimals)
        if rest.isEmpty { return number }
        guard let unit = suffixUnits[String(rest)] else { return nil }
        return number + unit
    }

    /// `1.250,50` and `1,50`, as the continent writes them, with British separators. A comma before three digits parts
    /// thousands; before one or two at the end of a number it is a decimal one.
    private static func withDecimalPoint(_ text: Substring) -> Substring {
        guard let match = text.prefixMatch(of: /([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+),([0-9]{1,2})(?![0-9,.])/) else {
            return text
        }
        let whole = match.output.1.filter { $0 != "." }
        return Substring("\(whole).\(match.output.2)" + text[match.range.upperBound...])
    }

    private func clockMinutes(_ digits: String) -> [String] {
        guard let minutes = Int(digits), minutes > 0 else { return [] }
        return minutes < 10 ? numbers.words(for: 0) + numbers.words(for: minutes) : numbers.words(for: minutes)
    }
}

extension String {
    package func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var slice = Substring(self)
        while let first = slice.first, isTrimmed(first) { slice.removeFirst() }
        while let last = slice.last, isTrimmed(last) { slice.removeLast() }
        return String(slice)
    }
}
