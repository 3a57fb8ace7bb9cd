import AudioPipeline
import Domain

/// Everything that the session decides happens on this actor, one step after the other; what takes long happens in
/// tasks that come back to it. The parts of the dialogue call each other without waiting, so that a press finds none of
/// them halfway through a step.
@globalActor
public actor DialogueActor {
    /// The only one.
    public static let shared = DialogueActor()
}

/// By what the parts of the dialogue report to the session, which owns them.
@DialogueActor
final class SessionPort {
    weak var conversation: Conversation?
    private let onEvent: @Sendable (ConversationEvent) -> Void

    nonisolated init(onEvent: @escaping @Sendable (ConversationEvent) -> Void) { self.onEvent = onEvent }

    /// Lets the machine decide what follows from an event.
    func receive(_ event: ConversationMachine.Event) { conversation?.receive(event) }

    /// What is going on.
    var phase: ConversationMachine.Phase { conversation?.machine.phase ?? .closed }
    /// True while the microphone is open for the answer to a question.
    var isAwaitingAnswer: Bool { conversation?.machine.isAwaitingAnswer ?? false }
    /// True while the microphone must stay closed.
    var isMuted: Bool { conversation?.machine.isMuted ?? false }
    /// The number of the turn under way or the last one.
    var turnNumber: Int { conversation?.machine.turn ?? 0 }

    /// True once speech was found in the turn under way.
    var hasSpeech: Bool { conversation?.hasSpeech ?? false }

    /// Begins the turn of a typed command.
    func begin(_ command: TypedCommand) { conversation?.begin(command) }

    /// Reports to the watchers.
    nonisolated func emit(_ event: ConversationEvent) { onEvent(event) }

    /// Listens once more by a microphone that was lost and is back.
    func listenAgain(by capture: any MicrophoneCapture) {
        guard let conversation else { return capture.close() }
        conversation.listenAgain(by: capture)
    }
}
