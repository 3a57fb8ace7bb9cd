import ArgumentParser
import Foundation
import Testing

@testable import vanorb
@testable import vanorb_lab
@testable import vanorbd

/// The manual pages, made of the parsers' own tables.
@Suite struct ManualTests {
    /// What a program tells of itself with `--experimental-dump-help`.
    private static func dump(_ program: any ParsableCommand.Type) throws -> Data {
        func text<Program: ParsableCommand>(_ program: Program.Type) throws -> String {
            do {
                _ = try program.parseAsRoot(["--experimental-dump-help"])
                return ""
            } catch { return program.fullMessage(for: error) }
        }
        return Data(try text(program).utf8)
    }

    private static func root(_ program: any ParsableCommand.Type) throws -> HelpCommand {
        try JSONDecoder().decode(HelpDump.self, from: dump(program)).command
    }

    private static func pages(_ program: any ParsableCommand.Type) throws -> [ManualPage] {
        try Manuals.pages(of: dump(program), date: Date(timeIntervalSince1970: 1_780_000_000))
    }

    @Test func everySubcommand_hasAPage() throws {
        let names = Set(try Self.pages(Vanorb.self).map(\.file))
        #expect(names.contains("vanorb.1"))
        #expect(names.count == Vanorb.configuration.subcommands.count + 1)
        for command in Vanorb.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            #expect(names.contains("vanorb-\(name).1"))
        }
        #expect(try Self.pages(Vanorbd.self).map(\.file) == ["vanorbd.8"])
    }

    @Test(arguments: ["vanorb", "vanorbd"])
    func everyCommandAndOption_isExplained(_ program: String) throws {
        for command in try Self.root(program == "vanorb" ? Vanorb.self : Vanorbd.self).all {
            #expect(command.abstract?.isEmpty == false, "\(command.typed) has no abstract")
            for argument in command.arguments ?? [] where argument.isShown {
                let name = argument.key ?? argument.valueName ?? "?"
                #expect(argument.abstract?.isEmpty == false, "\(command.typed) \(name) has no help")
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

    @Test func aPage_hasWhatAManualHas() throws {
        let page = try #require(try Self.pages(Vanorb.self).first { $0.name == "vanorb-ledger" }).text
        for line in [
            ".Dt VANORB-LEDGER 1", ".Nd the money: what was spent and received", ".Nm vanorb ledger add",
            ".Op Fl -category Ar category", ".Ss vanorb ledger correct", ".Sh EXIT STATUS", ".Cm list .",
            "vanorb ledger add £12.50 lunch at the pub", ".Xr vanorb 1 ,",
        ] { #expect(page.split(separator: "\n").contains(Substring(line)), "\(line) is missing") }
        let own = try #require(try Self.pages(Vanorb.self).first).text
        for section in ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
            #expect(own.contains(".Sh \(section)\n"))
        }
        #expect(own.contains(".It Xr vanorb-ledger 1\n") && own.contains("NO_COLOR"))
    }

    @Test func textThatLooksLikeAMacro_isText() {
        #expect(Mdoc.line(".5 kg is a weight") == "\\&.5 kg is a weight")
        #expect(Mdoc.line("'tis C:\\x") == "\\&'tis C:\\ex")
        #expect(Mdoc.words("No such") == "\\&No such")
        #expect(Mdoc.literal("vanorb items set rug --place ''") == "vanorb items set rug \\-\\-place \\(aq\\(aq")
        #expect(Mdoc.sentences("Such as 1.5 kg. Or 3 May. Then: e.g. rope.").count == 3)
    }

    private static let hasMandoc = FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")
    private static let hasMan = FileManager.default.isExecutableFile(atPath: "/usr/bin/man")

    /// Writes the pages into a folder and shows them to a checker, which says nothing where all is well.
    private func complaints(_ program: String, _ arguments: (String) -> [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vanorb-man-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var said = ""
        for page in try Self.pages(Vanorb.self) + Self.pages(Vanorbd.self) {
            let file = folder.appendingPathComponent(page.file)
            try page.text.write(to: file, atomically: true, encoding: .utf8)
            let process = Process(), pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments(file.path)
            (process.standardError, process.standardOutput) = (pipe, FileHandle.nullDevice)
            process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"]
            try process.run()
            said += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus != 0 { said += "\(page.file): status \(process.terminationStatus)\n" }
        }
        return said
    }

    @Test(.enabled(if: hasMan, "man shows the pages")) func man_rendersEveryPage_withoutAWarning() throws {
        #expect(try complaints("/usr/bin/man", { ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", $0] }) == "")
    }

    @Test(.enabled(if: hasMandoc, "mandoc checks the pages")) func mandoc_findsNothingToWarnOf() throws {
        #expect(try complaints("/usr/bin/mandoc", { ["-Tlint", "-Wwarning", $0] }) == "")
    }
}
