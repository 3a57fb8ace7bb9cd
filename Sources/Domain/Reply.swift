/// What the appliance asks before it can act.
public enum Question: Sendable, Equatable {
    /// A slot of the command is missing.
    case slot(String, of: Command)
    /// Several things have the name that was said.
    case choice(slot: String, among: [OwnerName], of: Command)
    /// Whether to really do it. `otherwise` is what a no does, where that is more than nothing.
    case confirmation(of: Command, otherwise: Command? = nil)
    /// A dialogue of several turns; for each step of `steps.yaml` that is possible now, its command. Unlike the others
    /// it outlasts silence.
    case steps([String: Command])
}

/// Something for an attached screen to do.
public struct AppAction: Sendable, Equatable, Codable {
    /// `tab`, `open`, `close`, `move`, `star` or `unstar`.
    public let kind: String
    /// The tab's name; what to open, as kind and identity (`item:12`); where to move (`next`, `previous`, `open`,
    /// `back`); what gets a star or loses it. Empty for what is shown now.
    public let target: String

    /// An action.
    public init(kind: String, target: String = "") {
        self.kind = kind
        self.target = target
    }
}

/// What a handler answers.
public struct Reply: Sendable {
    /// What is said and shown; empty to say nothing.
    public var wording: Wording
    /// The colours.
    public var palette: Palette
    /// What was written or published, a line each, for the trace.
    public var effects: [String]
    /// Prefix of an effect that describes a message which was not sent.
    static let nothingSent = "mqtt: nothing"
    /// True where something was written or sent.
    package var hasEffects: Bool { effects.contains { !$0.hasPrefix(Self.nothingSent) } }
    /// How to undo it, if something changed.
    public var undo: Undo?
    /// What is asked; the appliance listens again.
    public var question: Question?
    /// For attached screens.
    public var action: AppAction?
    /// True when the session ends after the reply.
    public var closesSession: Bool
    /// True when names may have changed, so that the vocabulary must be compiled again.
    public var changesNames: Bool
    /// True when the appliance must stop listening from now on.
    public var mutes: Bool
    /// What the reply names and the command does not: “close it” may follow “the awning is open”.
    public var subject: [String: SlotValue] = [:]
    /// Whether the command was carried out, or failed as the text says.
    public var outcome = TurnOutcome.done

    /// The reply to a command that could not be carried out.
    public static func failed(_ wording: Wording, effects: [String] = [], undo: Undo? = nil) -> Reply {
        var reply = Reply(wording, effects: effects, undo: undo)
        reply.outcome = .failed
        return reply
    }

    /// A reply that says `wording`.
    public init(
        _ wording: Wording, palette: Palette = .standard, effects: [String] = [], undo: Undo? = nil,
        question: Question? = nil, action: AppAction? = nil, closesSession: Bool = false, changesNames: Bool = false,
        mutes: Bool = false
    ) {
        self.wording = wording
        self.palette = palette
        self.effects = effects
        self.undo = undo
        self.question = question
        self.action = action
        self.closesSession = closesSession
        self.changesNames = changesNames
        self.mutes = mutes
    }
}

/// How a turn ended.
public enum TurnOutcome: String, Sendable, Codable {
    /// The command was carried out, or the question answered.
    case done
    /// The appliance asked a question.
    case asked
    /// Nothing was understood.
    case fallback
    /// It was cancelled by a press or a word.
    case cancelled
    /// Something failed; the reply says what.
    case failed
    /// Nobody spoke.
    case nothingHeard = "nothing-heard"
}
