import ArgumentParser
import Control

/// `vanorb backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Makes a backup of the database.",
        discussion: "It is verified before the command ends; the newest of the last days and weeks are kept.")
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            try output.show(try await client.call(BackupMakeCall.self), Self.lines)
        }
    }

    static func lines(_ backup: BackupResult) -> [String] {
        let kilobytes = (backup.bytes + 999) / 1_000
        return ["\(backup.path)  \(kilobytes) kB, verified; \(backup.kept) kept"]
    }
}
