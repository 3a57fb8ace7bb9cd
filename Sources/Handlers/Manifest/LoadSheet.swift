import Domain
import Devices

/// The van's mass, part by part, in grams.
///
/// It is the empty van, all items by their quantity, the occupants, and what is in the tanks.
public struct LoadSheet: Sendable, Equatable {
    /// The empty van; nil when unknown.
    public var unladen: Int?
    /// The greatest mass permitted on the road; nil when unknown.
    public var permitted: Int?
    /// The items.
    public var items: ItemTotals
    /// The occupants together.
    public var occupants: Int
    /// What is in those tanks whose level is known.
    public var tanks: Int
    /// The names of the tanks of unknown level; they are taken as empty.
    public var unknownTanks: [String]

    /// The whole mass; nil when the empty van's is unknown.
    public var total: Int? { unladen.map { $0 + items.grams + occupants + tanks } }

    /// What may still be loaded, below 0 when the van is too heavy; nil when one of the two masses is unknown.
    public var left: Int? {
        guard let permitted, let total else { return nil }
        return permitted - total
    }
}

extension LoadQuestions {
    /// The load as it is now: tanks by their sensors where these report, else by the level that was set.
    package func sheet() async throws -> LoadSheet {
        let vehicle = try await vehicle.vehicle()
        var sheet = LoadSheet(
            unladen: vehicle.unladenGrams, permitted: vehicle.permittedGrams,
            items: try await manifest.totals(ItemQuery()),
            occupants: vehicle.occupants.reduce(0) { $0 + $1.grams }, tanks: 0, unknownTanks: [])
        for tank in vehicle.tanks {
            if let level = await liveLevel(of: tank) ?? tank.levelPercent {
                sheet.tanks += tank.grams(at: level)
            } else {
                sheet.unknownTanks.append(tank.name)
            }
        }
        return sheet
    }

    /// The level that the tank's sensor reports, 0…100 percent; nil where no sensor is bound, or its value is stale or
    /// not a level.
    private func liveLevel(of tank: Tank) async -> Double? {
        guard let id = tank.device, let device = van.devices.first(where: { $0.id == id }) else { return nil }
        let report = await van.report(on: device)
        guard report.isAvailable, !report.isStale, case .value(let text) = report.state else { return nil }
        let number = text.split(separator: " ").first.flatMap { Double($0) }
        return number.flatMap { (0...100).contains($0) ? $0 : nil }
    }
}
