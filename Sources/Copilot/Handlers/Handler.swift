import Foundation

/// A command, understood: what a handler acts on.
public struct Command: Sendable, Equatable {
    /// The handler and the intent.
    public let handler: String, intent: String
    /// The filled slots.
    public var slots: [String: SlotValue]

    /// A command.
    public init(handler: String, intent: String, slots: [String: SlotValue] = [:]) {
        self.handler = handler
        self.intent = intent
        self.slots = slots
    }

    /// The slot's text, or nil.
    func text(_ slot: String) -> String? { slots[slot]?.text }

    /// True once the owner has said yes to it.
    public private(set) var isConfirmed = false

    /// The command with the owner's yes.
    public var confirmed: Command {
        var command = self
        command.isConfirmed = true
        return command
    }
}

/// What came of taking a change back.
public struct Undone: Sendable {
    /// What was written or sent for it, a line each.
    public var effects: [String]
    /// What was not taken back, or is not known to be, a clause each.
    public var left: [String]

    /// What was taken back, and what was not.
    public init(effects: [String] = [], left: [String] = []) {
        self.effects = effects
        self.left = left
    }
}

/// How to take a change back.
public struct Undo: Sendable {
    /// What will be taken back, to be said after “I've undone: ”.
    public let description: String
    /// Takes it back; nil when nothing of it can be. No closure where the store's journal knows how.
    public let perform: (@Sendable () async throws -> Undone?)?
    /// What is asked before it is taken back, where that is risky: undoing a lock unlocks.
    public var confirmation: String?

    /// The way back of a change that was made in the journalled stores alone.
    public init(_ description: String) {
        self.description = description
        perform = nil
    }

    /// A way back that the journal does not know: a device, a kept value.
    public init(_ description: String, perform: @escaping @Sendable () async throws -> Undone?) {
        self.description = description
        self.perform = perform
    }
}

/// What the appliance wants to know before it can act.
public enum Question: Sendable, Equatable {
    /// A slot of the command is missing.
    case slot(String, of: Command)
    /// Several things have the name that was said.
    case choice(slot: String, among: [OwnerName], of: Command)
    /// Shall it really be done? `otherwise` is what a no does, where that is more than nothing.
    case confirmation(of: Command, otherwise: Command? = nil)
    /// Something goes on over several turns; for each step of `steps.yaml` that makes sense now, the command that takes
    /// it. Unlike the others it outlasts silence.
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
    /// What is said; empty to say nothing.
    public var text: String
    /// The colours.
    public var palette: Palette
    /// What was written or published, a line each, for the trace.
    public var effects: [String]
    /// How an effect begins that tells of a message which was not sent.
    static let nothingSent = "mqtt: nothing"
    /// True where something was written or sent.
    var hasEffects: Bool { effects.contains { !$0.hasPrefix(Self.nothingSent) } }
    /// How to take it back, if something changed.
    public var undo: Undo?
    /// What is asked; the appliance listens again.
    public var question: Question?
    /// For attached screens.
    public var action: AppAction?
    /// True when the session ends after the reply.
    public var closesSession: Bool
    /// True when names may have changed, so that the vocabulary must be made anew.
    public var changesNames: Bool
    /// True when the appliance shall stop listening from now on.
    public var mutes: Bool
    /// What the reply named where the command did not: “close it” may follow “the awning is open”.
    public var subject: [String: SlotValue] = [:]
    /// How it went: what the owner wanted was done, or it failed as the text says.
    public var outcome = TurnOutcome.done

    /// The reply to a command that could not be carried out.
    public static func failed(_ text: String, effects: [String] = [], undo: Undo? = nil) -> Reply {
        var reply = Reply(text, effects: effects, undo: undo)
        reply.outcome = .failed
        return reply
    }

    /// A reply that says `text`.
    public init(
        _ text: String, palette: Palette = .standard, effects: [String] = [], undo: Undo? = nil,
        question: Question? = nil, action: AppAction? = nil, closesSession: Bool = false, changesNames: Bool = false,
        mutes: Bool = false
    ) {
        self.text = text
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

/// What a handler works with.
public struct HandlerContext: Sendable {
    /// The store.
    public let stores: Stores
    /// The devices.
    public let van: Van
    /// The bus, for custom commands and emergencies; nil where there is none.
    public let bus: (any Bus)?
    /// Where the van is; nil where nothing tells.
    public let position: (any PositionSource)?
    /// The towns, by which a position is named; nil where they are not installed.
    public let places: Places?
    /// The texts.
    public let replies: Replies
    /// The phrasebooks, for what custom commands do.
    public let books: Phrasebooks
    /// The owner's currency, ISO 4217.
    public let homeCurrency: String
    /// Country whose emergency number is told, ISO 3166 alpha-2.
    public let country: String
    /// The unit of the owner's odometer, in which distances are spoken.
    public let distanceUnit: DistanceUnit
    /// The owner's calendar and time zone.
    public let calendar: Calendar
    /// The present.
    public let now: @Sendable () -> Date
    /// False until the board's clock is known to be right.
    public let isTimeCertain: @Sendable () -> Bool
    /// What limits are measured by; a test's stands still until it is moved.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The attached screens; copies of a context have the same.
    public let screens = AttachedScreens()

    /// A context of these parts.
    public init(
        stores: Stores, van: Van, bus: (any Bus)?, position: (any PositionSource)? = nil,
        places: Places? = nil, books: Phrasebooks, homeCurrency: String = "GBP",
        country: String = "GB", distanceUnit: DistanceUnit = .kilometres, calendar: Calendar = .current,
        now: @escaping @Sendable () -> Date = { Date() },
        isTimeCertain: @escaping @Sendable () -> Bool = { true }
    ) {
        self.stores = stores
        self.van = van
        self.bus = bus
        self.position = position
        self.places = places
        replies = books.replies
        self.books = books
        self.homeCurrency = homeCurrency
        self.country = country
        self.distanceUnit = distanceUnit
        self.calendar = calendar
        self.now = now
        self.isTimeCertain = isTimeCertain
    }

    var spoken: SpokenForms { SpokenForms(replies: replies, calendar: calendar) }

    /// One of several things of one name, told apart by where it is; the place alone names it, too.
    func choice(_ name: String, in place: String?, id: String) -> OwnerName {
        guard let place else { return OwnerName(name: name, id: id) }
        let whole = "\(name) \(spoken.inside(place))"
        return OwnerName(name: whole, aliases: [place, "\(place) \(name)"], id: id)
    }
}

/// A failure that the owner is told of in the handler's own words.
public struct HandlerFailure: Error, Sendable {
    /// The reply.
    public let replyKey: String
    /// For the log.
    public let detail: String
}

/// Acts on the commands of one domain.
public protocol Handler: Sendable {
    /// Its name in phrasebooks, traces and evaluations.
    static var name: String { get }
    /// The intents that it acts on.
    static var intents: [String] { get }
    /// Acts, and answers once the change is on the disk or the device has confirmed it.
    /// - Throws: `HandlerFailure` to say something particular; any other error becomes the general apology.
    static func act(on command: Command, in context: HandlerContext) async throws -> Reply
}
