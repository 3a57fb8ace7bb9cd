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
    package func find(_ utterance: Utterance, whole: Routing) -> Finding {
        if let chosen = whole.chosen, chosen.level == .exact, chosen.freeWords == 0 { return .none }
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
            return corrected(utterance, at: hit.range).map { .corrected($0) } ?? .unclear
        }
        for hit in hits where hit.kind == .amendment && hit.range.upperBound < count {
            if let command = corrected(utterance, at: hit.range) { return .corrected(command) }
        }
        return .none
    }

    /// Whether the words begin a command: they are one, or nearly.
    private func isCommand(_ part: Utterance) -> Bool {
        let routing = router.route(part.text)
        return routing.chosen != nil || routing.suggested != nil
            || routing.guesses.first.map { $0.probability > Router.gate && $0.intent.contains(".") } ?? false
    }

    /// The second half as a command of its own, else the first with the values of the second.
    private func corrected(_ utterance: Utterance, at range: Range<Int>) -> Command? {
        let before = utterance.trimmed(0..<range.lowerBound)
        let after = utterance.trimmed(range.upperBound..<utterance.tokens.count)
        let second = router.route(after.text).chosen
        if let second, second.level >= .high, second.handler != HandlerName.session { return Command(second) }
        guard let first = router.route(before.text).chosen, first.handler != HandlerName.session,
            let values = PhraseMatcher(after, in: index).wholeSlots(
                handler: first.handler, intent: first.intent, small: index.books.talk.small)
        else { return nil }
        var command = Command(first)
        // One of a group takes the place of the others: another device that of an area.
        let groups = index.books.intent(first.handler, first.intent)?.requires ?? []
        for group in groups where group.contains(where: { values[$0] != nil }) {
            for slot in group { command.slots[slot] = nil }
        }
        command.slots.merge(values) { $1 }
        return command
    }
}
