/// A tank whose content weighs.
public struct Tank: Sendable, Equatable, Codable {
    /// As the owner says it, lower case; no two tanks have the same.
    public var name: String
    /// What it holds when full, in millilitres; above 0.
    public var capacityMillilitres: Int
    /// Density of the content in grams a litre: water 1,000, diesel about 840 (EN 590: 820…845 at 15 °C), liquid
    /// propane about 510.
    public var gramsPerLitre: Int
    /// The level that the owner has set, 0…100 percent; nil when none was set.
    public var levelPercent: Double?
    /// The device that reports its level in percent; nil where none is bound.
    public var device: String?

    /// A tank.
    public init(
        name: String, capacityMillilitres: Int, gramsPerLitre: Int = 1_000, levelPercent: Double? = nil,
        device: String? = nil
    ) {
        self.name = name
        self.capacityMillilitres = capacityMillilitres
        self.gramsPerLitre = gramsPerLitre
        self.levelPercent = levelPercent
        self.device = device
    }

    /// The mass of the content at `level` percent, in grams.
    public func grams(at level: Double) -> Int {
        Int((Double(capacityMillilitres) / 1_000 * Double(gramsPerLitre) * level / 100).rounded())
    }
}

/// Someone who travels along.
public struct Occupant: Sendable, Equatable, Codable {
    /// The name; no two have the same.
    public var name: String
    /// The body's mass with clothes, in grams; above 0.
    public var grams: Int

    /// An occupant.
    public init(name: String, grams: Int) {
        self.name = name
        self.grams = grams
    }
}

/// The van as far as its mass goes.
public struct Vehicle: Sendable, Equatable, Codable {
    /// The mass of the empty van, in grams: without load, occupants and what is in the tanks; nil when unknown.
    public var unladenGrams: Int?
    /// The greatest mass that it may have on the road, in grams; nil when unknown.
    public var permittedGrams: Int?
    /// The tanks, in the order in which they were named.
    public var tanks: [Tank]
    /// Who travels along, in the order in which they were named.
    public var occupants: [Occupant]

    /// A vehicle; nothing is known of it unless given.
    public init(
        unladenGrams: Int? = nil, permittedGrams: Int? = nil, tanks: [Tank] = [], occupants: [Occupant] = []
    ) {
        self.unladenGrams = unladenGrams
        self.permittedGrams = permittedGrams
        self.tanks = tanks
        self.occupants = occupants
    }
}

/// The van's masses, tanks and occupants.
public protocol VehicleStore: Sendable {
    /// All that is known.
    func vehicle() async throws -> Vehicle
    /// Sets both masses, in grams, above 0; nil where one is unknown.
    func setMasses(unladenGrams: Int?, permittedGrams: Int?) async throws
    /// Stores a tank, or overwrites the one of this name.
    func set(_ tank: Tank) async throws
    /// Removes a tank; false when there is none of that name.
    func removeTank(named name: String) async throws -> Bool
    /// Stores an occupant, or overwrites the one of this name.
    func set(_ occupant: Occupant) async throws
    /// Removes an occupant; false when there is none of that name.
    func removeOccupant(named name: String) async throws -> Bool
}
