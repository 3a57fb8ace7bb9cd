import Domain
import Dialogue
import Control
import Foundation
import Setup
import StoreSQLite

/// What works without a running daemon: `vanorb` starts this program for it. Answers are JSON on standard output.
struct WithoutDaemon {
    let settings: Settings
    private var backups: BackupService { BackupService(settings: settings) }

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
                code: ControlError.Code.unknownCall, message: "The call \(call) needs the daemon.")
        }
    }

    func plan(_ backup: String) async throws -> RestorePlan { try await backups.plan(backup) }

    /// Puts a backup in place, with daemons kept away meanwhile.
    func restore(_ backup: String) async throws -> Acknowledgement {
        // Without its folder there is no daemon; the folder is not created here.
        let claim =
            FileManager.default.fileExists(atPath: settings.run) ? try SocketClaim(path: settings.controlSocket) : nil
        defer { claim?.release() }
        let data = try DataClaim(folder: settings.data)
        defer { withExtendedLifetime(data) {} }
        let plan = try await backups.plan(backup)
        try await backups.prepare(plan.path)
        let kept = try backups.restore.finish()
        return Acknowledgement(
            message: "\(plan.path) is in place."
                + (kept.map { " The replaced database is kept as \($0)." } ?? ""))
    }

    // MARK: doctor

    /// What can be checked while the daemon is not running.
    static func examine(_ load: () throws -> (Settings, Board)) async -> [PartStatus] {
        var findings = [
            PartStatus(
                name: "daemon", state: .failed, detail: "not running",
                advice: "Start it: sudo systemctl start vanorb. See why it stopped: journalctl -u vanorb -n 50")
        ]
        let settings: Settings, board: Board
        do { (settings, board) = try load() } catch {
            findings.append(
                PartStatus(
                    name: "settings", state: .failed, detail: "\(error)",
                    advice: "Fix that line; the daemon does not start until then."))
            return findings
        }
        findings.append(PartStatus(name: "settings", state: .ok, detail: "valid"))
        findings += BoardCheck().findings(of: board).map {
            PartStatus(name: "board", state: .failed, detail: $0.line, advice: nil)
        }
        let own = WithoutDaemon(settings: settings)
        findings += own.folders() + [await own.database(), own.backups.status(since: nil), own.disk()]
        return findings
    }

    private func folders() -> [PartStatus] {
        [("data folder", settings.data), ("run folder", settings.run)].map { name, path in
            var facts = stat()
            guard stat(path, &facts) == 0 else {
                let isRun = path == settings.run
                return PartStatus(
                    name: name, state: isRun ? .ok : .warning,
                    detail: "\(path) does not exist" + (isRun ? "; it is created at the start" : ""),
                    advice: isRun ? nil : "It is created at the first start. If you had data, check paths.data.")
            }
            let owner = getpwuid(facts.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(facts.st_uid)"
            let mode = String(facts.st_mode & 0o777, radix: 8)
            let detail = "\(path), owner \(owner), mode \(mode)"
            guard facts.st_mode & S_IFMT == S_IFDIR else {
                return PartStatus(
                    name: name, state: .failed, detail: "\(path) is not a folder", advice: "Move it away.")
            }
            guard facts.st_mode & 0o200 != 0 else {
                return PartStatus(
                    name: name, state: .failed, detail: detail + ": not writable",
                    advice: "Run: sudo chmod u+w \(path)")
            }
            return PartStatus(name: name, state: .ok, detail: detail)
        }
    }

    private func database() async -> PartStatus {
        let file = "\(settings.data)/vanorb.sqlite"
        do { try MissingDatabase.refuse(file, besides: [backups.backups] + [backups.second].compactMap(\.self)) } catch
        {
            return PartStatus(
                name: "store", state: .failed, detail: "\(error)", advice: (error as? StoreError)?.remedy)
        }
        guard FileManager.default.fileExists(atPath: file) else {
            return PartStatus(
                name: "store", state: .ok, detail: "\(file) does not exist yet; it is created at the start")
        }
        do {
            try await SQLiteStore.examine(file)
            return PartStatus(name: "store", state: .ok, detail: "\(file), integrity verified")
        } catch let error as StoreError {
            return PartStatus(name: "store", state: .failed, detail: "\(error)", advice: error.remedy)
        } catch { return PartStatus(name: "store", state: .failed, detail: "\(error)", advice: nil) }
    }

    private func disk() -> PartStatus {
        guard let space = try? DataDisk.space(of: settings.data) else {
            return PartStatus(name: DiskMonitor.part, state: .ok, detail: "free space in \(settings.data) unknown")
        }
        let health = Health()
        DiskMonitor(folder: settings.data, health: health, logger: .init(label: "vanorbd"), reading: { _ in space })
            .look()
        guard let part = health.all.first else { return PartStatus(name: DiskMonitor.part, state: .ok, detail: "") }
        return PartStatus(
            name: part.name, state: part.state == .ok ? .ok : .warning, detail: part.detail, advice: part.advice)
    }
}
