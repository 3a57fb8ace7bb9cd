import Domain

/// A phrase template, parsed: Home Assistant's sentence syntax as a tree over words.
public indirect enum Template: Sendable, Equatable, Hashable {
    /// One lower-case word as written.
    case word(String)
    /// All parts, in order.
    case sequence([Template])
    /// One of the parts: `(a|b)`.
    case choice([Template])
    /// The part or nothing: `[a]`.
    case optional(Template)
    /// A slot: `{list}`, or `{list:name}` where the value goes under another name.
    case slot(list: String, name: String)
    /// A named fragment: `<rule>`. A loaded phrasebook has none left.
    case rule(String)

    /// The template that matches nothing said.
    public static let empty = Template.sequence([])

    /// The words, where the template is nothing but words.
    package var plainText: String? {
        switch self {
        case .word(let word): return word
        case .sequence(let parts):
            let words = parts.compactMap(\.plainText)
            return words.count == parts.count ? words.joined(separator: " ") : nil
        case .choice, .optional, .slot, .rule: return nil
        }
    }

    /// A hash that is the same on every machine and in every run.
    package var stableHash: UInt64 {
        var hash = StableHash()
        func add(_ tag: UInt64, _ text: String = "") {
            hash.add(word: tag)
            hash.add(text.utf8)
        }
        func visit(_ template: Template) {
            switch template {
            case .word(let word): add(1, word)
            case .sequence(let parts):
                add(2)
                parts.forEach(visit)
            case .choice(let parts):
                add(3)
                parts.forEach(visit)
            case .optional(let part):
                add(4)
                visit(part)
            case .slot(let list, let name):
                add(5, list)
                add(6, name)
            case .rule(let name): add(7, name)
            }
            hash.add(word: 0)
        }
        visit(self)
        return hash.value
    }

    /// The names of the slots in it, each once, in order of appearance.
    public var slots: [(list: String, name: String)] {
        var found: [(list: String, name: String)] = []
        func visit(_ template: Template) {
            switch template {
            case .word, .rule: break
            case .sequence(let parts), .choice(let parts): parts.forEach(visit)
            case .optional(let part): visit(part)
            case .slot(let list, let name):
                if !found.contains(where: { $0.list == list && $0.name == name }) { found.append((list, name)) }
            }
        }
        visit(self)
        return found
    }

    /// Whether it may be said without naming anything: “lock up”, “lock [{device}]”.
    var canBeSaidWithoutSlots: Bool {
        switch self {
        case .word, .rule, .optional: true
        case .slot: false
        case .sequence(let parts): parts.allSatisfy(\.canBeSaidWithoutSlots)
        case .choice(let parts): parts.contains(where: \.canBeSaidWithoutSlots)
        }
    }

    /// The template with every `<rule>` replaced.
    /// - Throws: whatever `resolve` throws for a rule that does not exist or refers to itself.
    func replacingRules(_ resolve: (String) throws -> Template) rethrows -> Template {
        switch self {
        case .word, .slot: self
        case .sequence(let parts): .sequence(try parts.map { try $0.replacingRules(resolve) })
        case .choice(let parts): .choice(try parts.map { try $0.replacingRules(resolve) })
        case .optional(let part): .optional(try part.replacingRules(resolve))
        case .rule(let name): try resolve(name)
        }
    }
}
