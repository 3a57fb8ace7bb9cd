import Domain
import Language

/// Finding what was meant though it was said otherwise.
extension ItemFinder {
    /// What a search found.
    package struct Search {
        /// The items' numbers.
        package let ids: [Int64]
        /// True where every word was said as it is written, in whatever order and number.
        package let isCertain: Bool
    }

    /// How well a name fits; better is less.
    private enum Rank: Int, Comparable {
        case same, joined, part, near
        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    /// The items that `thing` may be: the same words in any order and number, else written as one word or as two,
    /// else some of the name's words, else words that sound alike.
    package func search(_ thing: String) async throws -> Search {
        var matcher = NameMatcher(environment.books.normaliser.canonicalWords(thing), environment.books)
        guard !matcher.said.isEmpty else { return Search(ids: [], isCertain: false) }
        var best = Rank.near, ids: [Int64] = [], seen = Set<Int64>()
        for name in try await manifest.itemNames() {
            guard let rank = matcher.rank(name.name), rank <= best else { continue }
            if rank < best { (ids, seen) = ([], []) }
            best = rank
            // More than this nobody can choose from.
            if ids.count < 100, seen.insert(name.id).inserted { ids.append(name.id) }
        }
        return Search(ids: ids, isCertain: best == .same || best == .joined)
    }

    /// Compares many names with what was said. Ten thousand names are made of far fewer words, so each word is
    /// compared once.
    private struct NameMatcher {
        let said: [String]
        private let books: Phrasebooks
        private let joined: String
        private let all: UInt64
        /// For each word of a name, which of the said words it is, and which it sounds like.
        private var known: [Substring: (same: UInt64, near: UInt64)] = [:]

        init(_ words: [String], _ books: Phrasebooks) {
            said = Array(words.prefix(32)).map(books.words.singular)
            joined = said.joined()
            all = (1 << UInt64(said.count)) - 1
            self.books = books
        }

        mutating func rank(_ name: String) -> Rank? {
            var count = 0, same: UInt64 = 0, near: UInt64 = 0
            for word in name.split(whereSeparator: { $0 == " " || $0 == "-" }) {
                count += 1
                let fit = fit(word)
                same |= fit.same
                near |= fit.near
            }
            if same == all { return count == said.count ? .same : count > said.count ? .part : nil }
            if near == all, count == said.count { return .near }
            // “cork screw” and “corkscrew”.
            guard count != said.count, name.utf8.first == joined.utf8.first,
                abs(name.utf8.count - count + 1 - joined.utf8.count) <= 2
            else { return nil }
            let whole = books.words.singular(name.lowercased().filter { $0 != " " && $0 != "-" })
            return whole == joined ? .joined : books.rules.sounds(joined, like: whole) ? .near : nil
        }

        private mutating func fit(_ word: Substring) -> (same: UInt64, near: UInt64) {
            if let known = known[word] { return known }
            // “12” is said as “twelve”; other words stand as they are.
            let text = String(word).lowercased()
            let plain = text.contains(where: \.isNumber) ? books.normaliser.canonicalWords(text).joined() : text
            let stem = books.words.singular(plain)
            var same: UInt64 = 0, near: UInt64 = 0
            for (place, other) in said.enumerated() {
                if other == stem { same |= 1 << UInt64(place) }
                if books.rules.sounds(other, like: stem) { near |= 1 << UInt64(place) }
            }
            known[word] = (same, near)
            return (same, near)
        }
    }
}
