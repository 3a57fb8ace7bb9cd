import Domain
import Dialogue
import Control
import Foundation
import Setup
import StoreSQLite

/// What works while no daemon runs: `vanorb` starts this program for it. Answers are JSON on the standard output.
struct WithoutDaemon {
    let settings: Settings
    private var room: BackupService { BackupService(settings: settings) }
    private var socket: String { settings.run + "/control.sock" }

    /// Answers as the control socket would.
    static func answer(_ body: () async throws -> any Encodable) async -> Bool {
        let line: Data?, isDone: Bool
        do {
            let value = try await body()
            line = try ControlJSON.encode(value, pretty: true)
            isDone = true
        } catch {
            let failure = error as? ControlError ?? ControlError(code: ControlError.Code.failed, message: "\(error)")
            line = try? ControlJSON.encode(["error": failure])
            isDone = false
        }
        FileHandle.standardOutput.write((line ?? Data()) + Data("\n".utf8))
        return isDone
    }

    /// Answers a call about settings.
    static func answer(_ call: String, _ arguments: String, _ source: SettingsSource) async throws -> any Encodable {
        let settings = SettingsCalls(source, appliance: nil)
        switch call {
        case SettingsCall.name: return try await settings.list()
        case SettingShowCall.name:
            return try await settings.show(ControlJSON.decode(SettingArguments.self, from: Data(arguments.utf8)))
        case LanguagesCall.name: return try await settings.languages()
        case SettingChangeCall.name:
            let wanted = try ControlJSON.decode(SettingChangeArguments.self, from: Data(arguments.utf8))
            return try await settings.change(wanted)
        default:
            throw ControlError(
                code: ControlError.Code.unknownCall, message: "Without a daemon there is no call \(call).")
        }
    }

    func plan(_ backup: String) async throws -> RestorePlan { try await room.plan(backup) }

    /// Puts a backup in place, with daemons kept away meanwhile.
    func restore(_ backup: String) async throws -> Acknowledgement {
        // Without its folder there is no daemon; the folder is not ours to make.
        let claim =
            FileManager.default.fileExists(atPath: settings.run) ? try SocketClaim(path: socket) : nil
        defer { claim?.release() }
        let data = try DataClaim(folder: settings.data)
        defer { withExtendedLifetime(data) {} }
        let plan = try await room.plan(backup)
        try await room.prepare(plan.path)
        let kept = try room.restore.finish()
        return Acknowledgement(
            message: "\(plan.path) is in place."
                + (kept.map { " The replaced database is kept as \($0)." } ?? ""))
    }

    // MARK: doctor

    /// What can be told of the appliance while it does not run.
    static func examine(_ load: () throws -> (Settings, Board)) async -> [PartStatus] {
        var findings = [
            PartStatus(
                name: "daemon", state: .failed, detail: "it does not run",
                advice: "start it (systemctl start vanorb), and look why it ended: journalctl -u vanorb -n 50")
        ]
        let settings: Settings, board: Board
        do { (settings, board) = try load() } catch {
            findings.append(
                PartStatus(
                    name: "settings", state: .failed, detail: "\(error)",
                    advice: "mend the line that is named; the daemon does not start before"))
            return findings
        }
        findings.append(PartStatus(name: "settings", state: .ok, detail: "in order"))
        findings += BoardCheck().findings(of: board).map {
            PartStatus(name: "board", state: .failed, detail: $0.line, advice: nil)
        }
        let own = WithoutDaemon(settings: settings)
        findings += own.folders() + [await own.database(), own.room.status(since: nil), own.disk()]
        return findings
    }

    private func folders() -> [PartStatus] {
        [("data folder", settings.data), ("run folder", settings.run)].map { name, path in
            var facts = stat()
            guard stat(path, &facts) == 0 else {
                let isRun = path == settings.run
                return PartStatus(
                    name: name, state: isRun ? .ok : .warning,
                    detail: "\(path) is not there" + (isRun ? "; it is made at the start" : ""),
                    advice: isRun ? nil : "it is made at the first start; where there were data, look for them")
            }
            let owner = getpwuid(facts.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(facts.st_uid)"
            let mode = String(facts.st_mode & 0o777, radix: 8)
            let detail = "\(path), of \(owner), mode \(mode)"
            guard facts.st_mode & S_IFMT == S_IFDIR else {
                return PartStatus(
                    name: name, state: .failed, detail: "\(path) is no folder", advice: "move it away")
            }
            guard facts.st_mode & 0o200 != 0 else {
                return PartStatus(
                    name: name, state: .failed, detail: detail + ": its owner may not write to it",
                    advice: "chmod u+w \(path)")
            }
            return PartStatus(name: name, state: .ok, detail: detail)
        }
    }

    private func database() async -> PartStatus {
        let file = "\(settings.data)/vanorb.sqlite"
        do { try MissingDatabase.refuse(file, besides: [room.backups] + [room.second].compactMap(\.self)) } catch {
            return PartStatus(
                name: "store", state: .failed, detail: "\(error)", advice: (error as? StoreError)?.remedy)
        }
        guard FileManager.default.fileExists(atPath: file) else {
            return PartStatus(name: "store", state: .ok, detail: "\(file) is not there yet; it is made at the start")
        }
        do {
            try await SQLiteStore.examine(file)
            return PartStatus(name: "store", state: .ok, detail: "\(file), read whole and found good")
        } catch let error as StoreError {
            return PartStatus(name: "store", state: .failed, detail: "\(error)", advice: error.remedy)
        } catch { return PartStatus(name: "store", state: .failed, detail: "\(error)", advice: nil) }
    }

    private func disk() -> PartStatus {
        guard let space = try? DataDisk.space(of: settings.data) else {
            return PartStatus(name: DiskMonitor.part, state: .ok, detail: "the space in \(settings.data) is not known")
        }
        let health = Health()
        DiskMonitor(folder: settings.data, health: health, logger: .init(label: "vanorbd"), reading: { _ in space })
            .look()
        guard let part = health.all.first else { return PartStatus(name: DiskMonitor.part, state: .ok, detail: "") }
        return PartStatus(
            name: part.name, state: part.state == .ok ? .ok : .warning, detail: part.detail, advice: part.advice)
    }
}
