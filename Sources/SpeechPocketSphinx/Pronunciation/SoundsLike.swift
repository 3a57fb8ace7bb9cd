/// A “sounds like” spelling that means nothing: what is wrong with it, and what is expected.
public struct SpellingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence for the owner.
    public let description: String

    init(_ problem: String) {
        description =
            problem + ". Words and syllables are expected (lid ul), or CMU's phones in capitals (L IH D AH L)."
    }
}

/// A “sounds like” spelling, taken apart.
enum SoundsLike: Equatable {
    /// CMU's phones, without stress.
    case phones([String])
    /// Words or syllables, lower case, each to be looked up or read.
    case parts([String])

    /// In characters.
    static let longestSpelling = 120
    /// In phones.
    static let longestWord = 40

    /// Takes `spelling` apart. Capitals are phones where each is one, or where one has a stress mark.
    /// - Throws: `SpellingError`.
    init(_ spelling: String) throws(SpellingError) {
        let parts = spelling.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !parts.isEmpty else { throw SpellingError("The spelling is empty") }
        guard spelling.count <= Self.longestSpelling else {
            throw SpellingError("The spelling is too long: at most \(Self.longestSpelling) characters")
        }
        if !spelling.contains(where: \.isLowercase), let phones = try Self.phones(parts, in: spelling) {
            self = .phones(phones)
            return
        }
        for part in parts where !Lexicon.isReadable(part) || !part.allSatisfy(\.isASCII) {
            throw SpellingError("Nobody can pronounce “\(part)” in “\(spelling)”")
        }
        self = .parts(parts.map { $0.lowercased() })
    }

    private static func phones(_ parts: [String], in spelling: String) throws(SpellingError) -> [String]? {
        let bare = parts.map { part in
            // Of CMU's stress marks 0, 1 and 2 one may stand behind a phone.
            part.last.map { "012".contains($0) } == true ? String(part.dropLast()) : part
        }
        let isMarked = zip(parts, bare).contains { $0 != $1 && Lexicon.phones.contains($1) }
        guard let odd = bare.firstIndex(where: { !Lexicon.phones.contains($0) }) else {
            guard bare.count <= longestWord else {
                throw SpellingError("“\(spelling)” is too long for one word: at most \(longestWord) phones")
            }
            return bare
        }
        guard isMarked else { return nil }
        throw SpellingError("“\(parts[odd])” in “\(spelling)” is not a phone of the CMU set")
    }
}
