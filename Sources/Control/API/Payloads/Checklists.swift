/// A task on a list.
public struct TaskRow: Codable, Sendable, Equatable {
    /// Its number.
    public let id: Int64
    /// What is to be done.
    public let text: String
    /// True once it is ticked off.
    public let done: Bool

    /// A task.
    public init(id: Int64, text: String, done: Bool) {
        self.id = id
        self.text = text
        self.done = done
    }
}

/// A list with its tasks.
public struct ChecklistRow: Codable, Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Its tasks, in order.
    public let tasks: [TaskRow]

    /// A list.
    public init(name: String, tasks: [TaskRow]) {
        self.name = name
        self.tasks = tasks
    }

    /// How many tasks are not done.
    public var left: Int { tasks.count { !$0.done } }
}

/// All lists.
public struct ListsResult: Codable, Sendable, Equatable {
    /// In the order in which they were made.
    public let lists: [ChecklistRow]

    /// Lists.
    public init(lists: [ChecklistRow]) { self.lists = lists }
}

/// Which list is meant.
public struct ListShowArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// Its name; upper and lower case are one.
    public var list: String

    /// The list of this name.
    public init(list: String) { self.list = list }

    /// - Throws: when the name is too long.
    public func check() throws(ControlError) { try ControlLimits.check(list, "list") }
}

/// A change of a list.
public struct ListChangeArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What is done.
    public enum Action: String, Codable, Sendable, Equatable, CaseIterable {
        /// Writes `task` on `list`.
        case add
        /// Ticks `task` off.
        case tick
        /// Takes the tick of `task` away.
        case untick
        /// Removes `task`; without one, all tasks of `list`.
        case remove
        /// Takes all ticks of `list` away.
        case reset
        /// Makes `list`, with no tasks.
        case new
        /// Makes `list` with the usual tasks of its name.
        case usual
        /// Removes `list` with its tasks.
        case delete

        /// - Throws: `DecodingError` that lists the actions.
        public init(from decoder: any Decoder) throws { self = try decoder.choice() }
    }

    /// What is done.
    public var action: Action
    /// The list's name; nil for a task of any list.
    public var list: String?
    /// The task's text, or its number.
    public var task: String?
    /// True where a yes is given to whatever would be asked.
    public var confirmed: Bool?

    /// A change.
    public init(_ action: Action, list: String? = nil, task: String? = nil, confirmed: Bool? = nil) {
        self.action = action
        self.list = list
        self.task = task
        self.confirmed = confirmed
    }

    /// - Throws: when the action lacks its list or task, or a text is too long.
    public func check() throws(ControlError) {
        switch action {
        case .add:
            try ControlLimits.check(list ?? "", "list")
            try ControlLimits.check(task ?? "", "task")
        case .tick, .untick: try ControlLimits.check(task ?? "", "task")
        case .remove where task != nil: break
        case .remove, .reset, .new, .usual, .delete: try ControlLimits.check(list ?? "", "list")
        }
        if let list { try ControlLimits.check(list, "list") }
        if let task { try ControlLimits.check(task, "task") }
    }
}
