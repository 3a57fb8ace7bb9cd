import Foundation

/// A page of the manual in mdoc(7), made of what the parser knows and of what is the same for a whole program.
struct ManualPage {
    /// The page's name without its section, such as `vanorb-ledger`.
    let name: String
    let section: Int
    /// Its text.
    let text: String

    /// The file's name.
    var file: String { "\(name).\(section)" }

    /// The pages of a program: its own, and one for each subcommand, with those below it.
    /// - Parameter date: which day the pages name.
    static func pages(of root: HelpCommand, _ program: ManualProgram, date: Date) -> [ManualPage] {
        let common = (root.arguments ?? []).filter { $0.isShown && !root.shown.isEmpty }
        let names = Set(common.compactMap(\.key))
        let writer = Writer(program: program, root: root, common: names, date: date)
        return [writer.page(root, isRoot: true)] + root.shown.map { writer.page($0, isRoot: false) }
    }

    private struct Writer {
        let program: ManualProgram
        let root: HelpCommand
        /// Options that every subcommand takes; the program's page explains them.
        let common: Set<String>
        let date: Date

        func page(_ command: HelpCommand, isRoot: Bool) -> ManualPage {
            let name = command.typed.replacing(" ", with: "-")
            var lines =
                head(name) + [
                    ".Sh NAME", ".Nm \(name)", ".Nd \(Mdoc.phrase(Mdoc.sentences(command.abstract ?? "").first ?? ""))",
                ]
            lines += [".Sh SYNOPSIS"] + (isRoot ? rootSynopsis : leaves(command).flatMap(synopsis))
            lines += [".Sh DESCRIPTION"] + description(command, isRoot: isRoot)
            if !isRoot {
                lines += ["The options that all commands take are in", ".Xr \(root.commandName) \(program.section) ."]
            }
            lines += program.sections(isRoot: isRoot)
            let examples = (isRoot ? program.examples : []) + (isRoot ? [] : command.all.flatMap(\.examples))
            if !examples.isEmpty {
                lines += [".Sh EXAMPLES", ".Bd -literal -offset indent"] + examples.map(Mdoc.literal) + [".Ed"]
            }
            lines += [".Sh SEE ALSO"] + references(isRoot)
            return ManualPage(name: name, section: program.section, text: lines.joined(separator: "\n") + "\n")
        }

        private func head(_ name: String) -> [String] {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "UTC")
            format.dateFormat = "MMMM d, yyyy"
            return [
                ".\\\" Made by deploy/manuals from what the program's parser tells of itself.",
                ".Dd \(format.string(from: date))", ".Dt \(name.uppercased()) \(program.section)", ".Os VanOrb",
            ]
        }

        // MARK: synopsis

        private func leaves(_ command: HelpCommand) -> [HelpCommand] {
            command.shown.isEmpty ? [command] : command.shown.flatMap(leaves)
        }

        private var rootSynopsis: [String] {
            guard !root.shown.isEmpty else { return synopsis(root) }
            return [".Nm \(root.commandName)", ".Op Ar options", ".Ar command", ".Op Ar arguments"]
        }

        private func synopsis(_ command: HelpCommand) -> [String] {
            [".Nm \(command.typed)"]
                + own(command).map { argument in
                    let body = argument.isRepeating ? argument.macro + " ..." : argument.macro
                    return argument.isOptional ? ".Op \(body)" : ".\(body)"
                }
        }

        private func own(_ command: HelpCommand) -> [HelpArgument] {
            (command.arguments ?? []).filter { argument in
                argument.isShown && !argument.isParsers && !(argument.key.map(common.contains) ?? false)
            }
        }

        // MARK: description

        private func description(_ command: HelpCommand, isRoot: Bool) -> [String] {
            var lines = Mdoc.prose(command.abstract ?? "")
            if !command.prose.isEmpty { lines += [".Pp"] + Mdoc.prose(command.prose.joined(separator: " ")) }
            if isRoot { return lines + overview }
            lines += also(command) + list(own(command))
            if let first = command.defaultSubcommand {
                lines += [".Pp", "Without a word behind it, it is", ".Cm \(first) ."]
            }
            for below in command.shown {
                lines += [".Ss \(below.typed)"] + description(below, isRoot: false)
            }
            return command.superCommands?.count == 1 ? lines + [".Pp"] : lines
        }

        private func also(_ command: HelpCommand) -> [String] {
            guard let aliases = command.aliases, !aliases.isEmpty else { return [] }
            return ["Also called"]
                + aliases.enumerated().map {
                    ".Cm \($0.element)" + ($0.offset == aliases.count - 1 ? " ." : " ,")
                }
        }

        private var overview: [String] {
            var lines: [String] = []
            if !root.shown.isEmpty {
                lines += [".Pp", "The commands are:", ".Bl -tag -width Ds"]
                for command in root.shown {
                    lines += [".It Xr \(root.commandName)-\(command.commandName) \(program.section)"]
                    lines += Mdoc.prose(command.abstract ?? "")
                    let below = command.shown.map(\.commandName).joined(separator: ", ")
                    if !below.isEmpty { lines.append(Mdoc.line("(\(below))")) }
                }
                lines += [".El"]
            }
            let options = (root.arguments ?? []).filter(\.isShown)
            return lines + (root.shown.isEmpty ? [] : [".Pp", "All of them take these options:"]) + list(options)
        }

        private func list(_ arguments: [HelpArgument]) -> [String] {
            guard !arguments.isEmpty else { return [] }
            return [".Bl -tag -width Ds"] + arguments.flatMap(\.explained) + [".El"]
        }

        private func references(_ isRoot: Bool) -> [String] {
            var pages = program.related
            if !isRoot { pages.append("\(root.commandName) \(program.section)") }
            // In the order that the renderers' checks want: by section, then by name.
            pages.sort { ($0.split(separator: " ").last ?? "", $0) < ($1.split(separator: " ").last ?? "", $1) }
            return pages.enumerated().map { ".Xr \($0.element)" + ($0.offset == pages.count - 1 ? "" : " ,") }
        }
    }
}

extension HelpArgument {
    var isShown: Bool { shouldDisplay }

    /// What it is recognised by; nil for a positional one.
    var key: String? { preferredName?.name }

    /// True for what the parser gives every command.
    var isParsers: Bool { key == "help" || key == "version" }

    /// Its macros, such as `Fl -limit Ar count`.
    var macro: String {
        let value = Mdoc.words(valueName ?? "value")
        switch kind {
        case .positional: return "Ar \(value)"
        case .option: return "Fl \(Mdoc.words(preferredName?.typed ?? "")) Ar \(value)"
        case .flag: return "Fl \(Mdoc.words(preferredName?.typed ?? ""))"
        }
    }

    /// Its entry in a list.
    var explained: [String] {
        let others = (names ?? []).filter { $0.name != key && $0.kind != "longWithSingleDash" }
        var lines = [".It " + (others.map { "Fl \(Mdoc.words($0.typed)) , " } + [macro]).joined()]
        lines += Mdoc.prose([abstract, discussion].compactMap { $0 }.joined(separator: " "))
        if let values = allValueStrings, !values.isEmpty, kind != .flag {
            lines.append(Mdoc.line("One of: \(values.joined(separator: ", "))."))
        }
        if let defaultValue, kind != .flag { lines.append(Mdoc.line("Default: \(defaultValue).")) }
        return lines
    }
}
