import Domain

/// One publication of a custom command, with `{slot}` placeholders.
public struct Publication: Sendable, Equatable {
    /// The topic.
    public let topic: String
    /// The payload.
    public let payload: String

    package init(topic: String, payload: String) {
        self.topic = topic
        self.payload = payload
    }
}

/// A slot as a phrasebook defines it.
public enum SlotDefinition: Sendable, Equatable {
    /// One of some values; `value` is what the slot holds then, nil for the words as said.
    case list([(template: Template, value: String?)])
    /// Whatever the template matches, as said.
    case template(Template)
    /// The owner's data, a number or measure, a time, or free text. `bare` lets a measure go without its unit.
    case kind(SlotKind, bare: Bool)

    /// Two definitions are equal when they say the same.
    public static func == (one: SlotDefinition, other: SlotDefinition) -> Bool {
        switch (one, other) {
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.template == $1.template && $0.value == $1.value }
        case (.template(let a), .template(let b)): a == b
        case (.kind(let a, let bareA), .kind(let b, let bareB)): a == b && bareA == bareB
        default: false
        }
    }
}

/// One intent of a phrasebook.
public struct PhrasebookIntent: Sendable {
    /// The intent's name, without the handler's.
    public let name: String
    /// The templates, rules filled in.
    public let phrases: [Template]
    /// The slots without which the classifier's hint or a keyword is not enough; of each group one will do.
    public let requires: [[String]]
    /// True for a question, which changes nothing: naming two things is no half of a command then.
    public let asks: Bool
    /// True for what is only said as an answer or after a reply: where nothing was asked, it is not listened for.
    public let answers: Bool
    /// Templates that, found anywhere in the utterance, point to this intent.
    public let keywords: [Template]
    /// Templates that the classifier learns from and that match nothing by themselves: how people put it otherwise.
    public let paraphrases: [Template]
    /// The slots of all its templates, each once.
    public let slots: [(list: String, name: String)]
    /// The words of all its templates, as written.
    package let words: Set<String>
    /// Sentences worth showing as hints and in help.
    public let examples: [String]
    /// What an utterance may say beside the intent without being refused.
    let takes: Set<Takes>
    /// The moods other than a command's in which it is asked back: “we gave the tent away”.
    let offers: Set<Analysis.Mood>
    /// The slots whose free text is what something is called: no sentence of its own, “spirit level, it lives …”.
    let names: Set<String>
    /// What a custom intent publishes, in order.
    public let publish: [Publication]
    /// What takes a custom intent's publications back, in order; empty where nothing does.
    public let undo: [Publication]
    /// What a custom intent replies, with `{slot}` placeholders.
    public let reply: String?
    /// The question that is asked before a custom intent acts; nil to act at once.
    public let confirm: String?
    /// Where it is defined, for messages.
    public let file: String, line: Int?
}

extension PhrasebookIntent {
    /// What an intent may take beside its slots: a mood other than that of a command, or a modifier.
    enum Takes: String, Sendable, CaseIterable { case report, hypothesis, negation, time, condition, exception }

    /// True where it switches, writes, publishes or deletes.
    var isAct: Bool { !asks && (publish.isEmpty ? reply == nil : true) }

    /// True where every phrase names what it is about, so that nothing is done before that was asked for. “Lock up” is
    /// about all locks.
    var alwaysNamesItsTarget: Bool {
        !requires.isEmpty && !phrases.contains(where: \.canBeSaidWithoutSlots)
    }

    /// The slots of its templates, each once.
    package static func slots(of templates: [Template]) -> [(list: String, name: String)] {
        var found: [(list: String, name: String)] = []
        for slot in templates.flatMap(\.slots) where !found.contains(where: { $0 == slot }) { found.append(slot) }
        return found
    }

    /// The words of its templates.
    package static func words(of templates: [Template]) -> Set<String> {
        var words = Set<String>()
        func visit(_ template: Template) {
            switch template {
            case .word(let word): words.insert(word)
            case .sequence(let parts), .choice(let parts): parts.forEach(visit)
            case .optional(let part): visit(part)
            case .slot, .rule: break
            }
        }
        templates.forEach(visit)
        return words
    }
}

/// A phrasebook: all language of one handler, or of one file of custom commands.
public struct Phrasebook: Sendable {
    /// The handler that acts on it; `custom` for the owner's.
    public let handler: String
    /// The language's folder name.
    public let language: String
    /// The file.
    public let file: String
    /// The slots that its templates use, by name in the template's braces.
    public let slots: [String: SlotDefinition]
    /// The intents in the file's order.
    public let intents: [PhrasebookIntent]
}
