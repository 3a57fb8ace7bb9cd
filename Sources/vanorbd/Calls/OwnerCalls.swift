import Domain
import Handlers
import Dialogue
import Control

/// Calls that show and set the van's masses, tanks and occupants, and exchange rates.
struct OwnerCalls: Sendable {
    let context: HandlerContext
    let conversation: Conversation

    private var stores: Stores { context.stores }

    func register(in table: inout CallTable) {
        table.register(VehicleCall.self) { [self] _ in try await vehicle() }
        table.register(VehicleSetCall.self) { [self] in try await set($0) }
        table.register(RatesCall.self) { [self] _ in try await rates() }
        table.register(RateSetCall.self) { [self] in try await set($0) }
    }

    private func vehicle() async throws -> VehicleResult {
        let vehicle = try await stores.vehicle.vehicle()
        return VehicleResult(
            unladenGrams: vehicle.unladenGrams, permittedGrams: vehicle.permittedGrams,
            tanks: vehicle.tanks.map {
                TankRow(
                    name: $0.name, litres: Double($0.capacityMillilitres) / 1_000, percent: $0.levelPercent,
                    device: $0.device)
            }, occupants: vehicle.occupants.map { OccupantRow(name: $0.name, grams: $0.grams) })
    }

    private func set(_ change: VehicleSetArguments) async throws -> Acknowledgement {
        // All is read before anything is kept.
        let read = TypedVan(context)
        let (unladen, permitted, tank, occupant) = try await typed {
            (
                try change.unladen.map { try read.vehicleMass($0, "--unladen") },
                try change.permitted.map { try read.vehicleMass($0, "--permitted") },
                try change.tank.map { tank in
                    Tank(
                        name: tank.name, capacityMillilitres: try read.capacity(tank.capacity, "--capacity"),
                        levelPercent: try tank.level.map { try read.percent($0, "--level") },
                        device: try tank.device.map(deviceID))
                }, try change.occupant.map { Occupant(name: $0.name, grams: try read.bodyMass($0.weight, $0.name)) }
            )
        }
        if unladen != nil || permitted != nil {
            let old = try await stores.vehicle.vehicle()
            try await stores.vehicle.setMasses(
                unladenGrams: unladen ?? old.unladenGrams, permittedGrams: permitted ?? old.permittedGrams)
        }
        if let tank { try await stores.vehicle.set(tank) }
        if let occupant { try await stores.vehicle.set(occupant) }
        if let name = change.remove {
            let isTank = try await stores.vehicle.removeTank(named: name)
            guard try await stores.vehicle.removeOccupant(named: name) || isTank else {
                throw ControlError(
                    code: ControlError.Code.badArguments, message: "No tank or occupant is called \(name).")
            }
        }
        await conversation.services.typed.noteChange(of: "manifest")
        return Acknowledgement(message: "Saved.")
    }

    private func deviceID(_ name: String) throws -> String {
        guard let device = context.van.devices.first(where: { $0.id == name || $0.name == name }) else {
            throw ControlError(
                code: ControlError.Code.badArguments, message: "No device is called \(name). List them: vanorb devices")
        }
        return device.id
    }

    private func rates() async throws -> RatesResult {
        RatesResult(
            home: context.homeCurrency,
            rates: try await stores.rates.rates().map { RateRow(currency: $0.currency, millionths: $0.millionths) })
    }

    private func set(_ rate: RateSetArguments) async throws -> Acknowledgement {
        let isCode = rate.currency.count == 3 && rate.currency.allSatisfy { ("A"..."Z").contains($0) }
        guard isCode, rate.currency != context.homeCurrency else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "“\(rate.currency)” is not a foreign currency. Use three letters, such as EUR.")
        }
        if let worth = rate.worth {
            let millionths = try await typed { try TypedVan(context).rate(worth, rate.currency) }
            try await stores.rates.setRate(ExchangeRate(currency: rate.currency, millionths: millionths))
        } else if try await !stores.rates.removeRate(currency: rate.currency) {
            throw ControlError(code: ControlError.Code.badArguments, message: "No rate is set for \(rate.currency).")
        }
        await conversation.services.typed.noteChange(of: "finance")
        return Acknowledgement(message: "Saved.")
    }
}
