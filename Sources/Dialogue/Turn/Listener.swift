import AudioPipeline
import Domain
import Foundation
import Logging

/// From the opened microphone to the transcripts of one utterance: audio chain, endpointer and recogniser.
@DialogueActor
final class Listener {
    private let parts: ConversationParts
    private let port: SessionPort
    private let vocabulary: VocabularyService
    private let presentation: Presentation
    private let state: DialogueState
    private let dictation: Dictation
    private let signal: SignalMonitor
    private let logger: Logger
    var settings: ConversationSettings
    /// Kept from turn to turn: they have adapted to the noise around the van.
    private var chains: [SampleFormat: AudioChain] = [:]
    /// The last turn that began an utterance; the recogniser's is its.
    private weak var latest: Turn?

    init(
        _ parts: ConversationParts, _ services: DialogueServices, _ dictation: Dictation,
        settings: ConversationSettings
    ) {
        self.parts = parts
        self.settings = settings
        self.dictation = dictation
        port = services.port
        vocabulary = services.vocabulary
        presentation = services.presentation
        state = services.state
        signal = SignalMonitor(parts.health)
        logger = services.logger
    }

    /// How far the microphone was followed, when the last block came, and what was said where that is known already.
    private struct Followed {
        var heard = Duration.zero, lastBlock = ContinuousClock.now
        var transcripts: [Transcript]?
    }

    /// Makes the endpointer ready, in the step in which the microphone is asked for.
    func prepare(_ turn: Turn, noSpeech: Duration, untilRelease: Bool) {
        var limits = settings.endpointer
        limits.noSpeech = noSpeech
        // An owner who takes long to answer a question must not be cut off in the answer.
        let listening = settings.limits.listening
        limits.limit = noSpeech < listening ? listening : noSpeech + listening
        limits.holdLimit = settings.limits.holdToTalk
        // The chime leaks into the microphone; its sound must not begin the utterance.
        limits.chime = parts.chimes[.start].map { $0.duration + Endpointer.Settings.chimeDelay } ?? .zero
        turn.endpointer = Endpointer(limits)
        if untilRelease { turn.endpointer.hold() }
        latest = turn
    }

    /// Opens the microphone and follows it to the end of the utterance.
    /// - Returns: what was said, best first.
    /// - Throws: `DeviceFailure` of the microphone, the recogniser's error; `CancellationError` where the turn was
    ///   dropped or its listening ended without an utterance.
    func transcripts(
        of turn: Turn, by microphone: any Microphone, _ recogniser: any Recogniser, _ source: SoundSource,
        pressed: ContinuousClock.Instant
    ) async throws -> [Transcript] {
        var opened = turn.takeOpenedCapture()
        if opened == nil { opened = try await microphone.open(source) }
        guard let capture = opened else { throw CancellationError() }
        turn.trace.add("microphone open", pressed.duration(to: .now))
        // A recording says nothing of the microphone.
        if source == .room { parts.health.report("microphone", .ok, "heard at the last turn") }
        try turn.listen(by: capture)
        defer { capture.close() }
        defer { if source == .room { note(capture, turn) } }
        do {
            let followed = try await follow(capture, turn, recogniser)
            guard !turn.isDropped, turn.isSubmitted else { throw CancellationError() }
            turn.closeMicrophone()
            let transcripts = try await finish(followed, turn, recogniser)
            logLosses(capture.losses)
            turn.trace.hearing += await recogniser.diagnostics()
            try Task.checkCancellation()
            return transcripts
        } catch {
            await dropUtterance(of: turn)
            throw error
        }
    }

    /// Drops the utterance of a turn, unless a later turn's has taken its place already.
    private func dropUtterance(of turn: Turn) async {
        if turn === latest { await parts.recogniser?.cancel() }
    }

    private func finish(
        _ followed: Followed, _ turn: Turn, _ recogniser: any Recogniser
    ) async throws -> [Transcript] {
        turn.trace.add("audio heard", followed.heard)
        let endpointer = turn.endpointer
        if endpointer.hasSpeech {
            turn.trace.add("speech begins at", AudioFormat.duration(of: endpointer.speechStart))
            turn.trace.add("speech ends at", AudioFormat.duration(of: endpointer.speechEnd))
        }
        let transcripts: [Transcript]
        if let early = followed.transcripts {
            transcripts = early
        } else {
            if endpointer.hasSpeech { await recogniser.speculativelyFinish(endpointer.utterance) }
            transcripts = try await recogniser.finish()
        }
        turn.trace.add("last sample to transcript", followed.lastBlock.duration(to: .now))
        return transcripts
    }

    /// Feeds the capture through the audio chain to endpointer and recogniser until either the machine or the capture
    /// ends it.
    private func follow(
        _ capture: any MicrophoneCapture, _ turn: Turn, _ recogniser: any Recogniser
    ) async throws -> Followed {
        let format = capture.format, chain = try chain(for: format)
        chain.reset()
        let isAnswering = state.isAsking || !state.lists.isEmpty
        try await recogniser.begin(answering: isAnswering)
        var followed = Followed()
        while let block = try await capture.next() {
            try Task.checkCancellation()
            followed.lastBlock = .now
            let position = block.position + block.samples.count / format.channels
            let heard = try chain.accept(block.samples)
            if let level = heard.level { parts.panel.loudness(level) }
            let partial = try await recogniser.accept(heard.samples)
            try Task.checkCancellation()
            if let partial { show(partial, at: format.duration(of: position), recogniser) }
            followed.heard = format.duration(of: position)
            let isOver = attend(to: heard, in: turn)
            if turn.endpointer.seemsOver { await recogniser.speculativelyFinish(turn.endpointer.utterance) }
            if isOver, turn.endpointer.isFleeting {
                let transcripts = try await recogniser.finish()
                try Task.checkCancellation()
                if !turn.isSubmitted, isNothing(transcripts, turn.endpointer) {
                    // The trace says what was taken for a noise.
                    turn.trace.hearing += await recogniser.diagnostics()
                    listenOn(turn)
                    try await recogniser.begin(answering: isAnswering)
                    continue
                }
                followed.transcripts = transcripts
            }
            if isOver, !turn.isSubmitted { port.receive(.speechEnded) }
            if turn.isSubmitted { break }
        }
        guard followed.transcripts == nil else { return followed }
        let rest = try chain.finish()
        if !rest.samples.isEmpty { _ = try await recogniser.accept(rest.samples) }
        return followed
    }

    private func show(_ partial: String, at time: Duration, _ recogniser: any Recogniser) {
        if dictation.mayFollow(partial, asked: state.question) { recogniser.expectDictation() }
        guard settings.partials else { return }
        port.emit(.partial(partial, audio: time))
        presentation.showStatus(line: partial)
    }

    /// What seemed to be speech was a noise: forgets it and listens on.
    private func listenOn(_ turn: Turn) {
        logger.debug("a noise was taken for speech; listening on")
        turn.endpointer.startAgain()
        port.receive(.falseStart)
        presentation.showStatus()
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
    private func attend(to heard: HeardSound, in turn: Turn) -> Bool {
        for frame in heard.speech where !turn.isDropped && !turn.isSubmitted {
            let verdict = turn.endpointer.accept(
                probability: frame.probability, level: frame.level, count: heard.frame, traits: heard.traits)
            switch verdict {
            case .speechEnded: return true
            case .noSpeech: nobodySpoke()
            case .limit:
                turn.cutOffAfter = turn.endpointer.limit
                port.receive(.audioLimit)
            case .speechBegan: port.receive(.speechBegan)
            case nil: break
            }
        }
        return false
    }

    /// Nothing was said in time. A question is forgotten; a list that is walked through waits on, and nothing is said
    /// of it.
    private func nobodySpoke() {
        guard port.phase == .listening else { return }
        if port.isAwaitingAnswer, !state.isAsking { return port.receive(.quiet) }
        state.dropQuestion()
        port.receive(.noSpeech)
    }

    /// True where what was heard in a short while was nothing: no word, or none that is believed in a burst.
    private func isNothing(_ transcripts: [Transcript], _ endpointer: Endpointer) -> Bool {
        guard let best = transcripts.first, !best.text.isEmpty else { return true }
        guard endpointer.isBurst, best.confidence < settings.rejection else { return false }
        return vocabulary.router().route(best.text).accepted(best, rejection: settings.rejection).chosen == nil
    }

    // MARK: how the microphone sounds

    /// Fewer blocks that are missing from an utterance come and go with the machine's load.
    private static let fewLosses = 3

    /// Notes what is wrong with the microphone's sound, and that it is right again.
    private func note(_ capture: any MicrophoneCapture, _ turn: Turn) {
        let losses = capture.losses
        guard losses.droppedBlocks + losses.xruns < Self.fewLosses else { return signal.note(.faulty(.gaps)) }
        signal.note(chains[capture.format]?.quality(hasSpeech: turn.endpointer.hasSpeech) ?? .unknown)
    }

    private func logLosses(_ losses: AudioLosses) {
        guard losses != AudioLosses() else { return }
        logger.warning("lost audio: \(losses.droppedBlocks) blocks late, \(losses.xruns) overruns")
    }
}
