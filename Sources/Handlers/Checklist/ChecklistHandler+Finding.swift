import Domain

/// Which list and which task is meant.
extension ChecklistHandler {
    /// The list that a command names, as the store or the owner has it; nil where it names none.
    static func listName(_ command: Command, _ context: HandlerContext) -> String? {
        if let known = command.slots["list"]?.names.first?.name { return known }
        guard let said = command.text("usual") ?? command.text("newlist") else { return nil }
        let name = ManifestHandler.cleaned(said, context)
        return name.isEmpty ? nil : name
    }

    /// A list that is there, or what is said instead.
    package enum FoundList {
        case list(String)
        case reply(Reply)
    }

    /// The list to read or to walk through: the one that was named, else the only one that has tasks; else it asks.
    package static func list(_ command: Command, _ context: HandlerContext) async throws -> FoundList {
        let lists = try await context.stores.checklist.lists()
        if let name = listName(command, context) {
            if let list = lists.first(where: { $0.lowercased() == name.lowercased() }) { return .list(list) }
            return .reply(offer(name, command, context))
        }
        let tasks = try await context.stores.checklist.tasks(list: nil)
        let filled = lists.filter { list in tasks.contains { $0.list == list } }
        if filled.count == 1 { return .list(filled[0]) }
        guard !lists.isEmpty else { return .reply(Reply(context.replies("checklist.no_lists"))) }
        guard !filled.isEmpty else { return .reply(Reply(context.replies("checklist.nothing_left"))) }
        let values = ["list": context.spoken.choice(filled)]
        return .reply(Reply(context.replies("checklist.which_list", values), question: .slot("list", of: command)))
    }

    /// The usual tasks of a list that every van has, as the language's data have them; none for other lists.
    package static func usualTasks(_ list: String, _ context: HandlerContext) -> [String] {
        let key = "checklist.usual_\(list)"
        guard context.replies.keys.contains(key) else { return [] }
        return context.replies(key).split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// There is no such list: says so, or offers to make it with the usual tasks.
    private static func offer(_ name: String, _ command: Command, _ context: HandlerContext) -> Reply {
        let values = ["list": name]
        if usualTasks(name, context).isEmpty { return .failed(context.replies("checklist.no_list", values)) }
        let make = Command(
            handler: Self.name, intent: "add_task",
            slots: ["newlist": SlotValue(text: name), "usual!": SlotValue(text: command.intent)])
        return Reply(context.replies("checklist.offer_usual", values), question: .confirmation(of: make))
    }

    /// The tasks that a command names, in either state.
    /// - Returns: those of that very name; else those in which all the words that were said occur.
    package static func tasks(_ command: Command, _ context: HandlerContext) async throws -> [ChecklistTask] {
        var all = try await context.stores.checklist.tasks(list: nil)
        if let list = listName(command, context) {
            let there = all.filter { $0.list.lowercased() == list.lowercased() }
            if !there.isEmpty { all = there }
        }
        if let names = command.slots["task"]?.names, !names.isEmpty {
            let ids = Set(names.map(\.id))
            return all.filter { ids.contains("\($0.id)") }
        }
        guard let about = command.text("about") ?? command.text("task") else { return [] }
        func words(_ text: String) -> Set<String> {
            Set(context.books.normaliser.canonicalWords(text).map(WordForms.stem))
                .subtracting(context.books.rules.skippable)
        }
        let said = words(about)
        guard !said.isEmpty else { return [] }
        return all.filter { said.isSubset(of: words($0.text)) }
    }

    /// Asks which of several tasks is meant; the list tells those of one name apart.
    package static func which(_ tasks: [ChecklistTask], _ command: Command, _ context: HandlerContext) -> Reply {
        let isOneName = Set(tasks.map { $0.text.lowercased() }).count == 1
        let choices = tasks.prefix(5).map { task in
            guard isOneName else { return OwnerName(name: said(task), id: "\(task.id)") }
            let whole = "\(said(task)) \(context.replies("checklist.on_list", ["list": task.list]))"
            return OwnerName(name: whole, aliases: [task.list], id: "\(task.id)")
        }
        return Reply(
            context.replies("checklist.which", ["list": context.spoken.choice(choices.map(\.name))]),
            question: .choice(slot: "task", among: choices, of: command))
    }
}
