import Domain
import Foundation
import Handlers
import Language
import Logging

/// Carries a turn from the microphone or the keyboard to its reply: hear, understand, act, reply. A turn that is
/// dropped is cancelled wherever it is; what it committed until then is reported as done.
@DialogueActor
final class TurnRunner {
    let parts: ConversationParts
    let services: DialogueServices
    let listener: Listener
    private let dictation: Dictation
    private var settings: ConversationSettings

    init(_ parts: ConversationParts, _ services: DialogueServices, settings: ConversationSettings) {
        self.parts = parts
        self.services = services
        self.settings = settings
        dictation = Dictation(parts, logger: services.logger)
        listener = Listener(parts, services, dictation, settings: settings)
    }

    var logger: Logger { services.logger }

    /// Takes over other settings from the next turn on.
    func adopt(_ settings: ConversationSettings) {
        self.settings = settings
        listener.settings = settings
    }

    // MARK: how a turn begins

    /// Listens, and acts on what was said.
    func listen(_ turn: Turn, _ source: SoundSource, pressed: ContinuousClock.Instant) async {
        let port = services.port
        guard !turn.isDropped else { return }
        guard let microphone = parts.microphone else { return port.receive(.microphoneFailed(.missing)) }
        guard let recogniser = parts.recogniser else { return port.receive(.recogniserFailed) }
        do {
            let transcripts = try await listener.transcripts(
                of: turn, by: microphone, recogniser, source, pressed: pressed)
            await understand(turn, transcripts)
            if !transcripts.isEmpty { await services.vocabulary.keepAdaptation() }
        } catch is CancellationError {
            // Nobody waits for it any more.
        } catch let failure as DeviceFailure {
            logger.error("microphone: \(failure)")
            if source == .room { parts.health.report(.microphone, failure) }
            guard !turn.isDropped else { return }
            port.receive(.microphoneFailed(failure.reason))
            if failure.reason == .lost, source == .room, !turn.isRetry {
                // The turn is dropped by now; what waits for the microphone must not be cancelled with it.
                let lost = services.elapsed()
                Task { await self.listenOnceMore(microphone, since: lost) }
            }
        } catch {
            logger.error("recogniser: \(error)")
            parts.health.reportFailure(
                "recogniser", "\(error)", advice: "it is tried again by itself; text works meanwhile")
            if !turn.isDropped { port.receive(.recogniserFailed) }
        }
    }

    /// How long a lost microphone is waited for, and how long between two tries.
    private static let returnTime = Duration.seconds(5), tryTime = Duration.milliseconds(250)

    /// Listens again, once, if the microphone is back in time and nothing else has begun.
    private func listenOnceMore(_ microphone: any Microphone, since lost: Duration) async {
        let port = services.port
        await services.output.finish()
        let number = port.turnNumber
        repeat {
            guard port.phase == .ready, port.turnNumber == number else { return }
            if let capture = try? await microphone.open(.room) {
                guard port.phase == .ready, port.turnNumber == number else { return capture.close() }
                return port.listenAgain(by: capture)
            }
            guard (try? await services.clock.sleep(for: Self.tryTime)) != nil else { return }
        } while services.elapsed() - lost < Self.returnTime
    }

    /// Acts on typed text.
    func read(_ turn: Turn, _ text: String) async {
        await understand(turn, [Transcript(text: text, confidence: 1)])
    }

    /// The held button says yes to the open question.
    func confirm(_ turn: Turn) async {
        let routing = Routing(normalised: "", guesses: [], proposals: [], chosen: nil, tied: [])
        let command: Command
        switch services.state.question {
        case .confirmation(let asked, _): command = asked.confirmed
        case .meant(let asked): command = asked
        default: return await perform(.nothing, of: turn, routing)
        }
        await perform(.commands([command] + services.state.rest, isStep: false), of: turn, routing)
    }

    // MARK: understanding

    /// Understands the transcripts, acts on them, and hands the reply to the machine.
    private func understand(_ turn: Turn, _ transcripts: [Transcript]) async {
        let started = ContinuousClock.now
        let index = await services.vocabulary.currentIndex()
        let interpreter = interpreter(for: index)
        var best = transcripts.first, heard = interpreter.router.route(best?.text ?? "")
        turn.trace.alternatives = Array(transcripts.dropFirst())
        if let first = best,
            let dictated = await dictation.dictated(first, heard, interpreter, in: turn)
        {
            turn.trace.alternatives.insert(first, at: 0)
            (best, heard) = dictated
        }
        guard !turn.isDropped else { return }
        turn.trace.transcript = best?.text ?? ""
        turn.trace.recogniserConfidence = best?.confidence ?? 0
        // What people say reaches the log at this level alone.
        logger.debug("turn \(turn.number), \(turn.trace.source): \(String(reflecting: turn.trace.transcript))")
        if turn.trace.source == "voice" {
            let speechEnd = AudioFormat.duration(of: turn.endpointer.speechEnd)
            services.port.emit(.transcript(turn.trace.transcript, audio: speechEnd))
        }
        let routing = best.map { heard.accepted($0, rejection: settings.rejection) } ?? heard
        var interpretation = interpreter.interpretation(of: best, routing)
        if let tie = interpreter.rivals(interpretation, routing, among: transcripts) { interpretation = tie }
        if let unsure = interpreter.readBack(interpretation, of: best) { interpretation = unsure }
        turn.trace.normalised = routing.normalised
        turn.trace.meaning = routing.meaning
        turn.trace.guesses = routing.guesses
        turn.trace.proposals = routing.proposals
        turn.trace.chosen = interpreter.chosen(interpretation, routing)
        if case .commands(let commands, _) = interpretation { turn.trace.commands = commands }
        turn.trace.add("understanding", started.duration(to: .now))
        await perform(interpretation, of: turn, routing)
    }

    private func interpreter(for index: PhraseIndex) -> Interpreter {
        Interpreter(
            state: services.state, devices: parts.context.van.devices, rejection: settings.rejection,
            certainty: settings.certainty, index: index, router: services.vocabulary.router(for: index),
            now: services.elapsed())
    }

    // MARK: acting

    /// Acts on what was understood and replies.
    private func perform(_ interpretation: Interpretation, of turn: Turn, _ routing: Routing) async {
        guard settings.acts else {
            if !turn.trace.commands.isEmpty { turn.trace.outcome = .done }
            return deliver(Reply(""), of: turn)
        }
        let began = ContinuousClock.now
        turn.isActing = true
        defer { turn.isActing = false }
        var reply: Reply
        do {
            (reply, turn.trace.outcome) = try await answer(to: interpretation, of: turn, routing)
        } catch let failure as HandlerFailure {
            logger.error("\(failure.detail)")
            (reply, turn.trace.outcome) = (Reply(text(failure.replyKey)), .failed)
        } catch  where turn.isDropped {
            // Dropped while it was being acted on: nothing was written or sent.
            return settleDropped(turn, nil)
        } catch {
            logger.error("the command failed: \(error)")
            let key = HandlerTable.failureKey(for: turn.trace.commands.first)
            (reply, turn.trace.outcome) = (Reply(text(key)), .failed)
        }
        turn.trace.add("acting", began.duration(to: .now))
        if reply.question != nil || !services.state.readings.isEmpty { turn.trace.outcome = .asked }
        // An owner who was cut off hears so, and what was made of it; an emergency's steps come first.
        if let seconds = turn.cutOffAfter?.components.seconds, turn.trace.outcome != .fallback,
            turn.trace.chosen?.handler != EmergencyHandler.name, !reply.wording.isEmpty
        {
            reply.wording = text("general.stopped_listening", ["seconds": "\(seconds)"]) + " " + reply.wording
        }
        turn.trace.answer = reply.wording
        turn.trace.effects = reply.effects
        // What was done is done; a dropped turn only keeps silent about it.
        guard !turn.isDropped else { return settleDropped(turn, reply) }
        deliver(reply, of: turn)
    }

    private func answer(
        to interpretation: Interpretation, of turn: Turn, _ routing: Routing
    ) async throws -> (Reply, TurnOutcome) {
        let state = services.state
        switch interpretation {
        case .drop(let key):
            let reply = Reply(text(state.rest.isEmpty ? key : "general.cancelled_rest"))
            state.dropQuestion()
            return (reply, .cancelled)
        case .endList(let handler):
            state.endList(of: handler)
            return (Reply(text("general.walk_ended")), .done)
        case .commands(let commands, let isStep):
            let reply = try await carryOut(commands, isStep: isStep)
            return (reply, reply.outcome)
        case .tie(let readings):
            state.dropQuestion()
            state.readings = readings
            let interpreter = interpreter(for: services.vocabulary.index)
            let quotes = readings.map { text("general.quoted", ["text": interpreter.quote($0)]) }
            return (Reply(text("general.did_you_mean", ["list": parts.context.spoken.choice(quotes)])), .asked)
        case .refused(let refusal):
            state.dropQuestion()
            let key =
                refusal.isReminder ? "general.refused_reminder" : "general.refused_\(refusal.modifier.kind.rawValue)"
            return (Reply(text(key, ["words": refusal.modifier.words])), .failed)
        case .suggested(let command, let words):
            return (asking(text("general.shall_i", ["act": words]), whether: command), .asked)
        case .alarming(let command):
            return (asking(text("general.is_it_an_emergency"), whether: command), .asked)
        case .notAnswered:
            state.isAskingAgain = true
            var reply = Reply(text("general.asked_again", ["question": state.lastQuestion]))
            reply.question = state.question
            return (reply, .asked)
        case .withdrawn:
            state.dropQuestion()
            return (Reply(text("general.left_alone")), .cancelled)
        case .half(let words):
            state.dropQuestion()
            return (Reply(text("general.half_understood", ["words": words])), .fallback)
        case .nothing:
            state.dropQuestion()
            return (fallback(routing, turn), .fallback)
        }
    }

    /// Asks whether a command is meant that was not quite understood.
    private func asking(_ question: Wording, whether command: Command) -> Reply {
        services.state.dropQuestion()
        services.state.question = .meant(command)
        return Reply(question, question: .meant(command))
    }

    /// What may be said between a question and its answer: the question stays.
    private static let asides: Set<String> = ["repeat", "slower", "faster", "louder", "quieter", "volume"]

    /// Carries out commands in their order. Where one asks back, the rest waits for the answer.
    /// - Throws: the first command's error; that of a later one is reported behind what was done.
    private func carryOut(_ commands: [Command], isStep: Bool) async throws -> Reply {
        let state = services.state, dispatcher = services.dispatcher, asked = state.question
        let isAside =
            commands.count == 1 && commands[0].handler == SessionHandler.name
            && Self.asides.contains(commands[0].intent)
        if !isAside { state.dropQuestion() }
        var all: Reply?
        for (number, command) in commands.enumerated() {
            var reply: Reply
            do {
                // A press in the middle: nothing more is written or sent.
                try Task.checkCancellation()
                reply = try await services.changes.perform(command) { try await dispatcher.act(on: $0) }
            } catch {
                guard let done = all else { throw error }
                if Task.isCancelled { return done.followed(by: .failed(text("general.rest_left"))) }
                logger.error("the command failed: \(error)")
                let key = (error as? HandlerFailure)?.replyKey ?? HandlerTable.failureKey(for: command)
                return done.followed(by: .failed(text(key)))
            }
            await services.profile.followMode()
            if reply.changesNames { services.vocabulary.refreshNames() }
            if isAside, let asked { reply.question = asked }
            if !Task.isCancelled { state.note(command, reply, isStep: isStep, at: services.elapsed()) }
            all = all?.followed(by: reply) ?? reply
            if state.question != nil, !isAside {
                state.rest = Array(commands[(number + 1)...])
                break
            }
        }
        return all ?? Reply("")
    }

    // MARK: replying

    /// Hands a reply to the machine, the screens and the record.
    /// - Parameter isUrgent: true for what is spoken by itself and at once, even where replies are only shown.
    func deliver(_ answer: Reply, of turn: Turn, isUrgent: Bool = false) {
        let reply = isUrgent ? answer : announcing(answer)
        turn.trace.answer = reply.wording
        turn.reply = reply
        let presentation = services.presentation
        if turn.trace.chosen != nil { presentation.palette = reply.palette }
        if !reply.wording.isEmpty { services.state.lastReply = reply.wording }
        if services.state.isAsking, !services.state.isAskingAgain {
            services.state.lastQuestion = Self.lastSentence(of: reply.wording)
        }
        services.port.emit(.reply(reply.wording.written, presentation.palette))
        let isDone = turn.trace.outcome == .done || turn.trace.outcome == .asked
        services.screens.follow(reply.action, elseTabOf: isDone ? turn.trace.chosen?.handler : nil)
        services.recorder.record(turn.trace, of: turn)
        let speaks =
            (services.profile.speaksReplies || isUrgent) && !reply.wording.isEmpty && services.output.canSpeak
        if !speaks { services.recorder.addToHistory(turn.number, palette: presentation.palette) }
        if reply.mutes { services.port.receive(.mute) }
        let confirms =
            switch reply.question {
            case .confirmation, .meant: true
            default: false
            }
        let asks = reply.question != nil || services.state.isAsking
        services.port.receive(.replied(speaks: speaks, asks: asks, closes: reply.closesSession, confirms: confirms))
    }

    /// What a question is repeated by.
    private static func lastSentence(of wording: Wording) -> Wording {
        let splitter = SentenceSplitter()
        return Wording(
            spoken: splitter.sentences(in: wording.spoken).last ?? "",
            written: splitter.sentences(in: wording.written).last ?? "")
    }

    /// The reply with what waits to be said. A question waits for a reply that asks nothing itself and after which the
    /// session goes on.
    private func announcing(_ reply: Reply) -> Reply {
        guard reply.question == nil, !services.state.isAsking, !reply.closesSession, !reply.mutes else { return reply }
        var whole = reply
        for announcement in parts.health.announcements.take() {
            whole.wording += (whole.wording.isEmpty ? "" : " ") + announcement.text(in: parts.context)
            if announcement.id == Announcement.uncertainEntries, whole.question == nil {
                whole.question = .confirmation(
                    of: Command(handler: SessionHandler.name, intent: SessionHandler.dateToday),
                    otherwise: Command(handler: SessionHandler.name, intent: SessionHandler.leaveDates))
                services.state.question = whole.question
            }
        }
        return whole
    }

    /// Speaks the reply of a turn; it joins the history when the voice has ended or was stopped.
    func speakReply(of turn: Turn) {
        let recorder = services.recorder, presentation = services.presentation, number = turn.number
        let isWarning = if case .alarm = turn.input { true } else { false }
        services.output.speak(
            turn.reply?.wording ?? "", isWarning ? services.profile.warningVoice : services.profile.replyVoice
        ) { latency in
            Task { await recorder.addStage("reply to first audio", latency, turn: number) }
        } onEnd: {
            recorder.addToHistory(number, palette: presentation.palette)
        }
    }

    /// Speaks a notice that belongs to no turn.
    func speakNotice(_ key: String) {
        let notice = text(key)
        services.port.emit(.notice(notice.written))
        if services.profile.speaksReplies {
            services.output.speak(notice, services.profile.replyVoice)
        } else {
            services.output.skip()
        }
    }

    func text(_ key: String, _ values: [String: any Worded] = [:]) -> Wording { parts.context.replies(key, values) }
}

extension Announcement {
    /// The announcement in words.
    public func text(in context: HandlerContext) -> Wording {
        let spoken = dates.mapValues { context.spoken.longDate($0) }
        return context.replies(replyKey, values.merging(spoken) { value, _ in value })
    }
}

extension Reply {
    /// Two replies as one: what both say and did, the colours and the question of the second.
    package func followed(by next: Reply) -> Reply {
        var both = next
        both.wording = [wording, next.wording].filter { !$0.isEmpty }.joined(separator: " ")
        both.effects = effects + next.effects
        both.undo = nil
        both.question = next.question ?? question
        both.action = next.action ?? action
        both.closesSession = closesSession || next.closesSession
        both.changesNames = changesNames || next.changesNames
        both.mutes = mutes || next.mutes
        if outcome == .failed { both.outcome = .failed }
        return both
    }
}
