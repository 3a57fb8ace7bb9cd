import Domain
import Foundation
import GRDB
import Logging
import SystemTestKit
import Testing

@testable import StoreSQLite

/// A backup in the place of the database, whenever the power goes.
@Suite struct RestoreTests {
    private let folder = try? TemporaryFolder()
    private static let day0 = Date(timeIntervalSince1970: 1_789_899_200)

    private func path(_ name: String) throws -> String { try #require(folder).file(name) }
    private func open() throws -> SQLiteStore {
        try SQLiteStore.open(path: path("vanorb.db"), logger: Logger(label: "test"))
    }

    /// A database with a backup of one entry, and an entry more.
    private func stocked() async throws -> (backup: Backup, restore: Restore) {
        let store = try open()
        _ = try await store.stores.ledger.add(StoreContract.expense(1, "old"))
        let backup = try await BackupFolder(path: path("backups")).make(of: store, now: Self.day0)
        _ = try await store.stores.ledger.add(StoreContract.expense(2, "new"))
        _ = try await store.stores.manifest.add(Item(name: "rope"))
        try store.close()
        return (backup, Restore(file: try path("vanorb.db")))
    }

    private func amounts(_ file: String) throws -> [Int] {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchAll($0, sql: "SELECT minor_units FROM ledger_entry ORDER BY id") }
    }

    @Test func outlook_saysWhatWillNotBeThere() async throws {
        let (backup, restore) = try await stocked()
        let outlook = try await restore.outlook(of: backup.path)
        #expect(outlook.missing == ["ledger_entry": 1, "item": 1] && outlook.date == Self.day0)
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path("vanorb.db")))
        #expect(try await restore.outlook(of: backup.path).missing == nil)
    }

    @Test func restore_putsTheBackupInPlace_andKeepsWhatWasThere() async throws {
        let (backup, restore) = try await stocked()
        #expect(try restore.finish() == nil, "nothing is done unasked")
        try await restore.prepare(backup.path)
        #expect(try amounts(path("vanorb.db")) == [1, 2], "it is decided, and nothing done yet")
        let kept = try #require(try restore.finish())
        #expect(try amounts(path("vanorb.db")) == [1] && amounts(kept) == [1, 2])
        #expect(try restore.finish() == nil)
        #expect(try await open().stores.ledger.entries(limit: 9).count == 1)
    }

    /// What a killed daemon leaves: entries that are in the write-ahead log alone.
    @Test func logOfTheReplacedDatabase_isKeptWithIt_andNotTakenForTheNewOnes() async throws {
        let (backup, restore) = try await stocked()
        let store = try open()
        _ = try await store.stores.ledger.add(StoreContract.expense(3, "in the log"))
        let file = try path("vanorb.db"), log = try Data(contentsOf: URL(fileURLWithPath: file + "-wal"))
        let main = try Data(contentsOf: URL(fileURLWithPath: file))
        try store.close()
        try main.write(to: URL(fileURLWithPath: file))
        try log.write(to: URL(fileURLWithPath: file + "-wal"))
        try await restore.prepare(backup.path)
        let kept = try #require(try restore.finish())
        #expect(try amounts(file) == [1] && amounts(kept) == [1, 2, 3])
    }

    @Test(arguments: 0..<5) func powerCut_atAnyStep_isMadeGood(step: Int) async throws {
        let (backup, restore) = try await stocked()
        let file = try path("vanorb.db"), log = file + "-wal"
        try Data("a log".utf8).write(to: URL(fileURLWithPath: log))
        try await restore.prepare(backup.path)
        var facts = stat()
        #expect(stat(file + ".restored", &facts) == 0)
        let date = Date(timeIntervalSince1970: Double(facts.st_mtim.tv_sec))
        let kept = "\(file).replaced-\(BackupFolder.stamp(date))"
        if step > 0 { #expect(link(file, kept) == 0) }
        if step > 1 { #expect(link(log, kept + "-wal") == 0) }
        if step > 2 { unlink(log) }
        if step > 3 { #expect(rename(file + ".restored", file) == 0) }
        #expect(try restore.finish() == (step > 3 ? nil : kept))
        #expect(try amounts(file) == [1])
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "-wal")) == Data("a log".utf8))
        unlink(kept + "-wal")
        #expect(try amounts(kept) == [1, 2])
    }

    @Test func restoresAtOnce_neverMixTheirFiles() async throws {
        let (backup, restore) = try await stocked()
        let outcomes = await withTaskGroup(of: (any Error)?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    do {
                        try await number % 2 == 0 ? restore.prepare(backup.path) : restore.prepareEmpty()
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: [(any Error)?]()) { $0.append($1) }
        }
        #expect(outcomes.contains { $0 == nil })
        for case let error? in outcomes { #expect((error as? StoreError)?.reason == .busy, "\(error)") }
        #expect(try restore.finish() != nil)
        try BackupFolder.verify(restore.file)
    }

    @Test func backupThatIsNone_isRefused_andNothingIsTouched() async throws {
        let (backup, restore) = try await stocked()
        let file = try path("vanorb.db"), bad = try path("bad.sqlite")
        var torn = try Data(contentsOf: URL(fileURLWithPath: backup.path))
        torn.replaceSubrange(8_192..<12_288, with: Data(repeating: 0xA5, count: 4_096))
        for content in [Data(), Data("hello".utf8), torn] {
            try content.write(to: URL(fileURLWithPath: bad))
            await #expect(throws: StoreError.self) { _ = try await restore.outlook(of: bad) }
            await #expect(throws: StoreError.self) { try await restore.prepare(bad) }
        }
        await #expect(throws: StoreError.self) { try await restore.prepare("/nowhere.sqlite") }
        #expect(try restore.finish() == nil && amounts(file) == [1, 2])
        let names = try FileManager.default.contentsOfDirectory(atPath: try #require(folder).path)
        #expect(!names.contains { $0.contains("incoming") || $0.contains("restored") }, "\(names)")
    }

    @Test func backupOfANewerProgram_isNamed_andAnOlderOneIsBroughtUpToDate() async throws {
        let (backup, restore) = try await stocked()
        let newer = try path("newer.sqlite")
        try FileManager.default.copyItem(atPath: backup.path, toPath: newer)
        let queue = try DatabaseQueue(path: newer)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
        try queue.close()
        let error = await #expect(throws: StoreError.self) { _ = try await restore.outlook(of: newer) }
        #expect(error?.reason == .tooNew && error?.problem.contains("v99") == true, "\(String(describing: error))")
        await #expect(throws: StoreError.self) { try await restore.prepare(newer) }
        #expect(try amounts(path("vanorb.db")) == [1, 2])
    }

    @Test func secondFolder_takesACopy_verified_andForgetsOldOnes() async throws {
        let store = try open(), first = BackupFolder(path: try path("backups"))
        let second = BackupFolder(path: try path("stick"), days: 2, weeks: 0)
        for day in 0..<4 {
            let date = Self.day0.addingTimeInterval(Double(day) * 86_400)
            let copy = try await second.take(try await first.make(of: store, now: date), now: date)
            #expect(copy.date == date && second.newestGood() == copy)
        }
        #expect(second.all().count == 2 && first.all().count == 4)
        var damaged = try #require(first.all().first)
        damaged = Backup(path: try path("vanorb-20270101T000000Z.sqlite"), date: damaged.date, bytes: 5)
        try "hello".write(toFile: damaged.path, atomically: true, encoding: .utf8)
        await #expect(throws: StoreError.self) { _ = try await second.take(damaged, now: Self.day0) }
        #expect(second.all().count == 2)
    }
}
