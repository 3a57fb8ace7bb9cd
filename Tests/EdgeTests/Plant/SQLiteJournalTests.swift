import Domain
import Foundation
import GRDB
import Logging
import SystemTestKit
import Testing

@testable import StoreSQLite

/// What the store writes down so that it can be taken back.
@Suite struct SQLiteJournalTests {
    /// All rows of the owner's tables, as SQL literals: two stores with the same snapshot hold the same.
    typealias Snapshot = [String: [String]]

    private let folder = try? TemporaryFolder()

    private func open() throws -> SQLiteStore {
        try SQLiteStore.open(path: try #require(folder).file("vanorb.db"), logger: Logger(label: "test"))
    }

    private func snapshot(_ store: SQLiteStore) async throws -> Snapshot {
        try await store.connection.writer.read { database in
            var result: Snapshot = [:]
            for table in try Schema.ownersTables(database) {
                let columns = try database.columns(in: table).map { "quote(\"\($0.name)\")" }
                result[table] = try String.fetchAll(
                    database, sql: "SELECT \(columns.joined(separator: " || ',' || ")) FROM \"\(table)\" ORDER BY 1")
            }
            return result
        }
    }

    private func sql(_ store: SQLiteStore, _ statements: String, _ arguments: StatementArguments = []) async throws {
        try await store.connection.write("test") { try $0.execute(sql: statements, arguments: arguments) }
    }

    private func count(_ store: SQLiteStore, _ table: String) async throws -> Int {
        try await store.connection.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") ?? -1 }
    }

    @Test func whatWasForgotten_staysForGood() async throws {
        let store = try open()
        _ = try await store.stores.manifest.add(Item(name: "kettle"))
        try await store.forgetChanges()
        try store.close()
        let again = try open()
        #expect(try await again.stores.journal.changes(limit: 1).isEmpty)
        #expect(try await again.stores.manifest.items().map(\.name) == ["kettle"])
    }

    /// A name that would do harm if it were taken for SQL.
    private static let odd = "o'clock \"🩹\" %'); DROP TABLE item; --\n?1 \\ €"

    @Test func everyTableOfTheOwners_isJournalled() async throws {
        let store = try SQLiteStore.inMemory()
        let tables = try await store.connection.writer.read { try Schema.ownersTables($0) }
        #expect(tables.count >= 7)
        for table in tables {
            let triggers = try await store.connection.writer.writeWithoutTransaction {
                try Int.fetchOne(
                    $0, sql: "SELECT COUNT(*) FROM sqlite_temp_schema WHERE tbl_name = ? AND name LIKE 'journal_%'",
                    arguments: [table])
            }
            #expect(triggers == 3, "\(table)")
        }
    }

    @Test func everyKindOfChange_isTakenBack_inOrder_toTheLetter() async throws {
        let store = try SQLiteStore.inMemory(), stores = store.stores
        let kit = try await stores.manifest.add(
            Item(name: Self.odd, unitGrams: 7, place: Self.odd, aliases: [Self.odd]))
        let task = try await stores.checklist.add(ChecklistTask(list: Self.odd, text: Self.odd))
        let entry = try await stores.ledger.add(StoreContract.expense(5, Self.odd))
        let trip = try await stores.trips.start(Trip(destination: Self.odd, start: StoreContract.date))
        _ = try await stores.journal.seal("")
        var changed = kit
        changed.name = "kit"
        changed.place = nil
        changed.unitGrams = nil
        changed.aliases = ["a", "b", Self.odd]
        let renamed = changed
        let steps: [@Sendable () async throws -> Void] = [
            { _ = try await stores.manifest.update(renamed) },
            { _ = try await stores.manifest.remove(id: kit.id) },
            { _ = try await stores.checklist.setDone(true, id: task.id) },
            { _ = try await stores.checklist.add(ChecklistTask(list: "new", text: "first of its list")) },
            { _ = try await stores.checklist.remove(id: task.id) },
            { try await sql(store, "DELETE FROM checklist") },
            { _ = try await stores.ledger.remove(id: entry.id) },
            { _ = try await stores.trips.setEnd(StoreContract.date, id: trip.id) },
            { _ = try await stores.trips.remove(id: trip.id) },
            {
                // One change over several calls.
                let item = try await stores.manifest.add(Item(name: "rope", place: "garage", aliases: ["cord"]))
                _ = try await stores.manifest.update(Item(id: item.id, name: "tow rope", quantity: 2))
                _ = try await stores.ledger.add(StoreContract.expense(900, "gear"))
            },
        ]
        var before: [Snapshot] = []
        for (number, step) in steps.enumerated() {
            before.append(try await snapshot(store))
            try await step()
            #expect(try await snapshot(store) != before[number], "step \(number) changes something")
            #expect(try await stores.journal.seal("step \(number)") != nil)
        }
        for number in steps.indices.reversed() {
            let change = try #require(try await stores.journal.changes(limit: 1).first)
            #expect(change.description == "step \(number)")
            #expect(try await stores.journal.revert(change.id))
            #expect(try await snapshot(store) == before[number], "step \(number)")
        }
        #expect(try await count(store, "change_step WHERE change_id IS NULL") == 0, "taking back is no change")
    }

    @Test func randomChanges_areTakenBackInOrder() async throws {
        for seed in 1...8 as ClosedRange<UInt64> {
            let store = try SQLiteStore.inMemory(), stores = store.stores
            var dice = Dice(seed: seed)
            var before: [Snapshot] = []
            for _ in 0..<40 {
                before.append(try await snapshot(store))
                for _ in 0...dice.roll(3) {
                    let id = Int64(1 + dice.roll(8)), name = "n\(dice.roll(5))'\u{1F690}"
                    switch dice.roll(9) {
                    case 0: _ = try await stores.manifest.add(Item(name: name, place: name, aliases: [name, "x"]))
                    case 1: _ = try await stores.manifest.update(Item(id: id, name: name, quantity: dice.roll(3)))
                    case 2: _ = try await stores.manifest.remove(id: id)
                    case 3: _ = try await stores.checklist.add(ChecklistTask(list: name, text: name))
                    case 4: _ = try await stores.checklist.setDone(dice.roll(2) == 0, id: id)
                    case 5: _ = try await stores.checklist.remove(id: id)
                    case 6: _ = try await stores.ledger.add(StoreContract.expense(Int64(1 + dice.roll(99)), name))
                    case 7: _ = try await stores.ledger.remove(id: id)
                    default: try await sql(store, "DELETE FROM checklist WHERE id = ?", [id])
                    }
                }
                if try await stores.journal.seal("change") == nil { before.removeLast() }
            }
            for expected in before.reversed() {
                let change = try #require(try await stores.journal.changes(limit: 1).first)
                #expect(try await stores.journal.revert(change.id))
                #expect(try await snapshot(store) == expected, "seed \(seed)")
            }
        }
    }

    /// A small generator (SplitMix64), so that a failure can be repeated.
    private struct Dice {
        var seed: UInt64
        mutating func roll(_ sides: Int) -> Int {
            seed &+= 0x9E37_79B9_7F4A_7C15
            var bits = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((bits ^ (bits >> 31)) % UInt64(sides))
        }
    }

    @Test func tablesOfEveryShape_areTakenBack() async throws {
        let store = try SQLiteStore.inMemory()
        try await sql(
            store,
            """
            CREATE TABLE "order" ("group" TEXT COLLATE NOCASE, "value" ANY, data BLOB, share REAL) STRICT;
            CREATE TABLE pair (a TEXT, b INTEGER, note TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE SET NULL);
            """)
        // Tables of a later version are there before the triggers are.
        try await store.connection.writer.writeWithoutTransaction { database in
            let names = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_temp_schema WHERE type = 'trigger' AND name LIKE 'journal_%'")
            for name in names { try database.execute(sql: "DROP TRIGGER temp.\"\(name)\"") }
            try database.execute(sql: "DROP TABLE temp.silence")
            try Schema.startJournal(database)
        }
        let changes = [
            "INSERT INTO \"order\" VALUES ('a', 1, x'00ff27', 0.1), ('b', 'x', NULL, 1e300), (NULL, NULL, NULL, NULL)",
            "UPDATE \"order\" SET \"group\" = 'A' WHERE \"group\" = 'a'",
            "UPDATE \"order\" SET \"value\" = 1.0 WHERE \"group\" = 'a'",
            "INSERT INTO pair VALUES ('x', 1, 'one'), ('x', 2, NULL)",
            "UPDATE pair SET a = 'y', b = 7 WHERE b = 1",
            "INSERT OR REPLACE INTO pair VALUES ('y', 7, 'put aside')",
            "INSERT INTO pair VALUES ('x', 2, 'upsert') ON CONFLICT DO UPDATE SET note = excluded.note",
            "INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1), (2, 1), (3, NULL)",
            "DELETE FROM parent", "DELETE FROM \"order\"", "DELETE FROM pair",
        ]
        var before: [Snapshot] = []
        for change in changes {
            before.append(try await snapshot(store))
            try await sql(store, change)
            #expect(try await store.stores.journal.seal(change) != nil)
        }
        for (change, expected) in zip(changes, before).reversed() {
            let last = try #require(try await store.stores.journal.changes(limit: 1).first)
            #expect(try await store.stores.journal.revert(last.id), "\(change)")
            #expect(try await snapshot(store) == expected, "\(change)")
        }
    }

    @Test func changeThatChangesNothing_isNone() async throws {
        let store = try SQLiteStore.inMemory()
        let item = try await store.stores.manifest.add(Item(name: "rope"))
        #expect(try await store.stores.journal.seal("a rope") != nil)
        try await sql(store, "UPDATE item SET name = name, quantity = quantity WHERE id = ?", [item.id])
        try await store.stores.kept.set("mode", to: "camp")
        #expect(try await store.stores.journal.seal("nothing") == nil)
        #expect(try await store.stores.journal.changes(limit: 9).map(\.description) == ["a rope"])
        #expect(try await store.stores.journal.changes(limit: -1).isEmpty)
        #expect(try await store.stores.journal.revert(4_711) == false)
    }

    @Test func refusedWrite_leavesNothingInTheJournal() async throws {
        let store = try SQLiteStore.inMemory()
        await #expect(throws: StoreError.self) {
            try await store.stores.manifest.add(all: [Item(name: "rope"), Item(name: "x", aliases: [" "])])
        }
        #expect(try await store.stores.journal.seal("half an import") == nil)
    }

    @Test func changeIsTakenBack_afterARestart() async throws {
        let store = try open()
        let empty = try await snapshot(store)
        _ = try await store.stores.manifest.add(Item(name: Self.odd, place: "garage", aliases: ["x"]))
        let id = try #require(try await store.stores.journal.seal(Self.odd))
        try store.close()
        let again = try open()
        #expect(try await again.stores.journal.changes(limit: 1) == [JournalledChange(id: id, description: Self.odd)])
        #expect(try await again.stores.journal.revert(id))
        #expect(try await snapshot(again) == empty)
    }

    @Test func powerCutBeforeTheName_leavesAChangeWithoutOne() async throws {
        let store = try open()
        _ = try await store.stores.ledger.add(StoreContract.expense(5_000, "diesel"))
        // What a kill leaves behind: the files as they are.
        let copy = try #require(folder).file("copy.db"), original = try #require(folder).file("vanorb.db")
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: original + ending, toPath: copy + ending)
        }
        let after = try SQLiteStore.open(path: copy, logger: Logger(label: "test"))
        let change = try #require(try await after.stores.journal.changes(limit: 9).first)
        #expect(change.description.isEmpty)
        _ = try await after.stores.ledger.add(StoreContract.expense(1, "food"))
        _ = try await after.stores.journal.seal("food")
        #expect(try await after.stores.journal.revert(change.id), "it is no part of the next change")
        #expect(try await after.stores.ledger.entries(limit: 9).map(\.category) == ["food"])
    }

    @Test func rowThatWentMeanwhile_stopsTheWholeUndo_whichIsForgotten() async throws {
        let store = try SQLiteStore.inMemory(), stores = store.stores
        let first = try await stores.ledger.add(StoreContract.expense(1, "first"))
        let earlier = try #require(try await stores.journal.seal("the first"))
        let rope = try await stores.manifest.add(Item(name: "rope"))
        let tape = try await stores.manifest.add(Item(name: "tape"))
        let both = try #require(try await stores.journal.seal("rope and tape"))
        _ = try await stores.manifest.remove(id: rope.id)
        _ = try await stores.journal.seal("no rope")
        let now = try await snapshot(store)
        #expect(try await stores.journal.revert(both) == false)
        #expect(try await snapshot(store) == now, "the tape stays, too: \(tape.name)")
        #expect(try await stores.journal.changes(limit: 9).map(\.description) == ["no rope", "the first"])
        #expect(try await stores.journal.revert(earlier))
        #expect(try await stores.ledger.entries(limit: 9).contains(first) == false)
    }

    @Test func placeThatIsInUseMeanwhile_stopsTheUndo() async throws {
        let store = try SQLiteStore.inMemory(), stores = store.stores
        _ = try await stores.manifest.add(Item(name: "rope", place: "garage"))
        let first = try #require(try await stores.journal.seal("the rope"))
        _ = try await stores.manifest.add(Item(name: "tape", place: "garage"))
        _ = try await stores.journal.seal("the tape")
        let now = try await snapshot(store)
        #expect(try await stores.journal.revert(first) == false)
        #expect(try await snapshot(store) == now)
    }

    @Test func fiftyChanges_andTheirSteps_areKept() async throws {
        let store = try SQLiteStore.inMemory(), stores = store.stores
        for number in 1...60 {
            _ = try await stores.ledger.add(StoreContract.expense(Int64(number)))
            _ = try await stores.journal.seal("entry \(number)")
        }
        let changes = try await stores.journal.changes(limit: 100)
        #expect(changes.map(\.description) == (11...60).reversed().map { "entry \($0)" })
        #expect(try await count(store, "change_step") == 50)
    }

    @Test func import_isOneChange_andDoesNotStayForEver() async throws {
        let store = try SQLiteStore.inMemory(), stores = store.stores
        let items = (0..<2_000).map { Item(name: "thing \($0)", place: "locker", aliases: ["alias \($0)"]) }
        try await stores.manifest.add(all: items)
        let first = try #require(try await stores.journal.seal("an import"))
        #expect(try await count(store, "change_step") == 4_001)
        #expect(try await stores.journal.revert(first))
        #expect(try await stores.manifest.items().isEmpty)
        #expect(try await count(store, "change_step") == 0)

        for number in 1...3 {
            // Ten thousand items with an alias each, by a shorter way than `add(all:)`.
            try await sql(
                store,
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                INSERT INTO item (name, quantity) SELECT 'thing ' || i, 1 FROM n;
                INSERT INTO item_alias SELECT id, \(number), 'alias' FROM item ORDER BY id DESC LIMIT 10000;
                """)
            _ = try await stores.journal.seal("import \(number)")
            #expect(try await count(store, "change_step") <= SQLiteJournal.stepLimit, "import \(number)")
        }
        #expect(try await stores.journal.changes(limit: 9).map(\.description) == ["import 3"])
        try await sql(store, "UPDATE item SET quantity = 5; UPDATE item_alias SET alias = alias || '!'")
        _ = try #require(try await stores.journal.seal("a vast change"))
        #expect(try await stores.journal.changes(limit: 9).map(\.description) == ["a vast change"], "the last is kept")
    }
}
