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
    public let slots: [String: SlotValue]
    /// Words that only a free-text slot took.
    public let freeWords: Int
    /// True where the template's own words open the sentence before its free text begins: “remind me to …” is that,
    /// whatever follows.
    var opensInItsOwnWords = false

    /// How much of an exact match is the template's own, the most first: every word; the opening; less than that. Free
    /// text takes whatever comes, and so vouches for nothing.
    fileprivate var vagueness: Int { freeWords == 0 ? 0 : opensInItsOwnWords ? 1 : 2 }

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
    public let chosen: Proposal?
    /// Two proposals of different meaning that nothing tells apart; the appliance asks.
    public let tied: [Proposal]

    package init(normalised: String, guesses: [IntentGuess], proposals: [Proposal], chosen: Proposal?, tied: [Proposal])
    {
        self.normalised = normalised
        self.guesses = guesses
        self.proposals = proposals
        self.chosen = chosen
        self.tied = tied
    }
}

/// Chooses the handler and the intent of an utterance.
public struct Router: Sendable {
    /// The classifier's hint counts above this probability and is thrown away otherwise.
    public static let gate = 0.75

    package let index: PhraseIndex
    private let classifier: (any IntentClassifier)?

    /// A router over compiled phrasebooks. Without a classifier routing is strict.
    public init(index: PhraseIndex, classifier: (any IntentClassifier)?) {
        self.index = index
        self.classifier = classifier
    }

    /// Routes one transcript. Has no side effects.
    public func route(_ transcript: String) -> Routing {
        let full = index.books.normaliser.normalise(transcript)
        let utterance = index.books.normaliser.withoutFillers(full)
        guard !utterance.isEmpty else {
            return Routing(normalised: "", guesses: [], proposals: [], chosen: nil, tied: [])
        }
        let guesses = classifier?.classify(PhraseMatcher(utterance, in: index).classifierText(), count: 3) ?? []
        var all = proposals(utterance, guesses)
        // A command may itself begin with what is a filler elsewhere (“tell me …”).
        if full != utterance, all.allSatisfy({ $0.level < .exact }) {
            all += proposals(full, guesses).filter { $0.level >= .high }
        }
        let best = Self.bestOfEachHandler(all, guesses)
        let (chosen, tied) = Self.choose(among: best, all, guesses)
        return Routing(normalised: utterance.text, guesses: guesses, proposals: best, chosen: chosen, tied: tied)
    }

    private func proposals(_ utterance: Utterance, _ guesses: [IntentGuess]) -> [Proposal] {
        let found = unguarded(utterance, guesses)
        // An utterance that says what must not be done never means that command.
        let rules = index.books.rules
        guard rules.negates(utterance.tokens.map(\.text)) else { return found }
        return found.filter { proposal in
            proposal.level == .exact || !rules.isCareful(proposal.handler, proposal.intent)
                || index.books.intent(proposal.handler, proposal.intent)?.asks == true
        }
    }

    private func unguarded(_ utterance: Utterance, _ guesses: [IntentGuess]) -> [Proposal] {
        let matcher = PhraseMatcher(utterance, in: index)
        let top = guesses.first.flatMap { $0.probability > Self.gate ? $0.intent : nil }
        var matches = matcher.exactMatches()
        if matches.isEmpty { matches = nearMatches(matcher, top) }
        let whole = matches.filter {
            // A bare name opens what has it; talk that sounds alike opens nothing.
            $0.cost == 0 || $0.handler != HandlerName.session || $0.intent != HandlerName.selectIntent
        }.map { match in
            Proposal(
                handler: match.handler, intent: match.intent, level: match.cost == 0 ? .exact : .high,
                confidence: match.cost == 0
                    ? 1 : max(0.5, 1 - Double(match.cost) / Double(2 * utterance.tokens.count + 2)),
                slots: match.freeWords > 0 ? withoutPronouns(match.slots) : match.slots, freeWords: match.freeWords,
                opensInItsOwnWords: isBegun(match, utterance))
        }
        if whole.contains(where: { $0.level == .exact && $0.freeWords == 0 }) { return whole }

        // “Have I checked the tyres?” ticks nothing off.
        let rules = index.books.rules, isReport = utterance.begins(with: rules.reports)
        func isUnasked(_ intent: String) -> Bool { isReport && rules.unasked.contains(intent) }

        // Among exact templates the order of the handlers decides, and not the classifier.
        let isRivalExact = whole.contains { $0.level == .exact && "\($0.handler).\($0.intent)" == top }
        var found = whole.compactMap { match in
            let isSettled = match.level == .exact && (match.opensInItsOwnWords || isRivalExact)
            return isSettled || match.handler == HandlerName.emergency ? match : weighed(match, guesses, top)
        }
        for (match, length, isStrict) in matcher.keywordMatches()
        where !isUnasked("\(match.handler).\(match.intent)") {
            // Where the classifier is sure that nobody spoke to the van, a keyword points to nothing.
            let isMeant = isStrict && top != Self.chatter
            found.append(
                Proposal(
                    handler: match.handler, intent: match.intent, level: isMeant ? .medium : .low,
                    confidence: min(0.74, (isStrict ? 0.6 : 0.3) + 0.02 * Double(length)), slots: match.slots,
                    freeWords: 0))
        }
        if let hint = guesses.first, let top, !Self.neverGuessed.contains(top), let dot = top.firstIndex(of: ".") {
            let handler = String(top[..<dot]), intent = String(top[top.index(after: dot)...])
            let (slots, isComplete) = matcher.looseSlots(handler: handler, intent: intent, namesUnknown: true)
            if isComplete, !isUnasked(top) {
                found.append(
                    Proposal(
                        handler: handler, intent: intent, level: .medium, confidence: hint.probability, slots: slots,
                        freeWords: 0))
            }
        }
        return found
    }

    /// What sounds alike matters only where the classifier is not sure of something else; that also saves looking
    /// through all templates for it. An emergency matters whatever the classifier says.
    private func nearMatches(_ matcher: PhraseMatcher, _ top: String?) -> [PhraseMatch] {
        guard let top else { return matcher.nearMatches() }
        return matcher.nearMatches { $0 == top || $0.hasPrefix("\(HandlerName.emergency).") }
    }

    /// “Add it to the list” names no task: what “it” is was said before, or has to be asked for.
    private func withoutPronouns(_ slots: [String: SlotValue]) -> [String: SlotValue] {
        slots.filter { _, value in
            guard value.content == .text, value.text == value.spoken else { return true }
            return !index.books.talk.pronouns.contains(index.books.normaliser.canonicalWords(value.text))
        }
    }

    /// A template with free text takes whatever comes, and one within the error budget what sounds alike. Where the
    /// classifier is sure of something else these count less: not at all for talk that is not for the van, and no more
    /// than a keyword for another command.
    private func weighed(_ match: Proposal, _ guesses: [IntentGuess], _ top: String?) -> Proposal? {
        guard match.freeWords > 0 || match.level == .high else { return match }
        // Misheard words and free text in one: “kick off a trip” is not the task of a trip, to tick off.
        if match.freeWords > 0, match.level == .high, !guesses.isEmpty, Self.probability(match, guesses) < 0.1 {
            return nil
        }
        // More likely talk than not is enough here.
        if match.freeWords > 0, let first = guesses.first, first.intent == Self.chatter, first.probability > 0.5 {
            return nil
        }
        guard let top, top != "\(match.handler).\(match.intent)" else { return match }
        if top == Self.chatter { return nil }
        return Proposal(
            handler: match.handler, intent: match.intent, level: .medium, confidence: 0.6, slots: match.slots,
            freeWords: match.freeWords)
    }

    /// “Remind me to …” is that, whatever follows: what the classifier makes of free text says nothing of the command.
    /// “Mark … as done” has only one word before it, and may be said of other things than tasks.
    private func isBegun(_ match: PhraseMatch, _ utterance: Utterance) -> Bool {
        guard match.cost == 0, match.freeWords > 0,
            index.books.intent(match.handler, match.intent)?.asks == false
        else { return false }
        let behind = utterance.tokens.dropFirst(Self.opening).map(\.text)
        let texts = match.slots.values.filter { $0.content == .text && $0.text == $0.spoken }
        return !texts.isEmpty
            && texts.allSatisfy { value in
                let words = value.text.lowercased().split(separator: " ").map(String.init)
                return FreeStretch.range(of: words, in: behind) != nil
            }
    }

    /// Words of a template before its free text that leave no doubt of it.
    private static let opening = 2

    /// The classifier's label for talk that is not for the van.
    private static let chatter = "none"

    /// What must be said in full: a guess never stops the appliance from listening, and opens nothing.
    private static let neverGuessed: Set = ["session.mute", "session.select"]

    /// Sureness first; then the reading with fewer words that nothing vouches for; then the surer number.
    private static func isBetter(_ one: Proposal, _ other: Proposal, _ guesses: [IntentGuess]) -> Bool {
        if one.level != other.level { return one.level > other.level }
        if one.freeWords != other.freeWords { return one.freeWords < other.freeWords }
        if one.level < .exact, one.confidence != other.confidence { return one.confidence > other.confidence }
        return probability(one, guesses) > probability(other, guesses)
    }

    private static func probability(_ proposal: Proposal, _ guesses: [IntentGuess]) -> Double {
        guesses.first { $0.intent == "\(proposal.handler).\(proposal.intent)" }?.probability ?? 0
    }

    private static func bestOfEachHandler(_ all: [Proposal], _ guesses: [IntentGuess]) -> [Proposal] {
        HandlerName.order.compactMap { handler in
            // Sorted first, so that equals fall the same way every time.
            all.filter { $0.handler == handler }.sorted { $0.intent < $1.intent }.reduce(nil as Proposal?) {
                best, next in
                guard let best else { return next }
                return isBetter(next, best, guesses) ? next : best
            }
        }
    }

    private static func choose(
        among best: [Proposal], _ all: [Proposal], _ guesses: [IntentGuess]
    ) -> (Proposal?, [Proposal]) {
        let winner = best.reduce(nil as Proposal?) { chosen, next in
            guard let chosen else { return next }
            // In routing order, the first of equals stays.
            guard chosen.level == .exact, next.level == .exact else {
                return isBetter(next, chosen, guesses) ? next : chosen
            }
            return chosen.handler != HandlerName.emergency && next.vagueness < chosen.vagueness ? next : chosen
        }
        guard let winner, winner.level >= .medium else { return (nil, []) }
        // Below an exact match a dead heat between two meanings is a question, not a guess.
        if winner.level < .exact {
            let rivals = best.filter {
                $0.level == winner.level && $0.freeWords == winner.freeWords
                    && abs($0.confidence - winner.confidence) < 0.001 && $0 != winner
                    && probability($0, guesses) == probability(winner, guesses)
            }
            if !rivals.isEmpty { return (nil, [winner] + rivals) }
        }
        return (winner, [])
    }
}
