import Domain

/// What an utterance means after the last command: “and last month?”, “turn that off again”, “make it sixty”. Pure.
/// Nothing is guessed: the words that tie it to the last command, and values that fit that command, must take the whole
/// utterance.
package struct FollowUp {
    /// The compiled language, and its router.
    package let index: PhraseIndex, router: Router
    /// What was done or asked last.
    package let last: Command
    /// The kind of the device that it was about, as the phrasebooks' `targets` have it; nil for none.
    package var deviceKind: String?

    package init(index: PhraseIndex, router: Router, last: Command, deviceKind: String? = nil) {
        self.index = index
        self.router = router
        self.last = last
        self.deviceKind = deviceKind
    }

    private var words: ConversationWords { index.books.talk }
    private var lastIntent: String { "\(last.handler).\(last.intent)" }

    /// The command that is meant; nil when the utterance does not lean on the last one.
    package func command(_ utterance: Utterance) -> Command? {
        guard !utterance.isEmpty, utterance.tokens.count <= 24 else { return nil }
        return widened(utterance) ?? revalued(utterance) ?? resolved(utterance) ?? elliptic(utterance)
    }

    /// “Brighter”: values alone, of a command that names no device, are about the one of the command before.
    /// - Returns: nil where nothing is missing, where more was said, or where nothing stands in for it.
    package func completed(_ command: Command, _ utterance: Utterance) -> Command? {
        guard last.handler == HandlerName.van, command.handler == last.handler,
            let intent = index.books.intent(command.handler, command.intent),
            let missing = intent.requires.first(where: { group in
                group.contains("device") && !group.contains { command.slots[$0] != nil }
            }),
            PhraseMatcher(utterance, in: index).wholeSlots(
                handler: command.handler, intent: command.intent, small: words.small) != nil
        else { return nil }
        let subject = last.slots.filter { $0.key == "area" || $0.key == "except" || missing.contains($0.key) }
        guard missing.contains(where: { subject[$0] != nil }) else { return nil }
        var whole = command
        whole.slots.merge(subject) { mine, _ in mine }
        return whole
    }

    // MARK: “how much is that in total”

    private func widened(_ utterance: Utterance) -> Command? {
        for widening in words.widenings
        where widening.intents.contains(lastIntent) && widening.phrases.contains(utterance.text) {
            var command = Command(handler: last.handler, intent: last.intent, slots: last.slots)
            for slot in widening.slots { command.slots[slot] = nil }
            if command.slots.count < last.slots.count || widening.slots.isEmpty { return command }
        }
        return nil
    }

    // MARK: “make it sixty”

    private func revalued(_ utterance: Utterance) -> Command? {
        guard let rest = utterance.dropping(leading: words.values)?.dropping(trailing: words.trailing) else {
            return nil
        }
        let byKind = deviceKind.flatMap { words.targets["\(lastIntent)/\($0)"] }
        let matcher = PhraseMatcher(rest, in: index)
        for target in byKind ?? words.targets[lastIntent] ?? [] {
            guard let (handler, name) = parted(target), let intent = index.books.intent(handler, name),
                let values = matcher.wholeSlots(handler: handler, intent: name, small: words.small)
            else { continue }
            // Another intent takes over what the command was about, and nothing else of it.
            let known = Set(intent.phrases.flatMap(\.slots).map(\.name))
            let kept = last.slots.filter { slot, value in
                known.contains(slot) && (target == lastIntent || !value.names.isEmpty)
            }
            let command = Command(handler: handler, intent: name, slots: kept.merging(values) { $1 })
            if isComplete(command, intent) { return command }
        }
        return nil
    }

    private func parted(_ intent: String) -> (handler: String, intent: String)? {
        let parts = intent.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private func isComplete(_ command: Command, _ intent: PhrasebookIntent) -> Bool {
        intent.requires.allSatisfy { group in group.contains { command.slots[$0] != nil } }
    }

    // MARK: “turn that off again”

    /// The utterance with what its pronoun stands for in the pronoun's place, as if it had been said in full.
    private func resolved(_ utterance: Utterance) -> Command? {
        // Also “and turn it off too”.
        let whole = utterance.dropping(trailing: words.repeats)
        let readings = [utterance, whole, whole.dropping(leading: words.leading)].compactMap { $0 }
        for referent in referents {
            for reading in readings {
                for text in texts(reading, with: referent) {
                    if let command = routed(text, referent) { return command }
                }
            }
        }
        return nil
    }

    /// What the last command was about: the owner's things first, then what was only said.
    private var referents: [(slot: String, value: SlotValue)] {
        let all = last.slots.sorted { $0.key < $1.key }.map { (slot: $0.key, value: $0.value) }
        let named = all.filter { !$0.value.names.isEmpty && !Self.rarely.contains($0.slot) }
        let rare = all.filter { !$0.value.names.isEmpty && Self.rarely.contains($0.slot) }
        let said = all.filter { $0.value.content == .text && $0.value.text == $0.value.spoken }
        return named + said + rare
    }

    /// A command with a thing and a place is about the thing.
    private static let rarely: Set<String> = ["place", "area", "list"]

    private func texts(_ utterance: Utterance, with referent: (slot: String, value: SlotValue)) -> [String] {
        let said = utterance.tokens.map(\.text), name = referent.value.text
        var texts: [String] = []
        for start in said.indices {
            func replacing(_ words: [String], by text: String) {
                texts.append((said[..<start] + [text] + said[(start + words.count)...]).joined(separator: " "))
            }
            if referent.slot == "place" || referent.slot == "where" {
                for (words, meaning) in words.places where said[start...].starts(with: words) {
                    replacing(words, by: meaning.replacing("{place}", with: name))
                }
            }
            if let pronoun = ConversationWords.match(words.pronouns, in: said, at: start) {
                replacing(pronoun, by: name)
            }
        }
        return texts
    }

    /// The command of the full text, if it is about the referent and nothing in it is guessed. Free text it may have,
    /// the referent among it: “add it to the list”.
    private func routed(_ text: String, _ referent: (slot: String, value: SlotValue)) -> Command? {
        let name = index.books.normaliser.canonicalWords(referent.value.text)
        guard let chosen = router.route(text).chosen, chosen.level >= .high, chosen.handler != HandlerName.session,
            chosen.freeWords == 0 || chosen.level == .exact
        else { return nil }
        var command = Command(handler: chosen.handler, intent: chosen.intent, slots: chosen.slots)
        let meant = referent.value.names.map(\.id)
        var isAbout = false
        for (slot, value) in chosen.slots {
            let ids = value.names.map(\.id)
            if !meant.isEmpty, ids.contains(where: meant.contains) {
                // The name may be that of several; it was clear before which is meant.
                command.slots[slot] = referent.value
                isAbout = true
            } else if index.books.normaliser.canonicalWords(value.text) == name {
                isAbout = true
            }
        }
        return isAbout ? command : nil
    }

    // MARK: “and last month?”

    private func elliptic(_ utterance: Utterance) -> Command? {
        let added = utterance.dropping(trailing: words.added)
        // “The bedroom too” needs no “and” before it.
        guard
            let rest = utterance.dropping(leading: words.leading)?.dropping(trailing: words.trailing)
                ?? (added.tokens.count < utterance.tokens.count ? added : nil)
        else { return nil }
        if let chosen = router.route(rest.text).chosen, chosen.level >= .high, chosen.freeWords == 0,
            chosen.handler != HandlerName.session
        {
            return Command(handler: chosen.handler, intent: chosen.intent, slots: chosen.slots)
        }
        guard let intent = index.books.intent(last.handler, last.intent) else { return nil }
        let matcher = PhraseMatcher(rest, in: index)
        let values =
            elsewhere(rest, matcher)
            ?? matcher.wholeSlots(handler: last.handler, intent: last.intent, small: words.small)
        guard let values else { return nil }
        var kept = last.slots
        // A device is where it is; another area asks for another device.
        if values["area"] != nil { kept["device"] = nil }
        if let keeps = words.keeps[lastIntent] { kept = kept.filter { keeps.contains($0.key) } }
        // So does one way to say what a total is over: “and last month?” after “how much has this trip cost”.
        for group in words.instead where group.contains(where: { values[$0] != nil }) {
            for slot in group { kept[slot] = nil }
        }
        // One of a group takes the place of the others: an area that of a device.
        for group in intent.requires where group.contains(where: { values[$0] != nil }) {
            for slot in group { kept[slot] = nil }
        }
        let command = Command(handler: last.handler, intent: last.intent, slots: kept.merging(values) { $1 })
        // A sentence that a template matched in full may lack what a guess must have: so may what follows it.
        return isComplete(command, intent) || intent.asks && !isComplete(last, intent) ? command : nil
    }

    /// “what about the bedroom?” after “is the kitchen light on”: the device of that name in the other place.
    private func elsewhere(_ rest: Utterance, _ matcher: PhraseMatcher) -> [String: SlotValue]? {
        guard let (slot, value) = last.slots.first(where: { !$0.value.names.isEmpty && $0.key == "device" }) else {
            return nil
        }
        let normaliser = index.books.normaliser
        let spoken = matcher.names(.area).filter { found in
            rest.tokens.indices.allSatisfy { found.range.contains($0) || words.small.contains(rest.tokens[$0].text) }
        }
        guard let area = spoken.first?.names.first else { return nil }
        let name = normaliser.canonicalWords(value.text)
        for other in index.names[.area] {
            let place = normaliser.canonicalWords(other.name)
            guard let start = name.firstRange(of: place)?.lowerBound else { continue }
            let there = name[..<start] + normaliser.canonicalWords(area.name) + name[(start + place.count)...]
            let text = there.joined(separator: " ")
            let found = PhraseMatcher(normaliser.normalise(text), in: index).names(.device)
            if let device = found.first(where: { $0.range.count == there.count }), let first = device.names.first {
                return [slot: SlotValue(text: first.name, spoken: text, content: .names(device.names))]
            }
        }
        // The same name in another area: told apart by the area that the name's alias holds.
        let text = normaliser.canonicalWords(area.name) + name
        let found = PhraseMatcher(normaliser.normalise(text.joined(separator: " ")), in: index).names(.device)
        guard let device = found.first(where: { $0.range.count == text.count }), let first = device.names.first else {
            return nil
        }
        return [slot: SlotValue(text: first.name, content: .names(device.names))]
    }
}
