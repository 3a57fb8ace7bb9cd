import Domain

/// A guided walk through the open tasks of a list: it says one after the other, and “done” or “skip” moves on.
extension ChecklistHandler {
    /// Where a walk has got to. It travels in the commands of the steps, so that nothing is left behind when it ends.
    private struct Walk {
        let list: String
        /// The tasks that were open at the start, in order.
        let ids: [Int64]
        /// The place of the task that was said last.
        var place = 0
        /// How many were ticked off on the way.
        var done = 0

        init(list: String, ids: [Int64]) {
            self.list = list
            self.ids = ids
        }

        init?(_ command: Command) {
            guard let list = command.text("list!"), let ids = command.text("ids!") else { return nil }
            self.list = list
            self.ids = ids.split(separator: ",").compactMap { Int64($0) }
            place = Int(command.slots["place!"]?.number ?? 0)
            done = Int(command.slots["done!"]?.number ?? 0)
        }

        func command(_ step: String) -> Command {
            Command(
                handler: ChecklistHandler.name, intent: "start_walk",
                slots: [
                    "step!": SlotValue(text: step), "list!": SlotValue(text: list),
                    "ids!": SlotValue(text: ids.map(String.init).joined(separator: ",")),
                    "place!": SlotValue(text: "\(place)", content: .number(Double(place))),
                    "done!": SlotValue(text: "\(done)", content: .number(Double(done))),
                ])
        }

        var question: Question {
            .steps([
                "done": command("done"), "skip": command("skip"), "next": command("skip"), "back": command("back"),
                "repeat": command("repeat"), "stop": command("stop"),
            ])
        }
    }

    package static func walk(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if let walk = Walk(command) { return try await step(command.text("step!") ?? "", walk, context) }
        switch try await list(command, context) {
        case .reply(let reply): return reply
        case .list(let list):
            let tasks = try await context.stores.checklist.tasks(list: list)
            let open = tasks.filter { !$0.isDone }
            guard !open.isEmpty else {
                let key = tasks.isEmpty ? "checklist.list_empty" : "checklist.walk_none"
                return Reply(context.replies(key, ["list": list]))
            }
            let walk = Walk(list: list, ids: open.map(\.id))
            let begin = context.replies("checklist.walk_begin", ["list": list, "count": "\(open.count)"])
            return try await saying(walk, after: begin, context)
        }
    }

    private static func step(_ step: String, _ begun: Walk, _ context: HandlerContext) async throws -> Reply {
        var walk = begun
        switch step {
        case "done":
            let task = try await task(walk, context)
            guard let task, !task.isDone else {
                // Removed or ticked off meanwhile; the walk goes on.
                walk.place += 1
                return try await saying(walk, context)
            }
            // On the disk before the next one is said.
            guard try await context.stores.checklist.setDone(true, id: task.id) else {
                walk.place += 1
                return try await saying(walk, context)
            }
            walk.done += 1
            walk.place += 1
            let next = walk, values = ["task": said(task), "list": walk.list]
            var reply =
                await withReplyTimeout(clock: context.clock) { try await saying(next, context) }
                ?? Reply(context.replies("checklist.completed", values), question: next.question)
            reply.effects = ["checklist: done \(task.id)"]
            reply.undo = Undo(context.replies("checklist.undo_complete", ["task": said(task)]))
            return reply
        case "skip":
            walk.place += 1
            return try await saying(walk, context)
        case "back":
            walk.place -= 1
            guard walk.place >= 0 else {
                walk.place = 0
                return try await saying(walk, after: context.replies("checklist.walk_first"), context)
            }
            return try await saying(walk, isBack: true, context)
        case "stop":
            return Reply(context.replies("checklist.walk_stopped", try await sums(walk, context)))
        default:
            return try await saying(walk, context)
        }
    }

    /// The task at the walk's place; nil where it was removed meanwhile.
    private static func task(_ walk: Walk, _ context: HandlerContext) async throws -> ChecklistTask? {
        guard walk.ids.indices.contains(walk.place) else { return nil }
        return try await context.stores.checklist.tasks(list: walk.list).first { $0.id == walk.ids[walk.place] }
    }

    /// Says the task at the walk's place, passing over what is no longer there; at the end, how it went.
    private static func saying(
        _ begun: Walk, after beginning: String = "", isBack: Bool = false, _ context: HandlerContext
    ) async throws -> Reply {
        var walk = begun
        let tasks = try await context.stores.checklist.tasks(list: walk.list)
        func current() -> ChecklistTask? { tasks.first { $0.id == walk.ids[walk.place] } }
        while walk.ids.indices.contains(walk.place), current() == nil { walk.place += isBack ? -1 : 1 }
        walk.place = max(0, walk.place)
        guard walk.ids.indices.contains(walk.place), let task = current() else {
            let sums = try await sums(walk, context)
            return Reply(context.replies(sums["left"] == "0" ? "checklist.walk_all" : "checklist.walk_end", sums))
        }
        let key = task.isDone ? "checklist.walk_ticked" : "checklist.walk_task"
        let text = context.replies(key, ["task": task.text.capitalisedFirst])
        return Reply(beginning.isEmpty ? text : beginning + " " + text, question: walk.question)
    }

    private static func sums(_ walk: Walk, _ context: HandlerContext) async throws -> [String: String] {
        let open = try await context.stores.checklist.tasks(list: walk.list).filter { !$0.isDone }
        let names = context.spoken.list(open.prefix(3).map { said($0) })
        return [
            "list": walk.list, "done": "\(walk.done)", "all": "\(walk.ids.count)", "left": "\(open.count)",
            "tasks": names,
        ]
    }
}
