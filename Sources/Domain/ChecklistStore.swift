/// A task on a named list.
public struct ChecklistTask: Sendable, Equatable, Codable {
    /// The store's number for it; 0 until it is stored.
    public var id: Int64
    /// The list's name, lower case.
    public var list: String
    /// What is to be done.
    public var text: String
    /// True once ticked off.
    public var isDone: Bool

    /// A task that is not stored yet.
    public init(id: Int64 = 0, list: String, text: String, isDone: Bool = false) {
        self.id = id
        self.list = list
        self.text = text
        self.isDone = isDone
    }
}

/// The checklists.
public protocol ChecklistStore: Sendable {
    /// The names of all lists.
    func lists() async throws -> [String]
    /// The tasks of one list in order, or of all lists.
    func tasks(list: String?) async throws -> [ChecklistTask]
    /// Stores a task at the end of its list, which is made if it is new.
    func add(_ task: ChecklistTask) async throws -> ChecklistTask
    /// Ticks a task off or unticks it; false when there is none of that number.
    func setDone(_ isDone: Bool, id: Int64) async throws -> Bool
    /// Ticks all tasks of a list off or takes their ticks away.
    /// - Returns: how many were changed.
    func setAllDone(_ isDone: Bool, list: String) async throws -> Int
    /// Makes those of the lists that are not there, in their order, and stores several tasks at the end of theirs, all
    /// or nothing.
    func add(all tasks: [ChecklistTask], making lists: [String]) async throws
    /// Removes the tasks of a list, all or only those that are done; the list stays.
    /// - Returns: how many were removed.
    func removeAll(list: String, onlyDone: Bool) async throws -> Int
    /// Makes a list without tasks; false when there is one of that name.
    func make(list: String) async throws -> Bool
    /// Removes a list with its tasks; false when there is none of that name.
    func remove(list: String) async throws -> Bool
    /// Removes a task; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool
}

extension ChecklistStore {
    /// Stores several tasks at the end of their lists, all or none.
    public func add(all tasks: [ChecklistTask]) async throws { try await add(all: tasks, making: []) }
}
