import Domain

/// What is asked of the lists.
package enum ChecklistIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case addTask = "add_task", completeTask = "complete_task", reopenTask = "reopen_task"
        case removeTask = "remove_task", listLeft = "list_left", nextTask = "next_task", readList = "read_list"
        case resetList = "reset_list", startWalk = "start_walk", listLists = "list_lists"
    }

    package enum Slot: String, Sendable {
        case task, about, list, usual, newList = "newlist", everything, finished
        /// What is asked to be on a list.
        case wanted
        /// Filled where a list is to be made, and where one is said to be done.
        case making, stated
        // The state of a dialogue. `intentAfter` names what a new list is wanted for.
        case intentAfter = "usual!", step = "step!", firstTask = "from!"
        case dialogueList = "list!", dialogueTasks = "ids!", position = "place!", ticked = "done!"
    }

    case add(task: String?, list: ListReference)
    /// Makes a list with its usual tasks, and then does what it was wanted for.
    case makeUsual(list: String?, then: Name)
    case setDone(Bool, TaskReference)
    /// - Parameter isStated: whether the list was said to be done, and no ticks were asked for.
    case completeAll(ListReference, isStated: Bool)
    /// A list with nothing on it.
    case make(ListReference)
    case remove(TaskReference)
    case removeAll(ListReference, onlyDone: Bool)
    /// Which tasks are open.
    case left(ListReference)
    /// Whether one task is done.
    case isDone(TaskReference)
    /// Whether something is on a list.
    case isListed(TaskReference)
    case next(ListReference)
    /// - Parameter first: the index of the first task to read.
    case read(ListReference, first: Int)
    case stopReading
    case reset(ListReference)
    case startWalk(ListReference)
    case walk(ListDialogue, ListDialogue.Step)
    case lists

    package static let handler = ChecklistHandler.name
    package static let lookUps: [Name] = [
        .listLeft, .nextTask, .readList, .listLists,
    ]

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        let list = ListReference(slots), task = TaskReference(slots)
        self =
            switch name {
            case .addTask:
                slots.text(.intentAfter).map {
                    .makeUsual(list: slots.text(.newList), then: Name(rawValue: $0) ?? .readList)
                } ?? (slots.has(.making) ? .make(list) : .add(task: slots.text(.task), list: list))
            case .completeTask:
                slots.has(.everything) || slots.has(.stated)
                    ? .completeAll(list, isStated: slots.has(.stated)) : .setDone(true, task)
            case .reopenTask: .setDone(false, task)
            case .removeTask:
                slots.has(.everything) || slots.has(.finished)
                    ? .removeAll(list, onlyDone: slots.has(.finished)) : .remove(task)
            case .listLeft:
                slots.has(.wanted)
                    ? .isListed(TaskReference(slots, asked: .wanted))
                    : slots.has(.task) || slots.has(.about) ? .isDone(task) : .left(list)
            case .nextTask: .next(list)
            case .readList:
                slots.text(.step) == Self.stop
                    ? .stopReading : .read(list, first: Int(slots.number(.firstTask) ?? 0))
            case .resetList: .reset(list)
            case .startWalk:
                ListDialogue(slots).map { .walk($0, ListDialogue.Step(rawValue: slots.text(.step) ?? "") ?? .again) }
                    ?? .startWalk(list)
            case .listLists: .lists
            }
    }

    /// Which list is meant.
    package struct ListReference: Sendable, Equatable {
        /// One of the owner's lists.
        let known: String?
        /// Words for another: the name of a usual list, or any.
        let other: String?

        init(_ slots: SlotReader<Slot>) {
            known = slots.ownerName(.list)
            other = slots.text(.usual) ?? slots.text(.newList)
        }
    }

    /// Which task is meant.
    package struct TaskReference: Sendable, Equatable {
        let task: SpokenName?
        /// Words of a task that is not named in full.
        let about: String?
        let list: ListReference

        init(_ slots: SlotReader<Slot>, asked: Slot = .task) {
            task = slots.name(asked)
            about = slots.text(.about)
            list = ListReference(slots)
        }
    }

    // MARK: commands that go on

    /// The command to make a list with its usual tasks, and then to do what `command` is about.
    static func makingUsual(list: String, then command: Command) -> Command {
        self.command(
            .addTask, [.newList: SlotValue(text: list), .intentAfter: SlotValue(text: command.intent)])
    }

    /// A command about one of the owner's lists.
    static func command(_ name: Name, list: String) -> Command {
        command(name, [.list: Self.list(list)])
    }

    /// The slot's value for one of the owner's lists.
    package static func list(_ name: String) -> SlotValue {
        SlotValue(text: name, content: .names([OwnerName(name: name)]))
    }

    private static let stop = "stop"

    /// The steps while a list is read page by page.
    /// - Parameters:
    ///   - first: the index of the first task of this page.
    ///   - rest: how many tasks follow this page.
    static func pages(of list: String, first: Int, rest: Int, pageSize: Int) -> Question {
        func reading(_ step: String, _ first: Int) -> Command {
            command(
                .readList,
                [
                    .list: Self.list(list), .step: SlotValue(text: step),
                    .firstTask: SlotValue(text: "\(first)", content: .number(Double(first))),
                ])
        }
        var steps = [
            "repeat": reading("repeat", first), stop: reading(stop, first),
            "back": reading("back", max(0, first - pageSize)),
        ]
        // After the last page “next” and “done” have nothing left to read.
        steps["next"] = rest > 0 ? reading("next", first + pageSize) : reading(stop, first)
        steps["done"] = reading(stop, first)
        return .steps(steps)
    }
}

/// How far a guided walk through the open tasks of a list has got. It travels in the commands of the steps, so that
/// nothing is left behind when it ends.
package struct ListDialogue: Sendable, Equatable {
    package enum Step: String, Sendable {
        case done, skip, back, stop
        case again = "repeat"
    }

    let list: String
    /// The tasks that were open at the start, in order.
    let ids: [Int64]
    /// The index of the task that was said last.
    var position = 0
    /// How many were ticked off on the way.
    var ticked = 0

    init(list: String, ids: [Int64]) {
        self.list = list
        self.ids = ids
    }

    fileprivate init?(_ slots: SlotReader<ChecklistIntent.Slot>) {
        guard let list = slots.text(.dialogueList), let ids = slots.text(.dialogueTasks) else { return nil }
        self.list = list
        self.ids = ids.split(separator: ",").compactMap { Int64($0) }
        position = Int(slots.number(.position) ?? 0)
        ticked = Int(slots.number(.ticked) ?? 0)
    }

    private func command(_ step: Step) -> Command {
        ChecklistIntent.command(
            .startWalk,
            [
                .step: SlotValue(text: step.rawValue), .dialogueList: SlotValue(text: list),
                .dialogueTasks: SlotValue(text: ids.map(String.init).joined(separator: ",")),
                .position: SlotValue(text: "\(position)", content: .number(Double(position))),
                .ticked: SlotValue(text: "\(ticked)", content: .number(Double(ticked))),
            ])
    }

    /// The steps that may follow; “next” skips.
    var question: Question {
        .steps([
            "done": command(.done), "skip": command(.skip), "next": command(.skip), "back": command(.back),
            "repeat": command(.again), "stop": command(.stop),
        ])
    }
}
