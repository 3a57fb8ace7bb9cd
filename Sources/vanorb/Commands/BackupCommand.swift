import ArgumentParser
import Control

/// `vanorb backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Makes a backup of the database.",
        discussion: """
            It is verified before the command ends; the newest of the last days and weeks are kept. Where the setting \
            backup.second_path names a folder that is there, a copy goes to it. “vanorb restore” brings a backup back.
            """,
        subcommands: [Make.self, List.self], defaultSubcommand: Make.self)

    /// `vanorb backup make`
    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make", abstract: "Makes a backup and verifies it.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(BackupMakeCall.self), Self.lines)
            }
        }

        static func lines(_ backup: BackupResult) -> [String] {
            ["\(backup.path)  \(kilobytes(backup.bytes)), verified; \(backup.kept) kept"]
                + (backup.second.map { ["\($0)  verified"] } ?? []) + (backup.notice.map { ["note: \($0)"] } ?? [])
        }
    }

    /// `vanorb backup list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the backups, newest first.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(BackupListCall.self), Self.lines)
            }
        }

        static func lines(_ list: BackupsResult) -> [String] {
            guard !(list.backups + list.copies).isEmpty else { return ["There is no backup yet. Try: vanorb backup"] }
            var table = Table([("made", .left), ("size", .right), ("file", .left)])
            for backup in list.backups + list.copies {
                table.add([Text.date(backup.date), kilobytes(backup.bytes), backup.path])
            }
            let missing = list.second.map { list.copies.isEmpty ? ["", "No copies in \($0)."] : [] } ?? []
            return table.lines + missing
        }
    }

    private static func kilobytes(_ bytes: Int64) -> String { "\((bytes + 999) / 1_000) kB" }
}
