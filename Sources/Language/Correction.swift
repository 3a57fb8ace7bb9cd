import Domain

/// Finds a slip that is corrected in the same sentence: “log five pounds for coffee, no, six”, “pump on, no wait, the
/// fridge”. Pure. Only the corrected half counts; where it cannot be told what that is, nothing does.
package struct Correction {
    /// What a sentence holds.
    package enum Finding: Equatable {
        /// No correction.
        case none
        /// The command as it was corrected.
        case corrected(Command)
        /// All was taken back.
        case withdrawn
        /// Something was taken back, and what is meant instead was not understood.
        case unclear
    }

    /// The compiled language, and its router.
    package let index: PhraseIndex, router: Router

    package init(index: PhraseIndex, router: Router) {
        self.index = index
        self.router = router
    }

    /// What the sentence holds; `whole` is how the router reads it in one piece.
    package func find(_ said: Utterance, whole: Routing) -> Finding {
        if let chosen = whole.chosen, chosen.level == .exact, chosen.freeWords == 0 { return .none }
        let utterance = index.withNouns(said) ?? said
        let count = utterance.tokens.count
        let hits = PhraseMatcher(utterance, in: index).cueHits.filter { $0.range.lowerBound > 0 }
        let isTakenBack = hits.contains { $0.kind == .withdrawal && $0.range.upperBound == count }
        if isTakenBack,
            let withdrawal = hits.filter({ $0.kind == .withdrawal && $0.range.upperBound == count })
                .min(by: { $0.range.lowerBound < $1.range.lowerBound }),
            isCommand(utterance.trimmed(0..<withdrawal.range.lowerBound))
        {
            return .withdrawn
        }
        let corrections = hits.filter { $0.kind == .correction && $0.range.upperBound < count }
            .sorted { ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count) }
        for hit in corrections where isCommand(utterance.trimmed(0..<hit.range.lowerBound)) {
            return corrected(utterance, at: extended(hit.range, over: hits, in: count), splices: true).map {
                .corrected($0)
            } ?? .unclear
        }
        // “There's no need to put the heating on” corrects nothing.
        let isCommand = whole.chosen == nil && whole.analysis.mood == .command
        for hit in hits where hit.kind == .amendment && hit.range.upperBound < count {
            if let command = corrected(utterance, at: hit.range, splices: isCommand) {
                return .corrected(command)
            }
        }
        return .none
    }

    /// “No, sorry, I mean” are one.
    private func extended(_ range: Range<Int>, over hits: [PhraseMatcher.CueHit], in count: Int) -> Range<Int> {
        let next = hits.filter {
            ($0.kind == .correction || $0.kind == .amendment) && $0.range.lowerBound == range.upperBound
                && $0.range.upperBound < count
        }
        guard let end = next.map(\.range.upperBound).max() else { return range }
        return extended(range.lowerBound..<end, over: hits, in: count)
    }

    /// Whether the words begin a command: they are one, or nearly.
    private func isCommand(_ part: Utterance) -> Bool {
        let routing = router.route(part.text)
        return routing.chosen != nil || routing.suggested != nil
            || routing.guesses.first.map { $0.probability > Router.gate && $0.intent.contains(".") } ?? false
    }

    /// The second half as a command of its own, else the first with the values of the second.
    /// - Parameter splices: whether the two may also be joined to one.
    private func corrected(_ utterance: Utterance, at range: Range<Int>, splices: Bool) -> Command? {
        let before = utterance.trimmed(0..<range.lowerBound)
        let after = utterance.trimmed(range.upperBound..<utterance.tokens.count)
        let second = router.route(after.text).chosen
        if let second, second.level >= .high, second.handler != HandlerName.session { return Command(second) }
        guard let first = router.route(before.text).chosen, first.handler != HandlerName.session,
            let values = PhraseMatcher(after, in: index).wholeSlots(
                handler: first.handler, intent: first.intent, small: index.books.talk.small)
        else { return splices ? spliced(before, after) : nil }
        var command = Command(first)
        // One of a group takes the place of the others: another device that of an area.
        let groups = index.books.intent(first.handler, first.intent)?.requires ?? []
        for group in groups where group.contains(where: { values[$0] != nil }) {
            for slot in group { command.slots[slot] = nil }
        }
        // A device is where it is.
        if values["device"] != nil { command.slots["area"] = nil }
        command.slots.merge(values) { $1 }
        return command
    }

    /// The first half with its last words replaced by the second, as few as make a command of it: “turn on the kitchen,
    /// sorry, the cab lights”; or the second without what it begins with, which was said already: “on, I mean off, turn
    /// the pump off”, “Wales, no, not Wales, the Lake District”.
    private func spliced(_ before: Utterance, _ after: Utterance) -> Command? {
        let first = before.tokens.map(\.text), second = after.tokens.map(\.text)
        guard second.count <= Self.longest else { return nil }
        let slip = router.route(before.text)
        let meant = (slip.chosen ?? slip.suggested).map { "\($0.handler).\($0.intent)" } ?? slip.guesses.first?.intent
        let again = (0...min(Self.mostReplaced, second.count - 1)).filter {
            $0 == 0 || first.suffix($0).elementsEqual(second.prefix($0))
        }
        for start in again.reversed() {
            for replaced in 1...Self.mostReplaced where replaced < first.count {
                let joined = said(first.dropLast(replaced) + second.dropFirst(start))
                if let joined, "\(joined.handler).\(joined.intent)" == meant { return Command(joined) }
            }
        }
        for start in 1...Self.mostReplaced where start < second.count - 1 {
            let rest = said(second.dropFirst(start))
            if let rest, rest.freeWords == 0, rest.handler != HandlerName.session { return Command(rest) }
        }
        return nil
    }

    /// What templates make of the words. Most joints of a slip make nothing, and the classifier is not asked about them.
    private func said(_ words: ArraySlice<String>) -> Proposal? {
        let normaliser = index.books.normaliser, text = words.joined(separator: " ")
        let utterance = normaliser.withoutFillers(normaliser.normalise(text))
        guard !PhraseMatcher(utterance, in: index).exactMatches().isEmpty else { return nil }
        return router.route(text).chosen.flatMap { $0.level == .exact ? $0 : nil }
    }

    /// A slip is at most so many words long, and what is said instead no longer than that.
    private static let mostReplaced = 4, longest = 12
}

extension PhraseIndex {
    /// The utterance with the noun for “one” and “ones”, where that makes a device's name: “the kitchen lights, no, the
    /// bedroom ones”.
    /// - Returns: nil where it does nowhere.
    func withNouns(_ utterance: Utterance) -> Utterance? {
        var words = utterance.tokens.map(\.text), isChanged = false
        for place in words.indices.dropFirst() where books.talk.ones.contains(words[place]) {
            for noun in words[..<(place - 1)].reversed() where !books.rules.grammar.contains(noun) {
                let spelt = Array(words[..<place]) + [noun] + words[(place + 1)...]
                let matcher = PhraseMatcher(books.normaliser.normalise(spelt.joined(separator: " ")), in: self)
                guard matcher.names(.device).contains(where: { $0.range == (place - 1)..<(place + 1) }) else {
                    continue
                }
                (words, isChanged) = (spelt, true)
                break
            }
        }
        return isChanged ? books.normaliser.normalise(words.joined(separator: " ")) : nil
    }
}
