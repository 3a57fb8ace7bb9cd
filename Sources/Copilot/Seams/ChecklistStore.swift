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
    /// Ticks a task off or takes the tick away; false when there is none of that number.
    func setDone(_ isDone: Bool, id: Int64) async throws -> Bool
    /// Removes a task; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool
}
