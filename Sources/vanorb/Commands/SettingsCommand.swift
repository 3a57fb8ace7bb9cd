import ArgumentParser
import Control
import Foundation

/// `vanorb settings`
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show and change settings.",
        discussion: """
            A change is checked, then written to your settings file, where everything else stays as it is. Most changes \
            take effect at once or in the next turn; some need a restart. Works without the daemon.

            Examples:
              vanorb settings --changed
              vanorb settings explain night.from
              vanorb settings set speech.rate 0.6
              vanorb settings reset speech.rate
            """,
        subcommands: [List.self, Get.self, Explain.self, Set.self, Reset.self, Languages.self],
        defaultSubcommand: List.self)

    /// What the shell offers for a key.
    static let keys = CompletionKind.shellCommand("vanorb settings list --names 2>/dev/null")

    /// `vanorb settings list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the settings with their sources.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "A section such as speech, or the start of a key.") var prefix: String?
        @Flag(help: "Only settings that differ from their defaults.") var changed = false
        @Flag(help: "Only the keys, one per line.") var names = false

        func run() async throws {
            try await global.run { client, output in
                var result = try await SettingsCommand.ask(SettingsCall.self, Empty(), client)
                if let prefix {
                    result.settings = result.settings.filter { $0.key.hasPrefix(prefix) }
                    if result.settings.isEmpty {
                        _ = try await SettingsCommand.ask(SettingShowCall.self, SettingArguments(key: prefix), client)
                    }
                }
                if changed { result.settings = result.settings.filter { $0.origin != .defaults || $0.inForce != nil } }
                try output.show(result) { names ? $0.settings.map(\.key) : Self.lines($0) }
            }
        }

        static func lines(_ result: SettingsResult) -> [String] {
            var table = Table([
                ("setting", .left), ("value", .left), ("source", .left), ("takes effect", .left), ("", .left),
            ])
            for row in result.settings {
                let waits = row.inForce.map { "restart needed; \(SettingsCommand.shown($0)) in use" }
                table.add([
                    row.key, SettingsCommand.shown(row.value), row.origin.words, row.timing.words,
                    row.note ?? waits ?? "",
                ])
            }
            let waiting = result.settings.filter { $0.inForce != nil && $0.note == nil }
            var lines = result.settings.isEmpty ? ["All settings have their defaults."] : table.lines
            if !waiting.isEmpty {
                let count = waiting.count == 1 ? "1 change needs" : "\(waiting.count) changes need"
                lines.append("\(count) a restart: sudo systemctl restart vanorb")
            }
            if !result.isRunning { lines.append("VanOrb is not running.") }
            if let problem = result.problem {
                lines.append("The settings file is invalid; VanOrb would not start with it. \(problem)")
            }
            return lines
        }
    }

    /// `vanorb settings get`
    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the value of a setting.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting’s key.", completion: SettingsCommand.keys) var key: String

        func run() async throws {
            try await global.run { client, output in
                let row = try await SettingsCommand.ask(SettingShowCall.self, SettingArguments(key: key), client)
                try output.show(row) { [$0.value] }
            }
        }
    }

    /// `vanorb settings explain`
    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Describe a setting and its allowed values.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting’s key.", completion: SettingsCommand.keys) var key: String

        func run() async throws {
            try await global.run { client, output in
                let row = try await SettingsCommand.ask(SettingShowCall.self, SettingArguments(key: key), client)
                try output.show(row, Self.lines)
            }
        }

        static func lines(_ row: SettingRow) -> [String] {
            var facts = Table([("", .left), ("", .left)])
            facts.add([row.key, SettingsCommand.shown(row.value)])
            facts.add(["meaning", row.meaning])
            facts.add(["allowed", row.expected ?? "any text"])
            facts.add(["default", SettingsCommand.shown(row.defaultValue)])
            facts.add(["source", row.origin.words])
            facts.add(["takes effect", row.timing.words])
            if let inForce = row.inForce { facts.add(["in use", SettingsCommand.shown(inForce)]) }
            if let note = row.note { facts.add(["note", note]) }
            return Array(facts.lines.dropFirst())
        }
    }

    /// `vanorb settings set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a setting.",
            discussion: "An invalid value changes nothing, and the allowed values are shown. \"\" is an empty value.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting’s key.", completion: SettingsCommand.keys) var key: String
        // Also what begins with a minus.
        @Argument(parsing: .allUnrecognized, help: "The value.") var value: [String]

        func run() async throws { try await SettingsCommand.change(key, value.joined(separator: " "), global) }
    }

    /// `vanorb settings reset`
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reset a setting to its default.",
            discussion: "An unknown key in your file is removed from it.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting’s key.", completion: SettingsCommand.keys) var key: String

        func run() async throws { try await SettingsCommand.change(key, nil, global) }
    }

    /// `vanorb settings languages`
    struct Languages: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the installed languages.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await SettingsCommand.ask(LanguagesCall.self, Empty(), client)) { result in
                    result.languages.map { $0 == result.chosen ? "\($0)  (selected)" : $0 }
                }
            }
        }
    }

    // MARK: asking

    private static func change(_ key: String, _ value: String?, _ global: GlobalOptions) async throws {
        try await global.run { client, output in
            let wanted = SettingChangeArguments(key: key, value: value)
            try output.show(try await ask(SettingChangeCall.self, wanted, client)) { [$0.message] }
        }
    }

    /// Asks the daemon, or where none answers, its program.
    private static func ask<Call: ControlCall>(
        _ call: Call.Type, _ arguments: Call.Arguments, _ client: ControlClient
    ) async throws -> Call.Result {
        do { return try await client.call(call, arguments) } catch let unreachable as DaemonUnreachable {
            // A daemon that this user may not speak to runs all the same.
            guard access(unreachable.path, W_OK) == 0 || errno != EACCES else { throw unreachable }
            let text = String(decoding: try ControlJSON.encode(arguments), as: UTF8.self)
            do {
                return try await DaemonProgram.ask(["--answer", Call.name, "--arguments", text], for: Call.Result.self)
            } catch let error as ControlError where error.code == DaemonProgram.noDaemon {
                // Without the program, only this is known.
                throw unreachable
            }
        }
    }

    fileprivate static func shown(_ value: String) -> String { value.isEmpty ? "(empty)" : value }
}

extension SettingOrigin {
    /// As a person reads it.
    fileprivate var words: String {
        switch self {
        case .defaults: "default"
        case .owner: "your file"
        case .commandLine: "command line"
        }
    }
}

extension SettingTiming {
    /// As a person reads it.
    fileprivate var words: String {
        switch self {
        case .atOnce: "at once"
        case .nextTurn: "next turn"
        case .ownRestart: "after the turn, with a restart"
        case .restart: "after a restart"
        }
    }
}
