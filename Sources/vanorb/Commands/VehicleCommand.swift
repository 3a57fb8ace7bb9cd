import ArgumentParser
import Control

/// `vanorb vehicle`
struct VehicleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vehicle", abstract: "Manage the van's masses, tanks and occupants.",
        subcommands: [Show.self, Mass.self, Tank.self, Occupant.self, Remove.self], defaultSubcommand: Show.self)

    /// `vanorb vehicle show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show them.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(VehicleCall.self), VehicleCommand.lines)
            }
        }
    }

    /// `vanorb vehicle mass`
    struct Mass: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set the masses, in kilograms.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("The unladen mass, such as 2,350.", valueName: "kg")) var unladen: String?
        @Option(help: ArgumentHelp("The permitted mass, such as 3.5 t.", valueName: "kg")) var permitted: String?

        func validate() throws {
            guard unladen != nil || permitted != nil else {
                throw ValidationError("Give --unladen or --permitted.")
            }
        }

        func run() async throws {
            var change = VehicleSetArguments()
            (change.unladen, change.permitted) = (unladen, permitted)
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    /// `vanorb vehicle tank`
    struct Tank: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set a tank.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its name.") var name: [String]
        @Option(help: ArgumentHelp("Litres when full, such as 90 or 24 gallons.", valueName: "litres"))
        var capacity: String
        @Option(help: ArgumentHelp("How full it is, 0 to 100.", valueName: "percent")) var level: String?
        @Option(help: "The device that reports its level.") var device: String?

        func run() async throws {
            var change = VehicleSetArguments()
            change.tank = TankText(
                name: name.joined(separator: " "), capacity: capacity, level: level, device: device)
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    /// `vanorb vehicle occupant`
    struct Occupant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set an occupant and their weight.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The name.") var name: String
        @Argument(help: "The weight, in kilograms unless it has a unit.") var weight: [String]

        func run() async throws {
            var change = VehicleSetArguments()
            change.occupant = OccupantText(name: name, weight: weight.joined(separator: " "))
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    /// `vanorb vehicle remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a tank or an occupant.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The name.") var name: [String]

        func run() async throws {
            var change = VehicleSetArguments()
            change.remove = name.joined(separator: " ")
            try await global.acknowledge(VehicleSetCall.self, change)
        }
    }

    static func lines(_ vehicle: VehicleResult) -> [String] {
        func kilograms(_ grams: Int?) -> String { grams.map(Text.kilograms(grams:)) ?? "not set" }
        var table = Table([("what", .left), ("how much", .right), ("", .left)])
        table.add(["unladen mass", kilograms(vehicle.unladenGrams), ""])
        table.add(["permitted mass", kilograms(vehicle.permittedGrams), ""])
        for tank in vehicle.tanks {
            let level = tank.percent.map { "\(Text.decimal($0, places: 0)) %" } ?? "level not set"
            let litres = Text.millionths(Int64((tank.litres * 1_000).rounded()) * 1_000)
            table.add(["tank \(tank.name)", "\(litres) l", tank.device.map { "reported by \($0)" } ?? level])
        }
        for occupant in vehicle.occupants { table.add([occupant.name, kilograms(occupant.grams), ""]) }
        return table.lines
    }
}
