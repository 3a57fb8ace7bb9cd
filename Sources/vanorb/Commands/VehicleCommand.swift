import ArgumentParser
import Control

/// `vanorb vehicle`
struct VehicleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vehicle", abstract: "The van's masses, tanks and occupants.",
        subcommands: [Show.self, Mass.self, Tank.self, Occupant.self, Remove.self], defaultSubcommand: Show.self)

    /// `vanorb vehicle show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows them.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(VehicleCall.self), VehicleCommand.lines)
            }
        }
    }

    /// `vanorb vehicle mass`
    struct Mass: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets the masses, in kilograms.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("What the empty van weighs.", valueName: "kg")) var unladen: Double?
        @Option(help: ArgumentHelp("What it may weigh.", valueName: "kg")) var permitted: Double?

        func validate() throws {
            guard unladen != nil || permitted != nil else {
                throw ValidationError("--unladen or --permitted is expected.")
            }
            for kilograms in [unladen, permitted].compactMap({ $0 }) {
                try VehicleCommand.check(kilograms, 1...100_000, "a mass in kilograms")
            }
        }

        func run() async throws {
            var change = VehicleSetArguments()
            change.unladenGrams = unladen.map { Int(($0 * 1_000).rounded()) }
            change.permittedGrams = permitted.map { Int(($0 * 1_000).rounded()) }
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    /// `vanorb vehicle tank`
    struct Tank: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets a tank.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its name.") var name: String
        @Option(help: ArgumentHelp("Litres when full.", valueName: "litres")) var capacity: Double
        @Option(help: ArgumentHelp("How full it is, 0 to 100.", valueName: "percent")) var level: Double?
        @Option(help: "The device that tells its level.") var device: String?

        func validate() throws {
            try VehicleCommand.check(capacity, 0.1...10_000, "--capacity in litres")
            if let level { try VehicleCommand.check(level, 0...100, "--level in percent") }
        }

        func run() async throws {
            var change = VehicleSetArguments()
            change.tank = TankRow(name: name, litres: capacity, percent: level, device: device)
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    /// `vanorb vehicle occupant`
    struct Occupant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets somebody who travels along.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The name.") var name: String
        @Argument(help: "The weight in kilograms.") var kilograms: Double

        func validate() throws { try VehicleCommand.check(kilograms, 0.1...500, "a weight in kilograms") }

        func run() async throws {
            var change = VehicleSetArguments()
            change.occupant = OccupantRow(name: name, grams: Int((kilograms * 1_000).rounded()))
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    /// `vanorb vehicle remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a tank or an occupant.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The name.") var name: String

        func run() async throws {
            var change = VehicleSetArguments()
            change.remove = name
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    static func check(_ value: Double, _ range: ClosedRange<Double>, _ what: String) throws {
        guard range.contains(value) else {
            throw ValidationError("\(what): \(range.lowerBound) to \(range.upperBound) is expected.")
        }
    }

    static func lines(_ vehicle: VehicleResult) -> [String] {
        func kilograms(_ grams: Int?) -> String { grams.map { "\(Double($0) / 1_000) kg" } ?? "not set" }
        var table = Table([("what", .left), ("how much", .right), ("", .left)])
        table.add(["unladen mass", kilograms(vehicle.unladenGrams), ""])
        table.add(["permitted mass", kilograms(vehicle.permittedGrams), ""])
        for tank in vehicle.tanks {
            let level = tank.percent.map { "\($0) %" } ?? "level not set"
            table.add(["tank \(tank.name)", "\(tank.litres) l", tank.device.map { "told by \($0)" } ?? level])
        }
        for occupant in vehicle.occupants { table.add([occupant.name, kilograms(occupant.grams), ""]) }
        return table.lines
    }
}
