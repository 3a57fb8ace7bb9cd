import Domain

/// What the machine is told and what it answers.
extension ConversationMachine {
    /// The time limits.
    public struct Limits: Sendable, Equatable {
        /// Without speech, after a question, in all, and while the button is held.
        public var noSpeech: Duration = .seconds(5), question: Duration = .seconds(20)
        /// Listening in all, and while the button is held.
        public var listening: Duration = .seconds(15), holdToTalk: Duration = .seconds(60)
        /// Understanding and acting; speaking; a session without a turn.
        public var thinking: Duration = .seconds(10), speaking: Duration = .seconds(120)
        /// A session without a turn.
        public var idle: Duration = .seconds(60)
        /// The specification's limits.
        public init() {}
    }

    /// How the button works.
    public enum ButtonMode: String, Sendable, CaseIterable {
        /// A tap listens until silence, a hold until the release.
        case both
        /// A hold is a tap.
        case tap
        /// Listening lasts while the button is held.
        case hold
    }

    /// What a press does while listening.
    public enum TapWhileListening: String, Sendable, CaseIterable {
        /// What was said so far is the command.
        case submit
        /// It is dropped, and listening begins anew.
        case restart
    }

    /// What happens to the machine.
    public enum Event: Sendable, Equatable {
        /// The button, with the time of the edge on a clock of the caller's.
        case pressed(at: Duration), released(at: Duration)
        /// A timer that an action started ran out.
        case timer(Timer)
        /// A recording is to be heard in place of the room. It does what a press does, but never submits what the room
        /// has said so far, and may follow another at any pace.
        case recording
        /// Speech was detected; the closing silence is complete; there was no speech in time; the audio limit was
        /// reached.
        case speechBegan, speechEnded, noSpeech, audioLimit
        /// What was taken for speech was a noise.
        case falseStart
        /// There was no speech in time, and nothing is to be said of it: what is open outlasts silence.
        case quiet
        /// The microphone that was lost in a turn is back.
        case microphoneBack
        /// The microphone could not be opened or was lost.
        case microphoneFailed(DeviceFailure.Reason)
        /// The recogniser failed.
        case recogniserFailed
        /// The turn has its reply. `confirms` when what it asks is whether something risky shall be done.
        case replied(speaks: Bool, asks: Bool, closes: Bool, confirms: Bool = false)
        /// The voice has ended.
        case spoken
        /// Text was typed.
        case text
        /// The utterance is to be dropped; the session is to be closed.
        case cancel, close
        /// The microphone is to stay closed, or may open again.
        case mute, unmute
        /// The introduction is to be spoken at the next session.
        case introduceAgain
        /// The worst of what is wrong with the appliance's parts is this from now on; nil: nothing is.
        case trouble(Trouble?)
    }

    /// The machine's timers.
    public enum Timer: String, Sendable, Hashable {
        /// The press becomes a hold.
        case hold
        /// A hold ends muting.
        case unmute
        /// The time limits.
        case listening, thinking, speaking, idle
    }

    /// What is to be done, in order.
    public enum Action: Sendable, Equatable {
        /// Pulse the motor; sound a chime; show a look on the ring.
        case pulse(Haptic), chime(Chime), show(RingLook)
        /// Open the microphone for a turn. `noSpeech` is how long to wait for speech.
        case listen(turn: Int, noSpeech: Duration, untilRelease: Bool)
        /// Silence no longer ends the utterance.
        case holdToTalk
        /// The hold was a tap, whose release was heard of late: silence ends the utterance.
        case noHold
        /// Close the microphone and act on what was said.
        case submit(turn: Int)
        /// Act on typed text.
        case think(turn: Int)
        /// Close the microphone and take the held button for a yes to the open question.
        case confirm(turn: Int)
        /// Forget the turn: close the microphone, drop the utterance, write and send nothing more of it.
        case drop(turn: Int)
        /// Speak the turn's reply.
        case speak(turn: Int)
        /// Speak a notice, by its reply key.
        case notice(String)
        /// Stop the voice.
        case stopSpeech
        /// Start or stop a timer.
        case start(Timer, Duration), stop(Timer)
        /// The session has begun or ended.
        case sessionOpened, sessionClosed
        /// Remember whether the appliance is muted; that the introduction has begun.
        case keepMuted(Bool), keepIntroduced
    }
}

/// The sounds that stand in for a screen.
public enum Chime: String, Sendable, Equatable, Codable, CaseIterable {
    /// Listening begins.
    case start
    /// Listening has ended.
    case end
    /// Something failed.
    case error
}
