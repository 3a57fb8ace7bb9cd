import Domain

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

    /// A press becomes a hold after this.
    public static let holdTime = Duration.milliseconds(400)
    /// A press within this time of a release is the second of a double tap.
    public static let doubleTapTime = Duration.milliseconds(350)
    /// A hold of this length ends muting.
    public static let unmuteTime = Duration.seconds(3)
    /// A hold of this length without speech says yes to a risky question.
    public static let confirmTime = Duration.seconds(1)
    /// A microphone that delivers nothing is given up this long after listening should have ended.
    public static let listeningMargin = Duration.seconds(2)
    /// A notice about the voice's own limit gets no more than this.
    public static let lastWords = Duration.seconds(10)

    /// What is going on.
    public private(set) var state = State.closed
    /// True while the microphone must stay closed.
    public private(set) var isMuted: Bool
    /// What is wrong with the appliance, if anything is.
    public private(set) var trouble: Trouble?
    /// The number of the turn under way or the last one.
    public private(set) var turn = 0

    private var limits: Limits
    private var buttonMode: ButtonMode
    private var tapWhileListening: TapWhileListening
    private var isSessionOpen = false
    private var isHeld = false
    package private(set) var isHoldToTalk = false
    /// True from a press until it has become a hold, or its release.
    private var mayBecomeHold = false
    private var lastPress = Duration.zero
    private var lastRelease: Duration?
    private var isSecondTap = false
    private var closesAfterSpeech = false
    private var listensAfterSpeech = false
    /// True while the microphone is open for the answer to a question.
    public private(set) var isAwaitingAnswer = false
    /// True while what was asked is whether something risky shall be done.
    private var isConfirming = false
    private var hasSpeech = false
    /// True where something was heard that was no speech, or none that was understood.
    private var hasNoise = false
    private var introduces: Bool
    /// True while a notice says that speech took too long; it must not do so itself.
    private var isSayingLastWords = false

    /// A machine without a session. `introduces` when the first press ever is still to come.
    public init(
        limits: Limits = Limits(), buttonMode: ButtonMode = .both, tapWhileListening: TapWhileListening = .submit,
        isMuted: Bool = false, introduces: Bool = false
    ) {
        self.limits = limits
        self.buttonMode = buttonMode
        self.tapWhileListening = tapWhileListening
        self.isMuted = isMuted
        self.introduces = introduces
    }

    /// Goes on by other limits and another button; timers that run are as long as they were.
    public mutating func adopt(limits: Limits, buttonMode: ButtonMode, tapWhileListening: TapWhileListening) {
        (self.limits, self.buttonMode, self.tapWhileListening) = (limits, buttonMode, tapWhileListening)
    }

    /// The look of the ring in the present state.
    public var look: RingLook {
        if state == .ready || state == .closed {
            if isMuted { return .muted }
            if let trouble { return trouble.look }
        }
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
        case .speechBegan:
            hasSpeech = true
            return []
        case .falseStart:
            (hasSpeech, hasNoise) = (false, true)
            return []
        case .speechEnded: return state == .listening && !isHoldToTalk ? submit() : []
        case .audioLimit: return state == .listening ? submit() : []
        case .noSpeech: return nothingHeard()
        case .quiet: return state == .listening ? [.drop(turn: turn), .chime(.end)] + leaveListening() + settle() : []
        case .microphoneBack: return microphoneBack()
        case .microphoneFailed(let reason): return failed("microphone.\(reason.rawValue)")
        case .recogniserFailed: return failed("recogniser.failed")
        case .replied(let speaks, let asks, let closes, let confirms):
            return replied(speaks: speaks, asks: asks, closes: closes, confirms: confirms)
        case .spoken: return state == .speaking ? [.stop(.speaking)] + afterSpeech() : []
        case .text: return text()
        case .cancel: return state == .closed ? [] : leaveCurrent() + settle()
        case .close: return state == .closed ? [] : leaveCurrent() + close()
        case .mute: return mute()
        case .unmute: return unmute()
        case .introduceAgain:
            introduces = true
            return []
        case .trouble(let trouble):
            let before = look
            self.trouble = trouble
            return look == before ? [] : [.show(look)]
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
        if introduces {
            introduces = false
            let left = leaveCurrent()
            return left + [.pulse(.medium), .keepIntroduced] + openSession() + say("general.introduction")
        }
        // The press may become the hold that says yes; nothing has been said yet that it could submit.
        let mayConfirm = isConfirming && !(state == .listening && hasSpeech)
        // While nothing but holding listens, a press in a question's listening begins to hold.
        if state == .listening, tapWhileListening == .submit, buttonMode != .hold, !mayConfirm {
            return [.pulse(.medium)] + submit()
        }
        let hold: [Action] = buttonMode == .both ? [.start(.hold, Self.holdTime)] : []
        mayBecomeHold = buttonMode == .both
        let left = leaveCurrent()
        let actions = listen(noSpeech: mayConfirm ? limits.question : limits.noSpeech, pulse: true)
        isAwaitingAnswer = mayConfirm
        isConfirming = mayConfirm
        return left + actions + hold
    }

    private mutating func released(at time: Duration) -> [Action] {
        guard isHeld else { return [] }
        isHeld = false
        // The edges' own times count. On a busy machine both may be told at once, before the timer of the hold ran out,
        // or the release only after it.
        let wasLong = time - lastPress >= Self.holdTime
        if mayBecomeHold, wasLong, state == .listening { isHoldToTalk = true }
        mayBecomeHold = false
        // The second of a double tap is not the first of another; a long hold was no tap.
        let wasTap = !isSecondTap && (!isHoldToTalk || !wasLong)
        lastRelease = wasTap ? time : nil
        let timers: [Action] = [.stop(.hold), .stop(.unmute)]
        guard state == .listening, isHoldToTalk else { return isMuted ? [.stop(.unmute)] : timers }
        if buttonMode == .both, !wasLong {
            isHoldToTalk = false
            return timers + [.noHold, .start(.listening, listeningLimit(limits.noSpeech))]
        }
        if isConfirming, !hasSpeech, time - lastPress >= Self.confirmTime { return timers + confirm() }
        return timers + submit()
    }

    // MARK: listening

    private mutating func listen(noSpeech: Duration, pulse: Bool) -> [Action] {
        turn += 1
        state = .listening
        isHoldToTalk = buttonMode == .hold && isHeld
        isAwaitingAnswer = false
        isConfirming = false
        (hasSpeech, hasNoise) = (false, false)
        listensAfterSpeech = false
        closesAfterSpeech = false
        return (pulse ? [.pulse(.medium)] : []) + [
            .chime(.start), .listen(turn: turn, noSpeech: noSpeech, untilRelease: isHoldToTalk), .show(.listening),
        ] + openSession() + [.start(.listening, listeningLimit(noSpeech))]
    }

    /// Listening is measured in samples; this limit is for a microphone that delivers none.
    private func listeningLimit(_ noSpeech: Duration) -> Duration {
        let limit = isHoldToTalk ? limits.holdToTalk : limits.listening
        return (noSpeech < limit ? limit : noSpeech + limit) + Self.listeningMargin
    }

    private mutating func confirm() -> [Action] {
        isHoldToTalk = false
        isConfirming = false
        state = .thinking
        return [
            .pulse(.light), .chime(.end), .show(.thinking), .confirm(turn: turn), .stop(.listening),
            .start(.thinking, limits.thinking),
        ]
    }

    private mutating func leaveListening() -> [Action] {
        isHoldToTalk = false
        isConfirming = false
        return [.stop(.listening)]
    }

    /// Listens once more after the microphone was lost, with the patience of the question that it was lost in.
    private mutating func microphoneBack() -> [Action] {
        guard state == .ready, !isMuted else { return [] }
        let wasAnswering = isAwaitingAnswer
        let actions = listen(noSpeech: wasAnswering ? limits.question : limits.noSpeech, pulse: false)
        isAwaitingAnswer = wasAnswering
        return actions
    }

    private mutating func submit() -> [Action] {
        isHoldToTalk = false
        state = .thinking
        return [
            .pulse(.light), .chime(.end), .show(.thinking), .submit(turn: turn), .stop(.listening),
            .start(.thinking, limits.thinking),
        ]
    }

    private mutating func nothingHeard() -> [Action] {
        guard state == .listening else { return [] }
        return [.drop(turn: turn), .chime(.end)] + leaveListening()
            + say(
                isAwaitingAnswer
                    ? "general.not_answered" : hasNoise ? "general.not_understood" : "general.nothing_heard")
    }

    private mutating func failed(_ key: String) -> [Action] {
        guard state == .listening || state == .thinking else { return [] }
        let timer: Timer = state == .listening ? .listening : .thinking
        isHoldToTalk = false
        return [.drop(turn: turn), .stop(timer), .pulse(.failure), .chime(.error)] + say(key)
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

    private mutating func replied(speaks: Bool, asks: Bool, closes: Bool, confirms: Bool) -> [Action] {
        guard state == .thinking else { return [] }
        isConfirming = confirms && !closes
        closesAfterSpeech = closes
        listensAfterSpeech = asks && !closes
        guard speaks else { return [.stop(.thinking)] + afterSpeech() }
        state = .speaking
        isSayingLastWords = false
        return [.stop(.thinking), .show(.speaking), .speak(turn: turn), .start(.speaking, limits.speaking)]
    }

    private mutating func say(_ key: String) -> [Action] {
        state = .speaking
        closesAfterSpeech = false
        listensAfterSpeech = false
        isConfirming = false
        isSayingLastWords = false
        return [.show(.speaking), .notice(key), .start(.speaking, limits.speaking), .stop(.idle)]
    }

    private mutating func afterSpeech() -> [Action] {
        if closesAfterSpeech { return close() }
        if listensAfterSpeech, !isMuted {
            let confirms = isConfirming
            let actions = listen(noSpeech: limits.question, pulse: false)
            isAwaitingAnswer = true
            isConfirming = confirms
            return actions
        }
        return settle()
    }

    /// Leaves whatever is going on, without saying where to.
    private mutating func leaveCurrent() -> [Action] {
        isHoldToTalk = false
        return switch state {
        case .closed, .ready: []
        case .listening: [.drop(turn: turn), .stop(.listening)]
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
        isConfirming = false
        closesAfterSpeech = false
        listensAfterSpeech = false
        return [.show(look), .start(.idle, limits.idle)]
    }

    private mutating func close() -> [Action] {
        let wasOpen = isSessionOpen
        isSessionOpen = false
        isConfirming = false
        state = .closed
        closesAfterSpeech = false
        listensAfterSpeech = false
        return [.show(look), .stop(.idle)] + (wasOpen ? [.sessionClosed] : [])
    }

    // MARK: time limits and muting

    private mutating func ranOut(_ timer: Timer) -> [Action] {
        switch timer {
        case .hold:
            mayBecomeHold = false
            guard isHeld, state == .listening else { return [] }
            isHoldToTalk = true
            return [.holdToTalk, .start(.listening, listeningLimit(limits.noSpeech))]
        case .unmute: return isHeld && isMuted ? unmute() : []
        case .listening: return state == .listening ? failed("microphone.silent") : []
        case .thinking:
            guard state == .thinking else { return [] }
            return [.drop(turn: turn), .pulse(.failure), .chime(.error)] + say("general.too_slow")
        case .speaking:
            guard state == .speaking else { return [] }
            guard !isSayingLastWords else { return [.stopSpeech] + afterSpeech() }
            let closes = closesAfterSpeech
            let words = say("general.spoke_too_long").filter { $0 != .start(.speaking, limits.speaking) }
            isSayingLastWords = true
            closesAfterSpeech = closes
            return [.stopSpeech] + words + [.start(.speaking, min(limits.speaking, Self.lastWords))]
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
