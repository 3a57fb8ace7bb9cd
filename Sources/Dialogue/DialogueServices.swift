import Domain
import Handlers
import Language
import Logging

/// The parts of the dialogue that others ask, too: each does one thing, and all happen on the dialogue's actor.
public struct DialogueServices: Sendable {
    /// The one way by which data and devices are changed.
    package let changes: ChangeCoordinator
    /// The same for what is typed with arguments.
    package let typed: TypedChanges
    /// What can be said.
    package let vocabulary: VocabularyService
    /// How the voice sounds and the ring looks at this moment.
    package let profile: OutputProfile
    /// The voice.
    package let output: SpeechOutput
    /// What is known of the last turns.
    package let recorder: TurnRecorder
    /// Whether microphone and speaker can be used.
    package let monitor: PartsMonitor
    /// Values that are kept over a restart.
    package let keptValues: KeptValueWriter
    /// The attached screens.
    package let screens: ScreenPublisher
    /// Typed commands that wait for their turn.
    package let typedQueue: TypedCommandQueue
    let presentation: Presentation
    let state: DialogueState
    let dispatcher: CommandDispatcher
    let port: SessionPort
    /// The session's own clock, and the time that it has measured since the session was made.
    let clock: any Clock<Duration>, elapsed: @Sendable () -> Duration
    let logger: Logger

    init(
        _ parts: ConversationParts, settings: ConversationSettings, names: OwnerNames, port: SessionPort,
        clock: any Clock<Duration>, logger: Logger
    ) {
        let context = parts.context
        self.port = port
        self.clock = clock
        self.logger = logger
        elapsed = Self.stopwatch(clock)
        state = DialogueState()
        keptValues = KeptValueWriter(context.stores.kept, logger: logger)
        vocabulary = VocabularyService(parts, names: names, keptValues: keptValues, clock: clock, logger: logger)
        changes = ChangeCoordinator(context, clock: clock, logger: logger)
        profile = OutputProfile(parts, settings: settings, clock: clock)
        output = SpeechOutput(parts, port: port, logger: logger)
        screens = ScreenPublisher(context.bus, port: port, clock: clock, logger: logger)
        recorder = TurnRecorder(port: port, historyLength: settings.historyLength)
        presentation = Presentation(parts, output: output, port: port, clock: clock)
        monitor = PartsMonitor(parts, port: port, output: output, elapsed: elapsed, clock: clock, logger: logger)
        dispatcher = CommandDispatcher(
            context, session: SessionHandler(context, state: state, profile: profile, changes: changes))
        typedQueue = TypedCommandQueue(context, port: port)
        typed = TypedChanges(
            context: context, changes: changes, vocabulary: vocabulary, profile: profile, dispatcher: dispatcher,
            port: port, logger: logger)
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

extension DialogueServices {
    /// Speaks the reply of a turn of the history again, and returns when it has been heard or a press cut it off. What
    /// was asked then is not asked again.
    /// - Returns: the reply as it is shown.
    /// - Throws: `TypedRefusal` where the history has no such turn, or nothing was answered; `PlayFailure`; the voice's
    ///   error.
    package func speakAgain(turn: Int) async throws -> String {
        guard let entry = await recorder.history.last(where: { $0.turn == turn }) else {
            throw TypedRefusal("The history has no turn \(turn). Try: vanorb history")
        }
        guard !entry.assistant.isEmpty else { throw TypedRefusal("Nothing was answered in turn \(turn).") }
        try await output.play(await output.sounds(of: entry.answer.spoken, profile.replyVoice))
        return entry.assistant
    }
}
