import Foundation
import GRDB

/// A backup in its folder.
public struct Backup: Sendable, Equatable {
    /// The file.
    public let path: String
    /// When it was made, to the second.
    public let date: Date
    /// Its size.
    public let bytes: Int
}

/// The folder of backups: makes verified ones, forgets old ones, finds the newest good one.
///
/// A backup is named for the moment it was made, in UTC: `vanorb-20261121T031500Z.sqlite`. What is being made has
/// another ending until it is verified and on the disk, so that whatever has the name is whole.
public struct BackupFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// How many days, and how many weeks before them, keep their newest backup.
    public let days: Int, weeks: Int

    /// The standard: a week of days, and four weeks.
    public init(path: String, days: Int = 7, weeks: Int = 4) {
        self.path = path
        self.days = max(1, days)
        self.weeks = max(0, weeks)
    }

    /// Makes a backup, verifies it, and forgets those that are not kept any more.
    /// - Parameter now: names it; a backup of the same second is replaced.
    /// - Throws: `StoreError` naming what could not be read, written or verified. The backups there were are left.
    public func make(of store: SQLiteStore, now: Date) async throws -> Backup {
        try await add(Self.prefix + Self.stamp(now) + Self.suffix, now: now) { try await store.backUp(to: $0) }
    }

    /// Takes a backup of another folder in, verified again, under the same name; forgets those that are not kept.
    /// - Throws: `StoreError` naming what could not be read, written or verified.
    public func take(_ backup: Backup, now: Date) async throws -> Backup {
        try await add(URL(fileURLWithPath: backup.path).lastPathComponent, now: now) { unfinished in
            try await Self.quietly { try FileCopy.copy(backup.path, to: unfinished) }
        }
    }

    private func add(_ name: String, now: Date, write: (String) async throws -> Void) async throws -> Backup {
        let unfinished = "\(path)/\(name)\(Self.unfinished)"
        try await Self.quietly { try prepare() }
        do {
            try await write(unfinished)
            try await Self.quietly { try finish(unfinished, name) }
        } catch {
            try await Self.quietly { remove(unfinished) }
            throw error
        }
        try await Self.quietly { forgetOld(now: now) }
        guard let made = Self.backup("\(path)/\(name)") else { throw FileCopy.failure("stat", "\(path)/\(name)") }
        return made
    }

    private static func quietly(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await QuietThread.run("vanorb backup", body)
    }

    private func prepare() throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw StoreError(
                call: "backup", file: path, reason: .unreachable, problem: "the folder cannot be made: \(error)")
        }
        removeUnfinished()
    }

    /// Verifies what was written and gives it its name.
    private func finish(_ unfinished: String, _ name: String) throws {
        try Self.verify(unfinished)
        try FileCopy.flush(unfinished)
        guard rename(unfinished, "\(path)/\(name)") == 0 else { throw FileCopy.failure("rename", path) }
        try FileCopy.flush(path)
    }

    /// All backups, newest first, good or not.
    public func all() -> [Backup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { Self.backup("\(path)/\($0)") }.sorted { $0.date > $1.date }
    }

    /// The newest backup that reads well from beginning to end, or nil. It takes as long as reading the file.
    public func newestGood() -> Backup? {
        all().first { (try? Self.verify($0.path)) != nil }
    }

    /// Which backups stay: the newest of each of the last `days` days that have one, then the newest of each of the
    /// `weeks` weeks before. Counted in days that have a backup, so that a van laid up for the winter loses none.
    func kept(of backups: [Backup]) -> [Backup] {
        func newest(_ backups: [Backup], each span: Double, _ count: Int) -> [Backup] {
            var seen = Set<Int>()
            let firsts = backups.filter { seen.insert(Int($0.date.timeIntervalSince1970 / span)).inserted }
            return Array(firsts.prefix(count))
        }
        let sorted = backups.sorted { $0.date > $1.date }
        let daily = newest(sorted, each: 86_400, days)
        guard let oldest = daily.last else { return [] }
        // The seconds since 1970 began on a Thursday: its weeks do as well as others.
        let before = sorted.filter { $0.date < oldest.date }
        return daily + newest(before, each: 7 * 86_400, weeks)
    }

    private func forgetOld(now: Date) {
        // What bears a date to come was made under a wrong clock. It must not push out what is good, nor stay for ever.
        let (past, future) = all().reduce(into: ([Backup](), [Backup]())) { parts, backup in
            if backup.date <= now { parts.0.append(backup) } else { parts.1.append(backup) }
        }
        let kept = Set((kept(of: past) + kept(of: future)).map(\.path))
        for backup in all() where !kept.contains(backup.path) { remove(backup.path) }
    }

    /// What a power cut left of a backup under way.
    private func removeUnfinished() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && name.contains(Self.unfinished) {
            remove("\(path)/\(name)")
        }
    }

    /// Takes a backup away, or what there is of one. It shrinks only once it has lost a backup's name; where it cannot
    /// lose it, it stays as it is.
    private func remove(_ file: String) {
        if Self.date(named: file) == nil {
            GentleRemoval.remove(file)
        } else if rename(file, file + Self.unfinished) == 0 {
            try? FileCopy.flush(path)
            GentleRemoval.remove(file + Self.unfinished)
        }
        for ending in ["-journal", "-wal", "-shm"] { _ = unlink(file + ending) }
    }

    // MARK: names

    private static let prefix = "vanorb-", suffix = ".sqlite", unfinished = ".unfinished"

    private static var utc: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    static func stamp(_ date: Date) -> String {
        let parts = utc.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ value: Int?, _ count: Int) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T" + digits(parts.hour, 2)
            + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
    }

    /// When a backup of this name was made, whether it is there or not; nil where the name is no backup's.
    public static func date(named file: String) -> Date? {
        let name = URL(fileURLWithPath: file).lastPathComponent
        guard let match = name.wholeMatch(of: /vanorb-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite/) else {
            return nil
        }
        let (_, year, month, day, hour, minute, second) = match.output
        let parts = DateComponents(
            year: Int(year), month: Int(month), day: Int(day), hour: Int(hour), minute: Int(minute),
            second: Int(second))
        return utc.date(from: parts)
    }

    private static func backup(_ file: String) -> Backup? {
        guard let date = date(named: file),
            let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        else { return nil }
        return Backup(path: file, date: date, bytes: size)
    }

    // MARK: files

    /// Reads a backup whole.
    /// - Throws: `StoreError` that says what is wrong with it.
    static func verify(_ file: String) throws {
        do {
            guard try FileCheck.inspect(file, forWriting: false) == .ours else {
                throw StoreError(call: "verify", file: file, reason: .damaged, problem: "the backup is empty")
            }
            var configuration = SQLiteStore.configuration
            configuration.readonly = true
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            try queue.read { database in
                try DamageCheck.refuseNewer(Schema.migrator.appliedIdentifiers(database), file)
                try DamageCheck.requireWhole(database, file)
            }
            try queue.close()
        } catch let error as DatabaseError {
            throw StoreError(error, call: "verify", file: file)
        }
    }
}
