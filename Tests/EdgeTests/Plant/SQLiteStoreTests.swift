import Domain
import Foundation
import GRDB
import Logging
import SystemTestKit
import Testing

@testable import StoreSQLite

/// The stores on disk and in memory, and what a bad file gets.
@Suite struct SQLiteStoreTests {
    enum Medium: CaseIterable { case memory, disk }

    private let folder = try? TemporaryFolder()

    private func path(_ name: String = "vanorb.db") throws -> String { try #require(folder).file(name) }

    private func open(_ name: String = "vanorb.db") throws -> SQLiteStore {
        try SQLiteStore.open(path: try path(name), logger: Logger(label: "test"))
    }

    private func store(_ medium: Medium) throws -> SQLiteStore {
        medium == .memory ? try SQLiteStore.inMemory() : try open()
    }

    private func openFailure(_ name: String = "vanorb.db") throws -> StoreError {
        try #require(throws: StoreError.self) { try open(name) }
    }

    @Test(arguments: Medium.allCases) func everyStore_keepsTheContract(medium: Medium) async throws {
        let stores = try store(medium).stores
        try await StoreContract.ledger(stores.ledger)
        try await StoreContract.manifest(stores.manifest)
        try await StoreContract.checklist(stores.checklist)
        try await StoreContract.trips(stores.trips)
        try await StoreContract.kept(stores.kept)
    }

    @Test(arguments: Medium.allCases) func badValues_areRefused_andNothingIsWritten(medium: Medium) async throws {
        try await StoreContract.ledgerRefusals(try store(medium).stores.ledger)
    }

    @Test func reopenedFile_hasEverything() async throws {
        let first = try open()
        let entry = try await first.stores.ledger.add(StoreContract.expense(5_000, "diesel"))
        try first.close()
        let again = try open()
        #expect(try await again.stores.ledger.last() == entry)
        try await again.checkIntegrity()
        await #expect(throws: (any Error).self) { try await first.stores.ledger.last() }
    }

    @Test func committedEntry_isInTheFilesAtOnce_andSynchronisationIsFull() async throws {
        let store = try open()
        let entry = try await store.stores.ledger.add(StoreContract.expense(5_000, "diesel"))
        // What a kill leaves behind: the files as they are, without a close.
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: try path() + ending, toPath: try path("copy.db") + ending)
        }
        #expect(try await open("copy.db").stores.ledger.last() == entry)
        let (synchronous, journal, keys) = try await store.connection.writer.writeWithoutTransaction { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(synchronous == 2 && journal == "wal" && keys == 1)
    }

    @Test func readers_areNotHeldUpByAWriter_andSeeWholeTransactions() async throws {
        let stores = try open().stores
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for batch in 0..<20 {
                    try await stores.manifest.add(all: (0..<10).map { Item(name: "item \(batch) \($0)") })
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<20 {
                        let count = try await stores.manifest.items().count
                        #expect(count.isMultiple(of: 10))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores.manifest.items().count == 200)
    }

    @Test func tenThousandItems_areListedQuickly() async throws {
        let store = try open()
        let start = ContinuousClock.now
        try await store.stores.manifest.add(
            all: (0..<10_000).map {
                Item(name: "thing \($0)", unitGrams: $0, place: "locker \($0 % 50)", aliases: ["alias \($0)"])
            })
        let added = ContinuousClock.now
        #expect(try await store.stores.manifest.items().count == 10_000)
        let listed = ContinuousClock.now
        try await store.checkIntegrity()
        let checked = ContinuousClock.now
        try store.close()
        let reopening = ContinuousClock.now
        _ = try open()
        print(
            "10,000 items: added in \(start.duration(to: added)), listed in \(added.duration(to: listed)), "
                + "checked in \(listed.duration(to: checked)), opened in \(reopening.duration(to: .now))")
        #expect(added.duration(to: listed) < .seconds(5))
    }

    // MARK: - Files that are not a store

    @Test func fileThatIsNoDatabase_isNamed_andLeftAsItWas() throws {
        try "hello".write(toFile: try path(), atomically: true, encoding: .utf8)
        let error = try openFailure()
        #expect(error.reason == .damaged)
        #expect(
            error.description == "\(try path()): this is not a database, or its beginning is damaged. Keep the file "
                + "aside and run `vanorb restore` to bring back the newest good backup. (open, SQLite code 0)")
        #expect(try String(contentsOfFile: try path(), encoding: .utf8) == "hello")
    }

    @Test func anotherProgramsDatabase_isRefused_andLeftAsItWas() throws {
        let queue = try DatabaseQueue(path: try path())
        try queue.write { try $0.execute(sql: "CREATE TABLE mail (id INTEGER)") }
        try queue.close()
        let before = FileManager.default.contents(atPath: try path())
        #expect(try openFailure().reason == .foreign)
        #expect(FileManager.default.contents(atPath: try path()) == before)
    }

    @Test func databaseBeforeStars_isMigrated_andStarsSurviveARestart() async throws {
        let queue = try DatabaseQueue(path: try path())
        try Schema.migrator.migrate(queue, upTo: "v8")
        try await queue.write {
            try $0.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
            try $0.execute(sql: "INSERT INTO item (name, quantity) VALUES ('tow rope', 1)")
        }
        try queue.close()
        let store = try open(), stars = store.stores.stars
        #expect(try await store.stores.manifest.items().map(\.name) == ["tow rope"])
        #expect(try await stars.stars().isEmpty)
        #expect(try await stars.setStar(true, on: "item:1"))
        #expect(try await stars.setStar(true, on: "device:pump"))
        #expect(try await !stars.setStar(true, on: "item:1"), "it has one already")
        #expect(try await stars.setStar(false, on: "device:pump"))
        try store.close()
        let again = try open()
        #expect(try await again.stores.stars.stars() == ["item:1"])
        #expect(try await again.stores.manifest.items().map(\.name) == ["tow rope"])
    }

    @Test func newerDatabase_isRefusedByName() throws {
        let store = try open()
        try store.connection.writer.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v7 ferries')")
        }
        try store.close()
        let error = try openFailure()
        #expect(error.reason == .tooNew)
        #expect(
            error.description.contains("a newer VanOrb made this database (version v7 ferries; this one knows v1, "))
    }

    @Test func damagedPages_areFoundAtOpening() async throws {
        let store = try open()
        try await store.stores.manifest.add(all: (0..<2_000).map { Item(name: "thing \($0)") })
        try store.close()
        let size = try #require(FileManager.default.contents(atPath: try path())).count
        let handle = try #require(FileHandle(forUpdatingAtPath: try path()))
        try handle.seek(toOffset: UInt64(size / 2))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 8_192))
        try handle.close()
        let error = try openFailure()
        #expect(error.reason == .damaged)
        #expect(error.description.contains("vanorb restore"))

        // The first page holds the schema.
        let first = try #require(FileHandle(forUpdatingAtPath: try path()))
        try first.seek(toOffset: 100)
        try first.write(contentsOf: Data(repeating: 0xA5, count: 3_900))
        try first.close()
        #expect(try openFailure().reason == .damaged)
    }

    @Test func cutFile_isAnError_notACrash() async throws {
        let store = try open()
        try await store.stores.manifest.add(all: (0..<2_000).map { Item(name: "thing \($0)") })
        try store.close()
        let whole = try #require(FileManager.default.contents(atPath: try path()))
        for length in [1, 99, 100, 101, 4_096, 8_192, whole.count / 2, whole.count - 4_097] {
            try whole.prefix(length).write(to: URL(fileURLWithPath: try path("cut.db")))
            do {
                try await open("cut.db").checkIntegrity()
                Issue.record("a file cut to \(length) bytes passed")
            } catch let error as StoreError {
                #expect(error.reason == .damaged, "\(length): \(error)")
            }
        }
    }

    @Test func missingFolder_andFolderAsFile_areNamed() throws {
        let missing = try openFailure("no/such/vanorb.db")
        #expect(missing.reason == .unreachable && missing.description.contains("/no/such does not exist"))
        try FileManager.default.createDirectory(atPath: try path("folder.db"), withIntermediateDirectories: false)
        #expect(try openFailure("folder.db").reason == .foreign)
    }

    @Test(.disabled(if: geteuid() == 0 && !Self.hasReadOnlyPlace, "root may write everywhere here"))
    func readOnlyFolder_isNamed() throws {
        let place = Self.hasReadOnlyPlace ? "/proc/vanorb.db" : try path("locked/vanorb.db")
        if !Self.hasReadOnlyPlace {
            try FileManager.default.createDirectory(
                atPath: try path("locked"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o555])
        }
        let error = try #require(throws: StoreError.self) {
            try SQLiteStore.open(path: place, logger: Logger(label: "test"))
        }
        #expect([.notWritable, .unreachable].contains(error.reason))
        #expect(error.description.hasPrefix(place))
    }

    /// Nobody can make a file in /proc, root included.
    private static let hasReadOnlyPlace = FileManager.default.fileExists(atPath: "/proc/self")

    @Test func fullDisk_isSaid_andTheStoreGoesOn() async throws {
        let store = try open()
        let kept = try await store.stores.ledger.add(StoreContract.expense(1, "diesel"))
        // SQLite's own limit on the file's pages gives the same code as a full disk.
        try await store.connection.writer.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages + 2)")
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.stores.manifest.add(
                all: (0..<5_000).map { Item(name: "thing \($0)", place: "place \($0)") })
        }
        #expect(error?.reason == .diskFull)
        #expect(error?.description.contains("no space is left on the disk. Free some space") == true)
        #expect(try await store.stores.manifest.items().isEmpty, "nothing half-written")
        #expect(try await store.stores.manifest.places().isEmpty)
        #expect(try await store.stores.ledger.last() == kept)
    }

    @Test func backup_isAWholeStore() async throws {
        let store = try open()
        let entry = try await store.stores.ledger.add(StoreContract.expense(77, "food"))
        try await store.backUp(to: try path("backup.db"))
        let copy = try open("backup.db")
        #expect(try await copy.stores.ledger.last() == entry)
        try await copy.checkIntegrity()
        await #expect(throws: StoreError.self) { try await store.backUp(to: "/proc/no/backup.db") }
    }

    @Test func cancelledTask_writesNothing() async throws {
        let store = try open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await store.stores.ledger.add(StoreContract.expense(5))
        }
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(try await store.stores.ledger.last() == nil)
    }
}
