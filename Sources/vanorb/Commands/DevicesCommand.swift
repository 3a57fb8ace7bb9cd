import ArgumentParser
import Control

/// `vanorb devices`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "The van's devices.", subcommands: [List.self], defaultSubcommand: List.self
    )

    /// `vanorb devices list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the devices and their states.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(DevicesListCall.self), Self.lines)
            }
        }

        static func lines(_ list: DevicesListResult) -> [String] {
            guard !list.devices.isEmpty else {
                return ["No device is known. Does the broker answer? Try: vanorb status"]
            }
            var table = Table([
                ("device", .left), ("kind", .left), ("area", .left), ("state", .left), ("source", .left), ("id", .left),
            ])
            for device in list.devices {
                let state = device.state ?? "unknown"
                table.add([
                    device.name, device.kind, device.area ?? "", device.online ? state : "offline (\(state))",
                    device.source, device.id,
                ])
            }
            return table.lines
        }
    }
}
