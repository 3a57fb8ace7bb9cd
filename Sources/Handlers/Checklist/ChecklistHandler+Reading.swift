import Domain

/// What is on the lists.
extension ChecklistHandler {
    /// How many tasks are read out at once.
    private static let pageSize = 5

    /// The open tasks of the list that was named, else of all.
    private static func open(
        _ command: Command, _ context: HandlerContext
    ) async throws -> (list: String?, tasks: [ChecklistTask], all: Int)? {
        let checklist = context.stores.checklist
        var list = listName(command, context)
        if let name = list {
            list = try await checklist.lists().first { $0.lowercased() == name.lowercased() }
            if list == nil { return nil }
        }
        let tasks = try await checklist.tasks(list: list)
        return (list, tasks.filter { !$0.isDone }, tasks.count)
    }

    private static func missing(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if case .reply(let reply) = try await list(command, context) { return reply }
        return Reply(context.replies("checklist.no_lists"))
    }

    private static func nothingLeft(_ list: String?, _ all: Int, _ context: HandlerContext) -> Reply {
        guard let list else { return Reply(context.replies("checklist.nothing_left")) }
        return Reply(context.replies(all == 0 ? "checklist.list_empty" : "checklist.list_done", ["list": list]))
    }

    /// “Have I checked the tyres?”: what is known of one task. A question ticks nothing.
    private static func isDone(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let tasks = try await tasks(command, context)
        guard let task = tasks.first else {
            let name = command.text("about") ?? command.text("task") ?? ""
            return .failed(context.replies("checklist.no_task", ["task": ManifestHandler.cleaned(name, context)]))
        }
        if tasks.count > 1 { return which(tasks, command, context) }
        return Reply(context.replies(task.isDone ? "checklist.is_done" : "checklist.is_open", ["task": said(task)]))
    }

    package static func left(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["task"] != nil || command.slots["about"] != nil { return try await isDone(command, context) }
        guard let (list, tasks, all) = try await open(command, context) else {
            return try await missing(command, context)
        }
        guard !tasks.isEmpty else { return nothingLeft(list, all, context) }
        let shown = tasks.prefix(pageSize)
        let values = [
            "list": context.spoken.list(shown.map { said($0) }), "count": "\(tasks.count)",
            "rest": "\(tasks.count - shown.count)",
        ]
        return Reply(context.replies(tasks.count > pageSize ? "checklist.left_more" : "checklist.left", values))
    }

    package static func next(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let (list, tasks, all) = try await open(command, context) else {
            return try await missing(command, context)
        }
        guard let next = tasks.first else { return nothingLeft(list, all, context) }
        return Reply(context.replies("checklist.next", ["task": said(next)]))
    }

    package static func lists(_ context: HandlerContext) async throws -> Reply {
        let lists = try await context.stores.checklist.lists()
        guard !lists.isEmpty else { return Reply(context.replies("checklist.no_lists")) }
        let values = ["list": context.spoken.list(lists), "count": "\(lists.count)"]
        return Reply(context.replies("checklist.lists", values))
    }

    /// Reads a list page by page. The pages are counted anew each time, as the list may have changed in between.
    package static func read(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.text("step!") == "stop" { return Reply(context.replies("checklist.stopped_reading")) }
        switch try await list(command, context) {
        case .reply(let reply): return reply
        case .list(let list):
            let tasks = try await context.stores.checklist.tasks(list: list)
            guard !tasks.isEmpty else { return Reply(context.replies("checklist.list_empty", ["list": list])) }
            let wanted = Int(command.slots["from!"]?.number ?? 0)
            let from = min(max(0, wanted), (tasks.count - 1) / pageSize * pageSize)
            let page = tasks.dropFirst(from).prefix(pageSize)
            let rest = tasks.count - from - page.count
            let texts = page.map { task in
                task.isDone ? context.replies("checklist.ticked", ["task": said(task)]) : said(task)
            }
            let values = [
                "list": list, "tasks": context.spoken.list(texts), "count": "\(tasks.count)", "rest": "\(rest)",
            ]
            let key = from == 0 ? (rest > 0 ? "first_page" : "whole") : rest > 0 ? "page" : "last_page"
            return Reply(
                context.replies("checklist.\(key)", values),
                question: rest > 0 || from > 0 ? .steps(pages(of: list, from: from, rest: rest)) : nil)
        }
    }

    private static func pages(of list: String, from: Int, rest: Int) -> [String: Command] {
        func command(_ step: String, _ from: Int) -> Command {
            Command(
                handler: name, intent: "read_list",
                slots: [
                    "list": SlotValue(text: list, content: .names([OwnerName(name: list)])),
                    "step!": SlotValue(text: step), "from!": SlotValue(text: "\(from)", content: .number(Double(from))),
                ])
        }
        var steps = [
            "repeat": command("repeat", from), "stop": command("stop", from),
            "back": command("back", max(0, from - pageSize)),
        ]
        // On the last page “next” and “done” have nowhere to go on to.
        steps["next"] = rest > 0 ? command("next", from + pageSize) : command("stop", from)
        steps["done"] = command("stop", from)
        return steps
    }
}
