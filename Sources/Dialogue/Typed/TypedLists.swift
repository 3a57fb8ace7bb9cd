import Domain
import Handlers

/// The lists, from the keyboard.
public struct TypedLists: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext

    /// The lists of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    private var checklist: any ChecklistStore { context.stores.checklist }

    /// All lists with their tasks, in the order in which they were made.
    public func all() async throws -> [(name: String, tasks: [ChecklistTask])] {
        let tasks = Dictionary(grouping: try await checklist.tasks(list: nil), by: \.list)
        return try await checklist.lists().map { ($0, tasks[$0] ?? []) }
    }

    /// A list as the store has its name.
    /// - Throws: `TypedRefusal` that names the lists there are.
    public func named(_ typed: String) async throws -> String {
        let name = context.environment.bareName(typed), lists = try await checklist.lists()
        let exact = lists.first { $0.lowercased() == typed.lowercased() }
        if let list = exact ?? lists.first(where: { $0.lowercased() == name }) { return list }
        guard !lists.isEmpty else { throw TypedRefusal("There is no list called \(typed), and no other.") }
        throw TypedRefusal("There is no list called \(typed). There are: \(lists.joined(separator: ", ")).")
    }

    /// Writes a task on a list, which is made with a yes.
    public func add(_ task: String, to list: String, isConfirmed: Bool) async throws -> Reply {
        let slots: [ChecklistIntent.Slot: SlotValue] = [
            .task: SlotValue(text: task.trimming(\.isWhitespace)), .newList: SlotValue(text: list),
        ]
        return try await act(.addTask, slots, isConfirmed)
    }

    /// Ticks a task off, or takes its tick away.
    public func set(_ task: String, on list: String?, isDone: Bool) async throws -> Reply {
        try await act(isDone ? .completeTask : .reopenTask, try await slots(task, list), false)
    }

    /// Removes a task.
    public func remove(_ task: String, on list: String?) async throws -> Reply {
        try await act(.removeTask, try await slots(task, list), false)
    }

    /// Removes all tasks of a list, with a yes.
    public func clear(_ list: String, isConfirmed: Bool) async throws -> Reply {
        var slots = try await slots(list)
        slots[.everything] = SlotValue(text: "")
        return try await act(.removeTask, slots, isConfirmed)
    }

    /// Takes all ticks of a list away.
    public func reset(_ list: String) async throws -> Reply {
        try await act(.resetList, try await slots(list), false)
    }

    /// Makes a list, with the usual tasks of its name where they are wanted.
    /// - Throws: `TypedRefusal` where there is no name, or nothing is usual on a list of this name.
    public func make(_ typed: String, withUsualTasks: Bool) async throws -> Reply {
        let list = context.environment.bareName(typed)
        guard list.contains(where: \.isLetter) else { throw TypedRefusal("“\(typed)” is no name for a list.") }
        let tasks = withUsualTasks ? ChecklistHandler(context).usualTasks(list) : []
        guard !withUsualTasks || !tasks.isEmpty else {
            throw TypedRefusal("Nothing is usual on a \(list) list; leave out --usual, and add its tasks one by one.")
        }
        return try await changes.change(of: ChecklistHandler.name) { [self] in
            let values = ["list": list, "count": "\(tasks.count)"], replies = context.replies
            let isThere = try await checklist.lists().contains { $0.lowercased() == list }
            guard !isThere else { return .failed(replies("checklist.list_there", values)) }
            if tasks.isEmpty {
                guard try await checklist.make(list: list) else {
                    return .failed(replies("checklist.list_there", values))
                }
            } else {
                try await checklist.add(all: tasks.map { ChecklistTask(list: list, text: $0) })
            }
            return Reply(
                replies(tasks.isEmpty ? "checklist.made" : "checklist.made_usual", values),
                effects: ["checklist: list \(list)"], undo: Undo(replies("checklist.undo_list", values)),
                changesNames: true)
        }
    }

    /// Removes a list with its tasks; where it has some, with a yes.
    public func delete(_ typed: String, isConfirmed: Bool) async throws -> Reply {
        let list = try await named(typed)
        return try await changes.change(of: ChecklistHandler.name) { [self] in
            let replies = context.replies
            let values = ["list": list, "count": "\(try await checklist.tasks(list: list).count)"]
            guard isConfirmed || values["count"] == "0" else {
                return Reply(
                    replies("checklist.confirm_remove_list", values),
                    question: .confirmation(of: ChecklistIntent.command(.removeTask)))
            }
            guard try await checklist.remove(list: list) else { return .failed(replies("checklist.no_list", values)) }
            return Reply(
                replies("checklist.removed_list", values), effects: ["checklist: removed \(list)"],
                undo: Undo(replies("checklist.undo_remove_list", values)), changesNames: true)
        }
    }

    // MARK: what is meant

    private typealias Slots = [ChecklistIntent.Slot: SlotValue]

    private func act(_ intent: ChecklistIntent.Name, _ slots: Slots, _ isConfirmed: Bool) async throws -> Reply {
        try await changes.carryOut(typed: ChecklistIntent.command(intent, slots, isConfirmed: isConfirmed))
    }

    private func slots(_ list: String) async throws -> Slots { [.list: ChecklistIntent.list(try await named(list))] }

    /// A task by its number, else by its very text, else by words of it.
    private func slots(_ typed: String, _ list: String?) async throws -> Slots {
        let onList = if let list { try await slots(list) } else { Slots() }
        let tasks = try await checklist.tasks(list: onList[.list]?.text)
        let text = typed.trimming(\.isWhitespace)
        var meant = tasks.filter { $0.text.lowercased() == text.lowercased() }
        if meant.isEmpty, let number = Int64(text) {
            meant = tasks.filter { $0.id == number }
            guard !meant.isEmpty else { throw TypedRefusal("There is no task of the number \(number).") }
        }
        guard !meant.isEmpty else { return onList.merging([.task: SlotValue(text: text)]) { $1 } }
        let names = meant.map { OwnerName(name: $0.text, id: "\($0.id)") }
        return onList.merging([.task: SlotValue(text: text, content: .names(names))]) { $1 }
    }
}
