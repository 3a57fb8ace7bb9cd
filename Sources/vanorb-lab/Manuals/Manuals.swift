import ArgumentParser
import Foundation

/// `vanorb-lab manuals`
struct Manuals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes manual pages of what programs tell of themselves (--experimental-dump-help).")
    @Option(help: ArgumentHelp("Where the pages go.", valueName: "folder")) var output: String
    @Argument(help: "Files with what vanorb and vanorbd tell.") var dumps: [String]

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let date = environment["SOURCE_DATE_EPOCH"].flatMap(Double.init).map(Date.init(timeIntervalSince1970:))
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        for dump in dumps {
            let pages = try Self.pages(of: try Data(contentsOf: URL(fileURLWithPath: dump)), date: date ?? Date())
            for page in pages {
                try page.text.write(toFile: "\(output)/\(page.file)", atomically: true, encoding: .utf8)
            }
        }
    }

    /// The pages of a program, of what its parser tells.
    /// - Throws: `ValidationError` for a program that has no sections of its own here.
    static func pages(of dump: Data, date: Date) throws -> [ManualPage] {
        let command = try JSONDecoder().decode(HelpDump.self, from: dump).command
        guard let program = ManualProgram.all[command.commandName] else {
            throw ValidationError("\(command.commandName): expected vanorb or vanorbd.")
        }
        return ManualPage.pages(of: command, program, date: date)
    }
}
