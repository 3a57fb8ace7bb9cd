import ArgumentParser
import Foundation
import Testing

@testable import vanorb
@testable import vanorbd

/// The manual pages that `deploy/manuals` makes from the parsers' own tables.
@Suite struct ManualTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let hasJQ = FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
    private static let hasMandoc = FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")
    private static let hasMan = FileManager.default.isExecutableFile(atPath: "/usr/bin/man")

    /// What a program prints with `--experimental-dump-help`.
    private static func dump(_ program: any ParsableCommand.Type) throws -> Data {
        func text<Program: ParsableCommand>(_ program: Program.Type) throws -> String {
            do {
                _ = try program.parseAsRoot(["--experimental-dump-help"])
                return ""
            } catch { return program.fullMessage(for: error) }
        }
        return Data(try text(program).utf8)
    }

    /// The text of the pages that dumps become, by their files' names.
    private static func pages(_ dumps: Data...) throws -> [String: String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vanorb-man-\(UUID())")
        let pages = folder.appending(path: "pages")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try dumps.enumerated().map { place, dump in
            let file = folder.appending(path: "\(place).json")
            try dump.write(to: file)
            return file.path
        }
        let said = try run("\(root)/deploy/manuals", [pages.path] + files)
        try #require(said == "")
        return try FileManager.default.contentsOfDirectory(at: pages, includingPropertiesForKeys: nil)
            .reduce(into: [:]) { $0[$1.lastPathComponent] = try String(contentsOf: $1, encoding: .utf8) }
    }

    /// What a program writes to its error output, and its status unless that is 0.
    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        (process.standardError, process.standardOutput) = (pipe, FileHandle.nullDevice)
        process.environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80",
            "SOURCE_DATE_EPOCH": "1780000000",
        ]
        try process.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? said : "\(said)status \(process.terminationStatus)\n"
    }

    @Test(.enabled(if: hasJQ, "jq makes the pages")) func everySubcommand_hasAPage() throws {
        let names = Set(try Self.pages(Self.dump(Vanorb.self)).keys)
        #expect(names.contains("vanorb.1"))
        #expect(names.count == Vanorb.configuration.subcommands.count + 1)
        for command in Vanorb.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            #expect(names.contains("vanorb-\(name).1"))
        }
        #expect(try Self.pages(Self.dump(Vanorbd.self)).keys.sorted() == ["vanorbd.8"])
    }

    @Test(arguments: ["vanorb", "vanorbd"])
    func everyCommandAndOption_isExplained(_ program: String) throws {
        let dump = try Self.dump(program == "vanorb" ? Vanorb.self : Vanorbd.self)
        for command in try JSONDecoder().decode(HelpDump.self, from: dump).command.all {
            #expect(command.abstract?.isEmpty == false, "\(command.commandName) has no abstract")
            for argument in command.arguments ?? [] where argument.shouldDisplay {
                let name = argument.preferredName?.name ?? argument.valueName ?? "?"
                #expect(argument.abstract?.isEmpty == false, "\(command.commandName) \(name) has no help")
            }
        }
    }

    /// The dump knows a default by its explicit name only.
    @Test func theDefaultOfACommand_isNamed() throws {
        for command in Vanorb.configuration.subcommands where command.configuration.defaultSubcommand != nil {
            let first = command.configuration.defaultSubcommand
            #expect(first?.configuration.commandName != nil, "\(command._commandName): name its default explicitly")
        }
    }

    @Test(.enabled(if: hasJQ, "jq makes the pages")) func aPage_hasWhatAManualHas() throws {
        let pages = try Self.pages(Self.dump(Vanorb.self))
        let page = try #require(pages["vanorb-ledger.1"])
        for line in [
            ".Dd May 28, 2026", ".Dt VANORB-LEDGER 1", ".Nd manage the ledger",
            ".Nm vanorb ledger add", ".Op Fl -category Ar category", ".Ss vanorb ledger correct", ".Sh EXIT STATUS",
            ".Cm list .", "vanorb ledger add £12.50 lunch at the pub", ".Xr vanorb 1 ,", ".Xr vanorbd 8",
            "The daemon cannot be reached.",
        ] { #expect(page.split(separator: "\n").contains(Substring(line)), "\(line) is missing") }
        let own = try #require(pages["vanorb.1"])
        for section in ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
            #expect(own.contains(".Sh \(section)\n"))
        }
        #expect(own.contains(".It Xr vanorb-ledger 1\n") && own.contains("NO_COLOR"))
    }

    @Test(.enabled(if: hasJQ, "jq makes the pages")) func textThatLooksLikeAMacro_isText() throws {
        let dump = #"""
            {"command": {"commandName": "vanorb", "shouldDisplay": true, "abstract": ".5 kg is a weight.", "subcommands": [
              {"commandName": "items", "superCommands": ["vanorb"], "shouldDisplay": true, "abstract": "'tis C:\\x.",
               "discussion": "Such as 1.5 kg. Or 3 May. Then: e.g. rope.\nExamples:\n  vanorb items set rug --place ''",
               "arguments": [{"kind": "positional", "valueName": "No such", "shouldDisplay": true, "isOptional": false,
                              "isRepeating": false, "abstract": "A name."}]}]}}
            """#
        let pages = try Self.pages(Data(dump.utf8))
        #expect(pages["vanorb.1"]?.contains("\n\\&.5 kg is a weight.\n") == true)
        let page = try #require(pages["vanorb-items.1"])
        for line in [
            "\\&'tis C:\\ex.", ".Ar \\&No such", "vanorb items set rug \\-\\-place \\(aq\\(aq",
            "Such as 1.5 kg.", "Or 3 May.", "Then: e.g. rope.",
        ] { #expect(page.split(separator: "\n").contains(Substring(line)), "\(line) is missing") }
    }

    /// What a checker says about all pages; nothing if all is well.
    private func complaints(_ program: String, _ arguments: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vanorb-man-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pages = try Self.pages(Self.dump(Vanorb.self), Self.dump(Vanorbd.self))
        return try pages.map { name, text in
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            let said = try Self.run(program, arguments + [file.path])
            return said.isEmpty ? "" : "\(name): \(said)"
        }.joined()
    }

    @Test(.enabled(if: hasJQ && hasMan, "man shows the pages")) func man_rendersEveryPage_withoutAWarning() throws {
        #expect(try complaints("/usr/bin/man", ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]) == "")
    }

    @Test(.enabled(if: hasJQ && hasMandoc, "mandoc checks the pages")) func mandoc_findsNothingToWarnOf() throws {
        #expect(try complaints("/usr/bin/mandoc", ["-Tlint", "-Wwarning"]) == "")
    }
}

/// As much of a parser's dump as the tests look at.
private struct HelpDump: Decodable {
    struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool
        let abstract: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// Itself and all below it; `help` is the parser's own.
        var all: [Command] {
            [self]
                + (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }.flatMap(\.all)
        }
    }

    struct Argument: Decodable {
        struct Name: Decodable { let name: String }

        let shouldDisplay: Bool
        let preferredName: Name?
        let valueName: String?
        let abstract: String?
    }

    let command: Command
}
