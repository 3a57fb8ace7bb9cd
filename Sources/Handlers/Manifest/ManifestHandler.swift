import Domain

/// What is aboard, how many, where, and what it weighs.
package struct ManifestHandler: Handler {
    package static let name = "manifest"
    package static let intents = ManifestIntent.names

    let questions: ItemQuestions
    let changes: ItemChanges
    let load: LoadQuestions
    let vehicle: VehicleChanges
    package let environment: HandlerEnvironment

    package func act(on command: Command) async throws -> Reply {
        var reply =
            switch try ManifestIntent(command) {
            case .find(let item): try await questions.find(item, command)
            case .have(let item): try await questions.have(item, command)
            case .list(let query): try await questions.list(query, command)
            case .count(let item): try await questions.count(item, command)
            case .countAll(let query): try await questions.countAll(query)
            case .add(let addition): try await changes.add(addition, command)
            case .remove(let removal): try await changes.remove(removal, command)
            case .removeAll(let place): try await changes.removeAll(in: place, command)
            case .move(let move): try await changes.move(move, command)
            case .moveAll(let origin, let destination):
                try await changes.moveAll(from: origin, to: destination, command)
            case .setQuantity(let item, let quantity): try await changes.setQuantity(item, quantity, command)
            case .setWeight(let item, let grams, let isTogether):
                try await changes.setWeight(item, grams: grams, isTogether: isTogether, command)
            case .setVehicle(let mass, let grams): try await vehicle.set(mass, grams: grams)
            case .setOccupants(let people): try await vehicle.setOccupants(people, command)
            case .weight(let item): try await load.weight(item, command)
            case .totalWeight(let query, let isLoad): try await load.totalWeight(query, isLoad: isLoad)
            case .payloadLeft: try await load.payloadLeft()
            }
        reply.palette = .manifest
        return reply
    }
}
