import Domain

/// A guided walk through the open tasks of a list: it says one after the other, and “done” or “skip” moves on.
extension ChecklistHandler {
    func startWalk(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> Reply {
        switch try await list(reference, command) {
        case .reply(let reply): return reply
        case .list(let list):
            let tasks = try await checklist.tasks(list: list)
            let open = tasks.filter { !$0.isDone }
            guard !open.isEmpty else {
                let key = tasks.isEmpty ? "checklist.list_empty" : "checklist.walk_none"
                return Reply(replies(key, ["list": list]))
            }
            let dialogue = ListDialogue(list: list, ids: open.map(\.id))
            let begin = replies("checklist.walk_begin", ["list": list, "count": "\(open.count)"])
            return try await saying(dialogue, after: begin)
        }
    }

    func walk(_ begun: ListDialogue, _ step: ListDialogue.Step) async throws -> Reply {
        var dialogue = begun
        switch step {
        case .done:
            let task = try await task(dialogue)
            guard let task, !task.isDone else {
                // Removed or ticked off meanwhile; the walk goes on.
                dialogue.position += 1
                return try await saying(dialogue)
            }
            // On the disk before the next one is said.
            guard try await checklist.setDone(true, id: task.id) else {
                dialogue.position += 1
                return try await saying(dialogue)
            }
            dialogue.ticked += 1
            dialogue.position += 1
            let next = dialogue, values = ["task": Self.phrase(for: task), "list": dialogue.list]
            var reply =
                await environment.readForReply { try await saying(next) }
                ?? Reply(replies("checklist.completed", values), question: next.question)
            reply.effects = ["checklist: done \(task.id)"]
            reply.undo = Undo(replies("checklist.undo_complete", ["task": Self.phrase(for: task)]))
            return reply
        case .skip:
            dialogue.position += 1
            return try await saying(dialogue)
        case .back:
            dialogue.position -= 1
            guard dialogue.position >= 0 else {
                dialogue.position = 0
                return try await saying(dialogue, after: replies("checklist.walk_first"))
            }
            return try await saying(dialogue, isBack: true)
        case .stop:
            return Reply(replies("checklist.walk_stopped", try await sums(dialogue)))
        case .again:
            return try await saying(dialogue)
        }
    }

    /// The task at the dialogue's position; nil where it was removed meanwhile.
    private func task(_ dialogue: ListDialogue) async throws -> ChecklistTask? {
        guard dialogue.ids.indices.contains(dialogue.position) else { return nil }
        return try await checklist.tasks(list: dialogue.list).first { $0.id == dialogue.ids[dialogue.position] }
    }

    /// Says the task at the dialogue's position, passing over what is no longer there; at the end, how it went.
    private func saying(
        _ begun: ListDialogue, after introduction: Wording = "", isBack: Bool = false
    ) async throws -> Reply {
        var dialogue = begun
        let tasks = try await checklist.tasks(list: dialogue.list)
        func current() -> ChecklistTask? { tasks.first { $0.id == dialogue.ids[dialogue.position] } }
        while dialogue.ids.indices.contains(dialogue.position), current() == nil {
            dialogue.position += isBack ? -1 : 1
        }
        dialogue.position = max(0, dialogue.position)
        guard dialogue.ids.indices.contains(dialogue.position), let task = current() else {
            let sums = try await sums(dialogue)
            return Reply(replies(sums["left"]?.wording == "0" ? "checklist.walk_all" : "checklist.walk_end", sums))
        }
        let key = task.isDone ? "checklist.walk_ticked" : "checklist.walk_task"
        let text = replies(key, ["task": task.text.capitalisedFirst])
        return Reply(introduction.isEmpty ? text : introduction + " " + text, question: dialogue.question)
    }

    private func sums(_ dialogue: ListDialogue) async throws -> [String: any Worded] {
        let open = try await checklist.tasks(list: dialogue.list).filter { !$0.isDone }
        let names = spoken.list(open.prefix(3).map { Self.phrase(for: $0) })
        return [
            "list": dialogue.list, "done": "\(dialogue.ticked)", "all": "\(dialogue.ids.count)",
            "left": "\(open.count)",
            "tasks": names,
        ]
    }
}
