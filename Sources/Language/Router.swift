import Domain

/// Chooses the handler and the intent of an utterance.
public struct Router: Sendable {
    /// The classifier's hint counts above this probability and is thrown away otherwise.
    public static let gate = 0.75

    package let index: PhraseIndex
    let classifier: (any IntentClassifier)?

    /// A router over compiled phrasebooks. Without a classifier routing is strict.
    public init(index: PhraseIndex, classifier: (any IntentClassifier)?) {
        self.index = index
        self.classifier = classifier
    }

    /// Routes one transcript. Has no side effects.
    public func route(_ transcript: String) -> Routing {
        let full = index.books.normaliser.normalise(transcript)
        let said = index.books.normaliser.withoutFillers(full)
        let utterance = index.withNouns(said) ?? said
        guard !utterance.isEmpty else {
            return Routing(normalised: "", guesses: [], proposals: [], chosen: nil, tied: [])
        }
        let matcher = PhraseMatcher(utterance, in: index), analysis = matcher.analysis()
        let apart = index.books.normaliser.takenApart(utterance).map { PhraseMatcher($0, in: index) }
        let exact = matcher.exactMatches()
        let asked = Self.isSaid(exact) ? classifier?.quick : classifier
        let guesses = asked?.classify(matcher.classifierText(), count: 3) ?? []
        var found = proposals(matcher, exact, guesses)
        // A command may itself begin with what is a filler elsewhere (“tell me …”).
        if full != utterance, found.allSatisfy({ $0.level < .exact }) {
            found += proposals(PhraseMatcher(full, in: index), guesses).filter { $0.level >= .high }
        }
        if found.allSatisfy({ $0.level < .exact }), let apart {
            found += proposals(apart, guesses).filter { $0.level == .exact }
        }
        let all = found.filter { isMeant($0, analysis, guesses) }
        let best = Self.bestOfEachHandler(all, guesses)
        let (chosen, tied) = choose(among: best, all, guesses)
        var routing = Routing(
            normalised: utterance.text, guesses: guesses, proposals: best, chosen: chosen, tied: tied)
        routing.analysis = analysis
        routing.chosen?.analysis = analysis
        if chosen.map({ $0.level < .high }) ?? tied.isEmpty, let command = timed(matcher, analysis, guesses) {
            routing.chosen = command
            routing.tied = []
            return routing
        }
        if chosen.map({ $0.level < .high && !isQuestion($0) }) ?? tied.isEmpty, !analysis.modifiers.isEmpty {
            switch narrowed(utterance, analysis) {
            case .command(let command):
                routing.chosen = command
                routing.chosen?.analysis = analysis
                return routing
            case .refused(let refusal):
                routing.refused = refusal
                routing.chosen = nil
                routing.tied = []
                return routing
            case nil: break
            }
        }
        if let plain = reasoned(matcher, apart, analysis, guesses, insteadOf: chosen, tied) {
            routing.chosen = plain
            routing.tied = []
            return routing
        }
        routing.unexplained = found.max { $0.level < $1.level }?.leftOver ?? []
        if chosen == nil, tied.isEmpty { routing.suggested = suggestion(among: found, analysis, utterance, guesses) }
        return routing
    }

    /// The command before a reason that has the sentence's only times in it: “away mode, we're out for the day”.
    private func timed(_ matcher: PhraseMatcher, _ analysis: Analysis, _ guesses: [IntentGuess]) -> Proposal? {
        guard !analysis.modifiers.isEmpty, analysis.modifiers.allSatisfy({ $0.kind == .time }) else { return nil }
        let command = Reasons(router: self).command(of: matcher, analysis, guesses)
        return command?.level == .exact ? command : nil
    }

    /// The command that the sentence gives a reason for, where that is surer than what was found in the whole of it:
    /// “awning light on, I can't find my key” looks for no key.
    private func reasoned(
        _ matcher: PhraseMatcher, _ apart: PhraseMatcher?, _ analysis: Analysis, _ guesses: [IntentGuess],
        insteadOf chosen: Proposal?, _ tied: [Proposal]
    ) -> Proposal? {
        let reasons = Reasons(router: self)
        if let chosen {
            if chosen.level == .exact { return isQuestion(chosen) ? reasons.question(chosen, in: matcher) : nil }
            guard chosen.level == .medium, chosen.handler != HandlerName.emergency else { return nil }
        } else if !tied.isEmpty {
            return nil
        }
        // “Turn the telly on, the rugby's starting.”
        let command =
            reasons.command(of: matcher, analysis, guesses)
            ?? apart.flatMap { reasons.command(of: $0, $0.analysis(), guesses) }
            ?? (chosen == nil ? reasons.asked(matcher, analysis) : nil)
        return chosen == nil || command?.level == .exact ? command : nil
    }

    func proposals(_ matcher: PhraseMatcher, _ guesses: [IntentGuess]) -> [Proposal] {
        proposals(matcher, matcher.exactMatches(), guesses)
    }

    /// Whether a template says the whole utterance, none of it as free text: then nobody asks what is likely. Of two
    /// that do for one handler, the likelier one is meant.
    static func isSaid(_ exact: [PhraseMatch]) -> Bool {
        let said = exact.filter { $0.freeWords == 0 }
        return !said.isEmpty && Set(said.map(\.handler)).count == said.count
    }

    func proposals(_ matcher: PhraseMatcher, _ exact: [PhraseMatch], _ guesses: [IntentGuess]) -> [Proposal] {
        let utterance = matcher.text.utterance
        let top = guesses.first.flatMap { $0.probability > Self.gate ? $0.intent : nil }
        var matches = exact
        if matches.isEmpty { matches = nearMatches(matcher, top) }
        let whole = matches.filter { $0.cost == 0 || !isSaidInFull($0) }.map { proposal(of: $0, utterance) }
        if whole.contains(where: { $0.level == .exact && $0.freeWords == 0 }) { return whole }

        // Among exact templates the order of the handlers decides, and not the classifier.
        let isRivalExact = whole.contains { $0.level == .exact && "\($0.handler).\($0.intent)" == top }
        var found = whole.compactMap { match in
            let isSettled = match.level == .exact && (match.opensInItsOwnWords || isRivalExact)
            return isSettled || match.handler == HandlerName.emergency ? match : weighed(match, guesses, top)
        }
        for (match, length, isStrict) in matcher.keywordMatches() {
            // Where the classifier is sure that nobody spoke to the van, a keyword points to nothing.
            let isMeant = isStrict && top != Self.chatter
            found.append(
                Proposal(
                    handler: match.handler, intent: match.intent, level: isMeant ? .medium : .low,
                    confidence: min(0.74, (isStrict ? 0.6 : 0.3) + 0.02 * Double(length)), slots: match.slots,
                    freeWords: 0,
                    leftOver: matcher.leftOver(besides: match.covered, match.slots, of: match.handler, match.intent),
                    covered: match.covered, isKeyword: true,
                    negates: matcher.cueHits.contains {
                        $0.kind == .negation && $0.range.allSatisfy(match.covered.contains)
                    }))
        }
        if let guessed = guessed(matcher, guesses) { found.append(guessed) }
        return found
    }

    /// What templates say word by word, none of it free text.
    func said(_ matcher: PhraseMatcher) -> [Proposal] {
        let utterance = matcher.text.utterance
        return matcher.exactMatches().filter { $0.freeWords == 0 }.map { proposal(of: $0, utterance) }
    }

    /// What the classifier is sure of; nil where it is of nothing.
    func guessed(_ matcher: PhraseMatcher, _ guesses: [IntentGuess]) -> Proposal? {
        guard let hint = guesses.first, hint.probability > Self.gate, let guess = proposal(of: hint, matcher),
            !isAct(guess) || saysWhat(guess, matcher)
        else { return nil }
        return guess
    }

    /// Whether a word says what is to be done with what is named: “the blind in the cab” is no order to close it. A value
    /// says so as well.
    private func saysWhat(_ guess: Proposal, _ matcher: PhraseMatcher) -> Bool {
        let isOnlyNamed =
            !guess.slots.isEmpty && guess.slots.allSatisfy { $0.key == "kinds" || !$0.value.names.isEmpty }
        guard isOnlyNamed else { return true }
        let rules = index.books.rules, words = matcher.text.words
        let own = index.ownWords(of: guess.handler, guess.intent).subtracting(rules.articles.union(rules.within))
        let names = SlotKind.allCases.filter(\.isOwners).flatMap { matcher.names($0) }
        return words.indices.contains { place in
            own.contains(words[place]) && !guess.covered.contains(place)
                && !names.contains { $0.range.contains(place) }
        }
    }

    private func proposal(of match: PhraseMatch, _ utterance: Utterance) -> Proposal {
        Proposal(
            handler: match.handler, intent: match.intent, level: match.cost == 0 ? .exact : .high,
            confidence: match.cost == 0
                ? 1 : max(0.5, 1 - Double(match.cost) / Double(2 * utterance.tokens.count + 2)),
            slots: match.freeWords > 0 ? withoutPronouns(match.slots) : match.slots, freeWords: match.freeWords,
            covered: match.covered, opensInItsOwnWords: isBegun(match, utterance))
    }

    /// What the classifier is sure of, with the slots that stand anywhere in the utterance.
    private func proposal(of hint: IntentGuess, _ matcher: PhraseMatcher) -> Proposal? {
        guard !Self.neverGuessed.contains(hint.intent), let dot = hint.intent.firstIndex(of: ".") else { return nil }
        let handler = String(hint.intent[..<dot]), intent = String(hint.intent[hint.intent.index(after: dot)...])
        var loose = matcher.looseSlots(handler: handler, intent: intent, namesUnknown: true)
        let lacksWords = !loose.isComplete && hint.probability > Self.certain
        if lacksWords {
            loose = matcher.looseSlots(handler: handler, intent: intent, namesUnknown: true, wordsMayMiss: true)
        }
        guard loose.isComplete else { return nil }
        return Proposal(
            handler: handler, intent: intent, level: .medium, confidence: hint.probability, slots: loose.slots,
            freeWords: 0, leftOver: matcher.leftOver(besides: loose.taken, loose.slots, of: handler, intent),
            covered: loose.taken, lacksWords: lacksWords)
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
        if match.freeWords > 0, match.level == .high, Self.probability(match, guesses) < 0.1,
            !guesses.isEmpty || match.freeWords > Self.mostMisheardBeside
        {
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
            freeWords: match.freeWords, covered: match.covered)
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

    /// More words of free text than these are no name of something, where the template's own words were misheard.
    private static let mostMisheardBeside = 4

    /// Words of a template before its free text that leave no doubt of it.
    private static let opening = 2

    /// The classifier's label for talk that is not for the van.
    static let chatter = "none"

    /// What talk that sounds alike does not mean: what is nearly an answer is none, and a bare name opens what has it.
    private func isSaidInFull(_ match: PhraseMatch) -> Bool {
        index.books.intent(match.handler, match.intent)?.answers == true
            || match.handler == HandlerName.session && match.intent == HandlerName.selectIntent
    }

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

    static func bestOfEachHandler(_ all: [Proposal], _ guesses: [IntentGuess]) -> [Proposal] {
        HandlerName.order.compactMap { handler in
            // Sorted first, so that equals fall the same way every time.
            all.filter { $0.handler == handler }.sorted { $0.intent < $1.intent }.reduce(nil as Proposal?) {
                best, next in
                guard let best else { return next }
                return isBetter(next, best, guesses) ? next : best
            }
        }
    }

    func choose(
        among best: [Proposal], _ all: [Proposal], _ guesses: [IntentGuess]
    ) -> (Proposal?, [Proposal]) {
        let winner = best.reduce(nil as Proposal?) { chosen, next in
            guard let chosen else { return next }
            // In routing order, the first of equals stays.
            guard chosen.level == .exact, next.level == .exact else {
                return Self.isBetter(next, chosen, guesses) ? next : chosen
            }
            // “Where are the plasters” asks for the owner's plasters, where those are noted.
            let isNoted = next.freeWords == 0 && next.slots.values.contains { !$0.names.isEmpty }
            if chosen.handler == HandlerName.emergency {
                return isNoted && chosen.slots.isEmpty && isQuestion(chosen) && isQuestion(next) ? next : chosen
            }
            return next.vagueness < chosen.vagueness ? next : chosen
        }
        guard let winner, winner.level >= .medium else { return (nil, []) }
        // Below an exact match a dead heat between two meanings is a question, not a guess.
        if winner.level < .exact {
            let rivals = best.filter {
                $0.level == winner.level && $0.freeWords == winner.freeWords
                    && abs($0.confidence - winner.confidence) < 0.001 && $0 != winner
                    && Self.probability($0, guesses) == Self.probability(winner, guesses)
            }
            if !rivals.isEmpty { return (nil, [winner] + rivals) }
        }
        return (winner, [])
    }
}
