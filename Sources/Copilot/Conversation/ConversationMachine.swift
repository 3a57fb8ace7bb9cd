/// Decides what a press, the end of speech, a time limit or a finished turn leads to. A plain struct: it returns what
/// is to be done and does nothing itself, so that barge-in, time limits and a lost microphone are tested without tasks.
public struct ConversationMachine: Sendable {
    /// What is going on. A session is open in every state but `closed`, and but for a notice spoken out of it.
    public enum State: Sendable, Equatable {
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
        /// The closing silence is complete; there was no speech in time; the audio limit was reached.
        case speechEnded, noSpeech, audioLimit
        /// The microphone could not be opened or was lost.
        case microphoneFailed(DeviceFailure.Reason)
        /// The recogniser failed.
        case recogniserFailed
        /// The turn has its reply.
        case replied(speaks: Bool, asks: Bool, closes: Bool)
        /// The voice has ended.
        case spoken
        /// Text was typed.
        case text
        /// The utterance is to be dropped; the session is to be closed.
        case cancel, close
        /// The microphone is to stay closed, or may open again.
        case mute, unmute
    }

    /// The machine's timers.
    public enum Timer: String, Sendable, Hashable {
        /// The press becomes a hold.
        case hold
        /// A hold ends muting.
        case unmute
        /// The time limits.
        case thinking, speaking, idle
    }

    /// What is to be done, in order.
    public enum Action: Sendable, Equatable {
        /// Pulse the motor; sound a chime; show a look on the ring.
        case pulse(Haptic), chime(Chime), show(RingLook)
        /// Open the microphone for a turn. `noSpeech` is how long to wait for speech.
        case listen(turn: Int, noSpeech: Duration, untilRelease: Bool)
        /// Silence no longer ends the utterance.
        case holdToTalk
        /// Close the microphone and act on what was said.
        case submit(turn: Int)
        /// Act on typed text.
        case think(turn: Int)
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
        /// Remember whether the appliance is muted.
        case keepMuted(Bool)
    }

    /// A press becomes a hold after this.
    public static let holdTime = Duration.milliseconds(400)
    /// A press within this time of a release is the second of a double tap.
    public static let doubleTapTime = Duration.milliseconds(350)
    /// A hold of this length ends muting.
    public static let unmuteTime = Duration.seconds(3)

    /// What is going on.
    public private(set) var state = State.closed
    /// True while the microphone must stay closed.
    public private(set) var isMuted: Bool
    /// The number of the turn under way or the last one.
    public private(set) var turn = 0

    private let limits: Limits
    private let buttonMode: ButtonMode
    private let tapWhileListening: TapWhileListening
    private var isSessionOpen = false
    private var isHeld = false
    private(set) var isHoldToTalk = false
    private var lastPress = Duration.zero
    private var lastRelease: Duration?
    private var isSecondTap = false
    private var closesAfterSpeech = false
    private var listensAfterSpeech = false
    private var isAwaitingAnswer = false

    /// A machine without a session.
    public init(
        limits: Limits = Limits(), buttonMode: ButtonMode = .both, tapWhileListening: TapWhileListening = .submit,
        isMuted: Bool = false
    ) {
        self.limits = limits
        self.buttonMode = buttonMode
        self.tapWhileListening = tapWhileListening
        self.isMuted = isMuted
    }

    /// The look of the ring in the present state.
    public var look: RingLook {
        if isMuted, state == .ready || state == .closed { return .muted }
        return switch state {
        case .closed: .closed
        case .ready: .ready
        case .listening: .listening
        case .thinking: .thinking
        case .speaking: .speaking
        }
    }

    /// Takes an event and says what is to be done.
    public mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .pressed(let time): return pressed(at: time)
        case .released(let time): return released(at: time)
        case .recording: return isMuted ? [] : leaveCurrent() + listen(noSpeech: limits.noSpeech, pulse: true)
        case .timer(let timer): return ranOut(timer)
        case .speechEnded: return state == .listening && !isHoldToTalk ? submit() : []
        case .audioLimit: return state == .listening ? submit() : []
        case .noSpeech: return nothingHeard()
        case .microphoneFailed(let reason): return failed("microphone.\(reason.rawValue)")
        case .recogniserFailed: return failed("recogniser.failed")
        case .replied(let speaks, let asks, let closes): return replied(speaks: speaks, asks: asks, closes: closes)
        case .spoken: return state == .speaking ? [.stop(.speaking)] + afterSpeech() : []
        case .text: return text()
        case .cancel: return state == .closed ? [] : leaveCurrent() + settle()
        case .close: return state == .closed ? [] : leaveCurrent() + close()
        case .mute: return mute()
        case .unmute: return unmute()
        }
    }

    // MARK: the button

    private mutating func pressed(at time: Duration) -> [Action] {
        guard !isHeld else { return [] }
        isHeld = true
        lastPress = time
        isSecondTap = false
        if isMuted {
            return [.start(.unmute, Self.unmuteTime)] + leaveCurrent() + say("general.muted")
        }
        if let release = lastRelease, time - release <= Self.doubleTapTime {
            lastRelease = nil
            isSecondTap = true
            return leaveCurrent() + [.chime(.end)] + close()
        }
        // While nothing but holding listens, a press in a question's listening begins to hold.
        if state == .listening, tapWhileListening == .submit, buttonMode != .hold {
            return [.pulse(.medium)] + submit()
        }
        let hold: [Action] = buttonMode == .both ? [.start(.hold, Self.holdTime)] : []
        return leaveCurrent() + listen(noSpeech: limits.noSpeech, pulse: true) + hold
    }

    private mutating func released(at time: Duration) -> [Action] {
        guard isHeld else { return [] }
        isHeld = false
        // The second of a double tap is not the first of another; a long hold was no tap.
        let wasTap = !isSecondTap && (!isHoldToTalk || time - lastPress < Self.holdTime)
        lastRelease = wasTap ? time : nil
        let timers: [Action] = [.stop(.hold), .stop(.unmute)]
        guard state == .listening, isHoldToTalk else { return isMuted ? [.stop(.unmute)] : timers }
        return timers + submit()
    }

    // MARK: listening

    private mutating func listen(noSpeech: Duration, pulse: Bool) -> [Action] {
        turn += 1
        state = .listening
        isHoldToTalk = buttonMode == .hold && isHeld
        isAwaitingAnswer = false
        listensAfterSpeech = false
        closesAfterSpeech = false
        return (pulse ? [.pulse(.medium)] : []) + [
            .chime(.start), .listen(turn: turn, noSpeech: noSpeech, untilRelease: isHoldToTalk), .show(.listening),
        ] + openSession()
    }

    private mutating func submit() -> [Action] {
        isHoldToTalk = false
        state = .thinking
        return [
            .pulse(.light), .chime(.end), .show(.thinking), .submit(turn: turn), .start(.thinking, limits.thinking),
        ]
    }

    private mutating func nothingHeard() -> [Action] {
        guard state == .listening else { return [] }
        return [.drop(turn: turn), .chime(.end)]
            + say(isAwaitingAnswer ? "general.not_answered" : "general.nothing_heard")
    }

    private mutating func failed(_ key: String) -> [Action] {
        guard state == .listening || state == .thinking else { return [] }
        return [.drop(turn: turn), .stop(.thinking), .chime(.error)] + say(key)
    }

    // MARK: turns

    private mutating func text() -> [Action] {
        let left = leaveCurrent()
        turn += 1
        state = .thinking
        return left + openSession() + [
            .show(.thinking), .think(turn: turn), .start(.thinking, limits.thinking),
        ]
    }

    private mutating func replied(speaks: Bool, asks: Bool, closes: Bool) -> [Action] {
        guard state == .thinking else { return [] }
        closesAfterSpeech = closes
        listensAfterSpeech = asks && !closes
        guard speaks else { return [.stop(.thinking)] + afterSpeech() }
        state = .speaking
        return [.stop(.thinking), .show(.speaking), .speak(turn: turn), .start(.speaking, limits.speaking)]
    }

    private mutating func say(_ key: String) -> [Action] {
        state = .speaking
        closesAfterSpeech = false
        listensAfterSpeech = false
        return [.show(.speaking), .notice(key), .start(.speaking, limits.speaking), .stop(.idle)]
    }

    private mutating func afterSpeech() -> [Action] {
        if closesAfterSpeech { return close() }
        if listensAfterSpeech, !isMuted {
            let actions = listen(noSpeech: limits.question, pulse: false)
            isAwaitingAnswer = true
            return actions
        }
        return settle()
    }

    /// Leaves whatever is going on, without saying where to.
    private mutating func leaveCurrent() -> [Action] {
        isHoldToTalk = false
        return switch state {
        case .closed, .ready: []
        case .listening: [.drop(turn: turn)]
        case .thinking: [.stop(.thinking), .drop(turn: turn)]
        case .speaking: [.stop(.speaking), .stopSpeech]
        }
    }

    private mutating func openSession() -> [Action] {
        defer { isSessionOpen = true }
        return isSessionOpen ? [.stop(.idle)] : [.sessionOpened]
    }

    private mutating func settle() -> [Action] {
        // A notice out of a closed session leaves it closed.
        guard isSessionOpen else { return close() }
        state = .ready
        closesAfterSpeech = false
        listensAfterSpeech = false
        return [.show(look), .start(.idle, limits.idle)]
    }

    private mutating func close() -> [Action] {
        let wasOpen = isSessionOpen
        isSessionOpen = false
        state = .closed
        closesAfterSpeech = false
        listensAfterSpeech = false
        return [.show(look), .stop(.idle)] + (wasOpen ? [.sessionClosed] : [])
    }

    // MARK: time limits and muting

    private mutating func ranOut(_ timer: Timer) -> [Action] {
        switch timer {
        case .hold:
            guard isHeld, state == .listening else { return [] }
            isHoldToTalk = true
            return [.holdToTalk]
        case .unmute: return isHeld && isMuted ? unmute() : []
        case .thinking:
            guard state == .thinking else { return [] }
            return [.drop(turn: turn), .chime(.error)] + say("general.too_slow")
        case .speaking:
            guard state == .speaking else { return [] }
            return [.stopSpeech] + afterSpeech()
        case .idle: return state == .ready ? close() : []
        }
    }

    private mutating func mute() -> [Action] {
        guard !isMuted else { return [] }
        isMuted = true
        // A microphone that is open closes at once; a reply may end its sentence.
        let left = state == .listening ? leaveCurrent() + settle() : [.show(look)]
        return [.keepMuted(true)] + left
    }

    private mutating func unmute() -> [Action] {
        guard isMuted else { return [] }
        isMuted = false
        // A typed command is carried out all the same.
        guard state != .thinking else { return [.keepMuted(false)] }
        return [.keepMuted(false)] + leaveCurrent() + say("general.unmuted")
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
