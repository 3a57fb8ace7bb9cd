import Dialogue
import Testing

/// Drives the machine and keeps account of what its actions amount to.
struct MachineDriver {
    typealias Action = ConversationMachine.Action
    typealias Event = ConversationMachine.Event

    var machine: ConversationMachine
    var time = Duration.seconds(100)
    /// The timers that run.
    private(set) var timers: [ConversationMachine.Timer: Duration] = [:]
    /// The turns that are neither replied to nor dropped.
    private(set) var openTurns: Set<Int> = []
    private(set) var isSessionOpen = false
    /// What was wrong, in words.
    private(set) var complaints: [String] = []

    init(
        mode: ConversationMachine.ButtonMode = .both, tap: ConversationMachine.TapWhileListening = .submit,
        isMuted: Bool = false
    ) {
        machine = ConversationMachine(buttonMode: mode, tapWhileListening: tap, isMuted: isMuted)
    }

    @discardableResult
    mutating func receive(_ event: Event) -> [Action] {
        if case .timer(let timer) = event { timers[timer] = nil }
        if case .replied = event, machine.phase == .thinking { openTurns.remove(machine.turn) }
        let actions = machine.receive(event)
        for action in actions { account(for: action, event) }
        check(after: event)
        return actions
    }

    private mutating func account(for action: Action, _ event: Event) {
        switch action {
        case .start(let timer, let duration): timers[timer] = duration
        case .stop(let timer): timers[timer] = nil
        case .listen(let turn, _, _), .think(let turn):
            if !openTurns.isEmpty { complaints.append("\(event): turn \(turn) begins before \(openTurns) is dropped") }
            openTurns.insert(turn)
        case .drop(let turn):
            if openTurns.remove(turn) == nil { complaints.append("\(event): drops turn \(turn), which is over") }
        case .sessionOpened:
            if isSessionOpen { complaints.append("\(event): the session opens twice") }
            isSessionOpen = true
        case .sessionClosed:
            if !isSessionOpen { complaints.append("\(event): a session closes that never opened") }
            isSessionOpen = false
        default: break
        }
        if case .listen = action, machine.isMuted { complaints.append("\(event): listens while muted") }
    }

    private mutating func check(after event: Event) {
        func require(_ isMet: Bool, _ what: String) {
            if !isMet { complaints.append("\(event) → \(machine.phase): \(what)") }
        }
        switch machine.phase {
        case .closed: require(!isSessionOpen, "the session is still open")
        case .ready:
            require(isSessionOpen, "ready without a session")
            require(timers[.idle] != nil, "nothing will close the session")
        case .listening: require(isSessionOpen, "listens without a session")
        case .thinking:
            require(isSessionOpen, "thinks without a session")
            require(timers[.thinking] != nil, "nothing limits thinking")
        case .speaking: require(timers[.speaking] != nil, "nothing limits speaking")
        }
        if machine.phase != .thinking { require(timers[.thinking] == nil, "the limit of thinking still runs") }
        if machine.phase != .speaking { require(timers[.speaking] == nil, "the limit of speaking still runs") }
        let mayHaveTurn = machine.phase == .listening || machine.phase == .thinking
        require(openTurns.isEmpty || mayHaveTurn, "the turns \(openTurns) are forgotten")
    }

    // MARK: the owner's hand

    @discardableResult
    mutating func press(after pause: Duration = .seconds(5)) -> [Action] {
        time += pause
        return receive(.pressed(at: time))
    }

    @discardableResult
    mutating func release(after pause: Duration = .milliseconds(120)) -> [Action] {
        time += pause
        if pause >= ConversationMachine.holdTime, timers[.hold] != nil { receive(.timer(.hold)) }
        if pause >= ConversationMachine.unmuteTime, timers[.unmute] != nil { receive(.timer(.unmute)) }
        return receive(.released(at: time))
    }

    /// Presses and releases.
    @discardableResult
    mutating func tap(after pause: Duration = .seconds(5)) -> [Action] {
        let actions = press(after: pause)
        return actions + release()
    }

    // MARK: ways into a state

    static func closed() -> MachineDriver { MachineDriver() }

    static func listening(
        mode: ConversationMachine.ButtonMode = .both, tap: ConversationMachine.TapWhileListening = .submit
    ) -> MachineDriver {
        var driver = MachineDriver(mode: mode, tap: tap)
        driver.tap()
        return driver
    }

    static func thinking() -> MachineDriver {
        var driver = listening()
        driver.receive(.speechEnded)
        return driver
    }

    static func speaking(asks: Bool = false, closes: Bool = false) -> MachineDriver {
        var driver = thinking()
        driver.receive(.replied(speaks: true, asks: asks, closes: closes))
        return driver
    }

    static func ready() -> MachineDriver {
        var driver = speaking()
        driver.receive(.spoken)
        return driver
    }
}
