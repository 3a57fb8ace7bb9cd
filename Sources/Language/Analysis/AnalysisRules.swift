import Configuration
import Domain

/// What tells how an utterance is meant, and what narrows its command; from the language's `analysis.yaml`. A language
/// without the file takes everything for a command.
struct AnalysisRules: Sendable {
    /// What a cue shows.
    enum Kind: String, CaseIterable, Sendable {
        /// What may stand before the sentence itself.
        case lead
        /// A command in the form of a question or of a wish.
        case request
        /// What may be a request: asked back at most.
        case wish
        case question, report, hypothesis, negation
        /// What asks to be reminded; when, is then no part of what is to be done.
        case reminder
        /// What asks somewhere within a statement.
        case asking
        /// What looks like a negation and is none.
        case inability
        /// What only says how sure somebody is, whatever cues are in it.
        case aside
        /// What somebody is about to do.
        case intention
        case time, condition, exception
        /// What stands between a slip and its correction; the same where values alone follow; and what takes back all
        /// that was said before it.
        case correction, amendment, withdrawal
        /// A statement that gives a reason: behind a command, or before it.
        case reason, situation
        /// Behind a command: it was somebody's words, or a joke.
        case quotation
        case one, all, any, which, count
    }

    /// A phrase that is a cue.
    struct Cue: Sendable {
        let kind: Kind
        /// True where it counts only at the beginning.
        let isOpening: Bool
        let template: Template
    }

    /// What its templates' slots stand for, and the file, by which their numbers are known.
    let slots: [String: SlotDefinition], file: String
    let cues: [Cue]
    /// Words that carry no meaning of their own.
    let meaningless: Set<String>
    /// Words behind which a statement is not over.
    let hanging: Set<String>
    /// Verbs behind which a statement is not over where an article follows, which begins what was acted upon.
    let transitive: Set<String>
    /// Words that go on with a command which could be over: nothing else begins with them.
    let continuing: Set<String>
    /// How an order not to do something begins.
    let forbidding: [[String]]
    /// What the recognisers know of when a command is meant, and on what condition.
    let heard: [Template]

    /// Nothing is found.
    static let none = AnalysisRules()

    private init() {
        (slots, file, cues, forbidding, heard) = ([:], "", [], [], [])
        (meaningless, hanging, transitive, continuing) = ([], [], [], [])
    }

    /// - Throws: `ConfigurationError`.
    init(_ root: ConfigurationNode) throws {
        let nodes = try root.entries(allowed: [
            "language", "slots", "rules", "cues", "meaningless", "hanging", "transitive", "continuing", "forbidding",
            "heard",
        ])
        let reader = PhrasebookReader(common: .none), rules = try reader.rules(nodes["rules"])
        let slots = try reader.slots(nodes["slots"], rules: rules)
        var cues: [Cue] = []
        for (name, node) in try nodes["cues"]?.entries() ?? [] {
            guard let kind = Kind(rawValue: name) else {
                throw node.error(
                    "no kind of cue; expected one of: \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let entry = try node.entries(allowed: ["opening", "anywhere"])
            for (key, isOpening) in [("opening", true), ("anywhere", false)] {
                cues += try reader.templates(entry[key], rules: rules, slots: slots).map {
                    Cue(kind: kind, isOpening: isOpening, template: $0)
                }
            }
        }
        (self.slots, self.cues) = (slots, cues)
        file = root.file
        meaningless = Set(try nodes["meaningless"]?.strings() ?? [])
        hanging = Set(try nodes["hanging"]?.strings() ?? [])
        transitive = Set(try nodes["transitive"]?.strings() ?? [])
        continuing = Set(try nodes["continuing"]?.strings() ?? [])
        forbidding = (try nodes["forbidding"]?.strings() ?? []).map { $0.split(separator: " ").map(String.init) }
        heard = try reader.templates(nodes["heard"], rules: rules, slots: slots)
    }
}

/// The cues, compiled for matching.
struct AnalysisCues: Sendable {
    var opening = PhraseAutomaton(), anywhere = PhraseAutomaton()
    /// What the tags of each mean.
    var openingKinds: [AnalysisRules.Kind] = [], anywhereKinds: [AnalysisRules.Kind] = []

    init() {}

    /// - Parameter slot: the number of a slot of the rules.
    init(
        _ rules: AnalysisRules, table: inout WordTable, canonical: @escaping (String) -> [String],
        slot: (String) -> Int?
    ) {
        var openings = PhraseAutomatonBuilder(canonical: canonical),
            others = PhraseAutomatonBuilder(canonical: canonical)
        for cue in rules.cues {
            if cue.isOpening {
                openings.add(cue.template, tag: openingKinds.count, table: &table, slot: slot)
                openingKinds.append(cue.kind)
            } else {
                others.add(cue.template, tag: anywhereKinds.count, table: &table, slot: slot)
                anywhereKinds.append(cue.kind)
            }
        }
        opening = openings.finished()
        anywhere = others.finished()
    }
}
