import Foundation
import Handlers
import Language

/// Compares what a label names with what was done: without case, articles and plural, and numbers by their value.
struct ActWords: Sendable {
    /// The ledger's category for each word that a phrasebook knows for it.
    let categories: [String: String]

    init(categories: [String: String] = [:]) { self.categories = categories }

    /// The categories of a language's phrasebooks.
    init(_ books: Phrasebooks) {
        var categories: [String: String] = [:]
        for book in books.books where book.handler == FinanceIntent.handler {
            guard case .list(let values)? = book.slots["category"] else { continue }
            for (template, value) in values {
                for text in template.texts { categories[Self.plain(text), default: value ?? text] = value ?? text }
            }
        }
        self.categories = categories
    }

    private static let articles: Set<String> = ["a", "an", "the", "my", "our", "some"]
    /// How far numbers of a slot may lie apart: devices round, and odometers count in another unit.
    private static let tolerances = ["value": 0.6, "odometer": 1.0]

    /// The words without what does not count.
    static func plain(_ text: String) -> String {
        SpokenWords.of(text).filter { !articles.contains($0) }.map(singular).joined(separator: " ")
    }

    /// The endings of plurals, the longest first, with how many characters they add. The singulars that are compared
    /// need not be words, only the same.
    private static let plurals = [("ches", 2), ("shes", 2), ("sses", 2), ("xes", 2), ("ss", 0), ("s", 1)]

    private static func singular(_ word: String) -> String {
        guard word.count > 3, let plural = plurals.first(where: { word.hasSuffix($0.0) }) else { return word }
        return String(word.dropLast(plural.1))
    }

    /// True where a value of a slot is the one of the label.
    func isSame(_ value: String, _ label: String, in slot: String) -> Bool {
        if let number = Double(value), let wanted = Double(label) {
            return abs(number - wanted) <= (Self.tolerances[slot] ?? 0.001)
        }
        let plain = Self.plain(value), wanted = Self.plain(label)
        if plain == wanted { return true }
        return slot == "category" && categories[wanted].map { Self.plain($0) == plain } == true
    }

    /// True where a reply names what the label does.
    func mentions(_ reply: String, _ label: String, in slot: String) -> Bool {
        let number = Double(label).map { $0.formatted(.number.grouping(.never)) }
        let names = [number ?? Self.plain(label)] + (slot == "category" ? [categories[Self.plain(label)] ?? ""] : [])
        let text = " \(Self.plain(reply)) "
        return names.contains { !$0.isEmpty && text.contains(" \(Self.plain($0)) ") }
    }
}

extension Template {
    /// What a template without slots and rules can be, as texts.
    fileprivate var texts: [String] {
        switch self {
        case .word(let word): ["\(word)"]
        case .sequence(let parts):
            parts.reduce([""]) { begun, part in
                begun.flatMap { start in part.texts.map { start.isEmpty ? $0 : $0.isEmpty ? start : "\(start) \($0)" } }
            }
        case .choice(let parts): parts.flatMap(\.texts)
        case .optional(let part): [""] + part.texts
        case .rule, .slot: []
        }
    }
}
