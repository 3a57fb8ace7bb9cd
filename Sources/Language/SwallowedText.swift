import Domain

/// What the free text of a proposal has swallowed that is no part of it. Pure.
struct SwallowedText {
    let index: PhraseIndex, proposal: Proposal

    /// More words than these may be more than what something is called, or what it was for.
    private static let most = 3

    /// The free text of all slots, or of some, as it was said.
    private func texts(of slots: Set<String>? = nil) -> [Utterance] {
        proposal.slots.filter { slots?.contains($0.key) ?? true }.values.compactMap { value in
            guard value.content == .text, value.text == value.spoken else { return nil }
            return index.books.normaliser.normalise(value.text)
        }
    }

    private func cues(in text: Utterance) -> [AnalysisRules.Kind] {
        PhraseMatcher(text, in: index).cueHits.map(\.kind)
    }

    /// Whether it says when something was, or what came of it: “we spent eighty pounds on diesel last winter, it was
    /// robbery” is a story, and no entry of today.
    var hasAReport: Bool {
        guard proposal.freeWords > Self.most else { return false }
        return texts().contains { cues(in: $0).contains { $0 == .report || $0 == .time } }
    }

    /// Whether it holds another amount: “twenty euros for the market and thirty five euros for the chemist” are two
    /// entries.
    var hasAnAmount: Bool {
        guard proposal.freeWords > Self.most, proposal.slots.values.contains(where: \.isAmount) else { return false }
        let numbers = index.books.normaliser.numbers
        return texts().contains { text in
            let words = text.tokens.map(\.text)
            return words.indices.contains { start in
                index.books.measures.namesCurrency(in: words, at: start, numbers: numbers)
            }
        }
    }

    /// Whether what is to name something holds a sentence of its own: “put a spirit level on the inventory, it lives in
    /// the tool box”.
    /// - Parameter names: the slots that name something.
    func hasASentence(in names: Set<String>) -> Bool {
        let pronouns = index.books.talk.pronouns.compactMap { $0.count == 1 ? $0[0] : nil }
        return texts(of: names).contains { text in
            text.tokens.count > Self.most
                && (text.tokens.contains { pronouns.contains($0.text) } || cues(in: text).contains(.reason))
        }
    }
}
