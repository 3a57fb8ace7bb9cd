import ArgumentParser
import Control

/// `vanorb backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database.",
        discussion: """
            The backup is verified. Backups of the last days and weeks are kept (settings backup.days and backup.weeks), and \
            copied to backup.second_path if that is available. Restore one with `vanorb restore`.
            """,
        subcommands: [Make.self, List.self], defaultSubcommand: Make.self)

    /// `vanorb backup make`
    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make", abstract: "Make a backup and verify it.")
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
        static let configuration = CommandConfiguration(abstract: "List the backups, newest first.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(BackupListCall.self), Self.lines)
            }
        }

        static func lines(_ list: BackupsResult) -> [String] {
            guard !(list.backups + list.copies).isEmpty else { return ["No backups. Make one: vanorb backup"] }
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
