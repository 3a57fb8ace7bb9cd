import Domain

/// Finds the command in a sentence that gives a reason for it: “lights off, I can't sleep”, “it's dark, lights on”. Pure.
package struct Reasons {
    let router: Router

    private var index: PhraseIndex { router.index }

    /// What stands before a reason, the shortest first: “pump and heater off” of “pump and heater off, we're going out”.
    package func parts(before utterance: Utterance) -> [Utterance] {
        let starts = PhraseMatcher(utterance, in: index).cueHits.filter { $0.kind == .reason }.map(\.range.lowerBound)
        return Set(starts).sorted().filter { $0 >= 2 }.compactMap { start in
            isStatement(utterance.trimmed(start..<utterance.tokens.count)) ? utterance.trimmed(0..<start) : nil
        }
    }

    /// What stands behind a statement that opens the utterance, as far as it may be over there, the longest first: “pump
    /// and heater off” of “we're going out, pump and heater off”.
    package func parts(behind utterance: Utterance) -> [Utterance] {
        let count = utterance.tokens.count
        guard let situation = PhraseMatcher(utterance, in: index).situation, situation < count - 1 else { return [] }
        return (max(1, situation)..<(count - 1)).compactMap { start in
            !isOpen(utterance, at: start) && isReason(utterance.trimmed(0..<start))
                ? utterance.trimmed(start..<count) : nil
        }
    }

    /// The command of a sentence that gives a reason for it: “lights off, I can't sleep”, “it's dark, lights on”. What a
    /// template says word by word, or what the classifier is sure of; and the reason says neither when, nor whether.
    package func command(of matcher: PhraseMatcher, _ analysis: Analysis, _ guesses: [IntentGuess]) -> Proposal? {
        let utterance = matcher.text.utterance, count = utterance.tokens.count
        guard (4...Router.longestClause * 2).contains(count) else { return nil }
        guard !isQuoted(matcher) else { return nil }
        // The longest command first: “some light in the garage, I can't see” gives no reason that begins with “the garage”.
        let starts = Set(matcher.cueHits.filter { $0.kind == .reason }.map(\.range.lowerBound)).sorted(by: >)
        for start in starts where start >= 2 {
            let isChatter =
                guesses.first.map { $0.intent == Router.chatter && $0.probability > Router.certain } ?? false
            // “Drive mode on our Gary's car” is talk of that car; “turn the pump on” ends there.
            if isChatter, isOpen(utterance, at: start), !needsItsEnd(utterance, start) { continue }
            if let command = plain(utterance.trimmed(0..<start), guesses, isForbidding: analysis.isForbidding),
                isStatement(utterance.trimmed(start..<count), besides: command)
            {
                return command
            }
        }
        if let command = beforeTalk(matcher, analysis, guesses) { return command }
        guard let situation = matcher.situation, analysis.modifiers.isEmpty else { return nil }
        for start in max(1, situation)..<max(1, situation, count - 1) {
            // “I'm going to”, “he told me to” hang on what follows: where that is a command, it is no order.
            guard !isOpen(utterance, at: start) else {
                if isOrder(utterance.trimmed(start..<count)) { return nil }
                continue
            }
            // “I'm buying diesel for fifty pounds” is not an entry with something said before it.
            let reason = utterance.trimmed(0..<start), rest = utterance.trimmed(start..<count)
            if let part = withName(of: reason, in: rest),
                let command = plain(part, guesses, isForbidding: analysis.isForbidding),
                command.handler == HandlerName.session
                    || index.books.intent(command.handler, command.intent)?.takes.contains(.report) == false,
                isReason(reason, for: command)
            {
                return placed(command, by: reason)
            }
        }
        return nil
    }

    /// Behind “he said” there may be so many words, “to the dog”, without its being a reason: “mum said she's cold”.
    private static let mostAddressed = 2

    /// Whether what was said first was somebody's words, or a joke: “lock the side door, I said to him”.
    private func isQuoted(_ matcher: PhraseMatcher) -> Bool {
        let least = matcher.text.count - Self.mostAddressed
        return matcher.cueHits.contains {
            $0.kind == .quotation && $0.range.lowerBound >= 2 && $0.range.upperBound >= least
        }
    }

    /// Whether a part neither forbids nor takes back what was said before it, as “no, don't bother” does.
    private func isTalk(_ rest: PhraseMatcher) -> Bool {
        let mood = rest.analysis().mood, takesBack: [AnalysisRules.Kind] = [.correction, .amendment, .withdrawal]
        return (mood == .command || mood == .report) && !rest.cueHits.contains { takesBack.contains($0.kind) }
    }

    /// The command that is said word by word and has something behind it which is none of its business: “turn the pump off
    /// like they do in films”. It names what it is about, what is said behind it names nothing and has no number, and the
    /// classifier hears the same in the whole of it, or nothing at all: “inverter on, drill's flat”.
    private func beforeTalk(_ matcher: PhraseMatcher, _ analysis: Analysis, _ guesses: [IntentGuess]) -> Proposal? {
        let utterance = matcher.text.utterance, count = utterance.tokens.count
        guard analysis.modifiers.isEmpty, !analysis.isForbidding, let top = guesses.first,
            top.intent != Router.chatter || top.probability < Router.certain
        else { return nil }
        let words = utterance.tokens.map(\.text), numbers = index.books.normaliser.numbers.allWords
        for start in (2..<max(2, count)).reversed() where !isOpen(utterance, at: start) || needsItsEnd(utterance, start)
        {
            guard !index.books.analysis.continuing.contains(words[start]) else { continue }
            let rest = PhraseMatcher(utterance.trimmed(start..<count), in: index)
            guard numbers.isDisjoint(with: words[start...]),
                SlotKind.allCases.allSatisfy({ !$0.isOwners || rest.names($0).isEmpty })
            else { return nil }
            guard let command = plain(utterance.trimmed(0..<start), guesses, isForbidding: false),
                command.level == .exact,
                "\(command.handler).\(command.intent)" == top.intent || top.probability < Router.gate
                    || top.intent == Router.chatter,
                command.slots["kinds"] != nil || command.slots.values.contains(where: { !$0.names.isEmpty }),
                isTalk(rest), isStatement(rest.text.utterance, besides: command)
            else { continue }
            return command
        }
        return nil
    }

    /// Whether the words up to a place are a command that is none without its last one: “turn the pump on”.
    private func needsItsEnd(_ utterance: Utterance, _ place: Int) -> Bool {
        isOrder(utterance.trimmed(0..<place)) && !isOrder(utterance.trimmed(0..<(place - 1)))
    }

    /// The question that is said word by word, with talk behind it: “what's the temperature out there, do I want my coat”.
    func asked(_ matcher: PhraseMatcher, _ analysis: Analysis) -> Proposal? {
        let utterance = matcher.text.utterance, count = utterance.tokens.count
        guard analysis.mood == .question || analysis.asks, analysis.modifiers.isEmpty,
            (4...Self.longest).contains(count), !isQuoted(matcher)
        else { return nil }
        // “Can we leave the dog with you” asks something else than “can we leave”.
        for start in (4..<max(4, count)).reversed() where !isOpen(utterance, at: start) {
            let next = utterance.tokens[start].text
            guard index.books.rules.grammar.contains(next), !index.books.analysis.continuing.contains(next) else {
                continue
            }
            let part = PhraseMatcher(index.books.normaliser.withoutFillers(utterance.trimmed(0..<start)), in: index)
            let said = router.said(part).first { router.isQuestion($0) && $0.freeWords == 0 }
            guard let said, said.handler != HandlerName.session else { continue }
            let rest = PhraseMatcher(utterance.trimmed(start..<count), in: index)
            if rest.analysis().mood == .question || isTalk(rest) { return said }
        }
        return nil
    }

    /// The question without what was said behind it, where free text has taken that in: “have we got a tin opener, or
    /// am I to use a hammer”. It names something that is known, and goes on with a word that begins a clause.
    func question(_ whole: Proposal, in matcher: PhraseMatcher) -> Proposal? {
        let utterance = matcher.text.utterance, count = utterance.tokens.count
        guard whole.freeWords > 2, count <= Self.longest else { return nil }
        // “Where are my goggles, I've looked everywhere.”
        for part in parts(before: utterance).reversed() {
            let same = router.proposals(PhraseMatcher(part, in: index), []).first { proposal in
                proposal.level == .exact && proposal.handler == whole.handler && proposal.intent == whole.intent
                    && proposal.freeWords < whole.freeWords
            }
            if let same { return same }
        }
        for end in (2..<max(2, count - 1)).reversed() {
            let next = utterance.tokens[end].text
            guard index.books.rules.grammar.contains(next), !index.books.rules.within.contains(next),
                // “Where is the tow rope and the torch” asks for both.
                next != index.books.normaliser.numbers.and, !isOpen(utterance, at: end)
            else { continue }
            let part = PhraseMatcher(utterance.trimmed(0..<end), in: index)
            let same = router.said(part).first { proposal in
                proposal.handler == whole.handler && proposal.slots.values.contains { !$0.names.isEmpty }
                    && router.isQuestion(proposal)
            }
            if let same { return same }
        }
        return nil
    }

    /// More words than these are a story, in which no question is looked for.
    private static let longest = 40

    /// Whether what was said up to a word needs what follows: “he told me to”, “dad's left” before “the heating on”.
    private func isOpen(_ utterance: Utterance, at place: Int) -> Bool {
        let rules = index.books.analysis, last = utterance.tokens[place - 1].text
        return rules.hanging.contains(last)
            || rules.transitive.contains(last) && place < utterance.tokens.count
                && index.books.rules.articles.contains(utterance.tokens[place].text)
    }

    /// The command that the words are, one by one, or the act that the classifier is sure of where it accounts for all of
    /// them.
    /// - Parameter isForbidding: whether the whole sentence forbids something; then nothing is done on a guess.
    private func plain(_ part: Utterance, _ guesses: [IntentGuess], isForbidding: Bool) -> Proposal? {
        let matcher = PhraseMatcher(index.books.normaliser.withoutFillers(part), in: index)
        guard matcher.text.count >= 2 else { return nil }
        let matches = router.said(matcher)
        if !matches.isEmpty {
            let analysis = matcher.analysis()
            guard analysis.modifiers.isEmpty, analysis.mood != .report,
                matches.allSatisfy({ mayHaveReason($0, guesses) })
            else { return nil }
            // “Shut the roof vent” may tick off a task as well: as where nothing else is said, the order decides.
            let (chosen, tied) = router.choose(among: Router.bestOfEachHandler(matches, guesses), matches, guesses)
            return tied.isEmpty ? chosen : nil
        }
        guard !isForbidding, let guess = router.guessed(matcher, guesses), guess.leftOver.isEmpty, router.isAct(guess),
            guess.handler != HandlerName.session, matcher.analysis().isPlain,
            // “Off again” of “our dad's turned the heating off again” says nothing by itself.
            guess.slots["kinds"] != nil || !index.books.isUnaimed(guess.handler, guess.intent, guess.slots)
        else { return nil }
        return guess
    }

    /// “Speak up, the heater's on”, “say that again, I was asleep”; but nobody says why a session is over, or yes and
    /// no, and “slow down, there's a bend” is said to the driver.
    private func mayHaveReason(_ proposal: Proposal, _ guesses: [IntentGuess]) -> Bool {
        guard proposal.handler == HandlerName.session else { return true }
        let isLikely = guesses.first?.intent == "\(proposal.handler).\(proposal.intent)"
        // “Could we have it a bit warmer” is no “could we have it again”.
        if router.isQuestion(proposal) {
            return isLikely
                || guesses.first.map { $0.intent == Router.chatter || $0.probability < Router.gate } ?? true
        }
        return isLikely
            && index.books.intent(proposal.handler, proposal.intent)?.takes.contains(.report) == true
    }

    /// Whether the words are a command that begins with a verb: “the kitchen lights on” may as well end with the kitchen.
    private func isOrder(_ part: Utterance) -> Bool {
        let matcher = PhraseMatcher(part, in: index), first = matcher.text.words.first ?? ""
        guard !index.books.rules.articles.contains(first),
            !matcher.names(.device).contains(where: { $0.range.lowerBound == 0 })
        else { return false }
        return !router.said(matcher).isEmpty
    }

    /// A command with the device that its reason names in place of “it”: “the strip light is harsh, turn it down”.
    /// - Returns: nil where it may be something else: “we're down to eight pegs, change it to eight”.
    private func withName(of reason: Utterance, in command: Utterance) -> Utterance? {
        let pronouns = index.books.talk.pronouns.filter { $0.count == 1 }
        guard let place = command.tokens.firstIndex(where: { pronouns.contains([$0.text]) }) else { return command }
        let matcher = PhraseMatcher(reason, in: index)
        let named = [SlotKind.device, .item, .task].filter { !matcher.names($0).isEmpty }
        guard !named.isEmpty else {
            // “We're down to three canisters, change it to three” is no temperature.
            let numbers = index.books.normaliser.numbers.allWords, words = command.tokens.map(\.text)
            return reason.tokens.contains { numbers.contains($0.text) && words.contains($0.text) } ? nil : command
        }
        let devices = matcher.names(.device)
        guard named == [.device], let longest = devices.max(by: { $0.range.count < $1.range.count }),
            devices.allSatisfy({ longest.range.contains($0.range.lowerBound) })
        else { return nil }
        let words = command.tokens.map(\.text)
        let spelt = words[..<place] + reason.tokens[longest.range].map(\.text) + words[(place + 1)...]
        return index.books.normaliser.normalise(spelt.joined(separator: " "))
    }

    /// A command for all of a kind, in the place that its reason names: “it's dark in the kitchen, lights on”.
    private func placed(_ command: Proposal, by reason: Utterance) -> Proposal {
        guard command.slots["kinds"] != nil, command.slots["area"] == nil,
            index.books.intent(command.handler, command.intent)?.slots.contains(where: { $0.name == "area" }) == true
        else { return command }
        let matcher = PhraseMatcher(reason, in: index)
        guard let area = matcher.names(.area).max(by: { $0.range.count < $1.range.count }) else { return command }
        var placed = command
        placed.slots["area"] = SlotValue(
            text: area.names[0].name, spoken: matcher.words(area.range), content: .names(area.names))
        return placed
    }

    /// What may stand before a command as its reason.
    private func isReason(_ part: Utterance, for command: Proposal? = nil) -> Bool {
        let mood = PhraseMatcher(part, in: index).analysis().mood
        return isStatement(part, besides: command) && mood != .negation && mood != .hypothesis
    }

    private func saysIntention(_ matcher: PhraseMatcher) -> Bool {
        matcher.cueHits.contains { $0.kind == .intention && $0.range.lowerBound == 0 }
    }

    /// Whether somebody says what they are about to do, and asks for nothing by that.
    func isIntention(_ part: Utterance) -> Bool {
        saysIntention(PhraseMatcher(part, in: index)) && isStatement(part)
    }

    /// - Parameter command: what is said with it; “talk faster, we'll be here till Christmas” is no command for Christmas.
    private func isStatement(_ part: Utterance, besides command: Proposal? = nil) -> Bool {
        let matcher = PhraseMatcher(part, in: index), analysis = matcher.analysis()
        let intent = command.flatMap { index.books.intent($0.handler, $0.intent) }
        // “Night mode, I'm going to bed.”
        let isIntended = saysIntention(matcher)
        // “I'm up at five” has a time of its own, some words into it.
        func isOwn(_ modifier: Analysis.Modifier) -> Bool {
            modifier.kind == .time && modifier.range.lowerBound >= 2
                || intent.map { router.takes($0, modifier.kind) } ?? false
        }
        guard analysis.modifiers.allSatisfy(isOwn),
            analysis.mood != .question, analysis.mood != .hypothesis || isIntended
        else { return false }
        // “Lights off, we need the pump on” asks for both, “it's dark in the kitchen, lights on” for one.
        let isAnotherAct = matcher.exactMatches().contains { match in
            (match.handler, match.intent) != (command?.handler ?? "", command?.intent ?? "")
                && match.slots.values.contains { !$0.names.isEmpty }
                && index.books.intent(match.handler, match.intent)?.isAct == true
        }
        return !isAnotherAct && (!analysis.isRequest || matcher.names(.device).isEmpty)
    }
}
