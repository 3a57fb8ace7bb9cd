import Domain
import AudioPipeline
import Foundation

/// From the press to the transcript.
extension Conversation {
    /// Opens the microphone for a turn and follows it to its end.
    func beginListening(_ turn: Int, noSpeech: Duration, untilRelease: Bool) {
        var limits = settings.endpointer
        limits.noSpeech = noSpeech
        // Who takes long to answer a question shall not be cut off in the answer.
        let listening = settings.limits.listening
        limits.limit = noSpeech < listening ? listening : noSpeech + listening
        limits.holdLimit = settings.limits.holdToTalk
        // The chime leaks into the microphone; its sound must not begin the utterance.
        limits.chime = parts.chimes[.start].map { $0.duration + Endpointer.Settings.chimeDelay } ?? .zero
        endpointer = Endpointer(limits)
        if untilRelease { endpointer.hold() }
        let source = nextSource
        nextSource = .room
        let pressed = pressInstant
        listeningTurn = turn
        Task { await self.listen(turn, source: source, pressed: pressed) }
    }

    private func listen(_ turn: Int, source: SoundSource, pressed: ContinuousClock.Instant) async {
        var trace = TurnTrace(turn: turn, source: "voice", startedAt: parts.context.now())
        guard isCurrent(turn) else { return }
        guard let microphone = parts.microphone else { return receive(.microphoneFailed(.missing)) }
        guard let recogniser = parts.recogniser else { return receive(.recogniserFailed) }
        do {
            let capture = try await opened(microphone, source)
            trace.add("microphone open", pressed.duration(to: .now))
            // A recording says nothing of the microphone.
            if source == .room { parts.health.report("microphone", .ok, "heard at the last turn") }
            guard isCurrent(turn), machine.state == .listening || submittedTurn == turn else { return capture.close() }
            self.capture = capture
            if submittedTurn == turn { capture.close() }
            defer { capture.close() }
            let followed = try await follow(capture, turn, recogniser)
            guard isCurrent(turn), submittedTurn == turn else { return await dropUtterance(of: turn, recogniser) }
            self.capture = nil
            trace.add("audio heard", followed.heard)
            if endpointer.hasSpeech {
                trace.add("speech begins at", AudioFormat.duration(of: endpointer.speechStart))
                trace.add("speech ends at", AudioFormat.duration(of: endpointer.speechEnd))
            }
            let transcripts: [Transcript]
            if let early = followed.transcripts {
                transcripts = early
            } else {
                if endpointer.hasSpeech { await recogniser.speculativelyFinish(endpointer.utterance) }
                transcripts = try await recogniser.finish()
            }
            trace.add("last sample to transcript", followed.lastBlock.duration(to: .now))
            logLosses(capture.losses)
            trace.hearing = await recogniser.diagnostics()
            guard isCurrent(turn) else { return }
            await understand(turn, transcripts, trace)
            if !transcripts.isEmpty { await keepAdaptation(of: recogniser) }
        } catch let failure as DeviceFailure {
            logger.error("microphone: \(failure)")
            if source == .room { parts.health.report(.microphone, failure) }
            await dropUtterance(of: turn, recogniser)
            guard isCurrent(turn) else { return }
            receive(.microphoneFailed(failure.reason))
            if failure.reason == .lost, source == .room, retriedTurn != turn {
                await listenOnceMore(microphone, since: elapsed())
            }
        } catch {
            logger.error("recogniser: \(error)")
            parts.health.reportFailure(
                "recogniser", "\(error)", advice: "it is tried again by itself; text works meanwhile")
            await dropUtterance(of: turn, recogniser)
            if isCurrent(turn) { receive(.recogniserFailed) }
        }
    }

    /// Under what it is kept what a recogniser has learnt.
    package static func learning(of recogniser: any Recogniser) -> String { "learnt.\(recogniser.name)" }

    /// Keeps over a restart what the recogniser has learnt of voice and microphone: in the background, and once a turn.
    private func keepAdaptation(of recogniser: any Recogniser) async {
        guard let learnt = await recogniser.adaptationState(), learnt != keptAdaptation else { return }
        keptAdaptation = learnt
        keep(Self.learning(of: recogniser), learnt)
    }

    /// Drops the utterance of a turn, unless a later turn's has taken its place already.
    private func dropUtterance(of turn: Int, _ recogniser: any Recogniser) async {
        if turn == listeningTurn { await recogniser.cancel() }
    }

    /// How far the microphone was followed, when the last block came, and what was said where that is known already.
    private struct Followed {
        var heard = Duration.zero, lastBlock = ContinuousClock.now
        var transcripts: [Transcript]?
    }

    /// Feeds the capture through the audio chain to endpointer and recogniser until either the machine or the capture
    /// ends it.
    private func follow(
        _ capture: any MicrophoneCapture, _ turn: Int, _ recogniser: any Recogniser
    ) async throws -> Followed {
        let format = capture.format, chain = try chain(for: format)
        chain.reset()
        let isAnswering = open.isAsking || !open.walks.isEmpty
        try await recogniser.begin(answering: isAnswering)
        var position = 0, followed = Followed()
        while let block = try await capture.next() {
            guard isCurrent(turn) else { break }
            followed.lastBlock = .now
            position = block.position + block.samples.count / format.channels
            let heard = try chain.accept(block.samples)
            if let level = heard.level { parts.panel.loudness(level) }
            let partial = try await recogniser.accept(heard.samples)
            if let partial, mayDictate(partial) { recogniser.expectDictation() }
            if let partial, settings.partials, isCurrent(turn) {
                emit(.partial(partial, audio: format.duration(of: position)))
                emit(.status(machine.state, line: partial, isMuted: machine.isMuted))
            }
            // The endpointer may be that of the next turn by now.
            guard isCurrent(turn) else { break }
            followed.heard = format.duration(of: position)
            let isOver = attend(to: heard, in: turn)
            if endpointer.seemsOver { await recogniser.speculativelyFinish(endpointer.utterance) }
            if isOver, endpointer.isFleeting {
                let transcripts = try await recogniser.finish()
                guard isCurrent(turn) else { break }
                if submittedTurn != turn, isNothing(transcripts) {
                    startAgain()
                    try await recogniser.begin(answering: isAnswering)
                    continue
                }
                followed.transcripts = transcripts
            }
            if isOver, submittedTurn != turn { receive(.speechEnded) }
            if submittedTurn == turn { break }
        }
        guard isCurrent(turn), followed.transcripts == nil else { return followed }
        let rest = try chain.finish()
        if !rest.samples.isEmpty { _ = try await recogniser.accept(rest.samples) }
        return followed
    }

    /// What seemed to be speech was a noise: forgets it and listens on.
    private func startAgain() {
        logger.debug("a noise was taken for speech; listening on")
        endpointer.startAgain()
        receive(.falseStart)
        emit(.status(machine.state, line: statusLine, isMuted: machine.isMuted))
    }

    /// The chain for captures of a format, as the turns before left it.
    private func chain(for format: SampleFormat) throws -> AudioChain {
        if let chain = chains[format] { return chain }
        let chain = try parts.hearing.chain(from: format)
        chains[format] = chain
        return chain
    }

    /// Lets the endpointer find where the utterance begins and ends.
    /// - Returns: true where the closing silence is complete.
    private func attend(to heard: HeardSound, in turn: Int) -> Bool {
        for probability in heard.speech where isCurrent(turn) && submittedTurn != turn {
            switch endpointer.accept(probability: probability, count: heard.frame) {
            case .speechEnded: return true
            case .noSpeech: nobodySpoke()
            case .limit:
                (limitedTurn, limitReached) = (turn, endpointer.limit)
                receive(.audioLimit)
            case .speechBegan:
                showsHint = false
                emit(.hint(""))
                receive(.speechBegan)
            case nil: break
            }
        }
        return false
    }

    private func opened(_ microphone: any Microphone, _ source: SoundSource) async throws -> any MicrophoneCapture {
        guard let capture = reopened else { return try await microphone.open(source) }
        reopened = nil
        return capture
    }

    /// How long a lost microphone is waited for, and how long between two tries.
    private static let returnTime = Duration.seconds(5), tryTime = Duration.milliseconds(250)

    /// Listens again, once, if the microphone is back in time and nothing else has begun.
    private func listenOnceMore(_ microphone: any Microphone, since lost: Duration) async {
        let number = speech
        await speaking?.value
        // The machine hears of the notice's end in a step of its own.
        while machine.state == .speaking, speech == number { await Task.yield() }
        let turn = machine.turn
        repeat {
            guard machine.state == .ready, machine.turn == turn else { return }
            if let capture = try? await microphone.open(.room) {
                guard machine.state == .ready, machine.turn == turn else { return capture.close() }
                reopened = capture
                retriedTurn = turn + 1
                return receive(.microphoneBack)
            }
            guard (try? await clock.sleep(for: Self.tryTime)) != nil else { return }
        } while elapsed() - lost < Self.returnTime
    }

    /// Nothing was said in time. A question is forgotten; a walk through a list waits on, and nothing is said of it.
    private func nobodySpoke() {
        guard machine.state == .listening else { return }
        if machine.isAwaitingAnswer, !open.isAsking { return receive(.quiet) }
        open.dropQuestion()
        receive(.noSpeech)
    }

    private func logLosses(_ losses: AudioLosses) {
        guard losses != AudioLosses() else { return }
        logger.warning("lost audio: \(losses.droppedBlocks) blocks late, \(losses.xruns) overruns")
    }
}
