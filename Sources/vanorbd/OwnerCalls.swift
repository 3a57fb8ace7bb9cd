import Control
import Copilot

/// What the owner sets over SSH: the van's masses, tanks and occupants, and exchange rates.
struct OwnerCalls: Sendable {
    let context: HandlerContext
    let conversation: Conversation

    private var stores: Stores { context.stores }

    func vehicle() async throws -> VehicleResult {
        let vehicle = try await stores.vehicle.vehicle()
        return VehicleResult(
            unladenGrams: vehicle.unladenGrams, permittedGrams: vehicle.permittedGrams,
            tanks: vehicle.tanks.map {
                TankRow(
                    name: $0.name, litres: Double($0.capacityMillilitres) / 1_000, percent: $0.levelPercent,
                    device: $0.device)
            }, occupants: vehicle.occupants.map { OccupantRow(name: $0.name, grams: $0.grams) })
    }

    func set(_ change: VehicleSetArguments) async throws -> Acknowledgement {
        if change.unladenGrams != nil || change.permittedGrams != nil {
            let old = try await stores.vehicle.vehicle()
            try await stores.vehicle.setMasses(
                unladenGrams: change.unladenGrams ?? old.unladenGrams,
                permittedGrams: change.permittedGrams ?? old.permittedGrams)
        }
        if let tank = change.tank {
            try await stores.vehicle.set(
                Tank(
                    name: tank.name, capacityMillilitres: Int((tank.litres * 1_000).rounded()),
                    levelPercent: tank.percent, device: try tank.device.map(deviceID)))
        }
        if let occupant = change.occupant {
            try await stores.vehicle.set(Occupant(name: occupant.name, grams: occupant.grams))
        }
        if let name = change.remove {
            let isTank = try await stores.vehicle.removeTank(named: name)
            guard try await stores.vehicle.removeOccupant(named: name) || isTank else {
                throw ControlError(
                    code: ControlError.Code.badArguments, message: "There is no tank and no occupant called \(name).")
            }
        }
        await conversation.noteChange(of: "manifest")
        return Acknowledgement(message: "Noted.")
    }

    private func deviceID(_ name: String) throws -> String {
        guard let device = context.van.devices.first(where: { $0.id == name || $0.name == name }) else {
            throw ControlError(
                code: ControlError.Code.badArguments, message: "There is no device called \(name). Try: vanorb devices")
        }
        return device.id
    }

    func rates() async throws -> RatesResult {
        RatesResult(
            home: context.homeCurrency,
            rates: try await stores.rates.rates().map { RateRow(currency: $0.currency, millionths: $0.millionths) })
    }

    func set(_ rate: RateSetArguments) async throws -> Acknowledgement {
        let isCode = rate.currency.count == 3 && rate.currency.allSatisfy { ("A"..."Z").contains($0) }
        guard isCode, rate.currency != context.homeCurrency else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "“\(rate.currency)” is no foreign currency; three letters such as EUR are expected.")
        }
        if let millionths = rate.millionths {
            try await stores.rates.setRate(ExchangeRate(currency: rate.currency, millionths: millionths))
        } else if try await !stores.rates.removeRate(currency: rate.currency) {
            throw ControlError(code: ControlError.Code.badArguments, message: "There is no rate for \(rate.currency).")
        }
        await conversation.noteChange(of: "finance")
        return Acknowledgement(message: "Noted.")
    }
}
