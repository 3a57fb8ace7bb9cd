import Configuration
import Domain

/// How a task is spoken of that is written as an order, from `tasks` of a language's `words.yaml`: “fill the water
/// tank” is what was done when “the water is filled”, and “the water tank” by itself says which task is meant.
package struct TaskForms: Sendable {
    private struct Verb: Sendable {
        /// The order's words, the preposition last: “turn off”.
        let words: [String]
        /// What was done, and what the thing is then.
        let did: [[String]], state: [[String]]
    }

    private let verbs: [Verb]
    /// Last words that are often left out: the “tank” of “water tank”.
    private let unsaid: Set<String>
    /// What may stand before the thing, and what joins it to its state.
    private let articles: Set<String>, joins: [[String]]
    /// The article that is said between a verb and its thing.
    private let article: String?

    /// - Throws: `ConfigurationError`.
    init(_ node: ConfigurationNode?, articles: WordRules.Articles) throws {
        let nodes = try node?.entries(allowed: ["verbs", "unsaid", "joins"]) ?? [:]
        verbs = try (nodes["verbs"]?.entries() ?? []).map { order, node in
            let entry = try node.entries(allowed: ["did", "state"])
            func forms(_ key: String) throws -> [[String]] { try entry[key]?.strings().map(Self.words) ?? [] }
            return Verb(words: Self.words(order), did: try forms("did"), state: try forms("state"))
        }
        .sorted { $0.words.count > $1.words.count }
        unsaid = Set(try nodes["unsaid"]?.strings() ?? [])
        joins = try nodes["joins"]?.strings().map(Self.words) ?? []
        self.articles = Set(articles.common + articles.other)
        article = articles.common.first
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// The names with the forms of its tasks beside them.
    func adding(to names: OwnerNames, _ normaliser: Normaliser) -> OwnerNames {
        guard !verbs.isEmpty else { return names }
        var names = names
        let orders = names[.task].compactMap { task in
            parts(normaliser.canonicalWords(task.name)).map { (task, $0.verb, $0.things) }
        }
        names[.taskObject] = orders.compactMap { task, _, things in
            Self.name(things.map { $0.joined(separator: " ") }, of: task)
        }
        names[.doneTask] = orders.compactMap { task, verb, things in
            Self.name(things.flatMap { forms(verb, $0) }, of: task)
        }
        return names
    }

    private static func name(_ forms: [String], of task: OwnerName) -> OwnerName? {
        forms.first.map { OwnerName(name: $0, aliases: Array(forms.dropFirst()), id: task.id) }
    }

    /// The verb of an order, and the thing in the ways that it may be called.
    private func parts(_ task: [String]) -> (verb: Verb, things: [[String]])? {
        for verb in verbs {
            var thing = task
            if task.starts(with: verb.words) {
                thing.removeFirst(verb.words.count)
            } else if verb.words.count == 2, task.first == verb.words[0], task.last == verb.words[1] {
                thing = Array(task.dropFirst().dropLast())
            } else {
                continue
            }
            thing = Array(thing.drop { articles.contains($0) })
            guard !thing.isEmpty else { return nil }
            var things = [thing]
            if thing.count > 1, let last = thing.last, unsaid.contains(last) { things.append(thing.dropLast()) }
            return (verb, things)
        }
        return nil
    }

    /// “Gas off”, “gas is off”, “turned off the gas”, “turned the gas off”.
    private func forms(_ verb: Verb, _ thing: [String]) -> [String] {
        let states = (verb.state + verb.did).flatMap { state in ([[]] + joins).map { thing + $0 + state } }
        let things = [thing] + (article.map { [[$0] + thing] } ?? [])
        let deeds = verb.did.flatMap { did in
            things.flatMap { thing in
                did.count == 2 ? [did + thing, [did[0]] + thing + [did[1]]] : [did + thing]
            }
        }
        return (states + deeds).map { $0.joined(separator: " ") }
    }
}
