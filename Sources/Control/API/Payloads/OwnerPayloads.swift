/// A tank of the van.
public struct TankRow: Codable, Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Litres when full.
    public let litres: Double
    /// How full it is, 0…100 percent, as it was set; nil when nobody has.
    public let percent: Double?
    /// The device that tells its level; nil without one.
    public let device: String?

    /// A tank.
    public init(name: String, litres: Double, percent: Double?, device: String?) {
        self.name = name
        self.litres = litres
        self.percent = percent
        self.device = device
    }
}

/// Somebody who travels along.
public struct OccupantRow: Codable, Sendable, Equatable {
    /// The name.
    public let name: String
    /// The weight in grams.
    public let grams: Int

    /// Somebody.
    public init(name: String, grams: Int) {
        self.name = name
        self.grams = grams
    }
}

/// The van's masses, tanks and occupants.
public struct VehicleResult: Codable, Sendable, Equatable {
    /// What the empty van weighs and what it may weigh, in grams; nil when unknown.
    public let unladenGrams: Int?, permittedGrams: Int?
    /// Its tanks.
    public let tanks: [TankRow]
    /// Who travels along.
    public let occupants: [OccupantRow]

    /// A vehicle.
    public init(unladenGrams: Int?, permittedGrams: Int?, tanks: [TankRow], occupants: [OccupantRow]) {
        self.unladenGrams = unladenGrams
        self.permittedGrams = permittedGrams
        self.tanks = tanks
        self.occupants = occupants
    }
}

/// A change of the vehicle; what is nil stays as it is.
public struct VehicleSetArguments: Codable, Sendable, Equatable {
    /// The new masses in grams.
    public var unladenGrams: Int?, permittedGrams: Int?
    /// A tank that is new or takes the place of the one of its name.
    public var tank: TankRow?
    /// Somebody who is new or takes the place of the one of that name.
    public var occupant: OccupantRow?
    /// The name of a tank or an occupant that goes.
    public var remove: String?

    /// No change yet.
    public init() {}
}

/// What a foreign currency is worth in the owner's.
public struct RateRow: Codable, Sendable, Equatable {
    /// ISO 4217.
    public let currency: String
    /// Millionths of one unit of the owner's currency for one unit of this one.
    public let millionths: Int64

    /// A rate.
    public init(currency: String, millionths: Int64) {
        self.currency = currency
        self.millionths = millionths
    }
}

/// The owner's exchange rates.
public struct RatesResult: Codable, Sendable, Equatable {
    /// The owner's currency, and the rates.
    public let home: String, rates: [RateRow]

    /// A table of rates.
    public init(home: String, rates: [RateRow]) {
        self.home = home
        self.rates = rates
    }
}

/// A rate to keep, or to forget.
public struct RateSetArguments: Codable, Sendable, Equatable {
    /// ISO 4217.
    public let currency: String
    /// As in `RateRow`; nil forgets it.
    public let millionths: Int64?

    /// A change of one rate.
    public init(currency: String, millionths: Int64?) {
        self.currency = currency
        self.millionths = millionths
    }
}
