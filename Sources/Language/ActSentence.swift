import Domain

extension PhraseIndex {
    /// A command as an order in words: “turn on the pump”. The shortest of the intent's phrases that has the command's
    /// slots and no others.
    /// - Returns: nil where no phrase says all that.
    package func sentence(for command: Command) -> String? {
        guard let intent = books.intent(command.handler, command.intent) else { return nil }
        let wanted = Set(command.slots.keys)
        let phrases = intent.phrases.lazy.compactMap { phrase in
            ActSentence(slots: command.slots, words: books.words, replies: books.replies).words(of: phrase)
        }.filter { way in
            // “Shall I” goes on with an order, and not with “I paid forty pounds”.
            let said = PhraseMatcher(books.normaliser.normalise(way.words.joined(separator: " ")), in: self)
            let analysis = said.analysis()
            return analysis.mood == .command && !analysis.isRequest && !analysis.isUnable
        }
        let words =
            phrases.first { $0.slots == wanted }
            ?? phrases.first { way in
                way.slots.isSubset(of: wanted)
                    && wanted.subtracting(way.slots).allSatisfy { isSaid($0, by: way.slots, command.slots) }
            }
        return words?.words.joined(separator: " ")
    }

    /// Whether the words of a slot are a part of another's, which is named: “diesel” says what was filled as well.
    private func isSaid(_ slot: String, by others: Set<String>, _ slots: [String: SlotValue]) -> Bool {
        guard let spoken = slots[slot]?.spoken else { return true }
        return others.contains { other in
            guard let words = slots[other]?.spoken else { return false }
            return " \(words) ".contains(" \(spoken) ")
        }
    }
}

/// One way through a template, with the slots of a command.
private struct ActSentence {
    struct Way {
        var words: [String] = [], slots = Set<String>()
    }

    let slots: [String: SlotValue]
    let words: WordRules
    let replies: Replies

    /// What is spoken of with an article.
    private static let things: Set<SlotKind> = [.device, .area, .item, .place]

    /// The first alternative that needs no slot which the command lacks; of what may be left out, only the command's
    /// slots are said.
    func words(of template: Template) -> Way? {
        switch template {
        case .word(let word): return Way(words: [word])
        case .slot(let list, let name):
            guard let value = slots[name] else { return nil }
            let text = value.names.count == 1 ? value.text : value.spoken
            let first = text.split(separator: " ").first.map(String.init) ?? ""
            let isThing = !value.names.isEmpty && SlotKind(rawValue: list).map(Self.things.contains) ?? false
            let isBare = !isThing || words.articles.ofNames.contains(first)
            return Way(words: [isBare ? text : replies("list.the", ["name": text]).written], slots: [name])
        case .choice(let parts): return parts.lazy.compactMap { words(of: $0) }.first
        case .sequence(let parts):
            var all = Way()
            for part in parts {
                guard let way = words(of: part) else { return nil }
                all.words += way.words
                all.slots.formUnion(way.slots)
            }
            return all
        case .optional(let part):
            guard let way = words(of: part), !way.slots.isEmpty else { return Way() }
            return way
        case .rule: return nil
        }
    }
}
