/// What an utterance says beside the command that it may hold: how it is meant, when, under which condition, with which
/// exceptions, about how many things. It is found before any handler is asked, and is part of the command.
public struct Analysis: Sendable, Equatable {
    /// How an utterance is meant. Only a command asks for an act.
    public enum Mood: String, Sendable, Codable, CaseIterable {
        /// That something be done; also where nothing says otherwise.
        case command
        /// To be told something.
        case question
        /// That something was done or happened.
        case report
        /// That something might be, or is wished for.
        case hypothesis
        /// That something must not be, or is not so.
        case negation
    }

    /// How many things are meant.
    public enum Scope: String, Sendable, Codable, CaseIterable { case one, all, any, which, count }

    /// A part of the utterance that narrows a command.
    public struct Modifier: Sendable, Equatable {
        /// What it says.
        public enum Kind: String, Sendable, Codable, CaseIterable {
            /// When, how long, or how often.
            case time
            /// On what condition.
            case condition
            /// What is left out.
            case exception
        }

        /// What it says.
        public let kind: Kind
        /// Its words, as said.
        public let words: String
        /// Its tokens in the utterance.
        package let range: Range<Int>

        package init(kind: Kind, words: String, range: Range<Int>) {
            self.kind = kind
            self.words = words
            self.range = range
        }
    }

    /// How it is meant.
    public package(set) var mood = Mood.command
    /// The words that tell the mood; empty for a command.
    public package(set) var cue = ""
    /// True where it opens as a request does: “can we have”, “I'd like”.
    public package(set) var isRequest = false
    /// True where it opens as an order not to do something.
    public package(set) var isForbidding = false
    /// True where it opens as a request to be reminded.
    public package(set) var isReminder = false
    /// True where some part of it asks to be told something.
    public package(set) var asks = false
    /// True where it asks whether something may be, or says that it should: “can the fan go faster”.
    public package(set) var isWish = false
    /// True where it says what somebody is unable to do.
    public package(set) var isUnable = false
    /// How many things are meant; nil where it says nothing of it.
    public package(set) var scope: Scope?
    /// In their order.
    public package(set) var modifiers: [Modifier] = []

    /// A plain command.
    public init() {}

    /// True where nothing but a command was found.
    public var isPlain: Bool { mood == .command && modifiers.isEmpty }
}
