import Domain

extension PhraseMatcher {
    /// Reads the whole utterance as values of an intent's slots, with nothing but `small` words between them.
    /// Free text is no value: it would take anything.
    /// - Returns: the values; nil when a word is left over, or there is no value at all.
    package func wholeSlots(handler: String, intent name: String, small: Set<String>) -> [String: SlotValue]? {
        guard text.count > 0, text.count <= Self.longestFollowUp,
            let book = index.books.books.first(where: { book in
                book.handler == handler && book.intents.contains { $0.name == name }
            }), let intent = book.intents.first(where: { $0.name == name })
        else { return nil }
        var slots: [(name: String, number: Int)] = []
        for (list, name) in intent.phrases.flatMap(\.slots) {
            guard let number = index.slotNumbers[book.file]?[list] else { continue }
            if case .text = index.slots[number] { continue }
            if !slots.contains(where: { $0 == (name, number) }) { slots.append((name, number)) }
        }
        let required = Set(intent.requires.joined())
        slots.sort { required.contains($0.name) && !required.contains($1.name) }
        let found = fill(slots, from: 0, small: small, filled: [:])
        return found.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// More words than these are no follow-up.
    private static var longestFollowUp: Int { 12 }

    private func fill(
        _ slots: [(name: String, number: Int)], from start: Int, small: Set<String>, filled: [String: SlotValue]
    ) -> [String: SlotValue]? {
        guard start < text.count else { return filled }
        for (name, number) in slots where filled[name] == nil {
            for candidate in candidates(number, start, 0).sorted(by: { $0.end > $1.end })
            where candidate.end > start && candidate.cost == 0 {
                let more = filled.merging([name: candidate.value]) { $1 }
                if let all = fill(slots, from: candidate.end, small: small, filled: more) { return all }
            }
        }
        guard small.contains(text.words[start]) else { return nil }
        return fill(slots, from: start + 1, small: small, filled: filled)
    }
}
