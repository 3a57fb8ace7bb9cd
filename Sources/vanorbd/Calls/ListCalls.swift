import Domain
import Dialogue
import Control

/// Calls that list and change the checklists.
struct ListCalls: Sendable {
    let lists: TypedLists

    init(_ conversation: Conversation) { lists = TypedLists(conversation) }

    func register(in table: inout CallTable) {
        table.register(ListsCall.self) { [self] _ in
            ListsResult(lists: try await lists.all().map { ChecklistRow(name: $0.name, tasks: $0.tasks) })
        }
        table.register(ListShowCall.self) { [self] arguments in
            try await typed {
                let name = try await lists.named(arguments.list)
                return ChecklistRow(name: name, tasks: try await lists.all().first { $0.name == name }?.tasks ?? [])
            }
        }
        table.register(ListChangeCall.self) { [self] arguments in
            try await typed { Acknowledgement(try await change(arguments)) }
        }
    }

    private func change(_ change: ListChangeArguments) async throws -> Reply {
        let list = change.list ?? "", task = change.task ?? "", isConfirmed = change.confirmed == true
        return switch change.action {
        case .add: try await lists.add(task, to: list, isConfirmed: isConfirmed)
        case .tick: try await lists.set(task, on: change.list, isDone: true)
        case .untick: try await lists.set(task, on: change.list, isDone: false)
        case .remove where change.task == nil: try await lists.clear(list, isConfirmed: isConfirmed)
        case .remove: try await lists.remove(task, on: change.list)
        case .reset: try await lists.reset(list)
        case .new: try await lists.make(list, withUsualTasks: false)
        case .usual: try await lists.make(list, withUsualTasks: true)
        case .delete: try await lists.delete(list, isConfirmed: isConfirmed)
        }
    }
}

extension ChecklistRow {
    fileprivate init(name: String, tasks: [ChecklistTask]) {
        self.init(name: name, tasks: tasks.map { TaskRow(id: $0.id, text: $0.text, done: $0.isDone) })
    }
}
