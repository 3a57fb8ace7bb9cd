import Configuration
import Domain

/// How words of a language change and sound, from its `words.yaml`: plural and singular, articles, capitals in titles,
/// and which letters are confused by ear.
package struct WordRules: Sendable {
    /// The words that stand before names.
    package struct Articles: Sendable {
        /// What people say most before a name, and what shares the rest with no article at all.
        package let common: [String], other: [String]
        /// What may stand before free text.
        package let free: [String]
        /// A name that begins with one of these is spoken without a further article.
        package let ofNames: Set<String>
        /// What money is spent for “the” one of: a campsite, and not diesel.
        package let ofPurposes: Set<String>
        /// What is often swallowed, and means the same when it is left out.
        package let unstressed: Set<String>
    }

    package let articles: Articles
    /// Words that keep their small letter in a title, unless they begin it.
    package let smallInTitles: Set<String>
    let sounds: SoundClasses
    /// How tasks are spoken of.
    let tasks: TaskForms
    /// What people call the same thing, or the same place: toilet paper is loo roll.
    private let sameThings: [[String]]
    private let plurals: [EndingRule], singulars: [EndingRule]
    /// Irregular nouns, one → several and back: whole words, and endings of compounds.
    private let severals: Irregulars, ones: Irregulars
    /// Language-independent classes of devices by the noun that names them.
    private let deviceClasses: [String: String]

    /// - Throws: `ConfigurationError`.
    package init(_ root: ConfigurationNode) throws {
        let nodes = try root.entries(allowed: [
            "plural", "singular", "irregular", "articles", "small_in_titles", "device_classes", "sounds", "tasks",
            "same_things",
        ])
        sameThings = try (nodes["same_things"]?.elements() ?? []).map { try $0.strings() }
        plurals = try EndingRule.rules(nodes["plural"])
        singulars = try EndingRule.rules(nodes["singular"])
        let irregular = try (nodes["irregular"]?.entries() ?? []).map { ($0.key, try $0.value.string()) }
        severals = Irregulars(irregular)
        ones = Irregulars(irregular.map { ($1, $0) })
        let groups =
            try nodes["articles"]?.entries(allowed: [
                "common", "other", "free", "of_names", "of_purposes", "unstressed",
            ]) ?? [:]
        func words(_ key: String) throws -> [String] { try groups[key]?.strings() ?? [] }
        articles = Articles(
            common: try words("common"), other: try words("other"), free: try words("free"),
            ofNames: Set(try words("of_names")), ofPurposes: Set(try words("of_purposes")),
            unstressed: Set(try words("unstressed")))
        smallInTitles = Set(try nodes["small_in_titles"]?.strings() ?? [])
        deviceClasses = Dictionary(
            try (nodes["device_classes"]?.entries() ?? []).map { ($0.key, try $0.value.string()) }
        ) { first, _ in first }
        sounds = try SoundClasses(nodes["sounds"])
        tasks = try TaskForms(nodes["tasks"], articles: articles)
    }

    /// The names with what else people call such a thing, unless something else of the owner's is called so.
    func adding(to names: OwnerNames, _ normaliser: Normaliser) -> OwnerNames {
        func plain(_ name: String) -> String { normaliser.canonicalWords(name).map(singular).joined(separator: " ") }
        var names = tasks.adding(to: names, normaliser)
        let groups = Dictionary(sameThings.flatMap { group in group.map { (plain($0), group) } }) { first, _ in first }
        for kind in [SlotKind.item, .area] {
            let own = names[kind].map { ([$0.name] + $0.aliases).map(plain) }, known = Set(own.joined())
            names[kind] = zip(names[kind], own).map { name, own in
                let others = own.compactMap { groups[$0] }.joined().filter { !known.contains(plain($0)) }
                return others.isEmpty ? name : OwnerName(name: name.name, aliases: name.aliases + others, id: name.id)
            }
        }
        return names
    }

    /// The plural of a singular noun; a word that is one already stays.
    package func plural(_ word: String) -> String {
        guard singular(word) == word else { return word }
        return severals[word] ?? EndingRule.apply(plurals, to: word)
    }

    /// The singular of a plural, so that “first aid kits” finds the first aid kit; any other word stays.
    package func singular(_ word: String) -> String {
        if severals[word] != nil { return word }
        return ones[word] ?? EndingRule.apply(singulars, to: word)
    }

    /// True for a noun that names several things.
    package func isPlural(_ word: String) -> Bool { singular(word) != word }

    /// The class of a device that a noun names: the language's own word for it, else the noun in the singular.
    package func deviceClass(_ noun: String) -> String {
        let one = singular(noun)
        return deviceClasses[one] ?? one
    }

    /// A name with capitals, as on a map: “the Isle of Skye”.
    package func titled(_ name: String) -> String {
        name.split(separator: " ").map { smallInTitles.contains(String($0)) ? String($0) : String($0).capitalisedFirst }
            .joined(separator: " ")
    }
}

/// What an ending becomes.
private struct EndingRule: Sendable {
    /// Any of these; none for every word.
    private let endings: [String]
    /// Shorter words are left to the rules behind it.
    private let letters: Int
    private let drop: Int
    private let add: String

    /// More rules than any language has; each word is tried on all of them.
    private static let most = 100

    static func rules(_ node: ConfigurationNode?) throws -> [EndingRule] {
        let elements = try node?.elements() ?? []
        if let node, elements.count > most { throw node.error("at most \(most) rules are allowed") }
        return try elements.map(EndingRule.init)
    }

    private init(_ node: ConfigurationNode) throws {
        let entry = try node.entries(allowed: ["endings", "letters", "drop", "add"])
        endings = try entry["endings"]?.strings() ?? []
        letters = try entry["letters"]?.int() ?? 1
        drop = try entry["drop"]?.int() ?? 0
        add = try entry["add"]?.string() ?? ""
        let shortest = endings.map(\.count).min() ?? 0
        guard drop >= 0, drop <= shortest else {
            throw node.error("“drop” must be 0 to \(shortest), the letters of the shortest ending")
        }
    }

    static func apply(_ rules: [EndingRule], to word: String) -> String {
        let rule = rules.first { rule in
            (rule.endings.isEmpty || rule.endings.contains(where: word.hasSuffix)) && word.count >= rule.letters
        }
        return rule.map { word.dropLast($0.drop) + $0.add } ?? word
    }
}

/// Pairs of words, and of the endings of compounds, which begin with a hyphen: `-stuhl: -stühle`.
private struct Irregulars: Sendable {
    private var words: [String: String] = [:]
    private var endings: [(ending: String, becomes: String)] = []

    init(_ pairs: [(String, String)]) {
        for (word, becomes) in pairs {
            if word.hasPrefix("-"), becomes.hasPrefix("-") {
                endings.append((String(word.dropFirst()), String(becomes.dropFirst())))
            } else {
                words[word] = becomes
            }
        }
        endings.sort { $0.ending.count > $1.ending.count }
    }

    subscript(_ word: String) -> String? {
        if let known = words[word] { return known }
        guard let known = endings.first(where: { word.hasSuffix($0.ending) }) else { return nil }
        return word.dropLast(known.ending.count) + known.becomes
    }
}

/// Letters in classes that recognisers confuse, so that words of like sound can be found: `sounds` of `words.yaml`.
struct SoundClasses: Sendable {
    /// What a letter counts as; nil for nothing.
    private struct Sound: Sendable {
        let before: Set<Character>
        let isFirstOnly: Bool
        let sound: Character?
    }

    private var sounds: [Character: [Sound]] = [:]

    fileprivate init(_ node: ConfigurationNode?) throws {
        for element in try node?.elements() ?? [] {
            let entry = try element.entries(allowed: ["letters", "before", "first", "sound"])
            guard let letters = try entry["letters"]?.string(), !letters.isEmpty else {
                throw element.error("“letters” is missing")
            }
            let sound = try entry["sound"]?.string() ?? ""
            guard sound.count <= 1 else { throw element.error("“sound” must be one letter, or left out for silence") }
            let rule = Sound(
                before: Set(try entry["before"]?.string() ?? ""), isFirstOnly: try entry["first"]?.bool() ?? false,
                sound: sound.first)
            for letter in letters { sounds[letter, default: []].append(rule) }
        }
    }

    /// The word as its sounds; words of one key may be taken for each other. A letter without a rule is its own sound;
    /// a sound that follows itself counts once.
    func key(_ word: String) -> String {
        // A language without rules has no words of like sound.
        guard !sounds.isEmpty else { return "" }
        var key = "", previous: Character?
        let letters = Array(word)
        for (index, letter) in letters.enumerated() {
            let next = index + 1 < letters.count ? letters[index + 1] : nil
            let rules = sounds[letter]
            let rule = rules?.first { rule in
                (!rule.isFirstOnly || index == 0)
                    && (rule.before.isEmpty || next.map(rule.before.contains) ?? false)
            }
            let sound = rules == nil ? letter : rule?.sound
            if let sound, sound != previous { key.append(sound) }
            previous = sound
        }
        return key
    }
}
