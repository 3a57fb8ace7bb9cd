@testable import Language
import Testing

/// Owners put a command in many ways: each intent has to know some that are really different.
@Suite struct PhrasingTests {
    private static let least = 8

    private static let intents = English.books.books.flatMap { book in
        book.intents.map { (name: "\(book.handler).\($0.name)", intent: $0) }
    }

    /// A template stands for one phrasing, in its shortest and commonest form, and one whose alternatives are whole
    /// sentences for one each. Two phrasings that differ in a single word, left out, added or exchanged, count as one;
    /// a slot is a word. The first ones count, and each further one that differs from all of those.
    @Test func everyIntent_hasEightPhrasings_thatDifferInMoreThanAWord() {
        #expect(Self.intents.count > 80)
        for (name, intent) in Self.intents {
            var different: [[String]] = []
            for phrasing in intent.phrases.flatMap(Self.phrasings)
            where different.count < Self.least && different.allSatisfy({ Self.distance($0, phrasing) > 1 }) {
                different.append(phrasing)
            }
            #expect(different.count >= Self.least, "\(name): \(different.map { $0.joined(separator: " ") })")
        }
    }

    @Test func aWordMoreOrLess_isNoOtherPhrasing() {
        #expect(Self.distance(["turn", "it", "on"], ["turn", "it", "off"]) == 1)
        #expect(Self.distance(["turn", "it", "on"], ["turn", "on"]) == 1)
        #expect(Self.distance(["turn", "it", "on"], ["turn", "on", "it"]) == 2)
        #expect(Self.distance([], ["on"]) == 1)
    }

    /// The phrasings of a template without what may be left out.
    private static func phrasings(_ template: Template) -> [[String]] {
        switch template {
        case .choice(let parts): return parts.flatMap(phrasings)
        case .sequence(let parts):
            let needed = parts.filter { if case .optional = $0 { false } else { true } }
            return needed.count == 1 ? phrasings(needed[0]) : [first(template)]
        case .word, .slot, .rule, .optional: return [first(template)]
        }
    }

    private static func first(_ template: Template) -> [String] {
        switch template {
        case .word(let word): [word]
        case .slot(let list, _): ["{\(list)}"]
        case .rule(let name): ["<\(name)>"]
        case .sequence(let parts): parts.flatMap(first)
        case .choice(let parts): parts.first.map(first) ?? []
        case .optional: []
        }
    }

    /// How many words must be put in, taken out or exchanged (Levenshtein).
    private static func distance(_ one: [String], _ other: [String]) -> Int {
        var row = Array(0...other.count)
        for (index, word) in one.enumerated() {
            var next = [index + 1]
            for (column, otherWord) in other.enumerated() {
                let exchanged = row[column] + (word == otherWord ? 0 : 1)
                next.append(min(exchanged, row[column + 1] + 1, next[column] + 1))
            }
            row = next
        }
        return row[other.count]
    }
}
