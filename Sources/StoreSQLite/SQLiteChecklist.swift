import Domain
import GRDB

/// The checklists in SQLite. Lists are in the order in which they were made, and stay when their last task is removed.
struct SQLiteChecklist: ChecklistStore {
    let connection: Connection

    func lists() async throws -> [String] {
        try await connection.read("checklist.lists") { database in
            try String.fetchAll(database, sql: "SELECT name FROM checklist ORDER BY id")
        }
    }

    func tasks(list: String?) async throws -> [ChecklistTask] {
        try await connection.read("checklist.tasks") { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT checklist_task.id, checklist.name, text, is_done
                    FROM checklist_task JOIN checklist ON checklist.id = checklist_id
                    \(list == nil ? "" : "WHERE checklist.name = ?")
                    ORDER BY checklist_id, checklist_task.id
                    """,
                arguments: list.map { [$0] } ?? []
            ).map { ChecklistTask(id: $0[0], list: $0[1], text: $0[2], isDone: $0[3] == 1) }
        }
    }

    func add(_ task: ChecklistTask) async throws -> ChecklistTask {
        try await connection.write("checklist.add") { try insert(task, $0) }
    }

    func add(all tasks: [ChecklistTask], making lists: [String]) async throws {
        try await connection.write("checklist.add(all:)") { database in
            for list in lists {
                try database.execute(
                    sql: "INSERT INTO checklist (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [list])
            }
            for task in tasks { _ = try insert(task, database) }
        }
    }

    @Sendable private func insert(_ task: ChecklistTask, _ database: Database) throws -> ChecklistTask {
        try database.execute(
            sql: "INSERT INTO checklist (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [task.list])
        let list = try Int64.fetchOne(database, sql: "SELECT id FROM checklist WHERE name = ?", arguments: [task.list])
        var stored = task
        stored.id = try database.insert(
            "checklist_task", id: task.id,
            ["checklist_id": list, "text": task.text, "is_done": task.isDone ? 1 : 0])
        return stored
    }

    func setAllDone(_ isDone: Bool, list: String) async throws -> Int {
        try await connection.write("checklist.setAllDone") { database in
            try database.execute(
                sql: """
                    UPDATE checklist_task SET is_done = ?
                    WHERE is_done = ? AND checklist_id = (SELECT id FROM checklist WHERE name = ?)
                    """,
                arguments: [isDone ? 1 : 0, isDone ? 0 : 1, list])
            return database.changesCount
        }
    }

    func removeAll(list: String, onlyDone: Bool) async throws -> Int {
        try await connection.write("checklist.removeAll") { database in
            try database.execute(
                sql: """
                    DELETE FROM checklist_task
                    WHERE is_done >= ? AND checklist_id = (SELECT id FROM checklist WHERE name = ?)
                    """,
                arguments: [onlyDone ? 1 : 0, list])
            return database.changesCount
        }
    }

    func make(list: String) async throws -> Bool {
        try await connection.write("checklist.make") { database in
            try database.execute(
                sql: "INSERT INTO checklist (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [list])
            return database.changesCount > 0
        }
    }

    func remove(list: String) async throws -> Bool {
        try await connection.write("checklist.remove(list:)") { database in
            try database.execute(
                sql: "DELETE FROM checklist_task WHERE checklist_id = (SELECT id FROM checklist WHERE name = ?)",
                arguments: [list])
            try database.execute(sql: "DELETE FROM checklist WHERE name = ?", arguments: [list])
            return database.changesCount > 0
        }
    }

    func setDone(_ isDone: Bool, id: Int64) async throws -> Bool {
        try await connection.write("checklist.setDone") { database in
            try database.execute(
                sql: "UPDATE checklist_task SET is_done = ? WHERE id = ?", arguments: [isDone ? 1 : 0, id])
            return database.changesCount > 0
        }
    }

    func remove(id: Int64) async throws -> Bool {
        try await connection.write("checklist.remove") { try $0.delete("checklist_task", id: id) }
    }
}
