import AudioPipeline
import Devices
import Domain
import Foundation
import Handlers
import Language
import Logging

/// The session with the owner: lets the machine decide what follows from a press, a word or a time limit, and has its
/// parts carry that out.
@DialogueActor
public final class Conversation {
    nonisolated package let parts: ConversationParts
    /// What others ask of the dialogue beside the session itself.
    public nonisolated let services: DialogueServices
    private let runner: TurnRunner

    package private(set) var machine: ConversationMachine
    private var timers: [ConversationMachine.Timer: Task<Void, Never>] = [:]
    /// The turn under way or the last one.
    private var turn: Turn?
    /// The turn that the machine's next actions begin.
    private var nextTurn: Turn?
    /// How many calls of `perform` are under way, one within the other.
    private var performing = 0
    /// The press whose actions are being performed.
    private var pressUnderWay: ContinuousClock.Instant?
    /// The last press; and when the button was last touched by hand.
    private var pressInstant = ContinuousClock.now, touchInstant = ContinuousClock.now

    /// A session of these parts.
    public init(
        parts: ConversationParts, settings: ConversationSettings, start: SessionStart,
        logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
        onEvent: @escaping @Sendable (ConversationEvent) -> Void
    ) {
        let port = SessionPort(onEvent: onEvent)
        self.parts = parts
        services = DialogueServices(
            parts, settings: settings, names: start.names, port: port, clock: clock, logger: logger)
        runner = TurnRunner(parts, services, settings: settings)
        machine = ConversationMachine(
            limits: settings.limits, buttonMode: settings.buttonMode, tapWhileListening: settings.tapWhileListening,
            isMuted: start.isMuted, introduces: start.introduces)
        port.conversation = self
    }

    /// Follows the button until the task is cancelled.
    public func run() async {
        // Before the ring shows anything: an owner who sees it may press at once.
        let edges = parts.panel.edges()
        await services.profile.followMode()
        let changes = parts.health.changes(), monitor = services.monitor, presentation = services.presentation
        monitor.judgeTrouble()
        perform([.show(machine.look)])
        let troubles = Task { await monitor.followTrouble(changes) }
        services.profile.followNight()
        let hints = Task { await presentation.rotateHints() }
        for await edge in edges { press(edge.edge, at: edge.instant) }
        hints.cancel()
        troubles.cancel()
        services.profile.stop()
        timers.values.forEach { $0.cancel() }
        turn?.closeMicrophone()
        parts.speaker?.stopSpeech()
        await presentation.endDucking()
        services.typedQueue.refuseAll()
    }

    // MARK: what can be asked of it

    /// An edge of the button.
    /// - Parameters:
    ///   - instant: when it happened; nil for now. A machine that was busy since then makes no hold of a tap.
    ///   - isByHand: false where another program presses it, which shows of nobody that he is awake.
    public func press(_ edge: ButtonEdge, at instant: ContinuousClock.Instant? = nil, isByHand: Bool = true) {
        let age = instant.map { max(.zero, $0.duration(to: .now)) } ?? .zero
        let time = services.elapsed() - age
        if edge == .pressed { pressInstant = instant ?? .now }
        if isByHand { touchInstant = instant ?? .now }
        pressUnderWay = edge == .pressed ? pressInstant : nil
        defer { pressUnderWay = nil }
        receive(edge == .pressed ? .pressed(at: time) : .released(at: time))
    }

    /// Listens to a recording in place of the microphone, and returns the turn once the reply is known.
    /// - Returns: nil when the microphone must stay closed.
    public func hear(_ source: SoundSource) async -> TurnTrace? {
        pressInstant = .now
        let before = machine.turn, actions = machine.receive(.recording)
        guard machine.turn > before else { return nil }
        return await begin(.speech(source, pressed: pressInstant), actions)
    }

    /// Types a command and returns its turn once the reply is known. A turn that is being thought about gets its reply
    /// first. A caller that is cancelled while its command waits withdraws it.
    /// - Returns: a turn that failed, numbered 0, where too many wait.
    public func say(_ text: String) async -> TurnTrace {
        await services.typedQueue.enter(text, isUnheard: false)
    }

    /// Takes a command from another program. Nobody has heard the question that it may answer: what waits for a yes is
    /// dropped before.
    public func take(_ text: String) async -> TurnTrace {
        await services.typedQueue.enter(text, isUnheard: true)
    }

    /// Drops the utterance and keeps the session.
    public func cancel() {
        services.state.dropQuestion()
        receive(.cancel)
    }
    /// Closes the session.
    public func close() { receive(.close) }
    /// Keeps the microphone closed from now on.
    public func mute() { receive(.mute) }
    /// Lets the microphone open again.
    public func unmute() { receive(.unmute) }

    /// Between two times that a sensor's warning is spoken, and how often at most: sleepers have to wake.
    nonisolated static let alarmPause = Duration.seconds(20), alarmLimit = 15

    /// Says what a sensor warns of and what to do, again and again while it warns, until the button is pressed by hand.
    public func alarm(_ device: Device) async {
        guard let kind = device.alarm else { return }
        for _ in 0..<Self.alarmLimit {
            let began = ContinuousClock.now
            let actions = machine.receive(.text)
            // A yes to what was asked before must not be one to the warning, nor the other way round.
            services.state.dropQuestion()
            _ = await begin(.alarm(kind, device), actions)
            guard (try? await services.clock.sleep(for: Self.alarmPause)) != nil, touchInstant < began,
                await parts.context.van.warns(device)
            else { return }
        }
    }

    /// What is going on.
    public var state: ConversationMachine.Phase { machine.phase }
    /// True while the microphone must stay closed.
    public var isMuted: Bool { machine.isMuted }
    /// True once speech was found in the turn under way.
    var hasSpeech: Bool { turn?.endpointer.hasSpeech == true }

    /// Speaks the introduction again at the next session that the button opens.
    public func introduceAgain() {
        receive(.introduceAgain)
        services.keptValues.keep(Self.introduced, nil)
    }

    /// The key of the kept value that the introduction was heard.
    public nonisolated static let introduced = "introduced"

    /// Takes over other settings. What is under way ends as it began: time limits and the end of an utterance apply
    /// from the next turn on, the voice from the next reply on, the hours of the night and the length of the history at
    /// once.
    /// - Parameter settings: its voice is the owner's own, as set or asked for.
    public func adopt(_ settings: ConversationSettings) {
        runner.adopt(settings)
        machine.adopt(
            limits: settings.limits, buttonMode: settings.buttonMode, tapWhileListening: settings.tapWhileListening)
        services.recorder.keep(historyLength: settings.historyLength)
        services.profile.adopt(settings)
    }

    // MARK: turns

    /// Carries out the actions that begin a turn, and returns its record.
    private func begin(_ input: Turn.Input, _ actions: [ConversationMachine.Action]) async -> TurnTrace {
        await withCheckedContinuation { begin(input, actions, answer: $0) }
    }

    private func begin(
        _ input: Turn.Input, _ actions: [ConversationMachine.Action], capture: (any MicrophoneCapture)? = nil,
        answer: CheckedContinuation<TurnTrace, Never>? = nil
    ) {
        let turn = Turn(number: machine.turn, input: input, startedAt: parts.context.now(), capture: capture)
        if let answer { turn.notify(answer) }
        nextTurn = turn
        perform(actions)
    }

    /// Begins the turn of a typed command.
    func begin(_ command: TypedCommand) {
        if command.isUnheard { services.state.dropQuestion() }
        begin(.text(command.text), machine.receive(.text), answer: command.answer)
    }

    /// The turn of a number that the machine has just begun: as it was asked for, else by the button or a question.
    private func beginning(_ number: Int) -> Turn {
        defer { nextTurn = nil }
        let known = nextTurn?.number == number ? nextTurn : nil
        let begun =
            known
            ?? Turn(number: number, input: .speech(.room, pressed: pressInstant), startedAt: parts.context.now())
        turn = begun
        return begun
    }

    /// Listens once more by a microphone that was lost and is back.
    func listenAgain(by capture: any MicrophoneCapture) {
        let before = machine.turn, actions = machine.receive(.microphoneBack)
        guard machine.turn > before else { return capture.close() }
        begin(.speech(.room, pressed: pressInstant), actions, capture: capture)
    }

    private func start(_ turn: Turn) {
        let runner = runner
        switch turn.input {
        case .speech(let source, let pressed): turn.run { await runner.listen(turn, source, pressed: pressed) }
        case .text(let text):
            services.port.emit(.transcript(text, audio: nil))
            turn.run { await runner.read(turn, text) }
        case .alarm(let kind, let device): turn.run { await runner.warn(turn, of: kind, device) }
        }
    }

    // MARK: performing

    func receive(_ event: ConversationMachine.Event) {
        if event == .speechBegan { services.presentation.removeHint() }
        perform(machine.receive(event))
    }

    private func perform(_ actions: [ConversationMachine.Action]) {
        performing += 1
        // A turn that ends in a notice has the notice for its reply.
        let notice = actions.lazy.compactMap { if case .notice(let key) = $0 { key } else { nil } }.first
        for action in actions { perform(action, notice: notice) }
        services.presentation.followDucking(isListening: machine.phase == .listening)
        performing -= 1
        // Not amid the actions of an outer call: those are to be performed before anything else begins.
        if performing == 0 { services.typedQueue.beginNext() }
    }

    private func perform(_ action: ConversationMachine.Action, notice: String?) {
        let port = services.port
        switch action {
        case .pulse(let haptic): services.presentation.pulse(haptic)
        case .chime(let chime): sound(chime)
        case .show(let look): services.presentation.show(look)
        case .listen(let number, let noSpeech, let untilRelease):
            services.output.stopSample()
            let turn = beginning(number)
            runner.listener.prepare(turn, noSpeech: noSpeech, untilRelease: untilRelease)
            start(turn)
        case .holdToTalk: turn?.endpointer.hold()
        case .noHold: turn?.endpointer.letGo()
        case .submit: turn?.submit()
        case .think(let number): start(beginning(number))
        case .confirm:
            guard let turn else { return }
            turn.closeMicrophone()
            turn.run { [runner] in await runner.confirm(turn) }
        case .drop: if let turn { runner.drop(turn, notice: notice) }
        case .speak: if let turn { runner.speakReply(of: turn) }
        case .notice(let key): runner.speakNotice(key)
        case .stopSpeech: stopSpeech()
        case .start(let timer, let duration): start(timer, duration)
        case .stop(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .sessionOpened: port.emit(.session(isOpen: true))
        case .sessionClosed:
            services.state.endSession()
            services.presentation.palette = .standard
            port.emit(.session(isOpen: false))
        case .keepMuted(let isMuted): services.keptValues.keep("muted", isMuted ? "true" : nil)
        case .keepIntroduced: services.keptValues.keep(Self.introduced, "true")
        }
    }

    private func start(_ timer: ConversationMachine.Timer, _ duration: Duration) {
        timers[timer]?.cancel()
        let clock = services.clock
        timers[timer] = Task {
            // Between its end and now the timer may have been stopped.
            guard (try? await clock.sleep(for: duration)) != nil, !Task.isCancelled else { return }
            self.receive(.timer(timer))
        }
    }

    private func sound(_ chime: Chime) {
        let pressed = chime == .start ? pressUnderWay : nil, number = machine.turn, recorder = services.recorder
        services.presentation.sound(chime) {
            guard let pressed else { return }
            recorder.addStage(TurnRecorder.pressToChime, pressed.duration(to: .now), turn: number)
        }
    }

    /// Stops the voice, and notes how long a press takes to silence it with the turn that the press begins.
    private func stopSpeech() {
        let stopped = services.output.stop(), number = machine.turn, recorder = services.recorder
        guard let pressed = pressUnderWay, let stopped else { return }
        Task {
            await stopped.value
            recorder.addStage(TurnRecorder.pressToSilence, pressed.duration(to: .now), turn: number)
        }
    }
}
