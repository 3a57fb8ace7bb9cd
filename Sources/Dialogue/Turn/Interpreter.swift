import Devices
import Domain
import Handlers
import Language

/// What an utterance means, here and now.
enum Interpretation: Sendable {
    /// Commands, in their order. `isStep` when they move on something that goes over several turns.
    case commands([Command], isStep: Bool)
    /// The open question is dropped; the key of what is said.
    case drop(String)
    /// A handler's list is to end, which knows no command for it.
    case endList(String)
    /// One of two commands was not understood: its words.
    case half(String)
    /// A command with a part that it does not take: nothing is done.
    case refused(Routing.Refusal)
    /// A command of which too little was said: asked back, in these words.
    case suggested(Command, words: String)
    /// Perhaps an emergency: asked back. Its phrases say what happens, and not what is to be done.
    case alarming(Command)
    /// No answer to the open question: it is put once more.
    case notAnswered
    /// All that was said was taken back in the same sentence.
    case withdrawn
    /// Several readings, between which the owner is to choose.
    case tie([DialogueState.Reading])
    /// Nothing that is understood.
    case nothing
}

/// From what was said to what is meant: what is open comes first, then the sentence by itself, then what it leans on.
@DialogueActor
struct Interpreter {
    let state: DialogueState
    let devices: [Device]
    /// Confidence, 0…1, below which a transcript is not believed, and below which a yes to something risky is not.
    let rejection: Double, certainty: Double
    let index: PhraseIndex
    let router: Router
    /// The time on the session's clock.
    let now: Duration

    /// What the likeliest transcript means. One that the recogniser is not sure of means what its routing says.
    func interpretation(of best: Transcript?, _ routing: Routing) -> Interpretation {
        let alone: Interpretation = routing.chosen.map { .commands([Command($0)], isStep: false) } ?? .nothing
        guard let best, best.confidence >= rejection else { return alone }
        let normaliser = index.books.normaliser
        let utterance = normaliser.withoutFillers(normaliser.normalise(best.text))
        if let answer = answer(utterance, best.confidence, routing) { return answer }
        if state.isAsking, !state.isAskingAgain, !isReplacing(routing, utterance) { return .notAnswered }
        state.forgetOldLists(at: now)
        // “Done” and “stop” belong to what is going on before they belong to the session.
        if let name = index.books.steps.step(utterance), let step = state.step(name) {
            switch step {
            case .command(let command): return .commands([command], isStep: true)
            case .ends(let handler): return .endList(handler)
            }
        }
        let leaning = state.lastCommand.map { followUp($0) }
        if let chosen = routing.chosen, chosen.level == .exact, chosen.freeWords == 0 {
            return leaning.flatMap { leant(chosen, on: $0, utterance) } ?? alone
        }
        if let command = leaning?.command(utterance) { return .commands([command], isStep: false) }
        switch Correction(index: index, router: router).find(utterance, whole: routing) {
        case .corrected(let command): return .commands([command], isStep: false)
        case .withdrawn: return .withdrawn
        case .unclear: return .nothing
        case .none: break
        }
        if let refusal = routing.refused { return .refused(refusal) }
        let pair = TwoActions(index: index, router: router, before: leaning)
        switch pair.find(utterance, whole: routing) {
        case .several(let commands): return .commands(commands, isStep: false)
        case .half(let words): return .half(words)
        case .one: break
        }
        if routing.chosen == nil, routing.tied.count > 1 {
            return .tie(routing.tied.map { DialogueState.Reading(proposal: $0) })
        }
        if let chosen = routing.chosen, let command = leaning?.completed(Command(chosen), utterance) {
            return .commands([command], isStep: false)
        }
        if routing.chosen == nil, let near = routing.suggested {
            if near.handler == HandlerName.emergency { return .alarming(Command(near)) }
            if let words = index.sentence(for: Command(near)) { return .suggested(Command(near), words: words) }
        }
        return alone
    }

    /// What words that stand for something spoken of before mean by themselves, where something else was spoken of:
    /// “set it to ten” is about the light that was just dimmed, and “scrap the last one” about the list, not the ledger.
    /// - Returns: nil where the command is about what was spoken of, or leans on nothing.
    private func leant(_ chosen: Proposal, on last: FollowUp, _ utterance: Utterance) -> Interpretation? {
        let words = utterance.tokens.map(\.text), talk = index.books.talk
        let isLeaning = words.indices.contains { ConversationWords.match(talk.pronouns, in: words, at: $0) != nil }
        guard isLeaning || utterance.begins(with: talk.leading), chosen.handler != SessionHandler.name,
            !chosen.slots.values.contains(where: { !$0.names.isEmpty })
        else { return nil }
        if let command = last.command(utterance), command != Command(chosen) {
            return .commands([command], isStep: false)
        }
        guard chosen.handler != last.last.handler, router.isAct(chosen),
            let words = index.sentence(for: Command(chosen))
        else { return nil }
        return .suggested(Command(chosen), words: words)
    }

    /// Whether an utterance stands for itself while a question is open: a whole command, or a word to the session.
    private func isReplacing(_ routing: Routing, _ utterance: Utterance) -> Bool {
        if index.books.steps.step(utterance) != nil, !state.lists.isEmpty { return true }
        return routing.chosen.map { $0.level >= .medium } ?? (routing.refused != nil || !routing.tied.isEmpty)
    }

    private func followUp(_ command: Command) -> FollowUp {
        let device = command.slots.values.lazy.flatMap(\.names).compactMap { name in
            devices.first { $0.id == name.id }
        }.first
        return FollowUp(index: index, router: router, last: command, deviceKind: device?.kind.rawValue)
    }

    /// What the trace shows as chosen.
    func chosen(_ interpretation: Interpretation, _ routing: Routing) -> Proposal? {
        guard case .commands(let commands, _) = interpretation, let first = commands.first else { return nil }
        if let chosen = routing.chosen, commands == [Command(chosen)] { return chosen }
        return Proposal(first, level: state.isAsking || !state.lists.isEmpty ? .exact : .high)
    }

    /// What stands for a reading when the owner is to choose: what was perhaps said, else the intent's example, else
    /// its name.
    func quote(_ reading: DialogueState.Reading) -> String {
        reading.words ?? index.books.intent(reading.proposal.handler, reading.proposal.intent)?.examples.first
            ?? reading.proposal.intent.split(separator: "_").joined(separator: " ")
    }

    /// Two readings, where something else was as likely said that would do something else. An emergency is not asked
    /// about.
    func rivals(
        _ interpretation: Interpretation, _ routing: Routing, among transcripts: [Transcript]
    ) -> Interpretation? {
        guard case .commands(let commands, isStep: false) = interpretation, let chosen = routing.chosen,
            commands == [Command(chosen)], chosen.handler != EmergencyHandler.name, !state.isAsking,
            let first = transcripts.first
        else { return nil }
        for transcript in transcripts.dropFirst() where transcript.isRival {
            guard let other = router.route(transcript.text).chosen else { continue }
            if other.doesTheSame(as: chosen) { continue }
            let normaliser = index.books.normaliser
            return .tie(
                [(chosen, first), (other, transcript)].map { proposal, transcript in
                    DialogueState.Reading(proposal: proposal, words: normaliser.normalise(transcript.text).text)
                })
        }
        return nil
    }

    /// Free text below this confidence, 0…1, is read back. Of tasks in words that no phrasebook has, in three synthetic
    /// voices, 18 that were heard right had .89 to .99, and 11 that were not .80 to .92, six of them below this.
    private static let freeSurety = 0.88

    /// A command whose free text was perhaps misheard, as a question that reads it back: it is stored behind a yes.
    /// - Returns: nil where it is sure enough, or needs no question.
    func readBack(_ interpretation: Interpretation, of best: Transcript?) -> Interpretation? {
        guard let best, best.isFree, best.confidence < Self.freeSurety,
            case .commands(let commands, isStep: false) = interpretation, commands.count == 1,
            let command = commands.first, command.handler != EmergencyHandler.name,
            router.isAct(Proposal(command)),
            command.slots.values.contains(where: { $0.content == .text }), let words = index.sentence(for: command)
        else { return nil }
        return .suggested(command, words: words)
    }

    // MARK: answers to questions

    /// What an utterance means as the answer to the open question; nil when it is none.
    private func answer(
        _ utterance: Utterance, _ confidence: Double, _ routing: Routing
    ) -> Interpretation? {
        guard state.isAsking else { return nil }
        if let chosen = routing.chosen, chosen.handler == SessionHandler.name {
            switch (chosen.intent, state.question) {
            // A yes that was perhaps misheard is none: the question comes again.
            case ("yes", .confirmation(let command, _)) where chosen.level == .exact:
                return resume(confidence < certainty ? command : command.confirmed)
            // What was only guessed is asked for in full now, with whatever it asks itself.
            case ("yes", .meant(let command)) where chosen.level == .exact: return resume(command)
            case ("no", .confirmation(_, let otherwise?)): return resume(otherwise)
            // Nothing has been done yet that could be taken back.
            case ("no", _), ("cancel", _), ("close", _), ("undo", _): return .drop("general.cancelled")
            default: break
            }
        }
        if !state.readings.isEmpty { return reading(utterance, routing).map { resume(Command($0)) } }
        switch state.question {
        case .slot(let name, let command): return filled(name, of: command, utterance, routing)
        case .choice(let slot, let names, let command):
            guard let name = choice(utterance, among: names) else { return nil }
            var complete = command
            complete.slots[slot] = SlotValue(text: name.name, content: .names([name]))
            return resume(complete)
        case .confirmation, .meant, .steps, nil: return nil
        }
    }

    /// The command that the answer completes, and what else the sentence held.
    private func resume(_ command: Command) -> Interpretation { .commands([command] + state.rest, isStep: false) }

    private func filled(
        _ name: String, of asked: Command, _ utterance: Utterance, _ routing: Routing
    ) -> Interpretation? {
        var command = asked
        let matcher = PhraseMatcher(utterance, in: index), analysis = matcher.analysis()
        // Values alone are an answer, also where they begin a command of their own.
        let whole = matcher.wholeSlots(handler: asked.handler, intent: asked.intent, small: index.books.talk.small)
        if let whole, let value = whole[name] {
            command.slots.merge(whole.filter { asked.slots[$0.key] == nil }) { mine, _ in mine }
            command.slots[name] = value
            return resume(command)
        }
        guard !isOwn(routing.chosen, asked, utterance) else { return nil }
        // Something else that the command lacked: it is taken, and the question stands.
        if let whole, whole.keys.allSatisfy({ asked.slots[$0] == nil }) {
            command.slots.merge(whole) { $1 }
            return resume(command)
        }
        guard analysis.mood == .command else { return nil }
        let (found, _, taken) = matcher.looseSlots(handler: asked.handler, intent: asked.intent)
        if let value = found[name], matcher.leftOver(besides: taken, found, of: asked.handler, asked.intent).isEmpty {
            command.slots.merge(found.filter { asked.slots[$0.key] == nil }) { mine, _ in mine }
            command.slots[name] = value
            return resume(command)
        }
        guard !utterance.isEmpty, !utterance.begins(with: index.books.rules.questions),
            utterance.tokens.count <= Self.longestAnswer, index.books.steps.step(utterance) == nil,
            !index.books.talk.pronouns.contains(where: { utterance.begins(with: [$0]) }),
            let free = freeSlot(beside: name, of: asked)
        else {
            return nil
        }
        command.slots[free] = SlotValue(text: utterance.words.joined(separator: " "))
        return resume(command)
    }

    /// More words than these are a story and no answer.
    private static let longestAnswer = 12

    /// So many words of a command beside its free text tell it from an answer.
    private static let tellingWords = 3

    /// A command of its own is not an answer; the bare name of something may be one, and so may what the question's own
    /// command would take, and a few words that happen to begin as another command does.
    private func isOwn(_ chosen: Proposal?, _ asked: Command, _ utterance: Utterance) -> Bool {
        guard let chosen, (chosen.handler, chosen.intent) != (SessionHandler.name, SessionHandler.select) else {
            return false
        }
        if chosen.level == .exact, chosen.freeWords == 0 { return true }
        let isOther = (chosen.handler, chosen.intent) != (asked.handler, asked.intent)
        guard chosen.level == .exact || chosen.level == .high && isOther else { return false }
        return chosen.freeWords == 0 || utterance.tokens.count - chosen.freeWords >= Self.tellingWords
    }

    /// One of several, by its name or by its place among them.
    private func choice(_ utterance: Utterance, among names: [OwnerName]) -> OwnerName? {
        var narrowed = OwnerNames()
        narrowed[.item] = names
        let only = PhraseIndex(books: index.books, names: narrowed)
        let named = PhraseMatcher(utterance, in: only).names(.item).first { $0.names.count == 1 }
        if let name = named?.names.first { return name }
        return index.books.talk.place(utterance, of: names.count).map { names[$0] }
    }

    /// One of several readings: by its place, by the same command said better, or by a word that only it has.
    private func reading(_ utterance: Utterance, _ routing: Routing) -> Proposal? {
        let readings = state.readings
        if let place = index.books.talk.place(utterance, of: readings.count) { return readings[place].proposal }
        if let chosen = routing.chosen,
            let same = readings.lazy.map(\.proposal).first(where: {
                $0.handler == chosen.handler && $0.intent == chosen.intent
            })
        {
            return chosen.slots.isEmpty ? same : chosen
        }
        let said = Set(utterance.tokens.map(\.text)).subtracting(index.books.talk.small)
        let shared = readings.map { said.intersection(index.books.normaliser.canonicalWords(quote($0))).count }
        guard let most = shared.max(), most > 0, shared.filter({ $0 == most }).count == 1 else { return nil }
        return shared.firstIndex(of: most).map { readings[$0].proposal }
    }

    /// The free-text slot that may stand in for a missing slot: a note where no category fits, a new place's name.
    private func freeSlot(beside name: String, of command: Command) -> String? {
        let stands = ["category": "note", "place": "where", "destination": "place"]
        guard let intent = index.books.intent(command.handler, command.intent) else { return nil }
        let free = intent.phrases.flatMap(\.slots).filter { $0.list == "text" }.map(\.name)
        if free.contains(name) { return name }
        return stands[name].flatMap { free.contains($0) ? $0 : nil }
    }
}
