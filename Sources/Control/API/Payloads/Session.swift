import Foundation

/// A typed command.
public struct SayArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What is said.
    public var text: String

    /// The command `text`.
    public init(text: String) { self.text = text }

    /// - Throws: when the text is empty or too long.
    public func check() throws(ControlError) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .badArguments("arguments.text: something to say is expected, not an empty text")
        }
        guard text.count <= ControlLimits.sayCharacters else {
            throw .badArguments(
                "arguments.text: at most \(ControlLimits.sayCharacters) characters are expected, not \(text.count)"
            )
        }
    }
}

/// What a finger does to the button.
public enum PressGesture: String, Codable, Sendable, Equatable, CaseIterable {
    /// A short press.
    case tap
    /// A press that lasts.
    case hold
    /// Two short presses.
    case double

    /// - Throws: `DecodingError` that lists the gestures.
    public init(from decoder: any Decoder) throws {
        self = try decoder.choice()
    }
}

/// Works the button.
public struct PressArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What the finger does.
    public var gesture: PressGesture
    /// How long a hold lasts, 0.05…120 s; nil for the daemon's choice.
    public var holdSeconds: Double?

    /// A gesture; `holdSeconds` matters for a hold.
    public init(gesture: PressGesture, holdSeconds: Double? = nil) {
        self.gesture = gesture
        self.holdSeconds = holdSeconds
    }

    /// - Throws: when the hold is out of range, or given for another gesture.
    public func check() throws(ControlError) {
        guard let holdSeconds else { return }
        guard gesture == .hold else {
            throw .badArguments("arguments.holdSeconds: only a hold lasts; leave it out for a \(gesture.rawValue)")
        }
        guard (0.05...ControlLimits.holdSeconds).contains(holdSeconds) else {
            throw .badArguments(
                "arguments.holdSeconds: 0.05 to \(Int(ControlLimits.holdSeconds)) seconds is expected"
            )
        }
    }
}

/// A call was taken; what it did.
public struct Acknowledgement: Codable, Sendable, Equatable {
    /// True when something was done; false when there was nothing to do.
    public var done: Bool
    /// A sentence for the owner, such as `Muted.`
    public var message: String

    /// An acknowledgement.
    public init(done: Bool = true, message: String) {
        self.done = done
        self.message = message
    }
}

/// A turn as two bubbles.
public struct HistoryEntry: Codable, Sendable, Equatable {
    /// The turn's number, as in its trace.
    public var turn: Int
    /// What the owner said.
    public var user: String
    /// What was answered.
    public var assistant: String
    /// When it began; whole seconds on the wire.
    public var startedAt: Date

    /// A turn of the history.
    public init(turn: Int, user: String, assistant: String, startedAt: Date) {
        self.turn = turn
        self.user = user
        self.assistant = assistant
        self.startedAt = startedAt
    }
}

/// The session's last turns, oldest first.
public struct HistoryResult: Codable, Sendable, Equatable {
    /// The turns.
    public var entries: [HistoryEntry]

    /// A history.
    public init(entries: [HistoryEntry]) { self.entries = entries }
}

/// The last change is to be taken back.
public struct UndoArguments: Codable, Sendable, Equatable {
    /// True where what is risky to take back needs no question.
    public var confirmed: Bool?

    /// Takes back the last change.
    public init(confirmed: Bool? = nil) { self.confirmed = confirmed }
}

/// The recording is complete.
public struct HearFinishArguments: Codable, Sendable, Equatable {
    /// As `upload.begin` answered.
    public var upload: Int

    /// The upload of this number.
    public init(upload: Int) { self.upload = upload }
}
