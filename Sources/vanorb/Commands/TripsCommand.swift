import ArgumentParser
import Control

/// `vanorb trips`
struct TripsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "Manage trips and the odometer.",
        subcommands: [List.self, Show.self, Start.self, End.self, Odometer.self, Delete.self],
        defaultSubcommand: List.self)

    /// `vanorb trips list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the trips, newest first.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(TripsCall.self), Self.lines)
            }
        }

        static func lines(_ result: TripsResult) -> [String] {
            guard !result.trips.isEmpty else { return ["No trips. Start one: vanorb trips start Spain"] }
            var table = Table([
                ("no", .right), ("to", .left), ("from", .left), ("nights", .right), ("driven", .right),
                ("spent", .right),
            ])
            for trip in result.trips {
                table.add([
                    "\(trip.id)", trip.destination + (trip.isCurrent ? " *" : ""), Text.day(trip.start),
                    "\(trip.nights)", trip.metres.map { Text.distance(metres: $0, result.unit) } ?? "?",
                    Text.money(trip.spent),
                ])
            }
            return table.lines + (result.trips.contains(where: \.isCurrent) ? ["* current trip"] : [])
        }
    }

    /// `vanorb trips show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a trip, by default the latest.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number or destination.") var trip: [String] = []

        func run() async throws {
            try await global.run { client, output in
                let arguments = TripShowArguments(trip: trip.isEmpty ? nil : trip.sentence)
                try output.show(try await client.call(TripShowCall.self, arguments), Self.lines)
            }
        }

        static func lines(_ shown: TripShowResult) -> [String] {
            let trip = shown.trip
            var table = Table([("", .left), ("", .left)])
            let rows: [(String, String)] = [
                ("trip", "\(trip.destination) (\(trip.id))"), ("start", Text.date(trip.start)),
                ("end", trip.end.map(Text.date) ?? "current"), ("nights", "\(trip.nights)"),
                ("driven", trip.metres.map { Text.distance(metres: $0, shown.unit) } ?? "unknown (log the odometer)"),
                ("spent", trip.spent.isEmpty ? "nothing" : Text.money(trip.spent)),
                ("a night", Text.money(shown.perNight)),
                ("countries", shown.countries.joined(separator: ", ")),
            ]
            for (name, value) in rows where !value.isEmpty { table.add([name, value]) }
            return Array(table.lines.dropFirst())
        }
    }

    /// `vanorb trips start`
    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start a trip.",
            discussion: """
                Examples:
                  vanorb trips start the south of France --date "3 days ago" --odometer 84,210
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Where to.") var destination: [String]
        @Option(help: "The date, such as yesterday or 3 May.") var date: String?
        @Option(help: ArgumentHelp("The odometer reading, such as 84210 or 52300 miles.", valueName: "reading"))
        var odometer: String?
        @Flag(help: "End the current trip, and accept an unusual reading.") var yes = false

        func run() async throws {
            try await global.acknowledge(
                TripChangeCall.self,
                TripChangeArguments(
                    .start, destination: destination.sentence, date: date, odometer: odometer, confirmed: yes))
        }
    }

    /// `vanorb trips end`
    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End the current trip.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("The odometer reading, such as 84210 or 52300 miles.", valueName: "reading"))
        var odometer: String?
        @Flag(help: "Accept an unusual reading.") var yes = false

        func run() async throws {
            try await global.acknowledge(
                TripChangeCall.self, TripChangeArguments(.end, odometer: odometer, confirmed: yes))
        }
    }

    /// `vanorb trips odometer`
    struct Odometer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Record an odometer reading.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The reading, such as 84210 or 52300 miles.") var reading: [String]
        @Flag(help: "Accept an unusual reading.") var yes = false

        func run() async throws {
            try await global.acknowledge(
                TripChangeCall.self, TripChangeArguments(.odometer, odometer: reading.sentence, confirmed: yes))
        }
    }

    /// `vanorb trips delete`
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a trip; its ledger entries and odometer readings stay.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its number in the list.") var number: Int64
        @Flag(help: "Do not ask for confirmation.") var yes = false

        func run() async throws {
            try await global.acknowledge(
                TripChangeCall.self, TripChangeArguments(.delete, number: number, confirmed: yes))
        }
    }
}
