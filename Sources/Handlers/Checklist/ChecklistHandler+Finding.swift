import Domain

/// Which list and which task is meant.
extension ChecklistHandler {
    /// The list that a command names, as the store or the owner has it; nil where it names none.
    func listName(_ reference: ChecklistIntent.ListReference) -> String? {
        if let known = reference.known { return known }
        guard let name = reference.other.map(environment.bareName) else { return nil }
        return name.isEmpty ? nil : name
    }

    /// A list that is there, or what is said instead.
    enum FoundList {
        case list(String)
        case reply(Reply)
    }

    /// The list that was named, else the only one that has tasks, else a question.
    func list(_ reference: ChecklistIntent.ListReference, _ command: Command) async throws -> FoundList {
        let lists = try await checklist.lists()
        if let name = listName(reference) {
            if let list = lists.first(where: { $0.lowercased() == name.lowercased() }) { return .list(list) }
            return .reply(offer(name, command))
        }
        let tasks = try await checklist.tasks(list: nil)
        let filled = lists.filter { list in tasks.contains { $0.list == list } }
        if filled.count == 1 { return .list(filled[0]) }
        guard !lists.isEmpty else { return .reply(Reply(replies("checklist.no_lists"))) }
        guard !filled.isEmpty else { return .reply(Reply(replies("checklist.nothing_left"))) }
        let values = ["list": spoken.choice(filled)]
        return .reply(
            Reply(replies("checklist.which_list", values), question: ChecklistIntent.question(for: .list, of: command)))
    }

    /// The usual tasks of a list that every van has, as the language's data have them; none for other lists.
    package func usualTasks(_ list: String) -> [String] {
        let key = "checklist.usual_\(list)"
        guard replies.keys.contains(key) else { return [] }
        return replies(key).spoken.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// There is no such list: says so, or offers to make it with the usual tasks.
    func offer(_ name: String, _ command: Command) -> Reply {
        let values = ["list": name]
        if usualTasks(name).isEmpty { return .failed(replies("checklist.no_list", values)) }
        return Reply(
            replies("checklist.offer_usual", values),
            question: .confirmation(of: ChecklistIntent.makingUsual(list: name, then: command)))
    }

    /// The tasks that a command names, in either state.
    /// - Returns: those of that very name; else those in which all the words that were said occur.
    func tasks(_ reference: ChecklistIntent.TaskReference) async throws -> [ChecklistTask] {
        var all = try await checklist.tasks(list: nil)
        if let list = listName(reference.list) {
            let there = all.filter { $0.list.lowercased() == list.lowercased() }
            if !there.isEmpty { all = there }
        }
        if let ids = reference.task?.ids, !ids.isEmpty { return all.filter { ids.contains("\($0.id)") } }
        guard let about = reference.about ?? reference.task?.text else { return [] }
        func words(_ text: String) -> Set<String> {
            Set(environment.books.normaliser.canonicalWords(text).map(environment.books.words.singular))
                .subtracting(environment.books.rules.skippable)
        }
        let said = words(about)
        guard !said.isEmpty else { return [] }
        return all.filter { said.isSubset(of: words($0.text)) }
    }

    /// Asks which of several tasks is meant; those of one name are distinguished by their list.
    func which(_ tasks: [ChecklistTask], _ command: Command) -> Reply {
        let isOneName = Set(tasks.map { $0.text.lowercased() }).count == 1
        let choices = tasks.prefix(5).map { task in
            guard isOneName else { return OwnerName(name: Self.phrase(for: task), id: "\(task.id)") }
            let whole = "\(Self.phrase(for: task)) \(replies("checklist.on_list", ["list": task.list]))"
            return OwnerName(name: whole, aliases: [task.list], id: "\(task.id)")
        }
        return Reply(
            replies("checklist.which", ["list": spoken.choice(choices.map(\.name))]),
            question: ChecklistIntent.question(.task, among: choices, of: command))
    }
}
