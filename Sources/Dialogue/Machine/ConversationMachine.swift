import Domain

/// Decides what a press, the end of speech, a time limit or a finished turn leads to. A plain struct: it returns what
/// is to be done and does nothing itself, so that barge-in, time limits and a lost microphone are tested without tasks.
public struct ConversationMachine: Sendable {
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

    private var state = State.closed
    /// True while the microphone must stay closed.
    public private(set) var isMuted: Bool
    /// What is wrong with the appliance, if anything is.
    public private(set) var trouble: Trouble?
    /// The number of the turn under way or the last one.
    public private(set) var turn = 0

    private var limits: Limits
    private var buttonMode: ButtonMode
    private var tapWhileListening: TapWhileListening
    private var button = Button()
    /// A notice may be spoken out of a closed session, so that the state alone does not say whether one is open.
    private var isSessionOpen = false
    /// True until the introduction has begun.
    private var introduces: Bool

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

    /// Takes over other limits and another button mode; timers that run are as long as they were.
    public mutating func adopt(limits: Limits, buttonMode: ButtonMode, tapWhileListening: TapWhileListening) {
        (self.limits, self.buttonMode, self.tapWhileListening) = (limits, buttonMode, tapWhileListening)
    }

    /// What is going on.
    public var phase: Phase { state.phase }

    /// True while the microphone is open for the answer to a question.
    public var isAwaitingAnswer: Bool {
        if case .listening(let listening) = state { listening.purpose != .command } else { false }
    }

    /// True while only the release of the button ends the utterance.
    package var isHoldToTalk: Bool {
        if case .listening(let listening) = state { listening.hold == .talking } else { false }
    }

    /// The look of the ring in the present state.
    public var look: RingLook {
        if phase == .ready || phase == .closed {
            if isMuted { return .muted }
            if let trouble { return trouble.look }
        }
        return switch phase {
        case .closed: .closed
        case .ready: .ready
        case .listening: .listening
        case .thinking: .thinking
        case .speaking: .speaking
        }
    }

    /// Takes an event and returns what is to be done, in order.
    public mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .pressed(let time): return pressed(at: time)
        case .released(let time): return released(at: time)
        case .recording: return isMuted ? [] : leaveCurrent() + listen(for: .command, pulse: true)
        case .timer(let timer): return ranOut(timer)
        case .speechBegan, .falseStart:
            if case .listening(var listening) = state {
                listening.heard = event == .speechBegan ? .speech : .noise
                state = .listening(listening)
            }
            return []
        case .speechEnded: return phase == .listening && !isHoldToTalk ? submit() : []
        case .audioLimit: return phase == .listening ? submit() : []
        case .noSpeech: return nothingHeard()
        case .quiet:
            return phase == .listening ? [.drop(turn: turn), .chime(.end), .stop(.listening)] + settle() : []
        case .microphoneBack: return microphoneBack()
        case .microphoneFailed(let reason): return failed("microphone.\(reason.rawValue)")
        case .recogniserFailed: return failed("recogniser.failed")
        case .replied(let speaks, let asks, let closes, let confirms):
            let next: Speaking.Next = closes ? .close : asks ? .listen(confirms ? .confirmation : .answer) : .settle
            return replied(speaks: speaks, next)
        case .spoken:
            guard case .speaking(let speaking) = state else { return [] }
            return [.stop(.speaking)] + proceed(to: speaking.next, interrupted: speaking.interrupted)
        case .text: return text()
        case .cancel: return phase == .closed ? [] : leaveCurrent() + settle()
        case .close: return phase == .closed ? [] : leaveCurrent() + close()
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
        guard !button.isHeld else { return [] }
        let isSecondTap = button.press(at: time, mayBeSecond: !isMuted)
        if isMuted {
            return [.start(.unmute, Self.unmuteTime)] + leaveCurrent() + say("general.muted")
        }
        if isSecondTap { return leaveCurrent() + [.chime(.end)] + close() }
        if introduces {
            introduces = false
            let left = leaveCurrent()
            return left + [.pulse(.medium), .keepIntroduced] + openSession() + say("general.introduction")
        }
        // The press may become the hold that says yes; nothing has been said yet that it could submit.
        let mayConfirm = state.isConfirming && !state.hasSpeech
        // While nothing but holding listens, a press in a question's listening begins to hold.
        if phase == .listening, tapWhileListening == .submit, buttonMode != .hold, !mayConfirm {
            return [.pulse(.medium)] + submit()
        }
        let left = leaveCurrent()
        let actions = listen(for: mayConfirm ? .confirmation : .command, pulse: true, isPressed: true)
        return left + actions + (buttonMode == .both ? [.start(.hold, Self.holdTime)] : [])
    }

    private mutating func released(at time: Duration) -> [Action] {
        guard button.isHeld else { return [] }
        // The edges' own times are used. On a busy machine both may arrive at once, before the timer of the hold ran
        // out, or the release only after it.
        let length = time - button.lastPress, wasLong = length >= Self.holdTime
        if case .listening(var listening) = state, listening.hold == .pending {
            listening.hold = wasLong ? .talking : .none
            state = .listening(listening)
        }
        button.release(at: time, wasTap: !isHoldToTalk || !wasLong)
        let timers: [Action] = [.stop(.hold), .stop(.unmute)]
        guard case .listening(var listening) = state, listening.hold == .talking else {
            return isMuted ? [.stop(.unmute)] : timers
        }
        if buttonMode == .both, !wasLong {
            listening.hold = .none
            state = .listening(listening)
            return timers + [.noHold, .start(.listening, listeningLimit(limits.noSpeech))]
        }
        if listening.purpose == .confirmation, listening.heard != .speech, length >= Self.confirmTime {
            return timers + confirm()
        }
        return timers + submit()
    }

    // MARK: listening

    /// - Parameter isPressed: true where a press begins it, which may become a hold.
    private mutating func listen(for purpose: Purpose, pulse: Bool, isPressed: Bool = false) -> [Action] {
        turn += 1
        let isHolding = buttonMode == .hold && button.isHeld
        let hold: Listening.Hold = isHolding ? .talking : isPressed && buttonMode == .both ? .pending : .none
        state = .listening(Listening(purpose: purpose, hold: hold))
        let noSpeech = purpose == .command ? limits.noSpeech : limits.question
        return (pulse ? [.pulse(.medium)] : []) + [
            .chime(.start), .listen(turn: turn, noSpeech: noSpeech, untilRelease: isHolding), .show(.listening),
        ] + openSession() + [.start(.listening, listeningLimit(noSpeech))]
    }

    /// Listening is measured in samples; this limit is for a microphone that delivers none.
    private func listeningLimit(_ noSpeech: Duration) -> Duration {
        let limit = isHoldToTalk ? limits.holdToTalk : limits.listening
        return (noSpeech < limit ? limit : noSpeech + limit) + Self.listeningMargin
    }

    private mutating func submit() -> [Action] {
        state = .thinking(Thinking(purpose: state.purpose))
        return endListening(.submit(turn: turn))
    }

    /// The held button says yes.
    private mutating func confirm() -> [Action] {
        state = .thinking(Thinking(purpose: .answer))
        return endListening(.confirm(turn: turn))
    }

    private func endListening(_ action: Action) -> [Action] {
        [
            .pulse(.light), .chime(.end), .show(.thinking), action, .stop(.listening),
            .start(.thinking, limits.thinking),
        ]
    }

    /// Listens once more after the microphone was lost, with the patience of the question that it was lost in.
    private mutating func microphoneBack() -> [Action] {
        guard case .ready(let ready) = state, !isMuted else { return [] }
        return listen(for: ready.interrupted == .command ? .command : .answer, pulse: false)
    }

    private mutating func nothingHeard() -> [Action] {
        guard case .listening(let listening) = state else { return [] }
        let key =
            listening.purpose != .command
            ? "general.not_answered" : listening.heard == .noise ? "general.not_understood" : "general.nothing_heard"
        return [.drop(turn: turn), .chime(.end), .stop(.listening)] + say(key)
    }

    private mutating func failed(_ key: String) -> [Action] {
        guard phase == .listening || phase == .thinking else { return [] }
        let timer: Timer = phase == .listening ? .listening : .thinking
        let interrupted = state.purpose
        return [.drop(turn: turn), .stop(timer), .pulse(.failure), .chime(.error)] + say(key, interrupted: interrupted)
    }

    // MARK: turns

    private mutating func text() -> [Action] {
        // A hold may still confirm what was asked before the text.
        let purpose: Purpose = state.isConfirming ? .confirmation : .command
        let left = leaveCurrent()
        turn += 1
        state = .thinking(Thinking(purpose: purpose))
        return left + openSession() + [.show(.thinking), .think(turn: turn), .start(.thinking, limits.thinking)]
    }

    private mutating func replied(speaks: Bool, _ next: Speaking.Next) -> [Action] {
        guard phase == .thinking else { return [] }
        guard speaks else { return [.stop(.thinking)] + proceed(to: next) }
        state = .speaking(Speaking(next: next))
        return [.stop(.thinking), .show(.speaking), .speak(turn: turn), .start(.speaking, limits.speaking)]
    }

    /// Speaks a notice.
    /// - Parameter interrupted: what the microphone was open for when it failed.
    private mutating func say(_ key: String, interrupted: Purpose = .command) -> [Action] {
        state = .speaking(Speaking(next: .settle, interrupted: interrupted))
        return [.show(.speaking), .notice(key), .start(.speaking, limits.speaking), .stop(.idle)]
    }

    private mutating func proceed(to next: Speaking.Next, interrupted: Purpose = .command) -> [Action] {
        switch next {
        case .close: close()
        case .listen(let purpose) where !isMuted: listen(for: purpose, pulse: false)
        case .listen, .settle: settle(interrupted: interrupted)
        }
    }

    /// Leaves whatever is going on; the caller sets the state that follows.
    private func leaveCurrent() -> [Action] {
        switch state {
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

    private mutating func settle(interrupted: Purpose = .command) -> [Action] {
        // A notice out of a closed session leaves it closed.
        guard isSessionOpen else { return close() }
        state = .ready(Ready(interrupted: interrupted))
        return [.show(look), .start(.idle, limits.idle)]
    }

    private mutating func close() -> [Action] {
        let wasOpen = isSessionOpen
        isSessionOpen = false
        state = .closed
        return [.show(look), .stop(.idle)] + (wasOpen ? [.sessionClosed] : [])
    }

    // MARK: time limits and muting

    private mutating func ranOut(_ timer: Timer) -> [Action] {
        switch timer {
        case .hold:
            guard button.isHeld, case .listening(var listening) = state, listening.hold == .pending else { return [] }
            listening.hold = .talking
            state = .listening(listening)
            return [.holdToTalk, .start(.listening, listeningLimit(limits.noSpeech))]
        case .unmute: return button.isHeld && isMuted ? unmute() : []
        case .listening: return phase == .listening ? failed("microphone.silent") : []
        case .thinking:
            guard phase == .thinking else { return [] }
            return [.drop(turn: turn), .pulse(.failure), .chime(.error)] + say("general.too_slow")
        case .speaking: return spokeTooLong()
        case .idle: return phase == .ready ? close() : []
        }
    }

    /// Says that the voice has reached its limit; where that notice reaches it, too, there is no more to say.
    private mutating func spokeTooLong() -> [Action] {
        guard case .speaking(let speaking) = state else { return [] }
        guard !speaking.isLastWords else {
            return [.stopSpeech] + proceed(to: speaking.next, interrupted: speaking.interrupted)
        }
        let next: Speaking.Next = speaking.next == .close ? .close : .settle
        state = .speaking(Speaking(next: next, interrupted: speaking.interrupted, isLastWords: true))
        return [
            .stopSpeech, .show(.speaking), .notice("general.spoke_too_long"), .stop(.idle),
            .start(.speaking, min(limits.speaking, Self.lastWords)),
        ]
    }

    private mutating func mute() -> [Action] {
        guard !isMuted else { return [] }
        isMuted = true
        // A microphone that is open closes at once; a reply may end its sentence.
        let left = phase == .listening ? leaveCurrent() + settle() : [.show(look)]
        return [.keepMuted(true)] + left
    }

    private mutating func unmute() -> [Action] {
        guard isMuted else { return [] }
        isMuted = false
        // A typed command is carried out all the same.
        guard phase != .thinking else { return [.keepMuted(false)] }
        return [.keepMuted(false)] + leaveCurrent() + say("general.unmuted")
    }
}
