import Domain

extension ConversationMachine {
    /// What is going on, as everybody else sees it. A session is open in every phase but `closed`, and but for a notice
    /// spoken out of it.
    public enum Phase: Sendable, Equatable {
        /// No session. Next: listening, thinking (typed text), speaking (a notice).
        case closed
        /// A session, nothing going on. Next: listening, thinking, speaking, closed.
        case ready
        /// The microphone is open. Next: thinking, speaking (nothing heard, microphone lost), ready, closed.
        case listening
        /// The turn is being understood and acted upon. Next: speaking, listening (a press), ready, closed.
        case thinking
        /// The reply or a notice is being spoken. Next: ready, listening (a press, a question), closed.
        case speaking
    }

    /// A phase with what has to be known in it, and only then.
    enum State: Sendable, Equatable {
        case closed
        case ready(Ready)
        case listening(Listening)
        case thinking(Thinking)
        case speaking(Speaking)
    }

    /// What the microphone is opened for.
    enum Purpose: Sendable, Equatable {
        case command
        /// The answer to a question.
        case answer
        /// The answer to whether something risky is to be done: a held button says yes, too.
        case confirmation
    }

    struct Ready: Sendable, Equatable {
        /// What the microphone was open for when it was lost; it may come back.
        var interrupted: Purpose
    }

    struct Listening: Sendable, Equatable {
        enum Hold: Sendable, Equatable {
            case none
            /// The press that began it may become a hold.
            case pending
            /// The release ends the utterance.
            case talking
        }
        enum Heard: Sendable, Equatable {
            case nothing
            /// Something that was no speech, or none that was understood.
            case noise
            case speech
        }
        var purpose: Purpose
        var hold: Hold
        var heard = Heard.nothing
    }

    struct Thinking: Sendable, Equatable {
        /// What was listened for before; a press drops the turn and asks again.
        var purpose: Purpose
    }

    struct Speaking: Sendable, Equatable {
        /// What follows the last word.
        enum Next: Sendable, Equatable {
            case settle
            case listen(Purpose)
            case close
        }
        var next: Next
        var interrupted = Purpose.command
        /// True while a notice says that speech took too long; it must not do so itself.
        var isLastWords = false
    }

    /// The button's state, with the times of its edges on the caller's clock.
    struct Button: Sendable {
        private(set) var isHeld = false
        private(set) var lastPress = Duration.zero
        private var lastRelease: Duration?
        private var isSecondTap = false

        /// - Returns: true where this is the second press of a double tap.
        mutating func press(at time: Duration, mayBeSecond: Bool) -> Bool {
            isHeld = true
            lastPress = time
            isSecondTap = mayBeSecond && lastRelease.map { time - $0 <= ConversationMachine.doubleTapTime } ?? false
            if isSecondTap { lastRelease = nil }
            return isSecondTap
        }

        /// The second of a double tap is not the first of another, and neither is a long hold.
        mutating func release(at time: Duration, wasTap: Bool) {
            isHeld = false
            lastRelease = wasTap && !isSecondTap ? time : nil
        }
    }
}

extension ConversationMachine.State {
    var phase: ConversationMachine.Phase {
        switch self {
        case .closed: .closed
        case .ready: .ready
        case .listening: .listening
        case .thinking: .thinking
        case .speaking: .speaking
        }
    }

    /// What the microphone is open for, or was before this state.
    var purpose: ConversationMachine.Purpose {
        switch self {
        case .closed, .ready: .command
        case .listening(let listening): listening.purpose
        case .thinking(let thinking): thinking.purpose
        case .speaking(let speaking): if case .listen(let purpose) = speaking.next { purpose } else { .command }
        }
    }

    /// True while what was asked is whether something risky is to be done.
    var isConfirming: Bool { purpose == .confirmation }

    var hasSpeech: Bool { if case .listening(let listening) = self { listening.heard == .speech } else { false } }
}
