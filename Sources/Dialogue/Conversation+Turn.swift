import Domain
import Language
import Handlers
import Foundation

/// From the transcript to the reply.
extension Conversation {
    /// A typed turn.
    func think(_ turn: Int, text: String) async {
        let trace = TurnTrace(turn: turn, source: "text", startedAt: parts.context.now())
        await understand(turn, [Transcript(text: text, confidence: 1)], trace)
    }

    /// Takes back the last change, as “undo that” does. A question in the reply stays with whoever typed; nothing waits
    /// for its answer.
    /// - Parameter isConfirmed: true where what is risky to take back needs no yes any more.
    public func undo(isConfirmed: Bool) async -> TurnTrace {
        var trace = TurnTrace(turn: 0, source: "text", startedAt: parts.context.now())
        let command = Command(handler: SessionIntents.name, intent: "undo")
        do {
            let reply = try await typedChange {
                let reply = try await SessionIntents.undo(isConfirmed ? command.confirmed : command, self)
                await self.followMode()
                if reply.changesNames { await self.refreshNames() }
                if !reply.effects.isEmpty { self.emit(.changed("")) }
                return reply
            }
            trace.reply = reply.text
            trace.effects = reply.effects
            trace.outcome = reply.question == nil ? .done : .asked
        } catch let refusal as TypedRefusal {
            trace.reply = refusal.description
            trace.outcome = .failed
        } catch {
            logger.error("the last change was not taken back: \(error)")
            trace.reply = text("general.store_failed")
            trace.outcome = .failed
        }
        return trace
    }

    /// Understands the transcripts, acts on them, and hands the reply to the machine.
    func understand(_ turn: Int, _ transcripts: [Transcript], _ begun: TurnTrace) async {
        var trace = begun
        let started = ContinuousClock.now
        let index = await currentIndex()
        let router = Router(index: index, classifier: classifier)
        // Another turn's, once this one has waited for something.
        let speechEnd = AudioFormat.duration(of: endpointer.speechEnd)
        var best = transcripts.first, heard = router.route(best?.text ?? "")
        trace.alternatives = Array(transcripts.dropFirst())
        if let first = best, let dictated = await dictated(first, heard, index, router, &trace) {
            trace.alternatives.insert(first, at: 0)
            (best, heard) = dictated
        }
        guard isCurrent(turn) else { return }
        trace.transcript = best?.text ?? ""
        trace.recogniserConfidence = best?.confidence ?? 0
        // What people say reaches the log at this level alone.
        logger.debug("turn \(turn), \(trace.source): \(String(reflecting: trace.transcript))")
        if trace.source == "voice" { emit(.transcript(trace.transcript, audio: speechEnd)) }
        let routing = accepted(heard, best)
        var meaning = meaning(of: best, routing, index, router)
        if let tie = rivals(meaning, routing, among: transcripts, router) { meaning = tie }
        trace.normalised = routing.normalised
        trace.guesses = routing.guesses
        trace.proposals = routing.proposals
        trace.chosen = chosen(meaning, routing)
        if case .commands(let commands, _) = meaning { trace.commands = commands }
        trace.add("understanding", started.duration(to: .now))

        // Nothing is written or sent of a turn that was dropped meanwhile.
        guard isCurrent(turn) else { return }
        await perform(meaning, of: turn, routing, trace)
    }

    /// The held button says yes to the open question.
    func confirmByHold(_ turn: Int) async {
        let trace = TurnTrace(turn: turn, source: "voice", startedAt: parts.context.now())
        let routing = Routing(normalised: "", guesses: [], proposals: [], chosen: nil, tied: [])
        guard case .confirmation(let command, _)? = open.question else {
            return await perform(.nothing, of: turn, routing, trace)
        }
        await perform(.commands([command.confirmed] + open.rest, isStep: false), of: turn, routing, trace)
    }

    /// Acts on what was understood and replies.
    private func perform(_ meaning: Meaning, of turn: Int, _ routing: Routing, _ begun: TurnTrace) async {
        var trace = begun, reply: Reply
        guard settings.acts else {
            if !trace.commands.isEmpty { trace.outcome = .done }
            return deliver(Reply(""), turn, trace)
        }
        let actingBegan = ContinuousClock.now
        actingTurns.insert(turn)
        defer { actingTurns.remove(turn) }
        do {
            (reply, trace.outcome) = try await replying(to: meaning, of: turn, routing, trace)
        } catch let failure as HandlerFailure {
            logger.error("\(failure.detail)")
            (reply, trace.outcome) = (Reply(text(failure.replyKey)), .failed)
        } catch  where !isCurrent(turn) {
            // Dropped while it was being acted on: nothing was written or sent.
            return settleDropped(trace, nil)
        } catch {
            logger.error("the command failed: \(error)")
            (reply, trace.outcome) = (Reply(text(LookUps.failureKey(for: trace.commands.first))), .failed)
        }
        trace.add("acting", actingBegan.duration(to: .now))
        if reply.question != nil || !open.readings.isEmpty { trace.outcome = .asked }
        // Who was cut off is told so, beside what was made of it; an emergency's steps come first.
        if turn == limitedTurn, trace.outcome != .fallback, trace.chosen?.handler != EmergencyHandler.name,
            !reply.text.isEmpty
        {
            reply.text = text("general.stopped_listening", limitValues) + " " + reply.text
        }
        trace.reply = reply.text
        trace.effects = reply.effects
        // What was done is done; a dropped turn only keeps silent about it.
        guard isCurrent(turn) else { return settleDropped(trace, reply) }
        deliver(reply, turn, trace)
    }

    private var limitValues: [String: String] { ["seconds": "\(limitReached.components.seconds)"] }

    private func replying(
        to meaning: Meaning, of turn: Int, _ routing: Routing, _ trace: TurnTrace
    ) async throws -> (Reply, TurnOutcome) {
        switch meaning {
        case .drop(let key):
            let reply = Reply(text(open.rest.isEmpty ? key : "general.cancelled_rest"))
            open.dropQuestion()
            return (reply, .cancelled)
        case .endWalk(let handler):
            open.endWalk(of: handler)
            return (Reply(text("general.walk_ended")), .done)
        case .commands(let commands, let isStep):
            let reply = try await carryOut(commands, turn, isStep: isStep)
            return (reply, reply.outcome)
        case .tie(let readings):
            open.dropQuestion()
            open.readings = readings
            let list = parts.context.spoken.choice(readings.map { text("general.quoted", ["text": quote($0)]) })
            return (Reply(text("general.did_you_mean", ["list": list])), .asked)
        case .half(let words):
            open.dropQuestion()
            return (Reply(text("general.half_understood", ["words": words])), .fallback)
        case .nothing:
            open.dropQuestion()
            return (fallback(routing, trace), .fallback)
        }
    }

    /// - Parameter isUrgent: true for what is spoken by itself and at once, even where replies are only shown.
    package func deliver(_ answer: Reply, _ turn: Int, _ begun: TurnTrace, isUrgent: Bool = false) {
        let reply = isUrgent ? answer : announcing(answer)
        var trace = begun
        trace.reply = reply.text
        if trace.chosen != nil { palette = reply.palette }
        replies = [turn: reply]
        lastReply = reply.text.isEmpty ? lastReply : reply.text
        emit(.reply(reply.text, palette))
        let isDone = trace.outcome == .done || trace.outcome == .asked
        if let action = reply.action {
            show(action)
        } else if isDone, let handler = trace.chosen?.handler {
            if let tab = AppTabs.tab(of: handler) { show(AppAction(kind: "tab", target: tab)) }
        }
        record(trace)
        let speaks =
            (speaksReplies || isUrgent) && !reply.text.isEmpty && parts.speaker != nil && parts.synthesiser != nil
        if !speaks { remember(turn) }
        if reply.mutes { receive(.mute) }
        let confirms = if case .confirmation? = reply.question { true } else { false }
        let asks = reply.question != nil || open.isAsking
        receive(.replied(speaks: speaks, asks: asks, closes: reply.closesSession, confirms: confirms))
    }

    /// The routing of the likeliest reading. A voice that the recogniser is not sure of fires nothing, however well its
    /// guess fits a phrase; only an emergency, said in full, is taken at any certainty.
    ///
    /// Other readings are not tried. Measured on 120 recordings of other speech: 39 fired with other readings and at
    /// any certainty, 11 without and above 0.45; of 120 synthetic commands none was lost by it.
    private func accepted(_ routing: Routing, _ transcript: Transcript?) -> Routing {
        guard let transcript, transcript.confidence < settings.rejection, let chosen = routing.chosen else {
            return routing
        }
        if chosen.handler == EmergencyHandler.name, chosen.level == .exact { return routing }
        return Routing(
            normalised: routing.normalised, guesses: routing.guesses, proposals: routing.proposals, chosen: nil,
            tied: [])
    }

    /// True where what was heard in a short while was nothing: no word, or none that is believed in a burst.
    func isNothing(_ transcripts: [Transcript]) -> Bool {
        guard let best = transcripts.first, !best.text.isEmpty else { return true }
        guard endpointer.isBurst, best.confidence < settings.rejection else { return false }
        return accepted(Router(index: index, classifier: classifier).route(best.text), best).chosen == nil
    }

    private func fallback(_ routing: Routing, _ trace: TurnTrace) -> Reply {
        if trace.turn == limitedTurn { return Reply(text("general.listened_too_long", limitValues)) }
        if trace.transcript.isEmpty, trace.source == "voice", !endpointer.hasSpeech {
            return Reply(text("general.nothing_heard"))
        }
        if let isMeant = isForbidden(routing) {
            return Reply(text(isMeant ? "general.left_alone" : "general.not_understood"))
        }
        if let hint = hint(near: routing) { return Reply(text("general.not_understood_hint", ["hint": hint])) }
        return Reply(text("general.not_understood"))
    }

    /// Whether it is plain what shall not be done, where somebody said so: an example of how to have it done would be
    /// the wrong answer. Nil where nobody did.
    private func isForbidden(_ routing: Routing) -> Bool? {
        let rules = index.books.rules
        guard rules.negates(routing.normalised.split(separator: " ").map(String.init)) else { return nil }
        return routing.guesses.contains { guess in
            let parts = guess.intent.split(separator: ".").map(String.init)
            return guess.probability > 0.3 && parts.count == 2 && parts[0] != SessionIntents.name
                && rules.isCareful(parts[0], parts[1])
        }
    }

    /// An example of the intent that came nearest.
    private func hint(near routing: Routing) -> String? {
        let near =
            routing.proposals.first.map { ($0.handler, $0.intent) }
            ?? routing.guesses.first.flatMap { guess -> (String, String)? in
                let parts = guess.intent.split(separator: ".", maxSplits: 1).map(String.init)
                return parts.count == 2 && guess.probability > 0.3 ? (parts[0], parts[1]) : nil
            }
        guard let (handler, intent) = near else { return nil }
        return index.books.intent(handler, intent)?.examples.first
    }

    package func text(_ key: String, _ values: [String: String] = [:]) -> String { parts.context.replies(key, values) }
}
