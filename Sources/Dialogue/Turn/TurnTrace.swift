import Domain
import Language
import Foundation

/// Everything that is known of a turn; what `vanorb trace` shows. Kept in memory, and on disk where `trace.keep_on_disk` says so.
public struct TurnTrace: Sendable {
    /// A stage with the time that it took.
    public struct Stage: Sendable, Equatable {
        /// Its name and its milliseconds.
        public let name: String, milliseconds: Double
    }

    /// The turn's number in this run of the daemon.
    public var turn: Int
    /// `voice` or `text`.
    public var source: String
    /// When it began.
    public var startedAt: Date
    /// What was heard or typed, and how sure the recogniser is.
    public var transcript = "", recogniserConfidence = 1.0
    /// Other things that may have been said.
    public var alternatives: [Transcript] = []
    /// How it was heard: which recogniser, and why it was believed.
    public var hearing: [String] = []
    /// What it says beside a command.
    public var meaning: [String] = []
    /// The text that was matched.
    public var normalised = ""
    /// The classifier's likeliest intents.
    public var guesses: [IntentGuess] = []
    /// Each handler's best proposal.
    public var proposals: [Proposal] = []
    /// What was chosen.
    public var chosen: Proposal?
    /// All commands that were meant, in their order; empty where nothing was understood.
    public var commands: [Command] = []
    /// The reply, as it is said and shown.
    public var answer = Wording()
    /// How it ended.
    public var outcome = TurnOutcome.fallback
    /// What was written or published.
    public var effects: [String] = []
    /// The stages in order.
    public var stages: [Stage] = []

    /// The reply as it is shown.
    public var reply: String { answer.written }

    /// A turn that begins.
    public init(turn: Int, source: String, startedAt: Date) {
        self.turn = turn
        self.source = source
        self.startedAt = startedAt
    }

    package mutating func add(_ name: String, _ duration: Duration) {
        stages.append(Stage(name: name, milliseconds: duration.milliseconds))
    }

    /// A stage turned out to take longer.
    package mutating func extend(_ name: String, by duration: Duration) {
        guard let place = stages.lastIndex(where: { $0.name == name }) else { return }
        stages[place] = Stage(name: name, milliseconds: stages[place].milliseconds + duration.milliseconds)
    }
}

/// One bubble of the conversation.
public struct HistoryEntry: Sendable, Equatable {
    /// The turn's number.
    public let turn: Int
    /// What the owner said.
    public let user: String
    /// What the appliance answered, as it is said and shown.
    package let answer: Wording
    /// The colours of the answer.
    public let palette: Palette
    /// When the turn began.
    public let startedAt: Date

    /// What the appliance answered, as it is shown.
    public var assistant: String { answer.written }

    package init(turn: Int, user: String, answer: Wording, palette: Palette, startedAt: Date) {
        self.turn = turn
        self.user = user
        self.answer = answer
        self.palette = palette
        self.startedAt = startedAt
    }
}

/// What watchers are told.
public enum ConversationEvent: Sendable {
    /// The state, and the line that says it.
    case status(ConversationMachine.Phase, line: String, isMuted: Bool)
    /// An example to try.
    case hint(String)
    /// The words so far, and how far into the audio.
    case partial(String, audio: Duration)
    /// What was heard in the end, or typed.
    case transcript(String, audio: Duration?)
    /// What the panel does.
    case look(RingLook, Palette), pulse(Haptic), chime(Chime)
    /// The reply as it is shown, before it is spoken.
    case reply(String, Palette)
    /// A word of the reply is being spoken: as it sounds, and where it stands in what is shown: its first character, and
    /// the one behind its last. An amount stands there as a whole.
    case word(String, start: Int, end: Int)
    /// A turn has ended.
    case turn(TurnTrace)
    /// A turn has joined the history.
    case history(HistoryEntry)
    /// For attached screens.
    case action(AppAction)
    /// Something the owner should know that belongs to no turn.
    case notice(String)
    /// The owner's data of a handler changed beside a turn, such as `finance`; empty where an undo changed it.
    case changed(String)
    /// The session has begun or ended.
    case session(isOpen: Bool)
}
