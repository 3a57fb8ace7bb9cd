/// Named lists of tasks.
enum ChecklistHandler: Handler {
    static let name = "checklist"
    static let intents = ["add_task", "complete_task", "list_left", "next_task", "list_lists"]

    /// The list for tasks that name none.
    static let standardList = "to do"

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        let checklist = context.stores.checklist, replies = context.replies
        switch command.intent {
        case "add_task":
            guard let text = command.text("task"), !text.isEmpty else {
                return Reply(replies("checklist.ask_task"), question: .slot("task", of: command))
            }
            let list = command.slots["list"]?.names.first?.name ?? standardList
            // As heard, first letter in upper case.
            let task = try await checklist.add(ChecklistTask(list: list, text: text.capitalisedFirst))
            let values = ["task": text, "list": list]
            return Reply(
                replies("checklist.added", values), effects: ["checklist: task \(task.id) on \(list)"],
                undo: Undo(replies("checklist.undo_add", values)),
                changesNames: true)
        case "complete_task":
            let named = command.slots["task"]?.names ?? []
            if named.count > 1 { return try await which(named, command, context) }
            guard let name = named.first, let id = Int64(name.id) else {
                return Reply(replies("checklist.ask_task"), question: .slot("task", of: command))
            }
            guard try await checklist.setDone(true, id: id) else {
                return Reply(replies("checklist.no_task", ["task": name.name.lowercased()]))
            }
            let values = ["task": name.name.lowercased()]
            return Reply(
                replies("checklist.completed", values), effects: ["checklist: done \(id)"],
                undo: Undo(replies("checklist.undo_complete", values)),
                changesNames: true)
        case "list_left", "next_task":
            let list = command.slots["list"]?.names.first?.name
            let open = try await checklist.tasks(list: list).filter { !$0.isDone }
            guard let next = open.first else { return Reply(replies("checklist.nothing_left")) }
            if command.intent == "next_task" {
                return Reply(replies("checklist.next", ["task": next.text.lowercased()]))
            }
            let shown = open.prefix(5).map { $0.text.lowercased() }
            let values = [
                "list": context.spoken.list(shown), "count": "\(open.count)", "rest": "\(open.count - shown.count)",
            ]
            return Reply(replies(open.count > 5 ? "checklist.left_more" : "checklist.left", values))
        default:
            let lists = try await checklist.lists()
            guard !lists.isEmpty else { return Reply(replies("checklist.no_lists")) }
            return Reply(replies("checklist.lists", ["list": context.spoken.list(lists)]))
        }
    }

    /// Asks which of several tasks of one name is meant; the list tells them apart.
    private static func which(
        _ named: [OwnerName], _ command: Command, _ context: HandlerContext
    ) async throws -> Reply {
        let tasks = try await context.stores.checklist.tasks(list: nil)
        let choices = named.map { name in
            let list = tasks.first { "\($0.id)" == name.id }?.list ?? standardList
            let whole = "\(name.name.lowercased()) \(context.replies("checklist.on_list", ["list": list]))"
            return OwnerName(name: whole, aliases: [list], id: name.id)
        }
        return Reply(
            context.replies("checklist.which", ["list": context.spoken.choice(choices.map(\.name))]),
            question: .choice(slot: "task", among: choices, of: command))
    }
}
