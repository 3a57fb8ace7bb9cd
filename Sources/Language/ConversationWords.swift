import Configuration

/// The words by which an utterance leans on the one before it, or holds two commands; from `conversation.yaml`. A
/// language without the file has none of it.
package struct ConversationWords: Sendable {
    /// A phrase as its canonical words.
    package typealias Words = [String]

    /// The same question without some of its slots.
    package struct Widening: Sendable {
        package let intents: Set<String>, slots: [String]
        package let phrases: Set<String>
    }

    /// The first hints, in their order.
    package let hints: [String]
    /// What stands before and behind something that takes the place of what was said; the longest first.
    package let leading: [Words], trailing: [Words]
    /// What stands behind it where nothing need stand before it.
    package let added: [Words]
    /// Words that may stand among the parts of a follow-up.
    package let small: Set<String>
    /// What stands for the noun before: “the bedroom ones”.
    let ones: Set<String>
    /// What stands for something spoken of before, the longest first.
    package let pronouns: [Words]
    /// What stands for a place, with the words in full around `{place}`.
    package let places: [(words: Words, meaning: String)]
    /// What says nothing behind a command with a pronoun.
    package let repeats: [Words]
    /// What stands before a new value, and the intents that may take it after an intent.
    package let values: [Words], targets: [String: [String]]
    /// The slots that a follow-up of an intent keeps, where it keeps not all.
    package let keeps: [String: Set<String>]
    /// Slots of which a new one takes the place of the others.
    package let instead: [Set<String>]
    let widenings: [Widening]
    /// What joins two commands, the longest first, and the intents whose free text is never parted.
    package let joins: [Words], whole: Set<String>
    /// The phrases for the first of several, the second …; those for the last.
    /// All ways to choose one of several by its place.
    package var choices: [String] { Array(last.union(ordinals.flatMap { $0 })) }
    private let ordinals: [Set<String>], last: Set<String>

    /// - Throws: `ConfigurationError`.
    package init(_ folder: LanguageFolder, normaliser: Normaliser) throws {
        let nodes =
            try folder.hasFile("conversation.yaml")
            ? folder.file("conversation.yaml").entries(allowed: [
                "hints", "leading", "trailing", "added", "small", "ones", "pronouns", "places", "repeats", "values",
                "targets", "keeps", "instead", "without", "joins", "whole", "ordinals", "last",
            ]) : [:]
        func words(_ text: String) -> Words { normaliser.normalise(text).tokens.map(\.text) }
        func longestFirst(_ key: String) throws -> [Words] {
            try (nodes[key]?.strings() ?? []).map(words).filter { !$0.isEmpty }.sorted { $0.count > $1.count }
        }
        func texts(_ node: ConfigurationNode?) throws -> Set<String> {
            Set(try (node?.strings() ?? []).map { normaliser.withoutFillers(normaliser.normalise($0)).text })
        }
        hints = try nodes["hints"]?.strings() ?? []
        leading = try longestFirst("leading")
        trailing = try longestFirst("trailing")
        added = try longestFirst("added")
        small = Set(try longestFirst("small").joined())
        ones = Set(try longestFirst("ones").joined())
        pronouns = try longestFirst("pronouns")
        places = try (nodes["places"]?.entries() ?? []).map { (words($0.key), try $0.value.string()) }
            .sorted { $0.words.count > $1.words.count }
        repeats = try longestFirst("repeats")
        values = try longestFirst("values")
        targets = Dictionary(
            try (nodes["targets"]?.entries() ?? []).map { ($0.key, try $0.value.strings()) }
        ) { first, _ in first }
        keeps = Dictionary(
            try (nodes["keeps"]?.entries() ?? []).map { ($0.key, Set(try $0.value.strings())) }
        ) { first, _ in first }
        instead = try (nodes["instead"]?.elements() ?? []).map { Set(try $0.strings()) }
        widenings = try (nodes["without"]?.elements() ?? []).map { node in
            let entry = try node.entries(allowed: ["after", "slots", "phrases"])
            return Widening(
                intents: Set(try entry["after"]?.strings() ?? []), slots: try entry["slots"]?.strings() ?? [],
                phrases: try texts(entry["phrases"]))
        }
        joins = try longestFirst("joins")
        whole = Set(try nodes["whole"]?.strings() ?? [])
        ordinals = try (nodes["ordinals"]?.elements() ?? []).map(texts)
        last = try texts(nodes["last"])
    }

    /// Which of `count` things the whole utterance names by its place; nil when none.
    package func place(_ utterance: Utterance, of count: Int) -> Int? {
        if last.contains(utterance.text) { return count - 1 }
        return ordinals.firstIndex { $0.contains(utterance.text) }.flatMap { $0 < count ? $0 : nil }
    }

    /// The longest of `phrases` that the words from `start` begin with.
    package static func match(_ phrases: [Words], in words: Words, at start: Int = 0) -> Words? {
        phrases.first { words.dropFirst(start).starts(with: $0) }
    }
}

extension Utterance {
    /// The utterance without the first phrase of `phrases` that it begins with; nil when it begins with none, or has
    /// nothing else.
    func dropping(leading phrases: [ConversationWords.Words]) -> Utterance? {
        let words = tokens.map(\.text)
        guard let phrase = ConversationWords.match(phrases, in: words), phrase.count < words.count else { return nil }
        return trimmed(phrase.count..<words.count)
    }

    /// True when it begins with one of `phrases`.
    package func begins(with phrases: [ConversationWords.Words]) -> Bool {
        ConversationWords.match(phrases, in: tokens.map(\.text)) != nil
    }

    /// The utterance without the phrases of `phrases` that it ends with; something always stays.
    func dropping(trailing phrases: [ConversationWords.Words]) -> Utterance {
        var rest = self
        while let phrase = phrases.first(where: { phrase in
            phrase.count < rest.tokens.count && rest.tokens.suffix(phrase.count).map(\.text) == phrase
        }) {
            rest = rest.trimmed(0..<rest.tokens.count - phrase.count)
        }
        return rest
    }
}
