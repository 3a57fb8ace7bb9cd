import Control
import RingRenderer

/// What the full-screen view knows: made from the daemon's events, without a clock and without a terminal.
struct WatchModel: Sendable {
    /// How the view stands to the daemon.
    enum Link: Sendable, Equatable {
        case connecting
        case connected
        /// It went away; why.
        case lost(String)
    }

    /// What was said and answered.
    struct Exchange: Sendable, Equatable {
        var user: String
        var assistant: String
        var palette: Palette
        /// Handler, intent and confidence; nil where the view came later than the turn.
        var decision: String?
        var turn: Int?
    }

    /// A reply being spoken.
    struct Reply: Sendable, Equatable {
        var text: String
        /// The characters before this one have been spoken.
        var spoken = 0
        /// Where the word stands that is being spoken.
        var word: Range<Int>?

        /// A reply about to be spoken.
        init(text: String) { self.text = text }

        /// One that is seen whole.
        init(whole text: String) {
            self.text = text
            spoken = text.count
        }
    }

    /// Something the owner should know, and until when it is shown.
    struct Notice: Sendable, Equatable {
        var text: String
        var end: Double
    }

    /// How long a notice stays, in seconds.
    static let noticeSeconds = 8.0
    /// Turns kept: more than are ever seen at once.
    private static let exchangesKept = 24

    var link = Link.connecting
    var state = ApplianceState.closed
    var status = ""
    var hint = ""
    /// The words of the utterance that is under way.
    var transcript = ""
    var scene = Scene()
    var isNight = false
    var exchanges: [Exchange] = []
    var reply: Reply?
    var notice: Notice?
    /// What does not work, in the owner's words, worst first.
    var troubles: [String] = []
    var shelf = TabCache()
    /// The command being typed; nil while keys are keys.
    var typing: String?
    /// True while it asks whether to undo the last change.
    var asksToUndo = false
    /// True while the keys are explained.
    var showsHelp = false
    /// True while a hold that a key began goes on.
    var isHolding = false

    private var level = 0.0
    private var levelSince = 0.0
    private var decision: (turn: Int, text: String)?
    /// The notice being spoken, which does not belong to a turn.
    private var spokenNotice = ""

    /// The appliance's event, at `time` in seconds on a scale that does not run back.
    mutating func apply(_ event: WatchEvent, at time: Double) {
        link = .connected
        switch event.kind {
        case WatchEvent.Kind.status: status(event)
        case WatchEvent.Kind.hint: hint = event.text ?? ""
        case WatchEvent.Kind.partial, WatchEvent.Kind.transcript: transcript = event.text ?? ""
        case WatchEvent.Kind.ring:
            let look = event.look.flatMap(Look.init) ?? scene.look
            scene.show(look, palette: event.palette.flatMap(Palette.init) ?? scene.palette, at: time)
        case WatchEvent.Kind.night: isNight = event.night ?? false
        case WatchEvent.Kind.level:
            // It falls over a third of a second, as the ring's does.
            level = max(event.level ?? 0, loudness(at: time))
            levelSince = time
        case WatchEvent.Kind.reply: reply = Reply(text: event.text ?? "")
        case WatchEvent.Kind.word: word(event)
        case WatchEvent.Kind.turn:
            decision = event.turn.map { ($0.turn, TurnText.decision($0)) }
        case WatchEvent.Kind.history: if let entry = event.entry { add(entry) }
        case WatchEvent.Kind.action: shelf.follow(event.action ?? "", event.target)
        case WatchEvent.Kind.notice: notice(event, at: time)
        default: break
        }
    }

    /// What there is to read where there is room for one thing only: what is being said, and the last answer only while
    /// nothing goes on.
    var answer: Reply {
        switch state {
        case .closed, .ready: Reply(whole: exchanges.last?.assistant ?? "")
        case .listening, .thinking, .speaking: reply ?? Reply(whole: spokenNotice)
        }
    }

    /// What replaces “Ready”: nil while something goes on, which is shown there, or while nothing is
    /// wrong.
    var troubleInLabel: String? {
        guard link == .connected, scene.look != .muted, state == .ready || state == .closed else { return nil }
        return troubles.first
    }

    /// What else does not work.
    var furtherTroubles: ArraySlice<String> {
        guard link == .connected else { return [] }
        return troubles.dropFirst(troubleInLabel == nil ? 0 : 1)
    }

    /// How loud the voice is, 0…1.
    func loudness(at time: Double) -> Double {
        guard state == .listening else { return 0 }
        return max(0, level - 3 * max(0, time - levelSince))
    }

    /// True while the picture changes by itself.
    func isAnimated(at time: Double) -> Bool {
        link == .connected && scene.look.isAnimated || (notice.map { $0.end > time } ?? false)
    }

    /// The turns before the view came.
    mutating func remember(_ entries: [HistoryEntry]) {
        for entry in entries where !exchanges.contains(where: { $0.turn == entry.turn }) { add(entry) }
    }

    private mutating func status(_ event: WatchEvent) {
        status = event.text ?? ""
        let newState = event.state ?? state
        if newState != state {
            if newState == .listening { transcript = "" }
            // What was typed or said and came to nothing leaves nothing behind.
            if newState == .ready || newState == .closed { transcript = "" }
            // A reply is announced during thinking, and kept while it is spoken.
            if newState != .speaking { reply = nil }
            spokenNotice = ""
        }
        state = newState
    }

    private mutating func word(_ event: WatchEvent) {
        guard let start = event.start, let end = event.end, start <= end, reply != nil else { return }
        reply?.spoken = end
        reply?.word = start..<end
    }

    private mutating func notice(_ event: WatchEvent, at time: Double) {
        notice = event.text.map { Notice(text: $0, end: time + Self.noticeSeconds) }
        // One that interrupts a reply comes before that reply has joined the history, and is seen then.
        if state == .speaking { spokenNotice = event.text ?? "" }
    }

    private mutating func add(_ entry: HistoryEntry) {
        let known = decision.flatMap { $0.turn == entry.turn ? $0.text : nil }
        exchanges.append(
            Exchange(
                user: entry.user, assistant: entry.assistant, palette: scene.palette, decision: known, turn: entry.turn)
        )
        exchanges = exchanges.suffix(Self.exchangesKept)
        // A turn that the next one interrupted joins late; the next one's words stay.
        if reply?.text == entry.assistant { reply = nil }
        if transcript == entry.user { transcript = "" }
    }
}

/// What does not work, as the view says it: what is the matter, and what to do without.
enum WatchTroubles {
    /// Parts that are missed at once when they fail, worst first.
    private static let parts = [
        ("microphone", "No microphone: type, or use SSH"),
        ("recogniser", "Speech can't be recognised: type instead"),
        ("store", "The database can't be used: see vanorb doctor"),
        ("broker", "MQTT broker unreachable: devices can't be controlled"),
        ("speaker", "No speaker: replies are only shown"),
        ("voice", "No voice: replies are only shown"),
    ]

    /// The troubles of an appliance in this state, worst first; a broker that is turned off is none.
    static func of(_ status: StatusResult) -> [String] {
        parts.filter { name, _ in status.parts.contains { $0.name == name && $0.state == .failed } }.map(\.1)
    }
}
