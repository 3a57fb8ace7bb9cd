import Control

/// How a sentence was taken.
enum ActVerdict: String, CaseIterable, Sendable, Encodable {
    /// As one of the label's alternatives has it.
    case right
    /// Something was to be done or answered, and it was not understood.
    case notUnderstood = "not understood"
    /// Something else was answered; nothing was done.
    case wrongAnswer = "wrong answer"
    /// A question was asked back where none is allowed.
    case asked
    /// It was understood and not done.
    case refused
    /// Something was done, or said to be done, that no alternative allows.
    case wrongAct = "wrong act"
}

/// Compares what became of a sentence with its label.
struct ActScore: Sendable {
    let words: ActWords

    func verdict(_ label: ActLabel, _ turn: ActTurn) -> ActVerdict {
        if label.expectations.contains(where: { isFulfilled($0, turn) }) { return .right }
        if !turn.deeds.isEmpty { return .wrongAct }
        switch turn.outcome {
        case .asked: return .asked
        case .fallback, .nothingHeard: return .notUnderstood
        case .failed: return ActIntents.changes(turn.intent ?? "") ? .refused : .wrongAnswer
        case .done, .cancelled: return .wrongAnswer
        }
    }

    private func isFulfilled(_ expectation: Expectation, _ turn: ActTurn) -> Bool {
        switch expectation {
        case .nothing: turn.deeds.isEmpty && !turn.asksAboutAct
        case .refuse: turn.deeds.isEmpty && (turn.outcome == .failed || turn.outcome == .fallback)
        case .ask: turn.deeds.isEmpty && turn.outcome == .asked
        case .answer(let wanted): turn.deeds.isEmpty && isAnswered(wanted, turn)
        case .acts(let wanted): isDone(wanted, turn)
        }
    }

    /// True where the intent was understood with all of the slots; a reply that names what the label does says as much
    /// as a slot.
    private func isAnswered(_ wanted: WantedAct, _ turn: ActTurn) -> Bool {
        guard turn.intent == wanted.intent else { return false }
        switch turn.outcome {
        case .done, .failed, .cancelled: break
        case .asked where ActIntents.goOn.contains(wanted.intent): break
        case .asked, .fallback, .nothingHeard: return false
        }
        return wanted.slots.allSatisfy { slot, values in
            values.allSatisfy { isSaid($0, slot, turn.slots[slot], turn) }
        }
    }

    private func isSaid(_ label: String, _ slot: String, _ value: String?, _ turn: ActTurn) -> Bool {
        if value.map({ words.isSame($0, label, in: slot) }) == true { return true }
        // “I have no torch I mean the head torch” only repeats what was not understood.
        let isEcho = turn.slots.values.contains {
            words.mentions($0, label, in: slot) && !words.isSame($0, label, in: slot)
        }
        return !isEcho && words.mentions(turn.reply, label, in: slot)
    }

    // MARK: acts

    private func isDone(_ wanted: [WantedAct], _ turn: ActTurn) -> Bool {
        var left = turn.deeds
        for act in wanted {
            let matching = left.filter { isMatch(act, $0, turn) }
            if !matching.isEmpty, isWhole(act, matching, turn) {
                left.removeAll { matching.contains($0) }
            } else if !isWithoutDeed(act, turn, among: wanted) {
                return false
            }
        }
        return left.isEmpty
    }

    /// True for an act that leaves no trace of its own: one of the session, a walk through a list, and the second of
    /// two commands where the device was in that state already, which the reply says.
    private func isWithoutDeed(_ act: WantedAct, _ turn: ActTurn, among wanted: [WantedAct]) -> Bool {
        if !ActIntents.changes(act.intent) || ActIntents.goOn.contains(act.intent) { return isAnswered(act, turn) }
        guard wanted.count > 1, turn.outcome == .done, let names = act.slots["device"] else { return false }
        return names.allSatisfy { words.mentions(turn.reply, $0, in: "device") }
    }

    /// Several values of these slots mean several deeds, one for each.
    private static let shared: Set<String> = ["device", "item", "task"]

    private func isMatch(_ act: WantedAct, _ deed: Deed, _ turn: ActTurn) -> Bool {
        guard act.intent == deed.intent || deed.alsoKnownAs.contains(act.intent) else { return false }
        return act.slots.allSatisfy { slot, values in
            if slot == "except" {
                return deed.isClaim
                    ? values.allSatisfy { isSaid($0, slot, deed.slots[slot], turn) }
                    : !values.contains { label in
                        ["device", "area"].contains { words.isSame(deed.slots[$0] ?? "", label, in: $0) }
                    }
            }
            func fits(_ label: String) -> Bool {
                if slot == "device", isMember(label, of: deed) { return true }
                if deed.isClaim { return isSaid(label, slot, deed.slots[slot], turn) }
                // “Take four off” and “there are twelve left” are the same.
                if slot == "quantity", let change = deed.slots["change"], words.isSame(change, label, in: slot) {
                    return true
                }
                if slot == "odometer", let miles = deed.slots["miles"], words.isSame(miles, label, in: slot) {
                    return true
                }
                return deed.slots[slot].map { words.isSame($0, label, in: slot) } == true
            }
            return Self.shared.contains(slot) ? values.contains(where: fits) : values.allSatisfy(fits)
        }
    }

    private func isMember(_ label: String, of deed: Deed) -> Bool {
        deed.members.contains { words.isSame($0, label, in: "device") }
    }

    /// True where the deeds are all that the act asks for: each of its things, and several devices where it names none.
    private func isWhole(_ act: WantedAct, _ deeds: [Deed], _ turn: ActTurn) -> Bool {
        let claims = deeds.filter(\.isClaim)
        if let named = act.slots["device"],
            claims.contains(where: { !$0.members.isEmpty && $0.members.count != named.count })
        {
            return false
        }
        for slot in Self.shared {
            for label in act.slots[slot] ?? [] {
                let isThere = deeds.contains {
                    words.isSame($0.slots[slot] ?? "", label, in: slot) || slot == "device" && isMember(label, of: $0)
                }
                guard isThere || !claims.isEmpty && isSaid(label, slot, nil, turn) else { return false }
            }
        }
        guard act.intent.hasPrefix("van."), !["device", "area", "scene"].contains(where: { act.slots[$0] != nil })
        else {
            return true
        }
        return deeds.count > 1 || claims.contains { $0.slots["device"] == nil }
    }
}
