import Domain
import Language
import Devices
import Foundation

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

    package var spoken: SpokenForms { SpokenForms(replies: replies, calendar: calendar) }

    /// One of several things of one name, told apart by where it is; the place alone names it, too.
    package func choice(_ name: String, in place: String?, id: String) -> OwnerName {
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

    package init(replyKey: String, detail: String) {
        self.replyKey = replyKey
        self.detail = detail
    }
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
