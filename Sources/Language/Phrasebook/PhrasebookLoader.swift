import Domain
import Configuration

/// The slots and rules that all phrasebooks of a language share (`common.yaml`).
public struct CommonPhrases: Sendable {
    package let slots: [String: SlotDefinition]
    package let rules: [String: Template]

    /// Nothing shared.
    public static let none = CommonPhrases(slots: [:], rules: [:])

    package init(slots: [String: SlotDefinition], rules: [String: Template]) {
        self.slots = slots
        self.rules = rules
    }

    /// Reads `common.yaml`.
    /// - Throws: `ConfigurationError`.
    public init(_ root: ConfigurationNode) throws {
        let nodes = try root.entries(allowed: ["language", "slots", "rules"])
        let reader = PhrasebookReader(common: .none)
        rules = try reader.rules(nodes["rules"])
        slots = try reader.slots(nodes["slots"], rules: rules)
    }
}

/// Reads one phrasebook file; every complaint names file and line.
struct PhrasebookReader {
    let common: CommonPhrases
    /// What is left for the owner's files together; nil for the shipped ones.
    var budget: PhrasebookBudget?

    func phrasebook(_ root: ConfigurationNode, handler: String, isCustom: Bool) throws -> Phrasebook {
        let nodes = try root.entries(allowed: ["language", "slots", "rules", "intents"])
        guard let language = try nodes["language"]?.string() else {
            throw root.error("“language” is missing; write language: en")
        }
        guard let intentsNode = nodes["intents"] else { throw root.error("“intents” is missing") }
        let rules = try rules(nodes["rules"])
        let slots = common.slots.merging(try slots(nodes["slots"], rules: rules)) { $1 }
        let values = try slots.mapValues { try Self.values($0, root) }
        let intents = try intentsNode.entries().map {
            try intent($0.key, $0.value, rules: rules, slots: slots, values: values, isCustom: isCustom)
        }
        return Phrasebook(handler: handler, language: language, file: root.file, slots: slots, intents: intents)
    }

    func rules(_ node: ConfigurationNode?) throws -> [String: Template] {
        var raw: [String: (Template, ConfigurationNode)] = [:], order: [String] = []
        for (name, value) in try node?.entries() ?? [] {
            raw[name] = (try template(value), value)
            order.append(name)
        }
        var own: [String: Template] = [:]
        func resolve(_ name: String, from user: ConfigurationNode, path: [String]) throws -> Template {
            if let known = own[name] { return known }
            guard !path.contains(name) else {
                throw user.error("the rule <\(name)> refers to itself: \((path + [name]).joined(separator: " → "))")
            }
            guard path.count < PhrasebookBounds.ruleDepth else {
                throw user.error("rules use each other too deep: \(PhrasebookBounds.ruleDepth) levels are allowed")
            }
            guard let (template, node) = raw[name] else {
                if let shared = common.rules[name] { return shared }
                throw user.error("there is no rule <\(name)>")
            }
            let resolved = try template.replacingRules { try resolve($0, from: node, path: path + [name]) }
            // Before another uses it: nothing grows by more than what one template may have.
            _ = try extent(resolved, node)
            own[name] = resolved
            return resolved
        }
        for name in order { if let (_, node) = raw[name] { _ = try resolve(name, from: node, path: []) } }
        return common.rules.merging(own) { $1 }
    }

    func slots(_ node: ConfigurationNode?, rules: [String: Template]) throws -> [String: SlotDefinition] {
        var result: [String: SlotDefinition] = [:]
        for (name, value) in try node?.entries() ?? [] { result[name] = try slot(value, rules: rules) }
        return result
    }

    private func slot(_ node: ConfigurationNode, rules: [String: Template]) throws -> SlotDefinition {
        if node.isList {
            let values = try node.elements()
            guard !values.isEmpty else { throw node.error("the list is empty") }
            guard values.count <= PhrasebookBounds.values else {
                throw node.error(
                    "the list has \(PlainNumber.grouped(values.count)) values: "
                        + "\(PlainNumber.grouped(PhrasebookBounds.values)) are allowed")
            }
            return .list(
                try values.map { value in
                    guard value.isMapping else { return (try slotTemplate(value, rules: rules), nil) }
                    let entry = try value.entries(allowed: ["say", "value"])
                    guard let say = entry["say"] else { throw value.error("expected {say: …, value: …}") }
                    return (try slotTemplate(say, rules: rules), try entry["value"]?.string())
                })
        }
        if node.isMapping {
            let entry = try node.entries(allowed: ["kind", "bare"])
            guard let kindNode = entry["kind"] else { throw node.error("expected {kind: …}") }
            guard let kind = SlotKind(rawValue: try kindNode.string()) else {
                let kinds = SlotKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw kindNode.error("unknown kind; expected one of: \(kinds)")
            }
            return .kind(kind, bare: try entry["bare"]?.bool() ?? false)
        }
        return .template(try slotTemplate(node, rules: rules))
    }

    private func slotTemplate(_ node: ConfigurationNode, rules: [String: Template]) throws -> Template {
        let template = try resolved(node, rules: rules)
        if let inner = template.slots.first { throw node.error("a slot cannot hold another slot, {\(inner.list)}") }
        try requireWords(template, node)
        try count(extent(template, node).parts, node)
        return template
    }

    private func intent(
        _ name: String, _ node: ConfigurationNode, rules: [String: Template], slots: [String: SlotDefinition],
        values: [String: Double], isCustom: Bool
    ) throws -> PhrasebookIntent {
        let nodes = try node.entries(
            allowed: [
                "phrases", "requires", "asks", "answers", "keywords", "paraphrases", "examples", "publish", "reply",
                "confirm", "undo", "takes", "offers", "names",
            ])
        guard let phrasesNode = nodes["phrases"] else { throw node.error("“phrases” is missing") }
        try count(1, node)
        func templates(_ node: ConfigurationNode?) throws -> [Template] {
            try self.templates(node, rules: rules, slots: slots, values: values)
        }
        let phrases = try templates(phrasesNode), examples = try examples(nodes["examples"])
        guard !phrases.isEmpty else { throw phrasesNode.error("at least one phrase is needed") }
        let paraphrases = try templates(nodes["paraphrases"])
        let slots = PhrasebookIntent.slots(of: phrases + paraphrases), slotNames = Set(slots.map(\.name))
        let requires = try nodes["requires"]?.elements().map { group in
            let names = try group.string().split(separator: "|").map(String.init)
            for name in names where !slotNames.contains(name) { throw group.error("no phrase has a slot {\(name)}") }
            return names
        }
        let takes: Set<PhrasebookIntent.Takes> = try cases(nodes["takes"])
        let offers: Set<Analysis.Mood> = try cases(nodes["offers"])
        let names = try nodes["names"]?.elements().map { slot in
            let name = try slot.string()
            guard slotNames.contains(name) else { throw slot.error("no phrase has a slot {\(name)}") }
            return name
        }
        let publish = try publications(nodes["publish"], slots: slotNames)
        let undo = try publications(nodes["undo"], slots: slotNames)
        let reply = try nodes["reply"].map { try placeholders($0, slots: slotNames) }
        let confirm = try nodes["confirm"].map { try placeholders($0, slots: slotNames) }
        if isCustom, publish.isEmpty, reply == nil {
            throw node.error("the command does nothing; give it a “publish”, a “reply”, or both")
        }
        if !isCustom, !publish.isEmpty || !undo.isEmpty || reply != nil || confirm != nil {
            throw node.error("only custom commands publish, reply, confirm and undo by themselves")
        }
        if publish.isEmpty, let node = nodes["undo"] {
            throw node.error("there is nothing to undo: the command publishes nothing")
        }
        return PhrasebookIntent(
            name: name, phrases: phrases, requires: requires ?? [], asks: try nodes["asks"]?.bool() ?? false,
            answers: try nodes["answers"]?.bool() ?? false, keywords: try templates(nodes["keywords"]),
            paraphrases: paraphrases, slots: slots, words: PhrasebookIntent.words(of: phrases + paraphrases),
            examples: examples, takes: takes, offers: offers, names: Set(names ?? []), publish: publish, undo: undo,
            reply: reply, confirm: confirm, file: node.file, line: node.line)
    }

    /// The values of a list of which each is one of a few.
    private func cases<Value: RawRepresentable<String> & CaseIterable & Hashable>(
        _ node: ConfigurationNode?
    ) throws -> Set<Value> {
        Set(
            try node?.elements().map { node in
                guard let value = Value(rawValue: try node.string()) else {
                    let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
                    throw node.error("expected one of: \(values)")
                }
                return value
            } ?? [])
    }

    /// One template or several, their rules filled in, checked and counted.
    func templates(
        _ node: ConfigurationNode?, rules: [String: Template], slots: [String: SlotDefinition],
        values: [String: Double] = [:]
    ) throws -> [Template] {
        guard let node else { return [] }
        return try (node.isList ? node.elements() : [node]).map { phrase in
            let template = try resolved(phrase, rules: rules)
            for slot in template.slots where slots[slot.list] == nil {
                throw phrase.error("there is no slot {\(slot.list)}")
            }
            try requireWords(template, phrase)
            try count(extent(template, phrase) { values[$0] ?? 1 }.parts, phrase)
            return template
        }
    }

    private func publications(_ node: ConfigurationNode?, slots: Set<String>) throws -> [Publication] {
        guard let node else { return [] }
        return try (node.isList ? node.elements() : [node]).map { publication in
            let entry = try publication.entries(allowed: ["topic", "payload"])
            guard let topic = entry["topic"] else { throw publication.error("“topic” is missing") }
            let name = try placeholders(topic, slots: slots)
            guard !name.isEmpty, !name.contains("+"), !name.contains("#") else {
                throw topic.error("“\(name)” is no topic to publish on: it is empty or has a wildcard")
            }
            return Publication(
                topic: name, payload: try entry["payload"].map { try placeholders($0, slots: slots) } ?? "")
        }
    }

    /// A text whose `{…}` placeholders are slots of the intent, or `{slots}` for all of them as JSON.
    private func placeholders(_ node: ConfigurationNode, slots: Set<String>) throws -> String {
        let text = try node.string()
        for name in PlaceholderText(text).names where name != "slots" && !slots.contains(name) {
            throw node.error("“{\(name)}” is no slot of this intent")
        }
        return text
    }

    private func resolved(_ node: ConfigurationNode, rules: [String: Template]) throws -> Template {
        try template(node).replacingRules { name in
            guard let rule = rules[name] else { throw node.error("there is no rule <\(name)>") }
            return rule
        }
    }

    /// A template as it is written, its rules by name.
    private func template(_ node: ConfigurationNode) throws -> Template {
        let text = try node.string()
        guard text.utf8.count <= PhrasebookBounds.templateLength || text.count <= PhrasebookBounds.templateLength else {
            throw node.error(
                "the template is too long: \(PlainNumber.grouped(PhrasebookBounds.templateLength)) characters are allowed"
            )
        }
        do {
            let template = try TemplateParser.parse(text)
            _ = try extent(template, node)
            return template
        } catch let error as TemplateError {
            throw node.error("“\(text)”: \(error)")
        }
    }

    // MARK: bounds

    private func extent(
        _ template: Template, _ node: ConfigurationNode, values: (String) -> Double = { _ in 1 }
    ) throws -> TemplateExtent {
        do throws(PhrasebookBounds.Excess) { return try TemplateExtent(of: template, values: values) } catch {
            throw node.error(error.message)
        }
    }

    private func count(_ parts: Int, _ node: ConfigurationNode) throws {
        do throws(PhrasebookBounds.Excess) { try budget?.add(parts) } catch { throw node.error(error.message) }
    }

    /// How many values a slot's list has; the owner's names, numbers and free text count as one.
    private static func values(_ slot: SlotDefinition, _ root: ConfigurationNode) throws -> Double {
        do throws(PhrasebookBounds.Excess) {
            switch slot {
            case .kind: return 1
            case .template(let template): return try TemplateExtent(of: template).sentences
            case .list(let values):
                var sum = 0.0
                for value in values { sum += try TemplateExtent(of: value.template).sentences }
                return sum
            }
        } catch { throw root.error(error.message) }
    }

    private func examples(_ node: ConfigurationNode?) throws -> [String] {
        guard let node else { return [] }
        let texts = try node.strings()
        for text in texts { try count(1 + text.split(separator: " ").count, node) }
        return texts
    }

    /// A template that can match nothing at all would match everywhere.
    private func requireWords(_ template: Template, _ node: ConfigurationNode) throws {
        func canBeEmpty(_ template: Template) -> Bool {
            switch template {
            case .word, .slot: false
            case .rule: false
            case .optional: true
            case .sequence(let parts): parts.allSatisfy(canBeEmpty)
            case .choice(let parts): parts.contains(where: canBeEmpty)
            }
        }
        if canBeEmpty(template) { throw node.error("the template can be empty; make at least one word mandatory") }
    }
}
