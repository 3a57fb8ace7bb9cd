import Domain
import Foundation
import GRDB
import Logging
import SystemTestKit
import Testing

@testable import StoreSQLite

/// Databases of former versions.
@Suite struct StoreMigrationTests {
    /// The first version's tables, word for word, and some rows in them. It must never change.
    private static let version1 = """
        PRAGMA application_id = 1449225807;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('v1');
        CREATE TABLE ledger_entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (kind IN ('expense', 'income')),
            minor_units INTEGER NOT NULL CHECK (minor_units BETWEEN 1 AND 1000000000000000),
            currency TEXT NOT NULL CHECK (length(currency) = 3 AND currency GLOB '[A-Z][A-Z][A-Z]'),
            category TEXT, merchant TEXT, note TEXT,
            date_ms INTEGER NOT NULL,
            time_uncertain INTEGER NOT NULL CHECK (time_uncertain IN (0, 1))
        ) STRICT;
        CREATE INDEX ledger_entry_by_date ON ledger_entry (date_ms, id);
        CREATE INDEX ledger_entry_sums ON ledger_entry (kind, category, date_ms, currency, minor_units);
        CREATE TABLE place (name TEXT PRIMARY KEY NOT NULL CHECK (length(trim(name)) > 0)) STRICT, WITHOUT ROWID;
        CREATE TABLE item (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(trim(name)) > 0),
            quantity INTEGER NOT NULL CHECK (quantity >= 0),
            unit_grams INTEGER CHECK (unit_grams >= 0),
            place TEXT REFERENCES place (name)
        ) STRICT;
        CREATE INDEX item_by_name ON item (name, id);
        CREATE INDEX item_by_place ON item (place);
        CREATE TABLE item_alias (
            item_id INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            alias TEXT NOT NULL CHECK (length(trim(alias)) > 0),
            PRIMARY KEY (item_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE checklist (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (length(trim(name)) > 0)
        ) STRICT;
        CREATE TABLE checklist_task (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            checklist_id INTEGER NOT NULL REFERENCES checklist (id) ON DELETE CASCADE,
            text TEXT NOT NULL CHECK (length(trim(text)) > 0),
            is_done INTEGER NOT NULL CHECK (is_done IN (0, 1))
        ) STRICT;
        CREATE INDEX checklist_task_by_list ON checklist_task (checklist_id, id);
        CREATE TABLE trip (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            destination TEXT NOT NULL CHECK (length(trim(destination)) > 0),
            start_ms INTEGER NOT NULL,
            end_ms INTEGER
        ) STRICT;
        CREATE INDEX trip_by_start ON trip (start_ms, id);
        CREATE UNIQUE INDEX one_trip_under_way ON trip ((end_ms IS NULL)) WHERE end_ms IS NULL;
        CREATE TABLE kept_value (
            key TEXT PRIMARY KEY NOT NULL CHECK (length(key) > 0),
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO ledger_entry VALUES (3, 'expense', 5000, 'GBP', 'diesel', 'Shell', 'it''s', 1790000000000, 0);
        INSERT INTO ledger_entry VALUES (5, 'income', 70000, 'EUR', NULL, NULL, NULL, 1000, 1);
        INSERT INTO place VALUES ('garage'), ('cab');
        INSERT INTO item VALUES (2, 'tow rope', 1, 900, 'garage'), (4, 'map', 3, NULL, NULL);
        INSERT INTO item_alias VALUES (2, 0, 'cord'), (2, 1, 'line');
        INSERT INTO checklist VALUES (1, 'departure');
        INSERT INTO checklist_task VALUES (1, 1, 'Close the vent', 1), (2, 1, 'Step in', 0);
        INSERT INTO trip VALUES (1, 'Spain', 1790000000000, 1790100000000), (2, 'France', 1790200000000, NULL);
        INSERT INTO kept_value VALUES ('mode', 'camp');
        """

    private let folder = try? TemporaryFolder()

    private func path() throws -> String { try #require(folder).file("vanorb.db") }

    private func makeVersion1() throws {
        let queue = try DatabaseQueue(path: try path())
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; \(Self.version1)") }
        try queue.close()
    }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(path: try path(), logger: Logger(label: "test")) }

    @Test func databaseOfTheFirstVersion_keepsEveryRow_andIsUpToDate() async throws {
        try makeVersion1()
        let store = try open(), stores = store.stores
        let entries = try await stores.ledger.entries(limit: 9)
        #expect(entries.map(\.id) == [3, 5])
        #expect(entries.first?.note == "it's" && entries.last?.timeUncertain == true)
        #expect(
            try await stores.manifest.items() == [
                Item(id: 4, name: "map", quantity: 3),
                Item(id: 2, name: "tow rope", unitGrams: 900, place: "garage", aliases: ["cord", "line"]),
            ])
        #expect(try await stores.manifest.places() == ["cab", "garage"])
        #expect(try await stores.checklist.tasks(list: nil).map(\.text) == ["Close the vent", "Step in"])
        #expect(try await stores.checklist.tasks(list: nil).map(\.isDone) == [true, false])
        #expect(try await stores.trips.trips().map(\.destination) == ["France", "Spain"])
        #expect(try await stores.trips.current()?.id == 2)
        #expect(try await stores.kept.value("mode") == "camp")
        #expect(
            try await stores.journal.changes(limit: 9).isEmpty, "bringing it up to date is no change of the owner's")
        #expect(try await stores.times.uncertain() == UncertainEntries(thisBoot: 0, older: 1))
        try await store.checkIntegrity()
        #expect(try await stores.ledger.add(StoreContract.expense(1)).id == 6, "numbers are not given again")
        #expect(store.isChecked)
    }

    @Test func databaseOfTheFirstVersion_isKeptAsItWas_forWhoeverGoesBack() async throws {
        try makeVersion1()
        let file = try path(), log = Logger(label: "test")
        let store = try open()
        let kept = try #require(store.former)
        #expect(kept == "\(file).of-v1")
        let copy = try DatabaseQueue(path: kept)
        let versions = try await copy.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
        #expect(versions == ["v1"])
        #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ledger_entry") } == 2)
        try copy.close()
        try store.close()
        let again = try SQLiteStore.open(path: file, logger: log)
        #expect(again.former == nil, "once")
        try again.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: try #require(folder).path)
        #expect(!names.contains { $0.contains("unfinished") }, "\(names)")
        // As the former program would: what it takes for a backup of its own.
        try await Restore(file: file).prepare(kept)
        #expect(try Restore(file: file).finish() != nil)
        #expect(try SQLiteStore.open(path: file, logger: log).former == kept, "and forward again")
    }

    @Test func oldDatabase_hasTheSameTablesAsANewOne() async throws {
        try makeVersion1()
        let old = try open(), new = try SQLiteStore.inMemory()
        func schema(_ store: SQLiteStore) async throws -> [String] {
            try await store.connection.writer.read { database in
                try Schema.ownersTables(database).flatMap { table in
                    try database.columns(in: table).map { "\(table).\($0.name) \($0.type) \($0.isNotNull)" }
                }.sorted()
            }
        }
        #expect(try await schema(old) == schema(new))
    }

    @Test func damagedOldDatabase_isNotBroughtUpToDate() throws {
        try makeVersion1()
        let queue = try DatabaseQueue(path: try path())
        try queue.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
            try database.execute(
                sql: """
                    PRAGMA foreign_keys = OFF;
                    INSERT INTO item_alias VALUES (99, 0, 'nobody''s');
                    """)
        }
        try queue.close()
        let error = try #require(throws: StoreError.self) { try open() }
        #expect(error.reason == .damaged && error.problem.contains("item_alias leads nowhere"))
        let after = try DatabaseQueue(path: try path())
        let versions = try after.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations") }
        #expect(versions == ["v1"])
    }
}
