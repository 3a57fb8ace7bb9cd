import ArgumentParser
import Control
import Foundation

/// `vanorb restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the database from a backup.",
        discussion: """
            The backup is verified first, and what would be lost is shown. The replaced database is kept next to the new \
            one. A running daemon restarts with the backup; it also works without the daemon. Exits 1 if nothing was \
            restored.
            """)
    @OptionGroup var global: GlobalOptions
    @Argument(
        help: "The backup's file; newest; or empty, for an empty database.",
        completion: .file(extensions: ["sqlite"]))
    var backup = "newest"
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @Flag(help: "Show what would happen, and change nothing.") var dryRun = false

    /// How long the daemon may take to restart: on a small board it learns the owner's names first.
    private static let patience = Duration.seconds(120)

    func run() async throws {
        try await global.run { client, output in
            let chosen = Self.words.contains(backup) ? backup : Self.absolute(backup)
            var hasDaemon = true
            let plan: RestorePlan
            do {
                plan = try await Self.call(RestorePlanCall.self, chosen, client)
            } catch let error as DaemonUnreachable where !error.isForbidden {
                hasDaemon = false
                plan = try await DaemonProgram.ask(["--restore-plan", chosen], for: RestorePlan.self)
            }
            if dryRun { return try output.show(plan, Self.lines) }
            if !global.json {
                for line in Self.lines(plan) { try output.line(line) }
            }
            try confirm(output)
            // The file that was examined, also where a newer one has come about since.
            let done: Acknowledgement
            if hasDaemon {
                // A daemon that has been up for less time than has passed since is the new one.
                let began = ContinuousClock.now
                _ = try await Self.call(RestoreCall.self, plan.path, client)
                done = try await Self.awaitRestart(client, since: began)
            } else {
                done = try await DaemonProgram.ask(["--restore", plan.path], for: Acknowledgement.self)
            }
            try output.show(done) { [$0.message] }
            guard done.done else { throw ExitCode.failure }
        }
    }

    private func confirm(_ output: Output) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1, !global.json else {
            throw ControlError(
                code: "not-confirmed", message: "Nothing was restored. To restore without being asked, add --yes.")
        }
        print("Restore it? [y/N] ", terminator: "")
        fflush(nil)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            throw ControlError(code: "not-confirmed", message: "Nothing was restored.")
        }
    }

    /// Waits until the daemon has restarted, and returns the state of its database.
    private static func awaitRestart(_ client: ControlClient, since began: ContinuousClock.Instant) async throws
        -> Acknowledgement
    {
        let clock = ContinuousClock(), deadline = began + patience
        while clock.now < deadline {
            if let status = try? await client.call(StatusCall.self),
                .seconds(status.uptimeSeconds) < began.duration(to: clock.now),
                let store = status.parts.first(where: { $0.name == "store" })
            {
                return Acknowledgement(
                    done: store.state == .ok, message: store.state == .ok ? "Restored: \(store.detail)." : store.detail)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw ControlError(
            code: ControlError.Code.failed,
            message: "The daemon did not restart within two minutes. Run `vanorb doctor`.")
    }

    /// What stands for no file.
    private static let words: Set<String> = ["newest", "empty"]

    static func lines(_ plan: RestorePlan) -> [String] {
        if plan.path == "empty" { return [plan.lost] }
        return [
            "\(plan.path), made \(Text.date(plan.date)), \((plan.bytes + 999) / 1_000) kB, verified.",
            plan.lost,
        ]
    }

    /// Makes a call about a backup. A file of the caller's own is sent: the service sees neither homes nor what is in
    /// /tmp. The board's own backups it finds itself, and those that are too large to be sent it can only look for.
    private static func call<Call: ControlCall>(
        _ call: Call.Type, _ backup: String, _ client: ControlClient
    ) async throws -> Call.Result where Call.Arguments == RestoreArguments {
        guard try await isToBeSent(backup, client) else {
            return try await client.call(call, RestoreArguments(backup: backup))
        }
        let content = try FileSending(backup, expected: "a backup")
        let facts = try? FileManager.default.attributesOfItem(atPath: backup)
        let modified = facts?[.modificationDate] as? Date
        return try await client.connected { connection in
            let upload = try await content.send(on: connection)
            return try await connection.call(
                call, RestoreArguments(backup: backup, upload: upload, modified: modified))
        }
    }

    private static func isToBeSent(_ backup: String, _ client: ControlClient) async throws -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: backup)[.size] as? Int
        guard !words.contains(backup), access(backup, R_OK) == 0, let size,
            (1...ControlLimits.uploadBytes).contains(size)
        else { return false }
        // A database with a write-ahead log is incomplete without it.
        let log = try? FileManager.default.attributesOfItem(atPath: backup + "-wal")[.size] as? Int
        guard (log ?? 0) == 0 else { return false }
        let list = try await client.call(BackupListCall.self)
        return !(list.backups + list.copies).contains { $0.path == backup }
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
            .standardizedFileURL.path
    }
}
