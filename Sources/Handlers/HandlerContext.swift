import Domain
import Language
import Devices
import Foundation

/// Everything that handlers work with; each takes its own part of it (`HandlerTable`).
public struct HandlerContext: Sendable {
    /// The stores.
    public let stores: Stores
    /// The devices.
    public let van: Van
    /// The bus, for custom commands and emergencies; nil where there is none.
    public let bus: (any Bus)?
    /// What the van's position is read from and named by.
    public let location: LocationSources
    /// Texts, calendar, currency and time.
    public var environment: HandlerEnvironment
    /// The attached screens; copies of a context have the same.
    public let screens = AttachedScreens()

    /// A context of these parts.
    public init(
        stores: Stores, van: Van, bus: (any Bus)?, location: LocationSources = LocationSources(),
        environment: HandlerEnvironment
    ) {
        self.stores = stores
        self.van = van
        self.bus = bus
        self.location = location
        self.environment = environment
    }

    /// The phrasebooks.
    public var books: Phrasebooks { environment.books }
    /// The texts.
    public var replies: Replies { environment.replies }
    /// The owner's currency, ISO 4217.
    public var homeCurrency: String { environment.region.currency }
    /// The unit of the owner's odometer, in which distances are spoken.
    public var distanceUnit: DistanceUnit { environment.region.distanceUnit }
    /// The owner's calendar and time zone.
    public var calendar: Calendar { environment.region.calendar }
    /// The present.
    public var now: @Sendable () -> Date { environment.time.now }
    /// False until the board's clock is known to be right.
    public var isTimeCertain: @Sendable () -> Bool { environment.time.isCertain }

    package var spoken: SpokenForms { environment.spoken }

    /// One of several things of one name, distinguished by its place.
    package func choice(_ name: String, in place: String?, id: String) -> OwnerName {
        environment.choice(name, in: place, id: id)
    }
}

/// What the van's position is read from and named by.
public struct LocationSources: Sendable {
    /// The position receiver; nil where there is none.
    public let receiver: (any PositionSource)?
    /// The towns that a position is named by; nil where they are not installed.
    public let places: Places?

    /// The sources that are there.
    public init(receiver: (any PositionSource)? = nil, places: Places? = nil) {
        self.receiver = receiver
        self.places = places
    }
}

/// What the settings say of country, currency, units and time zone.
public struct RegionalSettings: Sendable {
    /// The owner's currency, ISO 4217.
    public let currency: String
    /// Country whose emergency number is given where the position is unknown, ISO 3166 alpha-2.
    public let country: String
    /// The unit of the owner's odometer, in which distances are spoken.
    public let distanceUnit: DistanceUnit
    /// The owner's calendar and time zone.
    public let calendar: Calendar

    /// Settings; the defaults are those of `deploy/defaults.yaml`.
    public init(
        currency: String = "GBP", country: String = "GB", distanceUnit: DistanceUnit = .kilometres,
        calendar: Calendar = .current
    ) {
        self.currency = currency
        self.country = country
        self.distanceUnit = distanceUnit
        self.calendar = calendar
    }
}

/// The time of day.
public struct WallTime: Sendable {
    /// The present.
    public let now: @Sendable () -> Date
    /// False until the board's clock is known to be right.
    public let isCertain: @Sendable () -> Bool

    /// The system's time unless given.
    public init(
        now: @escaping @Sendable () -> Date = { Date() }, isCertain: @escaping @Sendable () -> Bool = { true }
    ) {
        self.now = now
        self.isCertain = isCertain
    }
}

/// What replies depend on in addition to the owner's data.
public struct HandlerEnvironment: Sendable {
    /// The phrasebooks.
    public let books: Phrasebooks
    /// Country, currency, units and time zone.
    public let region: RegionalSettings
    /// The time of day.
    public let time: WallTime
    /// What time limits are measured by.
    public var clock: any Clock<Duration>

    /// An environment of these parts.
    public init(
        books: Phrasebooks, region: RegionalSettings = RegionalSettings(), time: WallTime = WallTime(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.books = books
        self.region = region
        self.time = time
        self.clock = clock
    }

    package var replies: Replies { books.replies }
    package var spoken: SpokenForms { SpokenForms(replies: replies, words: books.words, calendar: region.calendar) }

    /// One of several things of one name, distinguished by its place; the place alone is a name for it, too.
    package func choice(_ name: String, in place: String?, id: String) -> OwnerName {
        guard let place else { return OwnerName(name: name, id: id) }
        let whole = "\(name) \(spoken.inside(place))"
        return OwnerName(name: whole, aliases: [place, "\(place) \(name)"], id: id)
    }

    /// A name in small letters, without the article that was said with it.
    package func bareName(_ name: String) -> String {
        withoutArticle(name.lowercased())
    }

    /// A name without the article that was said with it.
    package func withoutArticle(_ name: String) -> String {
        var words = name.split(separator: " ").map(String.init)
        if let first = words.first, words.count > 1, books.rules.articles.contains(first) { words.removeFirst() }
        return words.joined(separator: " ")
    }

    /// What `body` reads for a reply; nil where that fails or takes longer than a reply waits.
    package func readForReply<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value?) async -> Value? {
        await withReplyTimeout(clock: clock, body)
    }

    /// What `body` answers within `limit`, else nil; an error counts as no answer.
    package func read<Value: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> Value?
    ) async -> Value? {
        await withTimeout(limit, clock: clock, body)
    }
}
