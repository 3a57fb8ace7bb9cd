import Domain

/// How sure a handler is that an utterance is its own.
public enum MatchLevel: Int, Sendable, Comparable, Codable, CaseIterable {
    /// Nothing of it.
    case none
    /// A keyword alone.
    case low
    /// The classifier's hint with every required slot, or a strict keyword rule.
    case medium
    /// A template within the error budget for misheard words.
    case high
    /// A template matches the whole text.
    case exact

    /// By sureness.
    public static func < (one: MatchLevel, other: MatchLevel) -> Bool { one.rawValue < other.rawValue }

    /// The level's name as the specification has it.
    public var name: String { String(describing: self) }
}

/// What one handler makes of an utterance.
public struct Proposal: Sendable, Equatable {
    /// The handler's name, and the intent's without it.
    public let handler: String, intent: String
    /// How sure.
    public let level: MatchLevel
    /// 0…1, for people to read and to order equals: 1 for a template, less for each error, the classifier's
    /// probability for a hint.
    public let confidence: Double
    /// The filled slots.
    public internal(set) var slots: [String: SlotValue]
    /// Words that only a free-text slot took.
    public let freeWords: Int
    /// Content words that nothing accounts for; only below `high`.
    public var leftOver: [String] = []
    /// The tokens that its slots have taken.
    var covered: Set<Int> = []
    /// True where a keyword points to it.
    var isKeyword = false
    /// True where the keyword says “not” itself: “it won't stop bleeding”.
    var negates = false
    /// True where none of the words was said that tell its intent from others.
    var lacksWords = false
    /// How the utterance was meant.
    package var analysis = Analysis()
    /// True where the template's own words open the sentence before its free text begins: “remind me to …” is that,
    /// whatever follows.
    var opensInItsOwnWords = false

    /// How much of an exact match is the template's own, the most first: every word; the opening; less than that. Free
    /// text takes whatever comes, and so vouches for nothing.
    var vagueness: Int { freeWords == 0 ? 0 : opensInItsOwnWords ? 1 : 2 }

    /// True where it means the same as another, however it was put. Free text in other words is no other command: what
    /// it should be nobody can tell.
    package func doesTheSame(as other: Proposal) -> Bool {
        let isFree = freeWords > 0 && other.freeWords > 0
        return (handler, intent) == (other.handler, other.intent) && slots.count == other.slots.count
            && slots.allSatisfy { name, value in
                guard let rival = other.slots[name] else { return false }
                return value.meansTheSame(as: rival)
                    || isFree && value.content == .text && rival.content == .text
            }
    }
}

/// What routing decided and why.
public struct Routing: Sendable {
    /// The normalised text that was matched.
    public let normalised: String
    /// The classifier's likeliest intents.
    public let guesses: [IntentGuess]
    /// The best proposal of each handler that has one, in routing order.
    public let proposals: [Proposal]
    /// The winner, or nil when none is sure enough.
    public internal(set) var chosen: Proposal?
    /// Two proposals of different meaning that nothing tells apart; the appliance asks.
    public internal(set) var tied: [Proposal]
    /// What the utterance says beside a command.
    public var analysis = Analysis()
    /// An act that is near, and of which too little was said to do it: the appliance asks whether it is meant.
    public var suggested: Proposal?
    /// The words that nothing accounts for in the likeliest command, where none was chosen.
    var unexplained: [String] = []
    /// A command that was understood but for a part which its intent does not take; it is refused.
    public var refused: Refusal?

    /// A command with what stands in its way.
    public struct Refusal: Sendable, Equatable {
        /// What would be done without it.
        public let proposal: Proposal
        /// What it does not take.
        public let modifier: Analysis.Modifier
        /// True where it is to be said later, not done.
        public let isReminder: Bool
    }

    package init(normalised: String, guesses: [IntentGuess], proposals: [Proposal], chosen: Proposal?, tied: [Proposal])
    {
        self.normalised = normalised
        self.guesses = guesses
        self.proposals = proposals
        self.chosen = chosen
        self.tied = tied
    }
}

extension Routing {
    /// What the utterance says beside a command, a line each, for the trace.
    package var meaning: [String] {
        var lines = analysis.mood == .command ? [] : ["\(analysis.mood.rawValue): \(analysis.cue)"]
        if let scope = analysis.scope { lines.append("scope: \(scope.rawValue)") }
        lines += analysis.modifiers.map { "\($0.kind.rawValue): \($0.words)" }
        let leftOver = (chosen ?? suggested).map(\.leftOver) ?? unexplained
        if !leftOver.isEmpty { lines.append("left over: \(leftOver.joined(separator: " "))") }
        return lines
    }
}
