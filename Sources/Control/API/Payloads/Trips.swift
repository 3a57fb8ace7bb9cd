import Foundation

/// A trip.
public struct TripRow: Codable, Sendable, Equatable {
    /// Its number.
    public let id: Int64
    /// Where to.
    public let destination: String
    /// When it began; whole seconds on the wire.
    public let start: Date
    /// When it ended; nil while it is under way.
    public let end: Date?
    /// Nights so far.
    public let nights: Int
    /// Metres driven; nil where neither odometer nor receiver reports any.
    public var metres: Int64?
    /// What was spent, for each currency.
    public let spent: [MoneyAmount]

    /// A trip; the metres are set where they are known.
    public init(id: Int64, destination: String, start: Date, end: Date?, nights: Int, spent: [MoneyAmount]) {
        self.id = id
        self.destination = destination
        self.start = start
        self.end = end
        self.nights = nights
        self.spent = spent
    }

    /// True while it is under way.
    public var isCurrent: Bool { end == nil }
}

/// A unit in which distances are shown.
public enum DistanceUnitName: String, Codable, Sendable, Equatable {
    /// 1000 m.
    case kilometres
    /// 1609.344 m.
    case miles
}

/// The trips.
public struct TripsResult: Codable, Sendable, Equatable {
    /// Newest first, at most `ControlLimits.listEntries`.
    public let trips: [TripRow]
    /// The unit of the owner's odometer.
    public let unit: DistanceUnitName

    /// Trips.
    public init(trips: [TripRow], unit: DistanceUnitName) {
        self.trips = trips
        self.unit = unit
    }
}

/// Which trip is meant.
public struct TripShowArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// Its number or its destination, of several the latest; nil for the one under way, else the last.
    public var trip: String?

    /// The trip of this number or to this destination.
    public init(trip: String? = nil) { self.trip = trip }

    /// - Throws: when the name is too long.
    public func check() throws(ControlError) { if let trip { try ControlLimits.check(trip, "trip") } }
}

/// A trip in numbers.
public struct TripShowResult: Codable, Sendable, Equatable {
    /// The trip.
    public let trip: TripRow
    /// The countries, in the order of the first visit.
    public let countries: [String]
    /// What was spent a night, for each currency; nothing without a night.
    public let perNight: [MoneyAmount]
    /// The unit of the owner's odometer.
    public let unit: DistanceUnitName

    /// A trip in numbers.
    public init(trip: TripRow, countries: [String], perNight: [MoneyAmount], unit: DistanceUnitName) {
        self.trip = trip
        self.countries = countries
        self.perNight = perNight
        self.unit = unit
    }
}

/// A change of the trips.
public struct TripChangeArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What is done.
    public enum Action: String, Codable, Sendable, Equatable, CaseIterable {
        /// Starts a trip to `destination`, on `date`.
        case start
        /// Ends the trip under way.
        case end
        /// Notes what the odometer reads.
        case odometer
        /// Removes the trip of this `number`.
        case delete

        /// - Throws: `DecodingError` that lists the actions.
        public init(from decoder: any Decoder) throws { self = try decoder.choice() }
    }

    /// What is done.
    public var action: Action
    /// Where to.
    public var destination: String?
    /// The day, as a person writes it; nil for now.
    public var date: String?
    /// What the odometer reads, as a person writes it; nil where it was not read.
    public var odometer: String?
    /// The trip's number.
    public var number: Int64?
    /// True where a yes is given to whatever would be asked.
    public var confirmed: Bool?

    /// A change.
    public init(
        _ action: Action, destination: String? = nil, date: String? = nil, odometer: String? = nil,
        number: Int64? = nil, confirmed: Bool? = nil
    ) {
        self.action = action
        self.destination = destination
        self.date = date
        self.odometer = odometer
        self.number = number
        self.confirmed = confirmed
    }

    /// - Throws: when the action lacks what it is about, or a text is too long.
    public func check() throws(ControlError) {
        switch action {
        case .start: try ControlLimits.check(destination ?? "", "destination")
        case .odometer: try ControlLimits.check(odometer ?? "", "odometer")
        case .delete where number == nil: throw .badArguments("arguments.number: the trip's number is expected")
        case .end, .delete: break
        }
        if let date { try ControlLimits.check(date, "date") }
        if let odometer { try ControlLimits.check(odometer, "odometer") }
    }
}
