import ArgumentParser
import Control

/// `vanorb devices`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List, control and check the van's devices.",
        discussion: "A device is named by its id or its name, as the list shows them.",
        subcommands: [List.self, Show.self, Set.self, Test.self, Forget.self, Purge.self],
        defaultSubcommand: List.self)

    /// `vanorb devices list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the devices by area.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(DevicesListCall.self), Self.lines)
            }
        }

        static func lines(_ list: DevicesListResult) -> [String] {
            guard !list.devices.isEmpty else {
                return ["No devices. Check the broker: vanorb status"]
            }
            var table = Table([
                ("device", .left), ("kind", .left), ("area", .left), ("state", .left), ("age", .right),
                ("source", .left), ("id", .left),
            ])
            for device in list.devices {
                table.add([
                    device.name, device.kind, device.area ?? "", device.stateText,
                    device.ageSeconds.map(Text.duration) ?? "", device.source, device.id,
                ])
            }
            return table.lines
        }
    }

    /// `vanorb devices show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a device with its topics and last payloads.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The device.") var device: [String]

        func run() async throws {
            try await global.run { client, output in
                let answer = try await client.call(
                    DeviceShowCall.self, DeviceArguments(device: device.joined(separator: " ")))
                try output.show(answer, Self.lines)
            }
        }

        static func lines(_ shown: DeviceShowResult) -> [String] {
            let device = shown.device
            var facts = Table([("", .left), ("", .left)])
            let rows: [(String, String?)] = [
                ("name", device.name), ("id", device.id), ("kind", device.kind), ("area", device.area),
                ("also called", shown.aliases.joined(separator: ", ")),
                ("groups", shown.groups.joined(separator: ", ")),
                ("model", shown.model), ("source", device.source), ("state", device.stateText),
                ("age", device.ageSeconds.map(Text.duration)),
            ]
            for (name, value) in rows { if let value, !value.isEmpty { facts.add([name, value]) } }
            var topics = Table([("use", .left), ("topic", .left), ("last payload", .left)])
            for topic in shown.topics { topics.add([topic.use, topic.topic, topic.payload ?? ""]) }
            return facts.lines.dropFirst() + [""] + topics.lines
                + (shown.problems.isEmpty ? [] : [""] + shown.problems)
        }
    }

    /// `vanorb devices set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a command to a device.",
            discussion: """
                Risky commands, such as unlocking a door, need --yes. Examples:
                  vanorb devices set water pump on
                  vanorb devices set heater 21
                  vanorb devices set "cabin lights" "warm white"
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(
            help: ArgumentHelp(
                """
                The device, and as the last one the value: on, off, open, close, stop, lock, unlock, press, an option, \
                or a number: percent, °C or its own unit.
                """, valueName: "device … value"))
        var words: [String]
        @Flag(help: "Carry out risky commands without asking.") var yes = false

        func validate() throws {
            guard words.count > 1 else { throw ValidationError("Give a device and a value, such as: water pump on") }
        }

        func run() async throws {
            try await global.acknowledge(
                DeviceSetCall.self,
                DeviceSetArguments(
                    device: words.dropLast().joined(separator: " "), value: words.last ?? "", confirmed: yes))
        }
    }

    /// `vanorb devices test`
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check the devices' topics. Exits 1 if a problem is found.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                let found = try await client.call(DevicesTestCall.self)
                try output.show(found) {
                    $0.problems.isEmpty ? ["\($0.count) devices, no problems."] : $0.problems
                }
                guard found.problems.isEmpty else { throw ExitCode.failure }
            }
        }
    }

    /// `vanorb devices forget`
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a device's retained discovery message.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The device.") var device: [String]

        func run() async throws {
            try await global.acknowledge(
                DeviceForgetCall.self, DeviceArguments(device: device.joined(separator: " ")))
        }
    }

    /// `vanorb devices purge`
    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List discovery messages of devices that are gone; with --yes, remove them.",
            discussion: "A device that is switched off counts as gone: check the list first.")
        @OptionGroup var global: GlobalOptions
        @Flag(help: "Remove them.") var yes = false

        func run() async throws {
            try await global.run { client, output in
                let found = try await client.call(DevicesPurgeCall.self, DevicesPurgeArguments(removes: yes))
                try output.show(found) { found in
                    if found.topics.isEmpty { return ["No discovery messages of devices that are gone."] }
                    let last = found.isRemoved ? "removed" : "not removed. To remove: vanorb devices purge --yes"
                    return found.topics + ["\(found.topics.count) \(last)"]
                }
            }
        }
    }
}

extension DeviceRow {
    /// The state as a person reads it.
    fileprivate var stateText: String {
        let state = state ?? "unknown"
        return online ? state : "offline (\(state))"
    }
}
