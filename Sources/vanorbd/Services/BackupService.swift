import Domain
import Control
import Foundation
import Logging
import Setup
import StoreSQLite
import Synchronization

/// Where backups are, and how old the newest is.
final class BackupService: Sendable {
    let data: String
    private let path: String, secondPath: String?
    /// How long backups are kept and how old the newest may be; this can change while the daemon runs.
    private let keeping: Mutex<Settings.Backups>

    var backups: BackupFolder { folder(path) }
    /// A folder on another disk, such as a USB stick's; nil where none is set.
    var second: BackupFolder? { secondPath.map(folder) }
    private var warnDays: Int { keeping.withLock { $0.warnDays } }

    /// The part's name in the appliance's health.
    static let part = "backup"
    /// Since when backups are expected, in seconds since 1970: the first start of an appliance has none to show.
    private static let since = "backup.since"

    init(settings: Settings) {
        data = settings.data
        path = "\(settings.data)/backups"
        secondPath = settings.backups.secondPath
        keeping = Mutex(settings.backups)
    }

    private func folder(_ path: String) -> BackupFolder {
        let (days, weeks) = keeping.withLock { ($0.days, $0.weeks) }
        return BackupFolder(path: path, days: days, weeks: weeks)
    }

    /// Keeps backups so long from now on. The second path stays: the unit's sandbox is for the one of the start.
    func keep(_ backups: Settings.Backups) { keeping.withLock { $0 = backups } }

    // MARK: making

    /// Makes a backup, and a copy of it on the second path where that is there.
    func make(of store: SQLiteStore, now: Date = Date()) async throws -> BackupResult {
        let backup = try await backups.make(of: store, now: now, after: [second].compactMap(\.self))
        var result = BackupResult(
            path: backup.path, date: backup.date, bytes: Int64(backup.bytes), kept: backups.all().count)
        guard let second else { return result }
        if let obstacle = obstacle(to: second) {
            result.notice = "\(second.path) \(obstacle.words): not copied"
        } else {
            // The backup itself succeeded; why it was not copied is reported with it.
            do { result.second = try await second.take(backup, now: now).path } catch { result.notice = "\(error)" }
            if isOnSameDisk(second) {
                result.notice = "\(second.path) is on the same disk as the data: it does not help when that disk fails"
            }
        }
        return result
    }

    /// Why no copy can be made.
    struct Obstacle {
        /// What follows the folder's name, and what to do about it.
        let words: String, advice: String?
    }

    /// What keeps a copy from being made; nil for nothing. A stick that is not plugged in is one without advice: that
    /// is where the owner keeps it. The folder is made only directly on a disk that is mounted: elsewhere it would be
    /// on the board's own disk, in the stick's mount point.
    func obstacle(to second: BackupFolder) -> Obstacle? {
        var isFolder: ObjCBool = false, place = second.path
        if !FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) {
            place = (second.path as NSString).deletingLastPathComponent
            guard Self.isMountPoint(place) else { return Obstacle(words: "is not available", advice: nil) }
            isFolder = true
        }
        guard isFolder.boolValue else {
            return Obstacle(words: "is not a folder", advice: "Name a folder: vanorb settings set backup.second_path …")
        }
        guard access(place, W_OK) != 0 else { return nil }
        let reason = errno
        // What is left of a mount point while its stick is out: to be given that folder would help nobody.
        if SandboxAccess.mountRoot(of: place) != nil, !Self.isMountPoint(place), isOnSameDisk(second) {
            return Obstacle(words: "is not available", advice: nil)
        }
        guard reason == EROFS else {
            return Obstacle(
                words: "is not writable for VanOrb",
                advice:
                    "Give it to VanOrb’s user: chown vanorb. On FAT and exFAT, mount it with uid=vanorb instead.")
        }
        return Obstacle(
            words: "is read-only",
            advice: "Restart, which updates the service's sandbox: sudo systemctl restart vanorb. "
                + "If that does not help, the disk itself is read-only.")
    }

    private static func isMountPoint(_ folder: String) -> Bool {
        var own = stat(), above = stat()
        return stat(folder, &own) == 0 && stat(folder + "/..", &above) == 0 && own.st_dev != above.st_dev
    }

    private func isOnSameDisk(_ second: BackupFolder) -> Bool {
        var one = stat(), other = stat()
        guard stat(data, &one) == 0, stat(second.path, &other) == 0 else { return false }
        return one.st_dev == other.st_dev
    }

    // MARK: telling

    func list() -> BackupsResult {
        func rows(_ folder: BackupFolder) -> [BackupRow] {
            folder.all().map { BackupRow(path: $0.path, date: $0.date, bytes: Int64($0.bytes)) }
        }
        return BackupsResult(backups: rows(backups), second: second?.path, copies: second.map(rows) ?? [])
    }

    /// How the backups are. What has the name of a backup was verified when it was made.
    func status(since: Date?, now: Date = Date()) -> PartStatus {
        let newest = (backups.all() + (second?.all() ?? [])).max { $1.isNewer(than: $0) }
        let obstacle = second.flatMap(obstacle)
        let notice = second.map { folder in
            if let obstacle { return "; the second path \(folder.path) \(obstacle.words)" }
            return isOnSameDisk(folder)
                ? "; the second path is on the same disk as the data" : "; copies in \(folder.path)"
        }
        func days(_ date: Date) -> Int { Int((now.timeIntervalSince(date) / 86_400).rounded(.down)) }
        guard let newest else {
            let isLate = (since.map(days) ?? 0) > warnDays
            return PartStatus(
                name: Self.part, state: isLate || obstacle?.advice != nil ? .warning : .ok,
                detail: "none yet" + (notice ?? ""), advice: isLate ? "Make one: vanorb backup" : obstacle?.advice)
        }
        let age = days(newest.date)
        let words = age < 1 ? "less than a day" : age == 1 ? "a day" : "\(age) days"
        let isOld = age > warnDays
        return PartStatus(
            name: Self.part, state: isOld || obstacle?.advice != nil ? .warning : .ok,
            detail: "newest \(words) old, verified" + (notice ?? ""),
            advice: isOld
                ? "Make one: vanorb backup. Check the nightly timer: systemctl status vanorb-backup.timer"
                : obstacle?.advice)
    }

    /// Reports how the backups are.
    func report(to health: Health, kept: any KeptValueStore) async {
        var since = (try? await kept.value(Self.since)).flatMap { $0 }.flatMap(Double.init)
        if since == nil {
            since = Date().timeIntervalSince1970
            try? await kept.set(Self.since, to: since.map { String(Int($0)) })
        }
        let status = status(since: since.map { Date(timeIntervalSince1970: $0) })
        health.report(
            Self.part, status.state == .ok ? .ok : .warning, status.detail, advice: status.advice)
    }

    /// Reports once an hour, until the task is cancelled.
    func run(health: Health, kept: any KeptValueStore) async {
        repeat { await report(to: health, kept: kept) } while (try? await Task.sleep(for: .seconds(3_600))) != nil
    }

    // MARK: restoring

    var restore: Restore { Restore(file: "\(data)/vanorb.sqlite") }

    /// In place of a backup: an empty database.
    static let empty = "empty"

    /// Lays a backup ready, or an empty database.
    func prepare(_ path: String) async throws {
        if path == Self.empty { try await restore.prepareEmpty() } else { try await restore.prepare(path) }
    }

    /// What the restore of a backup brings and takes.
    /// - Parameter backup: a file, `newest`, or `empty`.
    func plan(_ backup: String) async throws -> RestorePlan {
        let path: String
        if backup == Self.empty {
            return RestorePlan(
                path: Self.empty, date: Date(), bytes: 0,
                lost:
                    "An empty database replaces the present one, which is kept next to it. No backup is removed."
            )
        }
        if backup == "newest" {
            guard let newest = newestGood() else {
                throw ControlError(
                    code: ControlError.Code.failed,
                    message:
                        "No valid backup in \(([backups.path] + [second?.path].compactMap { $0 }).joined(separator: " or ")). If you have one elsewhere, name its file."
                )
            }
            path = newest.path
        } else {
            path = backup
        }
        let outlook = try await restore.outlook(of: path)
        let odd = outlook.date > Date() ? " Its date is in the future: the clock was wrong then, or is now." : ""
        return RestorePlan(
            path: path, date: outlook.date, bytes: outlook.bytes, lost: Self.lost(outlook.missing) + odd)
    }

    private func newestGood() -> Backup? {
        let candidates = [backups.newestGood(), second?.newestGood()].compactMap { $0 }
        return candidates.max { $1.isNewer(than: $0) }
    }

    private static let names = [
        "ledger_entry": ("ledger entry", "ledger entries"), "item": ("item", "items"),
        "checklist_task": ("task", "tasks"), "trip": ("trip", "trips"), "budget": ("budget", "budgets"),
    ]

    private static func lost(_ missing: [String: Int]?) -> String {
        guard let missing else {
            return
                "The present database is missing, empty or unreadable: everything written since the backup will be lost."
        }
        guard !missing.isEmpty else { return "Nothing was added or changed since the backup." }
        var parts: [String] = [], others = 0
        for (table, count) in missing.sorted(by: { $0.key < $1.key }) {
            if let (one, many) = names[table] {
                parts.append("\(count) \(count == 1 ? one : many)")
            } else {
                others += count
            }
        }
        if others > 0 { parts.append("\(others) other \(others == 1 ? "row" : "rows")") }
        return "Added or changed since the backup, and lost by restoring: \(parts.joined(separator: ", "))."
    }
}
