/// What a program's parser tells of itself (`--experimental-dump-help`): as much of it as a manual needs.
struct HelpDump: Decodable {
    let command: HelpCommand
}

/// A command, with those below it.
struct HelpCommand: Decodable {
    let commandName: String
    let shouldDisplay: Bool
    let superCommands: [String]?
    let aliases: [String]?
    let abstract: String?
    let discussion: String?
    let defaultSubcommand: String?
    let subcommands: [HelpCommand]?
    let arguments: [HelpArgument]?

    /// Those that a person is shown; `help` is the parser's own, and every command has `--help`.
    var shown: [HelpCommand] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

    /// How it is typed, such as `vanorb ledger add`.
    var typed: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

    /// The discussion without its examples.
    var prose: [String] { parted.prose }

    /// Lines that can be typed, out of the discussion: all that is indented behind the line `Examples:`.
    var examples: [String] { parted.examples }

    /// Itself and all below it.
    var all: [HelpCommand] { [self] + shown.flatMap(\.all) }

    private var parted: (prose: [String], examples: [String]) {
        let lines = (discussion ?? "").split(separator: "\n").map(String.init)
        guard let mark = lines.firstIndex(of: "Examples:") else { return (lines, []) }
        return (Array(lines[..<mark]), lines[(mark + 1)...].map { $0.trimmingPrefix { $0 == " " }.description })
    }
}

/// An argument, an option or a flag.
struct HelpArgument: Decodable {
    enum Kind: String, Decodable {
        case positional, option, flag
    }

    struct Name: Decodable {
        let kind: String
        let name: String

        /// As it is typed, without the first dash, which the macro writes.
        var typed: String { kind == "long" ? "-\(name)" : name }
    }

    let kind: Kind
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let defaultValue: String?
    let allValueStrings: [String]?
    let abstract: String?
    let discussion: String?
}
