/// A tank of the van.
public struct TankRow: Codable, Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Litres when full.
    public let litres: Double
    /// How full it is, 0…100 percent, as it was set; nil when nobody has.
    public let percent: Double?
    /// The device that reports its level; nil without one.
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

/// A tank as the owner types it.
public struct TankText: Codable, Sendable, Equatable {
    /// Its name, and what it holds, such as “90 l”.
    public let name: String, capacity: String
    /// How full it is, such as “60 %”, and the device that reports it.
    public let level: String?, device: String?

    /// A tank.
    public init(name: String, capacity: String, level: String?, device: String?) {
        self.name = name
        self.capacity = capacity
        self.level = level
        self.device = device
    }
}

/// Somebody who travels along, as the owner types it.
public struct OccupantText: Codable, Sendable, Equatable {
    /// The name, and the weight, such as “62.5 kg”.
    public let name: String, weight: String

    /// An occupant.
    public init(name: String, weight: String) {
        self.name = name
        self.weight = weight
    }
}

/// A change of the vehicle; what is nil stays as it is. Numbers are as a person writes them.
public struct VehicleSetArguments: Codable, Sendable, Equatable {
    /// The new masses, such as “2,350 kg”; a bare number means kilograms.
    public var unladen: String?, permitted: String?
    /// A tank that is new or takes the place of the one of its name.
    public var tank: TankText?
    /// Somebody who is new or takes the place of the one of that name.
    public var occupant: OccupantText?
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
    /// What one of it is worth in the owner's, as a person writes it; nil forgets it.
    public let worth: String?

    /// A change of one rate.
    public init(currency: String, worth: String?) {
        self.currency = currency
        self.worth = worth
    }
}
