import ArgumentParser
import Control
import Foundation

/// `vanorb settings`
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "What can be set, and what a change needs.",
        discussion: """
            A change is written into your settings file, of which all else stays as it is, after the whole of it was \
            checked. Many settings take effect in the next turn; what needs a restart says so. Works without the daemon, too.

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
            commandName: "list", abstract: "Lists the settings, who set them, and when a change takes effect.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "A section such as speech, or the beginning of a key.") var prefix: String?
        @Flag(help: "Only those that are not as they came.") var changed = false
        @Flag(help: "Only their names, one a line.") var names = false

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
                ("setting", .left), ("value", .left), ("from", .left), ("a change counts", .left), ("", .left),
            ])
            for row in result.settings {
                let waits = row.inForce.map { "waits: \(SettingsCommand.shown($0)) is in force" }
                table.add([
                    row.key, SettingsCommand.shown(row.value), row.origin.words, row.timing.words,
                    row.note ?? waits ?? "",
                ])
            }
            let waiting = result.settings.filter { $0.inForce != nil && $0.note == nil }
            var lines = result.settings.isEmpty ? ["Everything is as it came."] : table.lines
            if !waiting.isEmpty {
                let count = waiting.count == 1 ? "1 change waits" : "\(waiting.count) changes wait"
                lines.append("\(count) for a restart: sudo systemctl restart vanorb")
            }
            if !result.isRunning { lines.append("VanOrb does not run; they count when it starts.") }
            if let problem = result.problem {
                lines.append("The settings file has a mistake; VanOrb would not start with it. \(problem)")
            }
            return lines
        }
    }

    /// `vanorb settings get`
    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the value of a setting, and nothing else.")
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
        static let configuration = CommandConfiguration(abstract: "Says what a setting is for, and what it may be.")
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
            facts.add(["is for", row.meaning])
            facts.add(["may be", row.expected ?? "any text"])
            facts.add(["as it came", SettingsCommand.shown(row.defaultValue)])
            facts.add(["set by", row.origin.words])
            facts.add(["a change counts", row.timing.words])
            if let inForce = row.inForce { facts.add(["in force", SettingsCommand.shown(inForce)]) }
            if let note = row.note { facts.add(["note", note]) }
            return Array(facts.lines.dropFirst())
        }
    }

    /// `vanorb settings set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets a setting, and says when that takes effect.",
            discussion: "A value that is not one changes nothing: what is expected is told. \"\" is an empty value.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting’s key.", completion: SettingsCommand.keys) var key: String
        // Also what begins with a minus.
        @Argument(parsing: .allUnrecognized, help: "The value.") var value: [String]

        func run() async throws { try await SettingsCommand.change(key, value.joined(separator: " "), global) }
    }

    /// `vanorb settings reset`
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts a setting back to how it came.",
            discussion: "A key in your file that is no setting is taken out of it.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting’s key.", completion: SettingsCommand.keys) var key: String

        func run() async throws { try await SettingsCommand.change(key, nil, global) }
    }

    /// `vanorb settings languages`
    struct Languages: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the languages that are installed.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await SettingsCommand.ask(LanguagesCall.self, Empty(), client)) { result in
                    result.languages.map { $0 == result.chosen ? "\($0)  in use" : $0 }
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
                // Nothing can be told but this.
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
        case .defaults: "as it came"
        case .owner: "you"
        case .commandLine: "the daemon’s command line"
        }
    }
}

extension SettingTiming {
    /// As a person reads it.
    fileprivate var words: String {
        switch self {
        case .atOnce: "at once"
        case .nextTurn: "from the next turn on"
        case .anew: "next turn; VanOrb begins anew"
        case .restart: "after a restart"
        }
    }
}
