import Domain

/// What is on the lists.
extension ChecklistHandler {
    /// How many tasks are read out at once.
    private static let pageSize = 5

    /// The open tasks of the list that was named, else of all.
    private func open(
        _ reference: ChecklistIntent.ListReference
    ) async throws -> (list: String?, tasks: [ChecklistTask], all: Int)? {
        var list = listName(reference)
        if let name = list {
            list = try await checklist.lists().first { $0.lowercased() == name.lowercased() }
            if list == nil { return nil }
        }
        let tasks = try await checklist.tasks(list: list)
        return (list, tasks.filter { !$0.isDone }, tasks.count)
    }

    private func missing(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> Reply {
        if case .reply(let reply) = try await list(reference, command) { return reply }
        return Reply(replies("checklist.no_lists"))
    }

    private func nothingLeft(_ list: String?, _ all: Int) -> Reply {
        guard let list else { return Reply(replies("checklist.nothing_left")) }
        return Reply(replies(all == 0 ? "checklist.list_empty" : "checklist.list_done", ["list": list]))
    }

    /// “Have I checked the tyres?”: what is known of one task. A question ticks nothing.
    func isDone(_ reference: ChecklistIntent.TaskReference, _ command: Command) async throws -> Reply {
        let tasks = try await tasks(reference)
        guard let task = tasks.first else {
            let name = reference.about ?? reference.task?.text ?? ""
            return .failed(replies("checklist.no_task", ["task": environment.bareName(name)]))
        }
        if tasks.count > 1 { return which(tasks, command) }
        return Reply(replies(task.isDone ? "checklist.is_done" : "checklist.is_open", ["task": Self.phrase(for: task)]))
    }

    /// “Is milk on my list?”
    func isListed(_ reference: ChecklistIntent.TaskReference) async throws -> Reply {
        let name = environment.bareName(reference.task?.text ?? ""), list = listName(reference.list)
        let found = try await tasks(reference).filter { task in
            list.map { $0.lowercased() == task.list.lowercased() } ?? true
        }
        // One that is open counts before one that is done.
        guard let task = found.first(where: { !$0.isDone }) ?? found.first else {
            guard let list else { return Reply(replies("checklist.on_no_list", ["task": name])) }
            return Reply(replies("checklist.not_on_list", ["task": name, "list": list]))
        }
        let values = ["task": Self.phrase(for: task), "list": task.list]
        return Reply(replies(task.isDone ? "checklist.is_on_list_done" : "checklist.is_on_list", values))
    }

    func left(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> Reply {
        guard let (list, tasks, all) = try await open(reference) else {
            return try await missing(reference, command)
        }
        guard !tasks.isEmpty else { return nothingLeft(list, all) }
        let shown = tasks.prefix(Self.pageSize)
        let values = [
            "list": spoken.list(shown.map { Self.phrase(for: $0) }), "count": "\(tasks.count)",
            "rest": "\(tasks.count - shown.count)",
        ]
        return Reply(replies(tasks.count > Self.pageSize ? "checklist.left_more" : "checklist.left", values))
    }

    func next(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> Reply {
        guard let (list, tasks, all) = try await open(reference) else {
            return try await missing(reference, command)
        }
        guard let next = tasks.first else { return nothingLeft(list, all) }
        return Reply(replies("checklist.next", ["task": Self.phrase(for: next)]))
    }

    func lists() async throws -> Reply {
        let lists = try await checklist.lists()
        guard !lists.isEmpty else { return Reply(replies("checklist.no_lists")) }
        let values = ["list": spoken.list(lists), "count": "\(lists.count)"]
        return Reply(replies("checklist.lists", values))
    }

    /// Reads a list page by page. The pages are counted again each time, as the list may have changed in between.
    func read(
        _ reference: ChecklistIntent.ListReference, first: Int, _ command: Command
    ) async throws -> Reply {
        switch try await list(reference, command) {
        case .reply(let reply): return reply
        case .list(let list):
            let tasks = try await checklist.tasks(list: list)
            guard !tasks.isEmpty else { return Reply(replies("checklist.list_empty", ["list": list])) }
            let pageSize = Self.pageSize
            let from = min(max(0, first), (tasks.count - 1) / pageSize * pageSize)
            let page = tasks.dropFirst(from).prefix(pageSize)
            let rest = tasks.count - from - page.count
            let texts = page.map { task in
                task.isDone
                    ? replies("checklist.ticked", ["task": Self.phrase(for: task)]) : Wording(Self.phrase(for: task))
            }
            let values: [String: any Worded] = [
                "list": list, "tasks": spoken.list(texts), "count": "\(tasks.count)", "rest": "\(rest)",
            ]
            let key = from == 0 ? (rest > 0 ? "first_page" : "whole") : rest > 0 ? "page" : "last_page"
            return Reply(
                replies("checklist.\(key)", values),
                question: rest > 0 || from > 0
                    ? ChecklistIntent.pages(of: list, first: from, rest: rest, pageSize: pageSize) : nil)
        }
    }
}
