import Control
import Foundation

/// A sentence with what became of it.
struct ScoredSentence: Sendable {
    let label: ActLabel
    let turn: ActTurn
    let verdict: ActVerdict
    /// The trace's slots, and what was written or published.
    let slots: [String: String], effects: [String]
    /// True where the reply only says that nothing was understood.
    let isPlainFallback: Bool
}

/// How what was done was taken back.
struct TakingBack: Sendable, Encodable {
    /// Sentences after which an undo brought everything back.
    var undone = 0
    /// Sentences that wrote or published something which no undo takes back, such as an alarm.
    var cannot: [String] = []
    /// Sentences after which something was left, so that everything was restarted, with what that was.
    var restarted: [String: [String]] = [:]
}

/// What an evaluation of acts found, for people and for programs.
struct ActReport: Sendable {
    let sentences: [ScoredSentence]
    let takingBack: TakingBack

    /// A row of a table: how the sentences of one kind were taken.
    struct Row: Encodable, Sendable {
        let name: String
        let sentences: Int
        let verdicts: [String: Int]

        init(_ name: String, _ scored: [ScoredSentence]) {
            self.name = name
            sentences = scored.count
            verdicts = Dictionary(
                uniqueKeysWithValues: ActVerdict.allCases.map { verdict in
                    (verdict.rawValue, scored.count { $0.verdict == verdict })
                })
        }
    }

    /// Sentences that ask for nothing, and those that ask for something.
    private var silent: [ScoredSentence] { sentences.filter(\.label.asksForNothing) }
    private var wanting: [ScoredSentence] { sentences.filter { !$0.label.asksForNothing } }
    private var refusals: [ScoredSentence] { sentences.filter { $0.label.expectations.first == .refuse } }

    private static func count(_ scored: [ScoredSentence], _ verdict: ActVerdict) -> Proportion {
        Proportion(part: scored.count { $0.verdict == verdict }, whole: scored.count)
    }

    /// Sentences that ask for nothing and were acted on.
    var actedOn: Proportion { Self.count(silent, .wrongAct) }
    /// Of these, those after which nothing had changed, and the reply said that it was so already.
    var claimedOnly: Proportion {
        let acted = silent.filter { $0.verdict == .wrongAct }
        return Proportion(part: acted.count { $0.turn.deeds.allSatisfy(\.isClaim) }, whole: acted.count)
    }
    /// Sentences that ask for nothing, and a question about an act was asked back.
    var askedAbout: Proportion { Self.count(silent, .asked) }
    /// Of the others, those taken as they are labelled, and those after which something else was done.
    var right: Proportion { Self.count(wanting, .right) }
    var wrongActs: Proportion { Self.count(wanting, .wrongAct) }
    /// Sentences that are to be refused, and of them those to which the reply was only that nothing was understood.
    var plainRefusals: Proportion {
        Proportion(part: refusals.count { $0.verdict == .right && $0.isPlainFallback }, whole: refusals.count)
    }

    /// The classes in the order of the file.
    var byClass: [Row] {
        var names: [String] = []
        for sentence in sentences where !names.contains(sentence.label.group) { names.append(sentence.label.group) }
        return names.map { name in Row(name, sentences.filter { $0.label.group == name }) }
    }

    /// The levels, the surest first.
    var byLevel: [Row] {
        TurnLevel.allCases.reversed().compactMap { level in
            let rows = sentences.filter { $0.turn.level == level }
            return rows.isEmpty ? nil : Row(level.rawValue, rows)
        }
    }

    // MARK: for people

    func table(showsWrong: Bool) -> String {
        var lines = [
            "sentences                          \(sentences.count)",
            "ask for nothing, acted on          \(actedOn.text)",
            "  of them “it is so already”       \(claimedOnly.text)",
            "ask for nothing, asked back        \(askedAbout.text)",
            "to be refused, “not understood”    \(plainRefusals.text)",
            "ask for something, right           \(right.text)",
            "ask for something, wrong acts      \(wrongActs.text)",
        ]
        lines += rows("class", byClass) + rows("level", byLevel)
        lines += ["", "taken back by undo                 \(takingBack.undone)"]
        lines.append("cannot be taken back               \(takingBack.cannot.count)")
        lines += takingBack.cannot.map { "  “\($0)”" }
        lines.append("restarted                          \(takingBack.restarted.count)")
        for (said, left) in takingBack.restarted.sorted(by: { $0.key < $1.key }) {
            lines.append("  after “\(said)”: \(left.joined(separator: ", "))")
        }
        if showsWrong {
            for verdict in ActVerdict.allCases where verdict != .right {
                let these = sentences.filter { $0.verdict == verdict }
                if !these.isEmpty { lines += ["", "\(verdict.rawValue):"] + these.map(Self.wrongLine) }
            }
        }
        return lines.joined(separator: "\n")
    }

    private func rows(_ title: String, _ rows: [Row]) -> [String] {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        func line(_ name: String, _ cells: [String]) -> String {
            name + String(repeating: " ", count: max(1, 14 - name.count)) + cells.map { padded($0, 16) }.joined()
        }
        let head = line(title, ["sentences"] + ActVerdict.allCases.map(\.rawValue))
        return ["", head]
            + rows.map { row in
                line(row.name, ["\(row.sentences)"] + ActVerdict.allCases.map { "\(row.verdicts[$0.rawValue] ?? 0)" })
            }
    }

    private static func wrongLine(_ sentence: ScoredSentence) -> String {
        let turn = sentence.turn
        let slots = sentence.slots.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
        var line = "  “\(sentence.label.said)” [\(sentence.label.group)] \(sentence.label.expect)\n"
        line += "      \(turn.intent ?? "none") [\(turn.level.rawValue), \(turn.outcome.rawValue)] \(slots)"
        if !sentence.effects.isEmpty { line += "\n      did: \(sentence.effects.joined(separator: "; "))" }
        return line + "\n      “\(turn.reply)”"
    }
}

extension ActReport: Encodable {
    private enum Key: String, CodingKey {
        case sentences
        case askForNothing = "ask_for_nothing", actedOn = "acted_on", claimedOnly = "claimed_only", askedBack =
            "asked_back"
        case toRefuse = "to_refuse", plain = "plain_not_understood"
        case askForSomething = "ask_for_something", right, wrongActs = "wrong_acts"
        case byClass = "by_class", byLevel = "by_level"
        case takingBack = "taking_back"
        case perSentence = "per_sentence"
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(sentences.count, forKey: .sentences)
        try values.encode(actedOn.whole, forKey: .askForNothing)
        try values.encode(actedOn.part, forKey: .actedOn)
        try values.encode(claimedOnly.part, forKey: .claimedOnly)
        try values.encode(askedAbout.part, forKey: .askedBack)
        try values.encode(plainRefusals.whole, forKey: .toRefuse)
        try values.encode(plainRefusals.part, forKey: .plain)
        try values.encode(right.whole, forKey: .askForSomething)
        try values.encode(right.part, forKey: .right)
        try values.encode(wrongActs.part, forKey: .wrongActs)
        try values.encode(byClass, forKey: .byClass)
        try values.encode(byLevel, forKey: .byLevel)
        try values.encode(takingBack, forKey: .takingBack)
        try values.encode(sentences, forKey: .perSentence)
    }
}

extension ScoredSentence: Encodable {
    private enum Key: String, CodingKey {
        case said, group = "class", expect, verdict, intent, level, slots, outcome, effects, deeds, reply
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(label.said, forKey: .said)
        try values.encode(label.group, forKey: .group)
        try values.encode(label.expect, forKey: .expect)
        try values.encode(verdict, forKey: .verdict)
        try values.encode(turn.intent, forKey: .intent)
        try values.encode(turn.level, forKey: .level)
        try values.encode(slots, forKey: .slots)
        try values.encode(turn.outcome, forKey: .outcome)
        try values.encode(effects, forKey: .effects)
        try values.encode(turn.deeds, forKey: .deeds)
        try values.encode(turn.reply, forKey: .reply)
    }
}
