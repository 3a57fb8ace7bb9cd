import Domain
import Foundation
import Logging
import SystemTestKit
import Testing

@testable import StoreSQLite

/// Copies that can be trusted.
@Suite struct BackupFolderTests {
    private let folder = try? TemporaryFolder()
    /// Sunday 20 September 2026, 10:13:20 UTC.
    private static let day0 = Date(timeIntervalSince1970: 1_789_899_200)

    private func backups() throws -> BackupFolder { BackupFolder(path: try #require(folder).file("backups")) }

    private func open(_ name: String = "vanorb.db") throws -> SQLiteStore {
        try SQLiteStore.open(path: try #require(folder).file(name), logger: Logger(label: "test"))
    }

    private static func day(_ number: Double) -> Date { day0.addingTimeInterval(number * 86_400) }

    @Test func backup_isOneWholeFile_namedForItsMoment() async throws {
        let store = try open(), backups = try backups()
        let entry = try await store.stores.ledger.add(StoreContract.expense(77, "food"))
        let backup = try await backups.make(of: store, now: Self.day0)
        #expect(backup.path == "\(backups.path)/vanorb-20260920T101320Z.sqlite")
        #expect(backup.date == Self.day0 && backup.bytes > 4_096)
        #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path) == ["vanorb-20260920T101320Z.sqlite"])
        #expect(backups.newestGood() == backup)
        try FileManager.default.copyItem(atPath: backup.path, toPath: try #require(folder).file("restored.db"))
        let restored = try open("restored.db")
        #expect(try await restored.stores.ledger.last() == entry)
        try await restored.checkIntegrity()
    }

    @Test func backupWhileWriting_isAWholeState() async throws {
        let store = try open(), backups = try backups()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for batch in 0..<30 {
                    try await store.stores.manifest.add(all: (0..<10).map { Item(name: "item \(batch) \($0)") })
                }
            }
            group.addTask {
                for number in 0..<5 { _ = try await backups.make(of: store, now: Self.day(Double(number))) }
            }
            try await group.waitForAll()
        }
        for (number, backup) in backups.all().enumerated() {
            try FileManager.default.copyItem(atPath: backup.path, toPath: try #require(folder).file("r\(number).db"))
            #expect(try await open("r\(number).db").stores.manifest.items().count.isMultiple(of: 10))
        }
    }

    @Test func newestOfTheDaysAndWeeks_areKept() async throws {
        let store = try open(), backups = try backups()
        for number in 0..<60 {
            _ = try await backups.make(of: store, now: Self.day(Double(number)))
            if number > 55 { _ = try await backups.make(of: store, now: Self.day(Double(number) + 0.2)) }
        }
        let days = backups.all().map { ($0.date.timeIntervalSince(Self.day0) / 86_400 * 10).rounded() / 10 }
        #expect(Array(days.prefix(7)) == [59.2, 58.2, 57.2, 56.2, 55, 54, 53])
        #expect(days.count == 11, "\(days)")
        #expect(zip(days.dropFirst(6), days.dropFirst(7)).allSatisfy { $0 - $1 <= 7.2 }, "\(days)")
    }

    @Test func oldBackupThatCannotLoseItsName_staysWhole() async throws {
        let store = try open(), backups = BackupFolder(path: try backups().path, days: 1, weeks: 0)
        try await store.stores.kept.set("padding", to: String(repeating: "x", count: IncrementalDeletion.lot + 1))
        let old = try await backups.make(of: store, now: Self.day0)
        try FileManager.default.createDirectory(atPath: "\(old.path).unfinished", withIntermediateDirectories: false)
        let new = try await backups.make(of: store, now: Self.day(1))
        #expect(backups.all() == [new, old])
        try BackupFolder.verify(old.path)
    }

    @Test func backupsInTheSameSecond_areMadeOneAfterTheOther_andAreWhole() async throws {
        let store = try open(), backups = try backups()
        try await store.fill(StoreLoad(entries: 100, items: 500, tasks: 10, trips: 2), now: Self.day0)
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await backups.make(of: store, now: Self.day0).number } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(numbers == Set(1...8))
        #expect(backups.newestGood()?.number == 8)
    }

    @Test func clockThatJumps_makesNoBackupTheNewest_andPushesNoneOut() async throws {
        let store = try open(), backups = try backups()
        let first = try await backups.make(of: store, now: Self.day0)
        let future = try await backups.make(of: store, now: Self.day(81_000))
        let past = try await backups.make(of: store, now: Self.day(-20_000))
        #expect(backups.all() == [past, future, first])
        let last = try await backups.make(of: store, now: Self.day(1))
        #expect(backups.newestGood() == last && backups.all().count == 4)
        for day in 2..<60 { _ = try await backups.make(of: store, now: Self.day(Double(day))) }
        #expect(backups.all().first?.date == Self.day(59))
        #expect(backups.all().prefix(7).allSatisfy { $0.date <= Self.day(59) && $0.date > Self.day(51) })
    }

    @Test func poorBackups_pushOutNoRichOnes() async throws {
        let rich = try open("rich.db"), poor = try open("poor.db"), backups = try backups()
        try await rich.fill(StoreLoad(entries: 100, items: 50, tasks: 10, trips: 2), now: Self.day0)
        var good: [Backup] = []
        for day in 0..<3 { good.append(try await backups.make(of: rich, now: Self.day(Double(day)))) }
        for day in 3..<90 { _ = try await backups.make(of: poor, now: Self.day(Double(day))) }
        #expect(good.allSatisfy { backups.all().contains($0) })
        #expect(backups.all().count <= 3 + 11)
        for day in 90..<180 { _ = try await backups.make(of: rich, now: Self.day(Double(day))) }
        #expect(backups.all().count <= 11, "they are forgotten when the newest holds as much")
    }

    @Test func vanThatWasLaidUp_keepsItsOldBackups() throws {
        let backups = try backups()
        let old = (0..<7).map { Backup(path: "\($0)", date: Self.day(Double(-$0) - 200), bytes: 1) }
        let kept = backups.kept(of: [Backup(path: "now", date: Self.day0, bytes: 1)] + old)
        #expect(kept.count == 8)
    }

    @Test func damagedBackup_isPassedOver() async throws {
        let store = try open(), backups = try backups()
        try await store.fill(StoreLoad(entries: 100, items: 500, tasks: 10, trips: 2), now: Self.day0)
        let good = try await backups.make(of: store, now: Self.day(1))
        for (number, damage) in ["", "hello", "SQLite format 3\0"].enumerated() {
            let newer = try await backups.make(of: store, now: Self.day(Double(2 + number)))
            try damage.write(toFile: newer.path, atomically: false, encoding: .utf8)
        }
        let torn = try await backups.make(of: store, now: Self.day(6))
        let whole = try #require(FileManager.default.contents(atPath: torn.path))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: torn.path))
        #expect(backups.all().count == 5)
        #expect(backups.newestGood() == good)
    }

    @Test func foreignFilesAndHalfMadeOnes_areNoBackups() async throws {
        let store = try open(), backups = try backups()
        #expect(backups.all().isEmpty && backups.newestGood() == nil)
        try FileManager.default.createDirectory(atPath: backups.path, withIntermediateDirectories: true)
        for name in ["notes.txt", "vanorb-2026.sqlite", "vanorb-20260920T101320Z.sqlite.unfinished"] {
            try "x".write(toFile: "\(backups.path)/\(name)", atomically: true, encoding: .utf8)
        }
        #expect(backups.all().isEmpty)
        let made = try await backups.make(of: store, now: Self.day0)
        #expect(backups.all() == [made])
        let names = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
        #expect(names == ["notes.txt", "vanorb-2026.sqlite", "vanorb-20260920T101320Z.sqlite"])
    }

    @Test func backupThatFails_leavesThoseThereWere() async throws {
        let store = try open(), backups = try backups()
        let made = try await backups.make(of: store, now: Self.day0)
        try store.close()
        await #expect(throws: (any Error).self) { try await backups.make(of: store, now: Self.day(1)) }
        #expect(backups.all() == [made])
        let nowhere = BackupFolder(path: "/proc/no/backups")
        let error = await #expect(throws: StoreError.self) { try await nowhere.make(of: store, now: Self.day0) }
        #expect(error?.description.hasPrefix("/proc/no/backups") == true)
    }
}
