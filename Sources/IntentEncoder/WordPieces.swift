import Foundation

/// Cuts a text into the pieces of words that the encoder knows, as BERT does: lower case, accents off, punctuation apart,
/// then the longest piece that is known, and again with what is left of the word.
struct WordPieces: Sendable {
    /// A word of more characters is unknown as a whole.
    private static let longestWord = 100
    private static let unknown = "[UNK]", begin = "[CLS]", end = "[SEP]"

    private let numbers: [String: Int32]
    private let unknownNumber: Int32, beginNumber: Int32, endNumber: Int32
    /// Pieces that are known.
    var count: Int { numbers.count }

    /// - Parameter vocabulary: the pieces, one on each line; those that do not begin a word begin with `##`.
    /// - Throws: `EncoderError` where a piece that is needed is missing.
    init(vocabulary: String) throws {
        var numbers: [String: Int32] = [:]
        var next: Int32 = 0
        // By bytes: a line end of the vocabulary is one byte, and some of its pieces are line ends to Unicode.
        for line in vocabulary.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if let piece = String(line) { numbers[piece] = next }
            next += 1
        }
        numbers[""] = nil
        guard let unknown = numbers[Self.unknown], let begin = numbers[Self.begin], let end = numbers[Self.end] else {
            throw EncoderError("the vocabulary has no \(Self.unknown), \(Self.begin) or \(Self.end)")
        }
        (self.numbers, unknownNumber, beginNumber, endNumber) = (numbers, unknown, begin, end)
    }

    /// The numbers of a text's pieces, with the marks of its begin and end.
    /// - Returns: nil where there are more than `limit`, or none.
    func pieces(of text: String, limit: Int) -> [Int32]? {
        // No piece is shorter than a character; spaces and marks over letters are none.
        guard text.utf8.count <= limit * Self.longestWord else { return nil }
        var result = [beginNumber]
        for word in Self.words(text) {
            result += pieces(ofWord: word)
            guard result.count < limit else { return nil }
        }
        guard result.count > 1 else { return nil }
        return result + [endNumber]
    }

    private func pieces(ofWord word: [Unicode.Scalar]) -> [Int32] {
        guard word.count <= Self.longestWord else { return [unknownNumber] }
        var found: [Int32] = []
        var start = 0
        while start < word.count {
            var piece = start == 0 ? "" : "##"
            var longest: (number: Int32, end: Int)?
            for place in start..<word.count {
                piece.unicodeScalars.append(word[place])
                if let number = numbers[piece] { longest = (number, place + 1) }
            }
            guard let longest else { return [unknownNumber] }
            found.append(longest.number)
            start = longest.end
        }
        return found
    }

    /// The words of a text as scalars, each mark of punctuation and each ideograph by itself.
    private static func words(_ text: String) -> [[Unicode.Scalar]] {
        var words: [[Unicode.Scalar]] = []
        var word: [Unicode.Scalar] = []
        func close() {
            if !word.isEmpty { words.append(word) }
            word = []
        }
        for scalar in text.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars {
            switch kind(of: scalar) {
            case .space: close()
            case .alone:
                close()
                words.append([scalar])
            case .letter: word.append(scalar)
            case .nothing: break
            }
        }
        close()
        return words
    }

    private enum Kind {
        case space, alone, letter, nothing
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20: return .space
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: return .alone
        case 0x30...0x39, 0x61...0x7A: return .letter
        case 0, 0xFFFD: return .nothing
        // Ideographs, as BERT lists them.
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B820...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            return .alone
        default: break
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .space
        case .control, .format, .privateUse, .surrogate, .unassigned, .nonspacingMark: return .nothing
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return .alone
        default: return .letter
        }
    }
}
