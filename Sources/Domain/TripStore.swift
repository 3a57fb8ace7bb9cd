import Foundation

/// A trip, under way or over.
public struct Trip: Sendable, Equatable, Codable {
    /// The store's number for it; 0 until it is stored.
    public var id: Int64
    /// Where to.
    public var destination: String
    /// When it began.
    public var start: Date
    /// When it ended; nil while it is under way.
    public var end: Date?

    /// A trip that is not stored yet.
    public init(id: Int64 = 0, destination: String, start: Date, end: Date? = nil) {
        self.id = id
        self.destination = destination
        self.start = start
        self.end = end
    }
}

/// What the odometer showed at a moment.
public struct OdometerReading: Sendable, Equatable, Codable {
    /// The store's number for it; 0 until it is stored.
    public var id: Int64
    /// Metres, 0…10 000 000 000.
    public var metres: Int64
    /// When it was read.
    public var date: Date

    /// A reading that is not stored yet.
    public init(id: Int64 = 0, metres: Int64, date: Date) {
        self.id = id
        self.metres = metres
        self.date = date
    }
}

/// A place where the van was, noted by the position receiver: it stood there for a while, or crossed a border.
public struct Stop: Sendable, Equatable, Codable {
    /// Where.
    public var position: Position
    /// ISO 3166 alpha-2; nil at sea or where it is not known.
    public var country: String?
    /// When it was noted, by the board's clock.
    public var date: Date

    /// A stop.
    public init(position: Position, country: String?, date: Date) {
        self.position = position
        self.country = country
        self.date = date
    }
}

/// The trips, the odometer, and what the position receiver has counted. At most one trip is under way.
public protocol TripStore: Sendable {
    /// The trip under way, or nil.
    func current() async throws -> Trip?
    /// All trips, newest first.
    func trips() async throws -> [Trip]
    /// Stores a new trip.
    func start(_ trip: Trip) async throws -> Trip
    /// Starts a trip, and ends the one under way where it comes instead of that, and stores what the odometer shows:
    /// all or nothing.
    func start(_ trip: Trip, insteadOfCurrent: Bool, at reading: OdometerReading?) async throws -> Trip
    /// Ends the trip of this number and stores what the odometer shows, both or neither; false, and nothing is stored,
    /// when there is no such trip.
    func setEnd(_ end: Date?, id: Int64, at reading: OdometerReading?) async throws -> Bool
    /// Stores several trips, all or none; at most one may be under way, with those that are there.
    func add(all trips: [Trip]) async throws
    /// Ends the trip of this number, or reopens it (nil); false when there is none.
    func setEnd(_ end: Date?, id: Int64) async throws -> Bool
    /// Removes a trip; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool

    /// All odometer readings, oldest first by date.
    func readings() async throws -> [OdometerReading]
    /// Stores a reading and returns it with its number.
    func add(_ reading: OdometerReading) async throws -> OdometerReading
    /// Ends the trip under way and starts another, both or neither.
    func replaceCurrent(with trip: Trip) async throws -> Trip

    /// Adds metres that the receiver has counted to the stretch of ten minutes that holds `date`. No entry of the
    /// owner's: an undo leaves it alone.
    func addDriven(metres: Int64, at date: Date) async throws
    /// The metres counted in the stretches that begin in `period`; nil means ever. Nil when nothing was counted.
    func driven(in period: DateInterval?) async throws -> Int64?
    /// Notes a stop. No entry of the owner's: an undo leaves it alone.
    func addStop(_ stop: Stop) async throws
    /// The stops noted in `period`, oldest first; nil means ever.
    func stops(in period: DateInterval?) async throws -> [Stop]
    /// The stop noted last, or nil.
    func lastStop() async throws -> Stop?
}

/// A trip in numbers.
public struct TripFacts: Sendable {
    /// The trip.
    public let trip: Trip
    /// Nights so far.
    public let nights: Int
    /// Metres driven; nil where neither odometer nor receiver has it.
    public let metres: Int64?
    /// What was spent, for each currency.
    public let spent: [Money]
    /// What was spent a night, for each currency; nothing without a night.
    public let perNight: [Money]

    package init(trip: Trip, nights: Int, metres: Int64?, spent: [Money], perNight: [Money]) {
        self.trip = trip
        self.nights = nights
        self.metres = metres
        self.spent = spent
        self.perNight = perNight
    }
}
