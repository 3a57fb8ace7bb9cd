import Domain

/// Named lists of tasks.
package struct ChecklistHandler: Handler {
    package static let name = "checklist"
    package static let intents = ChecklistIntent.names

    let checklist: any ChecklistStore
    package let environment: HandlerEnvironment

    /// The list for tasks that name none.
    static let standardList = "to do"

    package func act(on command: Command) async throws -> Reply {
        switch try ChecklistIntent(command) {
        case .add(let task, let list): try await add(task, to: list, command)
        case .makeUsual(let list, let intent): try await makeUsual(list, then: intent, command)
        case .setDone(let isDone, let task): try await setDone(isDone, task, command)
        case .completeAll(let list, let isStated): try await completeAll(list, isStated: isStated, command)
        case .make(let list): try await make(list, command)
        case .remove(let task): try await remove(task, command)
        case .removeAll(let list, let onlyDone): try await removeAll(list, onlyDone: onlyDone, command)
        case .left(let list): try await left(list, command)
        case .isDone(let task): try await isDone(task, command)
        case .isListed(let task): try await isListed(task)
        case .next(let list): try await next(list, command)
        case .read(let list, let first): try await read(list, first: first, command)
        case .stopReading: Reply(replies("checklist.stopped_reading"))
        case .reset(let list): try await reset(list, command)
        case .startWalk(let list): try await startWalk(list, command)
        case .walk(let dialogue, let step): try await walk(dialogue, step)
        case .lists: try await lists()
        }
    }

    /// A task as it is said within a sentence.
    static func phrase(for task: ChecklistTask) -> String { phrase(for: task.text) }

    /// The first letter small, unless the word is written in capitals.
    static func phrase(for text: String) -> String {
        let second = text.dropFirst().first
        return second?.isUppercase == true ? text : text.prefix(1).lowercased() + text.dropFirst()
    }
}
