import Domain

/// Named lists of tasks.
package enum ChecklistHandler: Handler {
    package static let name = "checklist"
    package static let intents = [
        "add_task", "complete_task", "reopen_task", "remove_task", "list_left", "next_task", "read_list", "reset_list",
        "start_walk", "list_lists",
    ]

    /// The list for tasks that name none.
    static let standardList = "to do"

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        switch command.intent {
        case "add_task": try await add(command, context)
        case "complete_task": try await setDone(true, command, context)
        case "reopen_task": try await setDone(false, command, context)
        case "remove_task": try await remove(command, context)
        case "list_left": try await left(command, context)
        case "next_task": try await next(command, context)
        case "read_list": try await read(command, context)
        case "reset_list": try await reset(command, context)
        case "start_walk": try await walk(command, context)
        default: try await lists(context)
        }
    }

    /// A task as it is said within a sentence.
    package static func said(_ task: ChecklistTask) -> String { said(task.text) }

    /// The first letter small, unless the word is written in capitals.
    package static func said(_ text: String) -> String {
        let second = text.dropFirst().first
        return second?.isUppercase == true ? text : text.prefix(1).lowercased() + text.dropFirst()
    }
}
