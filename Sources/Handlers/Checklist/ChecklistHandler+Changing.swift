import Domain

/// What is written on the lists.
extension ChecklistHandler {
    package static func add(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["usual!"] != nil { return try await makeUsual(command, context) }
        let checklist = context.stores.checklist, replies = context.replies
        guard let text = command.text("task"), !text.allSatisfy(\.isWhitespace) else {
            return Reply(replies("checklist.ask_task"), question: .slot("task", of: command))
        }
        let lists = try await checklist.lists()
        var list = listName(command, context) ?? standardList
        if let known = lists.first(where: { $0.lowercased() == list.lowercased() }) {
            list = known
        } else if list != standardList, !command.isConfirmed {
            return Reply(replies("checklist.make_list", ["list": list]), question: .confirmation(of: command))
        }
        let values = ["task": said(text), "list": list]
        let same = try await checklist.tasks(list: list).first { $0.text.lowercased() == text.lowercased() }
        if let same, !same.isDone { return Reply(replies("checklist.there_already", values)) }
        if let same {
            // What is on the list, done, is to be done again.
            guard try await checklist.setDone(false, id: same.id) else {
                return .failed(replies("checklist.no_task", values))
            }
            return Reply(
                replies("checklist.reopened", values), effects: ["checklist: open \(same.id)"],
                undo: Undo(replies("checklist.undo_reopen", values)))
        }
        // As heard, first letter in upper case.
        let task = try await checklist.add(ChecklistTask(list: list, text: text.capitalisedFirst))
        return Reply(
            replies("checklist.added", values), effects: ["checklist: task \(task.id) on \(list)"],
            undo: Undo(replies("checklist.undo_add", values)), changesNames: true)
    }

    /// A list with the usual tasks, which the owner wants, and then what the list was wanted for.
    private static func makeUsual(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard command.isConfirmed, let list = command.text("newlist") else {
            return .failed(context.replies("checklist.no_lists"))
        }
        let tasks = usualTasks(list, context).map { ChecklistTask(list: list, text: $0) }
        try await context.stores.checklist.add(all: tasks)
        let values = ["list": list, "count": "\(tasks.count)"]
        let wanted = Command(
            handler: name, intent: command.text("usual!") ?? "read_list",
            slots: ["list": SlotValue(text: list, content: .names([OwnerName(name: list)]))])
        var reply = Reply("")
        // The list is made, whatever becomes of what it was wanted for.
        do { reply = try await act(on: wanted, in: context) } catch {}
        reply.text = [context.replies("checklist.made_usual", values), reply.text].filter { !$0.isEmpty }
            .joined(separator: " ")
        reply.effects.insert("checklist: \(tasks.count) tasks on \(list)", at: 0)
        reply.undo = Undo(context.replies("checklist.undo_list", values))
        reply.changesNames = true
        return reply
    }

    package static func setDone(_ isDone: Bool, _ command: Command, _ context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        if isDone, command.slots["everything"] != nil { return try await completeAll(command, context) }
        let named = try await tasks(command, context)
        let asked = command.text("task") ?? command.text("about")
        guard let first = named.first else {
            guard let asked else {
                return Reply(replies("checklist.ask_task"), question: .slot("task", of: command))
            }
            return .failed(replies("checklist.no_task", ["task": said(asked)]))
        }
        // Of several, those count that are not so yet.
        let meant = named.filter { $0.isDone != isDone }
        guard let task = meant.first else {
            let key = isDone ? "checklist.done_already" : "checklist.open_already"
            return Reply(replies(key, ["task": said(first)]))
        }
        if meant.count > 1 { return which(meant, command, context) }
        guard try await context.stores.checklist.setDone(isDone, id: task.id) else {
            return .failed(replies("checklist.no_task", ["task": said(task)]))
        }
        let values = ["task": said(task), "list": task.list]
        return Reply(
            replies(isDone ? "checklist.completed" : "checklist.reopened", values),
            effects: ["checklist: \(isDone ? "done" : "open") \(task.id)"],
            undo: Undo(replies(isDone ? "checklist.undo_complete" : "checklist.undo_reopen", values)))
    }

    private static func completeAll(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await list(command, context) {
        case .reply(let reply): return reply
        case .list(let list):
            let count = try await context.stores.checklist.setAllDone(true, list: list)
            let values = ["list": list, "count": "\(count)"]
            guard count > 0 else { return Reply(context.replies("checklist.list_done", values)) }
            return Reply(
                context.replies("checklist.completed_all", values), effects: ["checklist: all done on \(list)"],
                undo: Undo(context.replies("checklist.undo_complete_all", values)))
        }
    }

    package static func remove(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["everything"] != nil || command.slots["finished"] != nil {
            return try await removeAll(command, context)
        }
        let replies = context.replies
        let named = try await tasks(command, context)
        guard let task = named.first else {
            guard let asked = command.text("task") ?? command.text("about") else {
                return Reply(replies("checklist.ask_task"), question: .slot("task", of: command))
            }
            return .failed(replies("checklist.no_task", ["task": said(asked)]))
        }
        if named.count > 1 { return which(named, command, context) }
        guard try await context.stores.checklist.remove(id: task.id) else {
            return .failed(replies("checklist.no_task", ["task": said(task)]))
        }
        let values = ["task": said(task), "list": task.list]
        return Reply(
            replies("checklist.removed", values), effects: ["checklist: removed \(task.id)"],
            undo: Undo(replies("checklist.undo_remove", values)), changesNames: true)
    }

    /// All tasks of a list, once the owner has said yes, or those that are done.
    private static func removeAll(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let onlyDone = command.slots["finished"] != nil
        switch try await list(command, context) {
        case .reply(let reply): return reply
        case .list(let list):
            let tasks = try await context.stores.checklist.tasks(list: list).filter { !onlyDone || $0.isDone }
            let values = ["list": list, "count": "\(tasks.count)"]
            guard !tasks.isEmpty else { return Reply(context.replies("checklist.nothing_to_remove", values)) }
            guard onlyDone || command.isConfirmed else {
                return Reply(
                    context.replies("checklist.confirm_remove_all", values), question: .confirmation(of: command))
            }
            let count = try await context.stores.checklist.removeAll(list: list, onlyDone: onlyDone)
            return Reply(
                context.replies("checklist.removed_all", values), effects: ["checklist: removed \(count) of \(list)"],
                undo: Undo(context.replies("checklist.undo_remove_all", values)), changesNames: true)
        }
    }

    /// Takes all ticks away, for the next time.
    package static func reset(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await list(command, context) {
        case .reply(let reply): return reply
        case .list(let list):
            let count = try await context.stores.checklist.setAllDone(false, list: list)
            let values = ["list": list, "count": "\(count)"]
            guard count > 0 else { return Reply(context.replies("checklist.nothing_to_reset", values)) }
            return Reply(
                context.replies("checklist.reset", values), effects: ["checklist: reset \(list)"],
                undo: Undo(context.replies("checklist.undo_reset", values)))
        }
    }
}
