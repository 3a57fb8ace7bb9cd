import Domain

/// Changes what the van weighs by itself, may weigh, and carries of people.
package struct VehicleChanges: HandlerPart {
    let vehicle: any VehicleStore
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (vehicle, environment) = (context.stores.vehicle, context.environment)
    }

    private var words: ItemWords { ItemWords(environment: environment) }

    /// What a camper may weigh, in grams: from a hundred kilos to a hundred tonnes.
    private static let vehicleRange = 100_000.0...100_000_000.0
    /// What somebody may weigh, in grams.
    private static let bodyRange = 1_000.0...500_000.0

    func set(_ mass: ManifestIntent.VehicleMass, grams said: Double?) async throws -> Reply {
        guard let said, Self.vehicleRange.contains(said) else { return .failed(replies("manifest.bad_weight")) }
        let old = try await vehicle.vehicle(), grams = Int(said.rounded())
        let unladen = mass == .unladen ? grams : old.unladenGrams
        let permitted = mass == .permitted ? grams : old.permittedGrams
        let values = ["mass": words.mass(grams)]
        // Said the wrong way round it would make every answer about the load wrong.
        if let unladen, let permitted, unladen > permitted {
            return .failed(replies("manifest.unladen_above_permitted", values))
        }
        try await vehicle.setMasses(unladenGrams: unladen, permittedGrams: permitted)
        return Reply(
            replies("manifest.set_\(mass.rawValue)", values), effects: ["vehicle: \(mass.rawValue) \(grams) g"],
            undo: Undo(replies("manifest.undo_\(mass.rawValue)")))
    }

    /// Those who travel along, in place of those who were noted before.
    func setOccupants(_ people: ManifestIntent.People, _ command: Command) async throws -> Reply {
        guard !people.grams.isEmpty, people.grams.count == people.count else {
            return .failed(replies("manifest.people_differ", ["n": "\(people.count)"]))
        }
        guard people.grams.allSatisfy(Self.bodyRange.contains) else { return .failed(replies("manifest.bad_weight")) }
        let before = try await vehicle.vehicle().occupants
        if !before.isEmpty, !command.isConfirmed {
            let values = ["list": spoken.list(before.map { $0.name.wording })]
            return Reply(replies("manifest.confirm_people", values), question: .confirmation(of: command))
        }
        for occupant in before { _ = try await vehicle.removeOccupant(named: occupant.name) }
        let grams = people.grams.map { Int($0.rounded()) }
        for (index, mass) in grams.enumerated() {
            let name = replies("manifest.person", ["n": "\(index + 1)"]).written
            try await vehicle.set(Occupant(name: name, grams: mass))
        }
        let values: [String: any Worded] = [
            "n": "\(grams.count)", "mass": words.mass(grams.reduce(0, +)),
        ]
        return Reply(
            replies("manifest.set_people", values), effects: ["vehicle: \(grams.count) occupants"],
            undo: Undo(replies("manifest.undo_people")))
    }
}
