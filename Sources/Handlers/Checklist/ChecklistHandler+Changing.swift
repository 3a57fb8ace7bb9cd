import Domain

/// What is written on the lists.
extension ChecklistHandler {
    func add(
        _ text: String?, to reference: ChecklistIntent.ListReference, _ command: Command
    ) async throws -> Reply {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return askTask(command) }
        let lists = try await checklist.lists()
        var list = listName(reference) ?? Self.standardList
        if let known = lists.first(where: { $0.lowercased() == list.lowercased() }) {
            list = known
        } else if list != Self.standardList, !command.isConfirmed {
            return Reply(replies("checklist.make_list", ["list": list]), question: .confirmation(of: command))
        }
        let values = ["task": Self.phrase(for: text), "list": list]
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

    /// A list with nothing on it; where there are usual tasks, those are offered.
    func make(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> Reply {
        guard let list = listName(reference) else { return askTask(command) }
        let values = ["list": list]
        let isThere = try await checklist.lists().contains { $0.lowercased() == list.lowercased() }
        guard !isThere else { return Reply(replies("checklist.list_there", values)) }
        guard usualTasks(list).isEmpty else { return offer(list, command) }
        guard try await checklist.make(list: list) else {
            return .failed(replies("checklist.list_there", values))
        }
        return Reply(
            replies("checklist.made", values), effects: ["checklist: list \(list)"],
            undo: Undo(replies("checklist.undo_list", values)), changesNames: true)
    }

    /// A list with the usual tasks, which the owner wants, and then what the list was wanted for.
    func makeUsual(
        _ list: String?, then intent: ChecklistIntent.Name, _ command: Command
    ) async throws -> Reply {
        guard command.isConfirmed, let list else { return .failed(replies("checklist.no_lists")) }
        let tasks = usualTasks(list).map { ChecklistTask(list: list, text: $0) }
        try await checklist.add(all: tasks)
        let values = ["list": list, "count": "\(tasks.count)"]
        var reply = Reply("")
        // The list is made, whatever becomes of what it was wanted for.
        do { reply = try await act(on: ChecklistIntent.command(intent, list: list)) } catch {}
        reply.wording = [replies("checklist.made_usual", values), reply.wording].filter { !$0.isEmpty }
            .joined(separator: " ")
        reply.effects.insert("checklist: \(tasks.count) tasks on \(list)", at: 0)
        reply.undo = Undo(replies("checklist.undo_list", values))
        reply.changesNames = true
        return reply
    }

    func setDone(
        _ isDone: Bool, _ reference: ChecklistIntent.TaskReference, _ command: Command
    ) async throws -> Reply {
        let named = try await tasks(reference)
        guard let first = named.first else { return notFound(reference, command) }
        // Of several, those that are so already are left out.
        let meant = named.filter { $0.isDone != isDone }
        guard let task = meant.first else {
            let key = isDone ? "checklist.done_already" : "checklist.open_already"
            return Reply(replies(key, ["task": Self.phrase(for: first)]))
        }
        if meant.count > 1 { return which(meant, command) }
        guard try await checklist.setDone(isDone, id: task.id) else {
            return .failed(replies("checklist.no_task", ["task": Self.phrase(for: task)]))
        }
        let values = ["task": Self.phrase(for: task), "list": task.list]
        return Reply(
            replies(isDone ? "checklist.completed" : "checklist.reopened", values),
            effects: ["checklist: \(isDone ? "done" : "open") \(task.id)"],
            undo: Undo(replies(isDone ? "checklist.undo_complete" : "checklist.undo_reopen", values)))
    }

    /// No task is named, or there is none of that name.
    private func notFound(_ reference: ChecklistIntent.TaskReference, _ command: Command) -> Reply {
        guard let asked = reference.task?.text ?? reference.about else { return askTask(command) }
        return .failed(replies("checklist.no_task", ["task": Self.phrase(for: asked)]))
    }

    private func askTask(_ command: Command) -> Reply {
        Reply(replies("checklist.ask_task"), question: ChecklistIntent.question(for: .task, of: command))
    }

    func completeAll(
        _ reference: ChecklistIntent.ListReference, isStated: Bool, _ command: Command
    ) async throws -> Reply {
        switch try await list(reference, command) {
        case .reply(let reply): return reply
        case .list(let list):
            if isStated, !command.isConfirmed,
                try await checklist.tasks(list: list).contains(where: { !$0.isDone })
            {
                return Reply(
                    replies("checklist.confirm_complete_all", ["list": list]),
                    question: .confirmation(of: command))
            }
            let count = try await checklist.setAllDone(true, list: list)
            let values = ["list": list, "count": "\(count)"]
            guard count > 0 else { return Reply(replies("checklist.list_done", values)) }
            return Reply(
                replies("checklist.completed_all", values), effects: ["checklist: all done on \(list)"],
                undo: Undo(replies("checklist.undo_complete_all", values)))
        }
    }

    func remove(_ reference: ChecklistIntent.TaskReference, _ command: Command) async throws -> Reply {
        let named = try await tasks(reference)
        guard let task = named.first else { return notFound(reference, command) }
        if named.count > 1 { return which(named, command) }
        guard try await checklist.remove(id: task.id) else {
            return .failed(replies("checklist.no_task", ["task": Self.phrase(for: task)]))
        }
        let values = ["task": Self.phrase(for: task), "list": task.list]
        return Reply(
            replies("checklist.removed", values), effects: ["checklist: removed \(task.id)"],
            undo: Undo(replies("checklist.undo_remove", values)), changesNames: true)
    }

    /// All tasks of a list, once the owner has said yes, or those that are done.
    func removeAll(
        _ reference: ChecklistIntent.ListReference, onlyDone: Bool, _ command: Command
    ) async throws -> Reply {
        switch try await list(reference, command) {
        case .reply(let reply): return reply
        case .list(let list):
            let tasks = try await checklist.tasks(list: list).filter { !onlyDone || $0.isDone }
            let values = ["list": list, "count": "\(tasks.count)"]
            guard !tasks.isEmpty else { return Reply(replies("checklist.nothing_to_remove", values)) }
            guard onlyDone || command.isConfirmed else {
                return Reply(
                    replies("checklist.confirm_remove_all", values), question: .confirmation(of: command))
            }
            let count = try await checklist.removeAll(list: list, onlyDone: onlyDone)
            return Reply(
                replies("checklist.removed_all", values), effects: ["checklist: removed \(count) of \(list)"],
                undo: Undo(replies("checklist.undo_remove_all", values)), changesNames: true)
        }
    }

    /// Takes all ticks away, for the next time.
    func reset(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> Reply {
        switch try await list(reference, command) {
        case .reply(let reply): return reply
        case .list(let list):
            let count = try await checklist.setAllDone(false, list: list)
            let values = ["list": list, "count": "\(count)"]
            guard count > 0 else { return Reply(replies("checklist.nothing_to_reset", values)) }
            return Reply(
                replies("checklist.reset", values), effects: ["checklist: reset \(list)"],
                undo: Undo(replies("checklist.undo_reset", values)))
        }
    }
}
