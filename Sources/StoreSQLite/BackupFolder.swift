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
    /// A running number, independent of the clock; 0 for backups of a version without numbers.
    public var number = 0

    /// True where it was made after another, as far as is known without trusting the clock.
    /// - Parameter now: what is dated later and has no number was made under a wrong clock, and sorts last.
    public func isNewer(than other: Backup, now: Date = Date()) -> Bool {
        guard number == other.number else { return number > other.number }
        guard number == 0, (date > now) != (other.date > now) else { return date > other.date }
        return date <= now
    }
}

/// The folder of backups: makes verified ones, forgets old ones, finds the newest good one.
///
/// A backup is named for the moment it was made, in UTC: `vanorb-20261121T031500Z.sqlite`. What is being made has
/// another ending until it is verified and on the disk, so that every file with the name is complete.
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

    /// Makes a backup, verifies it, and deletes expired ones.
    /// - Parameters:
    ///   - now: names it; where that second has a backup already, the next one that has none.
    ///   - others: more folders, whose backups it must be newer than.
    /// - Throws: `StoreError` naming what could not be read, written or verified. Existing backups stay.
    public func make(of store: SQLiteStore, now: Date, after others: [BackupFolder] = []) async throws -> Backup {
        try await exclusively {
            let highest = ([self] + others).flatMap { $0.all() }.map(\.number).max() ?? 0
            var moment = now
            while access("\(path)/\(Self.name(moment))", F_OK) == 0 { moment += 1 }
            return try await add(Self.name(moment), now: now) { unfinished in
                try await store.backUp(to: unfinished)
                try await Self.quietly { try Self.count(unfinished, after: highest) }
            }
        }
    }

    private static func name(_ date: Date) -> String { prefix + stamp(date) + suffix }

    /// Gives a copy its number, in the header's user version (https://www.sqlite.org/fileformat.html, offset 60), and
    /// notes how many rows it holds.
    private static func count(_ file: String, after highest: Int) throws {
        let queue = try DatabaseQueue(path: file, configuration: SQLiteStore.configuration)
        try queue.write { database in
            // A database that was restored has the number of its backup.
            let own = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            try database.execute(sql: "PRAGMA user_version = \(max(own, highest) + 1)")
            let rows = try rows(database)
            try database.execute(
                sql: "INSERT OR REPLACE INTO kept_value (key, value) VALUES ('\(rowsKey)', ?)", arguments: ["\(rows)"])
        }
        try queue.close()
    }

    private static let rowsKey = "backup.rows"

    private static func rows(_ database: Database) throws -> Int {
        try Schema.ownersTables(database).reduce(0) { sum, table in
            sum + (try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(Schema.quoted(table))") ?? 0)
        }
    }

    /// How many rows of the owner's a backup holds; nil where it cannot be read.
    static func rows(in file: String) -> Int? {
        var configuration = SQLiteStore.configuration
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: file, configuration: configuration) else { return nil }
        defer { try? queue.close() }
        return try? queue.read { database in
            let noted = try String.fetchOne(
                database, sql: "SELECT value FROM kept_value WHERE key = ?", arguments: [rowsKey])
            return try noted.flatMap(Int.init) ?? rows(database)
        }
    }

    /// Lets one work in the folder at a time, also of several programs; the others wait.
    private func exclusively<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await Self.quietly { try makeFolder() }
        let folder = path
        // A lock of the folder itself: it needs no file, and ends with its holder however that ends.
        let descriptor = try await QuietThread.run("vanorb backup") {
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileCopy.failure("open", folder) }
            while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
            return descriptor
        }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        return try await body()
    }

    /// Copies a backup of another folder, verified again, under the same name; deletes expired ones.
    /// - Throws: `StoreError` naming what could not be read, written or verified.
    public func take(_ backup: Backup, now: Date) async throws -> Backup {
        try await exclusively {
            var moment = backup.date
            // Another backup of that second stays; the same one is copied again.
            while let there = Self.backup("\(path)/\(Self.name(moment))"), there.number != backup.number { moment += 1 }
            return try await add(Self.name(moment), now: now) { unfinished in
                try await Self.quietly { try FileCopy.copy(backup.path, to: unfinished) }
            }
        }
    }

    private func add(_ name: String, now: Date, write: (String) async throws -> Void) async throws -> Backup {
        let unfinished = "\(path)/\(name)\(Self.unfinished)"
        try await Self.quietly { removeUnfinished() }
        do {
            try await write(unfinished)
            try await Self.quietly { try finish(unfinished, name) }
        } catch {
            try await Self.quietly { remove(unfinished) }
            throw error
        }
        try await Self.quietly { deleteOld(now: now) }
        guard let made = Self.backup("\(path)/\(name)") else { throw FileCopy.failure("stat", "\(path)/\(name)") }
        return made
    }

    private static func quietly(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await QuietThread.run("vanorb backup", body)
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw StoreError(
                call: "backup", file: path, reason: .unreachable, problem: "the folder cannot be made: \(error)")
        }
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
        return names.compactMap { Self.backup("\(path)/\($0)") }.sorted { $0.isNewer(than: $1) }
    }

    /// The newest backup that can be read from beginning to end, or nil. It takes as long as reading the file.
    public func newestGood() -> Backup? {
        all().first { (try? Self.verify($0.path)) != nil }
    }

    /// Which backups stay: the newest of each of the last `days` days that have one, then the newest of each of the
    /// `weeks` weeks before. Counted in days that have a backup, so that a van that is not used in winter loses none.
    ///
    /// The newest are those that were made last, whatever date a clock has given them: one from the future takes a
    /// day's place as any other, and goes with it.
    func kept(of backups: [Backup], now: Date = Date()) -> [Backup] {
        func newest(_ backups: [Backup], each span: Double, _ count: Int) -> [Backup] {
            var seen = Set<Int>()
            let firsts = backups.filter { seen.insert(Int($0.date.timeIntervalSince1970 / span)).inserted }
            return Array(firsts.prefix(count))
        }
        let sorted = backups.sorted { $0.isNewer(than: $1, now: now) }
        let daily = newest(sorted, each: 86_400, days)
        guard let oldest = daily.last else { return [] }
        // The seconds since 1970 began on a Thursday: its weeks do as well as others.
        let before = sorted.filter { oldest.isNewer(than: $0, now: now) }
        return daily + newest(before, each: 7 * 86_400, weeks)
    }

    private func deleteOld(now: Date) {
        let backups = all().sorted { $0.isNewer(than: $1, now: now) }
        var rows: [String: Int] = [:]
        for backup in backups { rows[backup.path] = Self.rows(in: backup.path) }
        let newest = backups.lazy.compactMap { rows[$0.path] }.first ?? 0
        // Backups with far more rows than the newest are kept separately: a database that has lost its content, or was
        // recreated, must not displace them.
        let rich = backups.filter { rows[$0.path] ?? 0 > 2 * newest }, paths = Set(rich.map(\.path))
        let others = backups.filter { !paths.contains($0.path) }
        let kept = Set((kept(of: rich, now: now) + kept(of: others, now: now)).map(\.path))
        for backup in all() where !kept.contains(backup.path) { remove(backup.path) }
    }

    /// What a power cut left of a backup under way.
    private func removeUnfinished() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && name.contains(Self.unfinished) {
            remove("\(path)/\(name)")
        }
    }

    /// Deletes a backup, or the remains of one. It shrinks only once it has lost a backup's name; where it cannot
    /// lose it, it stays as it is.
    private func remove(_ file: String) {
        if Self.date(named: file) == nil {
            IncrementalDeletion.remove(file)
        } else if rename(file, file + Self.unfinished) == 0 {
            try? FileCopy.flush(path)
            IncrementalDeletion.remove(file + Self.unfinished)
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

    /// When a backup of this name was made, whether it is there or not; nil where it is not the name of a backup.
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
        return Backup(path: file, date: date, bytes: size, number: number(in: file))
    }

    /// The number in a backup's header; 0 where it has none.
    private static func number(in file: String) -> Int {
        guard let handle = FileHandle(forReadingAtPath: file) else { return 0 }
        defer { try? handle.close() }
        let header = [UInt8]((try? handle.read(upToCount: 64)) ?? Data())
        guard header.count == 64 else { return 0 }
        return Int(Int32(bitPattern: header[60..<64].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
    }

    // MARK: files

    /// Reads a backup whole.
    /// - Throws: `StoreError` with the damage.
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
