import Domain

/// What may be done of what was understood: an act only where it was asked for, and where every word of the utterance is
/// accounted for.
extension Router {
    func isQuestion(_ proposal: Proposal) -> Bool {
        index.books.intent(proposal.handler, proposal.intent)?.asks == true
    }

    /// Whether a proposal switches, writes, publishes or deletes.
    package func isAct(_ proposal: Proposal) -> Bool {
        index.books.intent(proposal.handler, proposal.intent)?.isAct == true
    }

    /// Whether a proposal may be acted on. What a template says word by word is meant; what was only guessed or perhaps
    /// misheard is not, where the utterance is no command, or says more than the proposal knows of.
    func isMeant(_ proposal: Proposal, _ analysis: Analysis, _ guesses: [IntentGuess]) -> Bool {
        guard let intent = index.books.intent(proposal.handler, proposal.intent) else { return true }
        let swallowed = SwallowedText(index: index, proposal: proposal)
        if intent.isAct, intent.takes.contains(.report), swallowed.hasAReport || swallowed.hasAnAmount { return false }
        if intent.isAct, swallowed.hasASentence(in: intent.names) { return false }
        // “Remind me to fill up when we get to Leeds” is no task for now.
        if analysis.isReminder, proposal.freeWords > 0, analysis.modifiers.contains(where: { !takes(intent, $0.kind) })
        {
            return false
        }
        guard proposal.level != .exact else { return true }
        guard intent.isAct else { return isAsked(proposal, analysis) }
        // “I can't see anything” asks for nothing in particular; who is in danger may say so as well.
        let isHelpless = analysis.isUnable && proposal.level == .medium && proposal.handler != HandlerName.emergency
        guard !isHelpless || intent.takes.contains(.report) else { return false }
        let own = index.ownWords(of: proposal.handler, proposal.intent)
        func isOwn(_ words: String) -> Bool {
            proposal.level == .high && words.split(separator: " ").allSatisfy { own.contains(String($0)) }
        }
        if isCallForHelp(proposal, analysis, guesses) { return true }
        guard analysis.mood == .command || takes(intent, analysis.mood) || isOwn(analysis.cue) else { return false }
        let isNarrowed = analysis.modifiers.contains { modifier in
            !takes(intent, modifier.kind) && !isTaken(modifier, by: proposal) && !isOwn(modifier.words.lowercased())
        }
        guard !isNarrowed, !proposal.lacksWords else { return false }
        guard proposal.level == .medium, !proposal.leftOver.isEmpty else { return true }
        return proposal.slots.isEmpty && proposal.leftOver.count == 1 && proposal.confidence > Self.certain
            && intent.alwaysNamesItsTarget && analysis.mood == .command
    }

    /// Who calls for help need not choose their words, as long as keyword and classifier say the same: “he's not
    /// breathing, what do we do”. Who asks about it, tells of it, or waves it away has to be understood.
    private func isCallForHelp(_ proposal: Proposal, _ analysis: Analysis, _ guesses: [IntentGuess]) -> Bool {
        guard proposal.handler == HandlerName.emergency, proposal.isKeyword,
            guesses.first?.intent.hasPrefix("\(HandlerName.emergency).") ?? true
        else { return false }
        guard analysis.mood == .negation, !analysis.isForbidding else { return analysis.mood == .command }
        return proposal.negates || guesses.first?.probability ?? 0 > Self.certain
    }

    /// Whether what only looks things up was asked for: a question may leave words unexplained, a statement may not.
    private func isAsked(_ proposal: Proposal, _ analysis: Analysis) -> Bool {
        guard proposal.level == .medium else { return true }
        switch analysis.mood {
        case _ where proposal.lacksWords:
            return (analysis.mood == .question || analysis.mood == .command || analysis.asks)
                && proposal.leftOver.count <= (analysis.mood == .question ? 1 : 0)
        case .question: return true
        case _ where analysis.asks && proposal.confidence > Self.fairlySure: return true
        case .command:
            return proposal.leftOver.count <= (proposal.handler == HandlerName.session ? 0 : Self.mostLeftOver)
        // “The countries we've been to” is asked for by words that tell of the past.
        case .report: return proposal.leftOver.isEmpty
        case .hypothesis, .negation: return false
        }
    }

    private func takes(_ intent: PhrasebookIntent, _ mood: Analysis.Mood) -> Bool {
        PhrasebookIntent.Takes(rawValue: mood.rawValue).map(intent.takes.contains) ?? false
    }

    func takes(_ intent: PhrasebookIntent, _ kind: Analysis.Modifier.Kind) -> Bool {
        PhrasebookIntent.Takes(rawValue: kind.rawValue).map(intent.takes.contains) ?? false
    }

    /// Whether a slot has taken the modifier: a date, or a name that only sounds like one. A number within it was
    /// perhaps no value: “off at eleven” is no eleven degrees.
    private func isTaken(_ modifier: Analysis.Modifier, by proposal: Proposal) -> Bool {
        guard modifier.range.allSatisfy(proposal.covered.contains) else { return false }
        return modifier.kind != .time
            || !proposal.slots.values.contains { value in
                switch value.content {
                case .number, .measure: modifier.words.lowercased().hasSuffix(value.spoken)
                default: false
                }
            }
    }

    // MARK: what narrows a command

    /// What a command is that something narrows.
    enum Narrowed {
        /// It takes the exception.
        case command(Proposal)
        /// It does not take what narrows it.
        case refused(Routing.Refusal)
    }

    /// The command without what narrows it, where that is a command beyond doubt; with its exception, where it can have
    /// one and all that is left out is known.
    func narrowed(_ utterance: Utterance, _ analysis: Analysis) -> Narrowed? {
        for (core, modifier) in cores(of: utterance, analysis) where !core.isEmpty {
            let matcher = PhraseMatcher(index.books.normaliser.withoutFillers(core), in: index)
            let inner = matcher.analysis(), exact = matcher.exactMatches()
            // Below an exact match only a command is one, whatever is likely.
            let isCommand = inner.mood == .command || inner.mood == .negation
            let asked = Self.isSaid(exact) || !isCommand ? classifier?.quick : classifier
            let guesses = asked?.classify(matcher.classifierText(), count: 3) ?? []
            let found = proposals(matcher, exact, guesses).filter { $0.level >= .medium && isMeant($0, inner, guesses) }
            let acts = found.filter { !isQuestion($0) }
            let best =
                choose(among: Self.bestOfEachHandler(acts, guesses), acts, guesses).0
                ?? Reasons(router: self).command(of: matcher, inner, guesses)
            guard let best, best.handler != HandlerName.session, best.handler != HandlerName.emergency,
                best.freeWords == 0 || analysis.isReminder,
                let intent = index.books.intent(best.handler, best.intent), !takes(intent, modifier.kind)
            else { continue }
            if modifier.kind == .exception, analysis.modifiers.count == 1,
                let command = excepting(best, modifier, utterance, intent)
            {
                return .command(command)
            }
            return .refused(
                Routing.Refusal(proposal: best, modifier: modifier, isReminder: analysis.isReminder))
        }
        return nil
    }

    /// The slots of what is left out: things, and a place.
    private static let exceptionSlots: [(name: String, kind: SlotKind)] = [("except", .device), ("except_area", .area)]

    /// “All but the router and the fridge”: the command with the things that are left out.
    /// - Returns: nil where it takes none, or where a word of the exception is not known.
    private func excepting(
        _ command: Proposal, _ modifier: Analysis.Modifier, _ utterance: Utterance, _ intent: PhrasebookIntent
    ) -> Proposal? {
        let part = utterance.trimmed(modifier.range), matcher = PhraseMatcher(part, in: index)
        var taken = Set<Int>(), slots = command.slots
        for (slot, kind) in Self.exceptionSlots where intent.slots.contains(where: { $0.name == slot }) {
            let found = matcher.names(kind).sorted { $0.range.count > $1.range.count }
            var names: [OwnerName] = [], words: [String] = []
            for place in found where taken.isDisjoint(with: place.range) {
                names += place.names.filter { !names.contains($0) }
                words.append(matcher.words(place.range))
                taken.formUnion(place.range)
            }
            guard !names.isEmpty else { continue }
            slots[slot] = SlotValue(text: names[0].name, spoken: words[0], content: .names(names))
        }
        for hit in matcher.cueHits where hit.kind == .exception { taken.formUnion(hit.range) }
        guard slots != command.slots,
            matcher.leftOver(besides: taken, slots, of: command.handler, command.intent).isEmpty
        else { return nil }
        return Proposal(
            handler: command.handler, intent: command.intent, level: min(command.level, .high), confidence: 0.9,
            slots: slots, freeWords: 0)
    }

    /// The utterance without its modifiers, each with the one that is to be named. Where a condition that opens the
    /// sentence ends is found out by what stands behind it.
    private func cores(of utterance: Utterance, _ analysis: Analysis) -> [(Utterance, Analysis.Modifier)] {
        guard let first = analysis.modifiers.first(where: { $0.kind == .condition }) ?? analysis.modifiers.first else {
            return []
        }
        let others = analysis.modifiers.map(\.range)
        guard first.kind == .condition, first.range.lowerBound == 0 else { return [(utterance.without(others), first)] }
        let start = first.range.upperBound + 1, end = utterance.tokens.count
        guard start < end else { return [] }
        return (start..<end).prefix(Self.longestClause).filter { split in
            !PhraseMatcher(utterance.trimmed(split..<end), in: index).exactMatches().isEmpty
        }.map { split in
            let words = utterance.surface(0..<split)
            let modifier = Analysis.Modifier(kind: .condition, words: words, range: 0..<split)
            return (
                utterance.trimmed(split..<end).without(
                    others.map { ($0.lowerBound - split)..<($0.upperBound - split) }), modifier
            )
        }
    }

    /// More words than these are no condition.
    static var longestClause: Int { 16 }

    // MARK: what is asked back

    /// The act that is nearest, where little is missing to do it: the utterance begins as its phrases do, nothing says
    /// that it is no command, and few words are left over.
    func suggestion(
        among found: [Proposal], _ analysis: Analysis, _ utterance: Utterance, _ guesses: [IntentGuess]
    ) -> Proposal? {
        let meaningless = index.books.analysis.meaningless
        guard analysis.modifiers.isEmpty, !analysis.isForbidding else { return nil }
        let first = utterance.tokens.map(\.text).first { word in
            analysis.mood == .command && !analysis.isRequest || !meaningless.contains(word)
        }
        let near = found.filter { proposal in
            guard proposal.level == .medium, proposal.freeWords == 0, proposal.handler != HandlerName.session,
                let intent = index.books.intent(proposal.handler, proposal.intent), intent.isAct
            else { return false }
            let isCertain = proposal.confidence > Self.certain, missing = proposal.leftOver.count
            // “Turn the oven up to two hundred” does not set the heating.
            if namesAnother(utterance, proposal) { return false }
            guard analysis.mood == .command || takes(intent, analysis.mood) else {
                let isOffered = analysis.isWish || intent.offers.contains(analysis.mood)
                return missing <= (isOffered ? 1 : 0) && (isOffered || isCertain && !proposal.slots.isEmpty)
            }
            return ((proposal.lacksWords ? 0 : 1)...Self.mostLeftOver).contains(missing)
                && (analysis.isRequest || isCertain && missing < Self.mostLeftOver || proposal.covered.contains(0)
                    || first.map { word in
                        !meaningless.contains(word)
                            && index.ownWords(of: proposal.handler, proposal.intent).contains(word)
                    } ?? false)
        }
        guard let best = near.max(by: { $0.confidence < $1.confidence }),
            near.allSatisfy({ $0 == best || $0.confidence < best.confidence })
        else { return nil }
        return best
    }

    /// Whether a thing is left over where the command names none.
    private func namesAnother(_ utterance: Utterance, _ proposal: Proposal) -> Bool {
        guard index.books.isUnaimed(proposal.handler, proposal.intent, proposal.slots), proposal.slots["kinds"] == nil
        else { return false }
        let words = utterance.tokens.map(\.text), articles = index.books.words.articles.ofNames
        return zip(words, words.dropFirst()).contains { articles.contains($0) && proposal.leftOver.contains($1) }
    }

    /// Above this probability the classifier leaves no doubt of what is meant, only of whether it is.
    static var certain: Double { 0.95 }
    /// A question within a statement is answered above this probability.
    private static var fairlySure: Double { 0.9 }

    /// More unexplained words than these leave it open what is meant.
    private static var mostLeftOver: Int { 3 }
}
