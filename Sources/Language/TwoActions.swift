import Domain

/// Finds two or three commands in one sentence: “turn off the pump and the lights”, “log diesel for fifty pounds and
/// end the trip”. Pure. All parts must be understood, or nothing happens.
package struct TwoActions {
    /// What a sentence holds.
    package enum Finding: Equatable {
        /// Not several commands.
        case one
        /// The commands in their order.
        case several([Command])
        /// One part is a command beyond doubt, and the other is none: the words of that.
        case half(String)
    }

    /// The compiled language, and its router.
    package let index: PhraseIndex, router: Router
    /// What was done before the sentence, for “turn it off and end the trip”.
    package var before: FollowUp?

    package init(index: PhraseIndex, router: Router, before: FollowUp? = nil) {
        self.index = index
        self.router = router
        self.before = before
    }

    /// How many commands one sentence may hold, how long it may be, and how many joining words are tried.
    private static let limit = 3, wordLimit = 40, joinLimit = 4
    /// The kinds of names of which several may stand in one command.
    private static let kinds: [SlotKind] = [.device, .item, .task, .mode, .trip]

    private var words: ConversationWords { index.books.talk }

    /// What the sentence holds; `whole` is how the router reads it in one piece.
    package func find(_ utterance: Utterance, whole: Routing) -> Finding {
        let chosen = whole.chosen
        let isPlain = chosen.map { $0.level == .exact && $0.freeWords == 0 } ?? false
        guard !isPlain, utterance.tokens.count <= Self.wordLimit else { return .one }
        if let chosen, chosen.level >= .high, words.whole.contains("\(chosen.handler).\(chosen.intent)") { return .one }
        if let commands = named(utterance) { return .several(commands) }
        let reasons = Reasons(router: router)
        for part in reasons.parts(before: utterance) + reasons.parts(behind: utterance) {
            if let commands = named(part) { return .several(commands) }
        }
        let joints = cuts(in: utterance)
        guard !joints.isEmpty else { return .one }
        let cuts = pauses(in: utterance) + joints
        // “Somebody's been and used all the hot water” is no two guesses.
        let isTalk = whole.guesses.first.map { $0.intent == Router.chatter && $0.probability > Router.gate } ?? false
        // Free text keeps its “and”, unless both sides are commands without any.
        let isFree = chosen.map { $0.level >= .high && $0.freeWords > 0 } ?? false
        for cut in cuts {
            guard let first = proposal(cut.before), let commands = rest(after: first, cut.after, isStrict: isFree),
                !isFree && !isTalk || (first.level >= .high && first.freeWords == 0),
                // “All lights off except the bathroom and awning ones” leaves out both.
                !Self.leavesOut(first) || beyondDoubt(cut.after) != nil
            else { continue }
            return .several([Command(first)] + commands)
        }
        // An alarm is never refused for what else was said in the fright.
        if chosen == nil, let alarm = alarm(cuts) { return .several([Command(alarm)]) }
        if isFree || chosen?.level == .high || chosen?.handler == HandlerName.emergency { return .one }
        return half(cuts, chosen: chosen)
    }

    private static func leavesOut(_ proposal: Proposal) -> Bool {
        ["except", "except_area"].contains { proposal.slots[$0] != nil }
    }

    /// The emergency that a part is, word by word: “he's got pains in his chest and he's gone a funny colour”.
    private func alarm(_ cuts: [(before: Utterance, after: Utterance)]) -> Proposal? {
        for part in cuts.flatMap({ [$0.before, $0.after] }) {
            if let alarm = beyondDoubt(part), alarm.handler == HandlerName.emergency, router.isAct(alarm) {
                return alarm
            }
        }
        return nil
    }

    // MARK: one verb for several things

    /// “turn the pump and the lights off”: the sentence once for each of the names that stand side by side.
    private func named(_ utterance: Utterance) -> [Command]? {
        let said = utterance.tokens.map(\.text)
        let matcher = PhraseMatcher(utterance, in: index)
        for kind in Self.kinds {
            for run in runs(of: matcher.names(kind).map(\.range), in: said) {
                guard let first = run.first, let last = run.last else { continue }
                let commands = run.prefix(Self.limit + 1).compactMap { range -> Command? in
                    let one = said[..<first.lowerBound] + said[range] + said[last.upperBound...]
                    let text = one.joined(separator: " ")
                    guard let chosen = router.route(text).chosen, chosen.level >= .high, chosen.freeWords == 0,
                        !isBare(chosen)
                    else { return nil }
                    return Command(chosen)
                }
                let intents = Set(commands.map { "\($0.handler).\($0.intent)" })
                if commands.count == run.count, commands.count <= Self.limit, intents.count == 1 { return commands }
            }
        }
        return nil
    }

    /// Names that follow each other with nothing but joining words between, at least one of them; the longest first.
    private func runs(of ranges: [Range<Int>], in said: [String]) -> [[Range<Int>]] {
        var longest: [Int: Range<Int>] = [:]
        for range in ranges where range.count > longest[range.lowerBound]?.count ?? 0 {
            longest[range.lowerBound] = range
        }
        var runs: [[Range<Int>]] = []
        for start in longest.keys.sorted() {
            guard let first = longest[start] else { continue }
            var run = [first], isJoined = false
            while let last = run.last {
                let join = ConversationWords.match(words.joins, in: said, at: last.upperBound)
                let next = last.upperBound + (join?.count ?? 0)
                guard let range = longest[next], join != nil || run.count < Self.limit else { break }
                isJoined = isJoined || join != nil
                run.append(range)
            }
            if isJoined, run.count > 1 { runs.append(run) }
        }
        return runs.sorted { $0.count > $1.count }
    }

    // MARK: a sentence in parts

    private func cuts(in utterance: Utterance) -> [(before: Utterance, after: Utterance)] {
        let said = utterance.tokens.map(\.text)
        var cuts: [(Utterance, Utterance)] = [], start = 1
        while start < said.count - 1, cuts.count < Self.joinLimit {
            guard let join = ConversationWords.match(words.joins, in: said, at: start) else {
                start += 1
                continue
            }
            let end = start + join.count
            if end < said.count, !isWithinNumber(start, said) {
                cuts.append((utterance.trimmed(0..<start), utterance.trimmed(end..<said.count)))
            }
            start = end
        }
        return cuts
    }

    /// “Turn off the fridge, log fifty pounds, and …”: nobody says the first comma, so a command beyond doubt at the
    /// beginning ends where it ends, if another begins there; the longest first. Only looked for where a joining word
    /// says that there are several, and not where all before that word is one command.
    private func pauses(in utterance: Utterance) -> [(before: Utterance, after: Utterance)] {
        let count = utterance.tokens.count
        guard count >= 5, let join = cuts(in: utterance).first, beyondDoubt(join.before) == nil else { return [] }
        let end = join.before.tokens.count
        return (2..<max(2, end - 1)).reversed().compactMap { pause in
            let part = utterance.trimmed(0..<pause)
            guard let first = beyondDoubt(part), index.books.intent(first.handler, first.intent)?.asks != true,
                router.route(utterance.trimmed(pause..<end).text).chosen?.level == .exact
            else { return nil }
            return (part, utterance.trimmed(pause..<count))
        }
    }

    /// The command that a part is, word by word.
    private func beyondDoubt(_ part: Utterance) -> Proposal? {
        guard let chosen = router.route(part.text).chosen, chosen.level == .exact, chosen.freeWords == 0,
            !isBare(chosen)
        else { return nil }
        return chosen
    }

    /// “A hundred and nine” is one number.
    private func isWithinNumber(_ place: Int, _ said: [String]) -> Bool {
        (0..<place).contains { start in
            index.books.normaliser.numbers.number(in: said, at: start).map { $0.end > place } ?? false
        }
    }

    /// What is understood of one part.
    private func proposal(_ part: Utterance) -> Proposal? {
        // “Somebody's been and …” is no emergency by its first words.
        let chosen = router.route(part.text).chosen.flatMap { chosen in
            let least: MatchLevel = chosen.handler == HandlerName.emergency ? .high : .medium
            return chosen.level >= least && !isBare(chosen) ? chosen : nil
        }
        // Word by word it is what it says; less than that, it may be about what was spoken of before.
        if let chosen, chosen.level == .exact, chosen.freeWords == 0 { return chosen }
        // “I've a call to do so turn the lights and …” is guessed at as a whole, or not at all.
        guard chosen?.level != .medium || PhraseMatcher(part, in: index).situation == nil else { return nil }
        return before?.command(part).map { Proposal($0) } ?? chosen
    }

    /// A name by itself is no action, and what answers or closes is no second one.
    private func isBare(_ proposal: Proposal) -> Bool {
        proposal.handler == HandlerName.session && ["select", "yes", "no", "cancel"].contains(proposal.intent)
    }

    /// The commands behind the first: one with a verb of its own, values that fit the first, or two more.
    private func rest(after first: Proposal, _ part: Utterance, isStrict: Bool, depth: Int = 2) -> [Command]? {
        if depth < Self.limit {
            for cut in cuts(in: part) {
                guard let second = second(after: first, cut.before, isStrict: isStrict),
                    let more = rest(after: second, cut.after, isStrict: isStrict, depth: depth + 1)
                else { continue }
                return [Command(second)] + more
            }
        }
        return second(after: first, part, isStrict: isStrict).map { [Command($0)] }
    }

    private func second(after first: Proposal, _ part: Utterance, isStrict: Bool) -> Proposal? {
        let own = proposal(part)
        if let own, own.level >= .high, own.freeWords == 0 { return own }
        if !isStrict, let inherited = inherited(from: first, part) { return inherited }
        let leaning = FollowUp(index: index, router: router, last: Command(first)).command(part)
        if let leaning { return Proposal(leaning) }
        return isStrict ? nil : own
    }

    /// “… and the kitchen lights”: the first command's verb for what is named.
    private func inherited(from first: Proposal, _ part: Utterance) -> Proposal? {
        guard let intent = index.books.intent(first.handler, first.intent),
            let values = PhraseMatcher(part, in: index).wholeSlots(
                handler: first.handler, intent: first.intent, small: words.small)
        else { return nil }
        let keeps = words.keeps["\(first.handler).\(first.intent)"]
        var slots = first.slots.filter { keeps?.contains($0.key) ?? true }
        for group in intent.requires where group.contains(where: { values[$0] != nil }) {
            for slot in group { slots[slot] = nil }
        }
        slots.merge(values) { $1 }
        guard intent.requires.allSatisfy({ group in group.contains { slots[$0] != nil } }) else { return nil }
        return Proposal(Command(handler: first.handler, intent: first.intent, slots: slots))
    }

    /// A part that is a command beyond doubt, before one that is none. A beginning that is none is mere talk.
    /// - Parameter chosen: how the router reads it in one piece; “fourteen euros on bread and cheese” is one.
    private func half(_ cuts: [(before: Utterance, after: Utterance)], chosen: Proposal?) -> Finding {
        func isWhole(_ first: Proposal) -> Bool {
            chosen?.handler == first.handler && chosen?.intent == first.intent
                && index.books.intent(first.handler, first.intent)?.takes.contains(.report) == true
        }
        for cut in cuts.reversed() {
            if let first = proposal(cut.before), first.level == .exact, first.freeWords == 0,
                proposal(cut.after) == nil, !isWhole(first),
                // A question may well be answered, whatever comes behind it.
                index.books.intent(first.handler, first.intent)?.asks != true
            {
                // “… and we'll start fresh” asks for nothing more.
                return Reasons(router: router).isIntention(cut.after)
                    ? .several([Command(first)]) : .half(cut.after.surface(0..<cut.after.tokens.count))
            }
        }
        return .one
    }
}

extension Proposal {
    /// What was understood out of what was said before.
    package init(_ command: Command, level: MatchLevel = .high) {
        self.init(
            handler: command.handler, intent: command.intent, level: level, confidence: 1, slots: command.slots,
            freeWords: 0)
    }
}

extension Command {
    /// The command that was proposed.
    package init(_ proposal: Proposal) {
        self.init(handler: proposal.handler, intent: proposal.intent, slots: proposal.slots)
        analysis = proposal.analysis
    }
}
