import Domain
import Foundation
import GRDB
import Logging
import Synchronization
import SystemTestKit
import Testing

@testable import StoreSQLite

/// A database that was overwritten, cut, or filled to the brim, before the start and while it is in use.
@Suite struct StoreDamageTests {
    private let folder = try? TemporaryFolder()
    private let conditions = Conditions()

    /// What the store has said of itself.
    private final class Conditions: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func note(_ condition: StoreCondition) {
            let word =
                switch condition {
                case .good: "good"
                case .failing(let error): "failing: \(error.reason)"
                case .damaged: "damaged"
                }
            list.withLock { $0.append(word) }
        }
    }

    private func path() throws -> String { try #require(folder).file("vanorb.db") }

    private func open() throws -> SQLiteStore {
        try SQLiteStore.open(
            path: try path(), logger: Logger(label: "test"), onCondition: { [conditions] in conditions.note($0) })
    }

    private func fill(items: Int) async throws {
        let store = try open()
        try await store.fill(
            StoreLoad(entries: 200, items: items, tasks: 20, trips: 2), now: StoreContract.date)
        try store.close()
    }

    private func overwrite(from offset: Int, _ bytes: Data) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: try path()))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private var contents: Data? { get throws { FileManager.default.contents(atPath: try path()) } }

    private static let garbage = Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })

    @Test func pagesOverwrittenInASmallFile_areFoundAtTheStart_andTheFileIsKept() async throws {
        try await fill(items: 2_000)
        let size = try #require(try contents).count
        for page in stride(from: 4_096, to: size - 4_096, by: 4_096 * 5) {
            let whole = try #require(try contents)
            try overwrite(from: page, Self.garbage)
            let damaged = try contents
            let error = try #require(throws: StoreError.self, "page at \(page)") { try open() }
            #expect(error.reason == .damaged)
            #expect(try contents == damaged, "nobody writes to it")
            try whole.write(to: URL(fileURLWithPath: try path()))
        }
        _ = try open()
    }

    @Test func largeFile_isOpenedAtOnce_andItsDamageIsFoundByTheCheck() async throws {
        try await fill(items: 60_000)
        let size = try #require(try contents).count
        #expect(size > DamageCheck.promptLimit)
        try overwrite(from: size / 4_096 / 2 * 4_096, Self.garbage)
        let damaged = try contents
        let store = try open()
        #expect(!store.isChecked && conditions.all.isEmpty)
        await #expect(throws: StoreError.self) { try await store.checkIntegrity() }
        #expect(conditions.all == ["damaged"])
        await #expect(throws: StoreError.self) { try await store.stores.ledger.add(StoreContract.expense(1)) }
        let reading = await #expect(throws: StoreError.self) { try await store.stores.kept.value("mode") }
        #expect(reading?.reason == .damaged)
        let backup = try #require(folder).file("backup.db")
        await #expect(throws: StoreError.self) { try await store.backUp(to: backup) }
        #expect(!FileManager.default.fileExists(atPath: backup))
        try store.close()
        #expect(conditions.all == ["damaged"], "said once")
        #expect(try contents == damaged, "nobody writes to it, not even at the end")
    }

    @Test func damageMetByACall_isSaidOnce_andEndsTheWriting() async throws {
        try await fill(items: 60_000)
        let size = try #require(try contents).count
        let store = try open()
        try overwrite(from: 100 * 4_096, Data(repeating: 0xA5, count: size - 200 * 4_096))
        let error = await #expect(throws: StoreError.self) { try await store.stores.manifest.items() }
        #expect(error?.reason == .damaged)
        #expect(conditions.all == ["damaged"])
        let damaged = try contents
        await #expect(throws: StoreError.self) { try await store.stores.kept.set("mode", to: "camp") }
        #expect(conditions.all == ["damaged"])
        #expect(try contents == damaged)
    }

    @Test func rowThatLeadsNowhere_isSaid_andAllGoesOn() async throws {
        try await fill(items: 10)
        let queue = try DatabaseQueue(path: try path())
        try await queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA foreign_keys = OFF; INSERT INTO item_alias VALUES (4711, 0, 'nobody''s')")
        }
        try queue.close()
        let store = try open()
        let error = await #expect(throws: StoreError.self) { try await store.checkIntegrity() }
        #expect(error?.reason == .failed && error?.problem == "a row of item_alias leads nowhere")
        #expect(conditions.all.isEmpty)
        _ = try await store.stores.ledger.add(StoreContract.expense(1))
    }

    @Test func garbageInTheLog_costsNothingThatWasInTheFile() async throws {
        try await fill(items: 100)
        try Self.garbage.write(to: URL(fileURLWithPath: try path() + "-wal"))
        let store = try open()
        #expect(try await store.stores.manifest.items().count == 100)
        try await store.checkIntegrity()
        let entry = try await store.stores.ledger.add(StoreContract.expense(77))
        try store.close()
        #expect(try await open().stores.ledger.last() == entry)
    }

    @Test func tornEndOfTheLog_costsOnlyWhatWasTorn() async throws {
        let store = try open()
        let first = try await store.stores.ledger.add(StoreContract.expense(1, "first"))
        let copy = try #require(folder).file("torn.db"), original = try path()
        let log = try #require(FileManager.default.contents(atPath: original + "-wal"))
        _ = try await store.stores.ledger.add(StoreContract.expense(2, "second"))
        let longer = try #require(FileManager.default.contents(atPath: original + "-wal"))
        #expect(longer.count > log.count)
        try FileManager.default.copyItem(atPath: original, toPath: copy)
        try longer.prefix(longer.count - 1_000).write(to: URL(fileURLWithPath: copy + "-wal"))
        let after = try SQLiteStore.open(path: copy, logger: Logger(label: "test"))
        #expect(try await after.stores.ledger.entries(limit: 9) == [first])
        try await after.checkIntegrity()
    }

    @Test func fullDisk_isSaid_andCalledOffWhenThereIsRoom() async throws {
        let store = try open()
        let writer = try store.connection.writer
        // SQLite's own limit on the file's pages gives the same code as a full disk.
        try await writer.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)")
        }
        let long = String(repeating: "long ", count: 3_000)
        for _ in 1...2 {
            let error = await #expect(throws: StoreError.self) {
                try await store.stores.manifest.add(Item(name: long, place: long, aliases: [long]))
            }
            #expect(error?.reason == .diskFull)
        }
        #expect(conditions.all == ["failing: diskFull"], "said once")
        #expect(try await store.stores.manifest.places().isEmpty, "nothing half-written")
        #expect(try await store.stores.journal.seal("nothing") == nil)
        try await writer.writeWithoutTransaction { _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = 100000") }
        _ = try await store.stores.manifest.add(Item(name: "rope"))
        #expect(conditions.all == ["failing: diskFull", "good"])
    }

    @Test func refusedValue_saysNothingAboutTheDisk() async throws {
        let store = try open()
        await #expect(throws: StoreError.self) { try await store.stores.ledger.add(StoreContract.expense(0)) }
        await #expect(throws: StoreError.self) { try await store.stores.kept.set("", to: "x") }
        #expect(conditions.all.isEmpty)
    }

    @Test func writer_waitsForTheDisk_andKeepsItsRules() async throws {
        try await fill(items: 10)
        let store = try open()
        // Naming a change does not wait for the disk, and the next write does again.
        _ = try await store.stores.manifest.add(Item(name: "rope"))
        #expect(try await store.stores.journal.seal("a rope") != nil)
        for (pragma, value) in [
            ("synchronous", 2), ("foreign_keys", 1), ("recursive_triggers", 1), ("application_id", 1_449_225_807),
        ] {
            let found = try await store.connection.writer.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA \(pragma)")
            }
            #expect(found == value, "\(pragma)")
        }
        await #expect(throws: StoreError.self) {
            try await store.connection.write("test") {
                try $0.execute(sql: "INSERT INTO item_alias VALUES (4711, 0, 'nobody''s')")
            }
        }
    }
}
