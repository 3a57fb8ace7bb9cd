import Handlers
import Domain
import Language
import Devices
import AudioPipeline
import Foundation
import Logging

/// The session with the owner: lets the machine decide and performs what it says, and carries each utterance from the
/// microphone to the reply.
public actor Conversation {
    package let parts: ConversationParts
    package var settings: ConversationSettings
    package let logger: Logger
    package let clock: any Clock<Duration>
    private let onEvent: @Sendable (ConversationEvent) -> Void
    /// The time of the conversation's own clock, since it was made.
    package let elapsed: @Sendable () -> Duration

    package var machine: ConversationMachine
    private var timers: [ConversationMachine.Timer: Task<Void, Never>] = [:]
    package var palette = Palette.standard

    /// The compiled language, swapped between turns when names change.
    package var index: PhraseIndex
    /// The classifier, swapped when a better one has been trained.
    package private(set) var classifier: (any IntentClassifier)?
    package var refresh: Task<Void, Never>?
    /// How often the names were to be read again; which of these reads took too long, and which is in use.
    var refreshes = 0, lateRefresh = 0, usedRefresh = 0
    /// The recogniser's last change of vocabulary; each waits for the one before.
    package var preparing: Task<Void, Never>?
    /// How often the language has changed.
    var vocabularyChanges = 0
    /// What the recogniser's vocabulary was made by, and is made anew when names change.
    package var words: VocabularyBuilder?

    /// How commands with free text begin.
    package let openings: Set<String>

    // The turn under way.
    package var capture: (any MicrophoneCapture)?
    package var endpointer = Endpointer(Endpointer.Settings())
    /// Kept from turn to turn: they have learnt the room's noise.
    var chains: [SampleFormat: AudioChain] = [:]
    /// What the recogniser had learnt when it was last kept; nil until the store was asked.
    var keptAdaptation: String?
    var submittedTurn: Int?
    private var isDucking = false
    /// The last turn that opened the microphone; the recogniser's utterance is its.
    var listeningTurn = 0
    /// The newest turn that was dropped.
    var droppedTurn = 0
    /// Turns whose commands are being carried out, and those of them that were dropped meanwhile.
    var actingTurns: Set<Int> = []
    var unsettledDrops: [Int: UnsettledDrop] = [:]
    var nextSource = SoundSource.room
    /// The handler at work.
    package var action: Task<Reply, any Error>?
    var typedText: [Int: String] = [:]
    /// Typed commands that wait until the turn under way has its reply.
    var typedQueue: [TypedCommand] = []
    var nextTypedNumber = 0
    /// How many calls of `perform` are under way, one within the other.
    private var performing = 0
    /// What sensors warn of, by the turn that says so.
    package var alarms: [Int: (kind: Device.Alarm, device: Device)] = [:]
    /// The turn of the last warning that was given.
    var warningTurn: Int?
    var typedTurn = 0
    var pressInstant = ContinuousClock.now
    /// The press whose actions are being performed.
    var pressUnderWay: ContinuousClock.Instant?
    /// Stages that were known before their turn was recorded.
    package var earlyStages: [(turn: Int, name: String, duration: Duration)] = []
    /// When somebody pressed or let go the button with his own hand.
    var touchInstant = ContinuousClock.now
    package var waiters: [Int: [CheckedContinuation<TurnTrace, Never>]] = [:]

    /// The last value on its way to the store; each waits for the one before.
    package private(set) var keeping: Task<Void, Never>?

    // What the session remembers.
    package var open = DialogueState()
    /// What was done or asked last, for follow-ups.
    package var last: Command?
    /// How the voice sounds; the owner may ask for it louder or slower.
    public internal(set) var voice: VoiceSettings
    /// How it sounds in modes that have no voice of their own.
    var ownVoice: VoiceSettings
    /// The mode that is followed.
    package var mode: Mode?
    /// The last action on its way to the bus; each waits for the one before.
    package var showing: Task<Void, Never>?
    /// The changes of the data, spoken or typed, and the name that the last one gets in the journal.
    var changeQueue = ChangeQueue()
    var naming: Task<Void, Never>?
    /// The turn that listening was cut short in.
    var limitedTurn: Int?, limitReached = Duration.zero
    /// A microphone that came back after it was lost in a turn, already open for the next.
    var reopened: (any MicrophoneCapture)?
    /// The turn that such a microphone was opened for; it is not tried a second time.
    var retriedTurn: Int?
    package var changes: [Change] = []
    /// How many changes there have been in this run.
    var changeCount = 0
    var lastReply = ""
    /// Counts what is spoken, so that the end of one speech is not taken for the end of the next.
    package var speech = 0
    package var speaking: Task<Void, Never>?
    /// Sound that is no reply, while it is played.
    package var sample: Task<Void, any Error>?
    package var replies: [Int: Reply] = [:]
    /// The last turns.
    public internal(set) var history: [HistoryEntry] = []
    /// Whether the ring has its night's colours, and what looks whether it should.
    package var showsNight = false, night: Task<Void, Never>?
    /// What the ring shows of the parts' health, and the next look at it.
    package var troubles = TroubleJudge(), lookingAgain: Task<Void, Never>?
    /// What is known of the last turns, oldest first.
    public internal(set) var traces: [TurnTrace] = []
    private var nextHint = 0
    /// Whether watchers are shown an example of what to say.
    var showsHint = false

    /// How many traces are kept.
    private static let traceLimit = 50

    /// A conversation of these parts. `introduces` when no session was ever opened by the button.
    public init(
        parts: ConversationParts, settings: ConversationSettings, isMuted: Bool, introduces: Bool = false,
        names: OwnerNames, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
        onEvent: @escaping @Sendable (ConversationEvent) -> Void
    ) {
        self.parts = parts
        self.settings = settings
        (voice, ownVoice) = (settings.voice, settings.voice)
        self.logger = logger
        self.clock = clock
        elapsed = Self.stopwatch(clock)
        self.onEvent = onEvent
        index = PhraseIndex(books: parts.context.books, names: names)
        openings = parts.context.books.openings
        classifier = parts.classifier
        machine = ConversationMachine(
            limits: settings.limits, buttonMode: settings.buttonMode, tapWhileListening: settings.tapWhileListening,
            isMuted: isMuted, introduces: introduces)
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Follows the button until the task is cancelled.
    public func run() async {
        // Before the ring shows anything: who sees it may press at once.
        let edges = parts.panel.edges()
        await followMode()
        let changes = parts.health.changes()
        judgeTrouble()
        perform([.show(machine.look)])
        let troubles = Task { await self.followTrouble(changes) }
        followNight()
        let hints = Task { await self.showHints() }
        for await edge in edges { press(edge.edge, at: edge.instant) }
        hints.cancel()
        troubles.cancel()
        night?.cancel()
        await shutDown()
    }

    private func shutDown() async {
        timers.values.forEach { $0.cancel() }
        capture?.close()
        parts.speaker?.stopSpeech()
        parts.ducking?.restore()
        await parts.ducking?.settled()
        refuseQueued()
    }

    // MARK: what can be asked of it

    /// What is going on.
    public var state: ConversationMachine.State { machine.state }
    /// True while the microphone must stay closed.
    public var isMuted: Bool { machine.isMuted }
    /// The language's phrasebooks and the names in use.
    public var vocabularyCounts: (phrases: Int, names: OwnerNames) { (index.books.phraseCount, index.names) }

    /// An edge of the button.
    /// - Parameters:
    ///   - instant: when it happened; nil for now. A machine that was busy since then makes no hold of a tap.
    ///   - isByHand: false where another program presses it, which shows of nobody that he is awake.
    public func press(_ edge: ButtonEdge, at instant: ContinuousClock.Instant? = nil, isByHand: Bool = true) {
        let age = instant.map { max(.zero, $0.duration(to: .now)) } ?? .zero
        let time = elapsed() - age
        if edge == .pressed { pressInstant = instant ?? .now }
        if isByHand { touchInstant = instant ?? .now }
        pressUnderWay = edge == .pressed ? pressInstant : nil
        defer { pressUnderWay = nil }
        receive(edge == .pressed ? .pressed(at: time) : .released(at: time))
    }

    /// Listens to a recording in place of the room, and returns the turn once the reply is known.
    /// - Returns: nil when the microphone must stay closed.
    public func hear(_ source: SoundSource) async -> TurnTrace? {
        nextSource = source
        pressInstant = .now
        let before = machine.turn
        let actions = machine.receive(.recording)
        let turn = machine.turn
        guard turn > before else {
            nextSource = .room
            return nil
        }
        return await withCheckedContinuation { continuation in
            waiters[turn, default: []].append(continuation)
            perform(actions)
        }
    }

    /// Drops the utterance and keeps the session; closes the session; keeps the microphone closed, or opens it again.
    public func cancel() {
        open.dropQuestion()
        receive(.cancel)
    }
    /// Closes the session.
    public func close() { receive(.close) }
    /// Keeps the microphone closed from now on.
    public func mute() { receive(.mute) }
    /// Lets the microphone open again.
    public func unmute() { receive(.unmute) }

    /// Understands with another classifier from the next turn on.
    public func use(_ classifier: any IntentClassifier) { self.classifier = classifier }

    // MARK: performing

    package func receive(_ event: ConversationMachine.Event) { perform(machine.receive(event)) }

    package func perform(_ actions: [ConversationMachine.Action]) {
        performing += 1
        for action in actions {
            // A turn that ends in a notice has the notice for its reply.
            if case .drop(let turn) = action {
                let notice = actions.lazy.compactMap { if case .notice(let key) = $0 { key } else { nil } }.first
                drop(turn, notice: notice)
            } else {
                perform(action)
            }
        }
        followDucking()
        performing -= 1
        // Not amid the actions of an outer call: those are to be performed before anything else begins.
        if performing == 0 { beginQueued() }
    }

    /// Other programs are quiet exactly while the microphone is open for the owner.
    private func followDucking() {
        let shallDuck = machine.state == .listening
        guard let ducking = parts.ducking, shallDuck != isDucking else { return }
        isDucking = shallDuck
        shallDuck ? ducking.duck() : ducking.restore()
    }

    private func perform(_ action: ConversationMachine.Action) {
        switch action {
        case .pulse(let haptic):
            parts.panel.pulse(haptic)
            emit(.pulse(haptic))
        case .chime(let chime): sound(chime)
        case .show(let look):
            parts.panel.show(look, palette: palette)
            if machine.state == .thinking || machine.state == .speaking { takeHintAway() }
            emit(.look(look, palette))
            emit(.status(machine.state, line: statusLine, isMuted: machine.isMuted))
        case .listen(let turn, let noSpeech, let untilRelease):
            stopSample()
            beginListening(turn, noSpeech: noSpeech, untilRelease: untilRelease)
        case .holdToTalk: endpointer.hold()
        case .noHold: endpointer.letGo()
        case .submit(let turn):
            submittedTurn = turn
            capture?.close()
        case .think(let turn):
            if let (kind, device) = alarms.removeValue(forKey: turn) {
                Task { await self.warn(turn, of: kind, device) }
                return
            }
            let text = typedText.removeValue(forKey: turn) ?? ""
            emit(.transcript(text, audio: nil))
            Task { await self.think(turn, text: text) }
        case .confirm(let turn):
            capture?.close()
            Task { await self.confirmByHold(turn) }
        case .drop(let turn): drop(turn, notice: nil)
        case .speak(let turn):
            stopSample()
            speakReply(turn)
        case .notice(let key):
            stopSample()
            speakNotice(key)
        case .stopSpeech:
            // The speaker may not have begun yet; cancelled, it will not.
            speaking?.cancel()
            parts.speaker?.stopSpeech()
            timeSilence(of: speaking)
        case .start(let timer, let duration):
            timers[timer]?.cancel()
            let clock = clock
            timers[timer] = Task {
                guard (try? await clock.sleep(for: duration)) != nil else { return }
                // Between its end and now the timer may have been stopped.
                guard !Task.isCancelled else { return }
                self.receive(.timer(timer))
            }
        case .stop(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .sessionOpened:
            emit(.session(isOpen: true))
        case .sessionClosed:
            open.dropQuestion()
            last = nil
            palette = .standard
            emit(.session(isOpen: false))
        case .keepMuted(let isMuted): keep("muted", isMuted ? "true" : nil)
        case .keepIntroduced: keep(Self.introduced, "true")
        }
    }

    /// Keeps a value over a restart, after the ones before it.
    package func keep(_ key: String, _ value: String?) {
        let kept = parts.context.stores.kept, logger = logger, before = keeping
        keeping = Task {
            await before?.value
            do { try await kept.set(key, to: value) } catch {
                logger.error("“\(key)” will not survive a restart: \(error)")
            }
        }
    }

    /// Speaks the introduction again at the next session that the button opens.
    public func introduceAgain() {
        receive(.introduceAgain)
        keep(Self.introduced, nil)
    }

    /// Under what it is kept that the introduction was heard.
    public static let introduced = "introduced"

    private func sound(_ chime: Chime) {
        emit(.chime(chime))
        guard let speaker = parts.speaker, let sound = parts.chimes[chime] else { return }
        let logger = logger, pressed = chime == .start ? pressUnderWay : nil, turn = machine.turn
        // Beside the microphone's opening, never before it: speech that starts with the chime is not lost.
        Task {
            do {
                try await speaker.chime(sound)
                if let pressed { self.addStage(Self.pressToChime, pressed.duration(to: .now), turn: turn) }
                self.chimed(nil)
            } catch {
                logger.warning("no chime: \(error)")
                self.chimed(error)
            }
        }
    }

    package nonisolated func emit(_ event: ConversationEvent) { onEvent(event) }

    var statusLine: String {
        switch machine.state {
        case .closed, .ready: machine.isMuted ? "Muted" : "Ready"
        case .listening: "Listening…"
        case .thinking: "Thinking…"
        case .speaking: "Speaking…"
        }
    }

    private func showHints() async {
        let examples = parts.context.books.hints
        guard !examples.isEmpty else { return }
        while !Task.isCancelled {
            if machine.state == .closed || machine.state == .ready {
                emit(.hint(examples[nextHint % examples.count]))
                showsHint = true
                nextHint += 1
            }
            guard (try? await clock.sleep(for: .seconds(5))) != nil else { return }
        }
    }

    /// A turn goes on, spoken, typed or of an alarm: an example of what to say would stand there until its end.
    func takeHintAway() {
        guard showsHint else { return }
        showsHint = false
        emit(.hint(""))
    }

    // MARK: records

    package func isCurrent(_ turn: Int) -> Bool { turn == machine.turn && turn > droppedTurn }

    package func record(_ given: TurnTrace) {
        let trace = withEarlyStages(given)
        if let place = traces.firstIndex(where: { $0.turn == trace.turn }) {
            traces[place] = trace
        } else {
            traces.append(trace)
        }
        if traces.count > Self.traceLimit { traces.removeFirst() }
        emit(.turn(trace))
        finishWaiting(trace)
    }

    private func finishWaiting(_ trace: TurnTrace) {
        for waiter in waiters.removeValue(forKey: trace.turn) ?? [] { waiter.resume(returning: trace) }
    }

    /// Adds the bubbles of a turn to the history.
    package func remember(_ turn: Int) {
        guard let trace = traces.last(where: { $0.turn == turn }) else { return }
        let entry = HistoryEntry(
            turn: turn, user: trace.transcript, assistant: trace.reply, palette: palette, startedAt: trace.startedAt)
        history.append(entry)
        shortenHistory()
        emit(.history(entry))
    }
}
