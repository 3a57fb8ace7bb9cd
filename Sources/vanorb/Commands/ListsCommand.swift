import ArgumentParser
import Control

/// `vanorb lists`
struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists", abstract: "Manage checklists.",
        subcommands: [
            List.self, Show.self, Add.self, Tick.self, Untick.self, Remove.self, Reset.self, New.self, Delete.self,
        ], defaultSubcommand: List.self)

    /// `vanorb lists list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the checklists.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(ListsCall.self), Self.lines)
            }
        }

        static func lines(_ result: ListsResult) -> [String] {
            guard !result.lists.isEmpty else {
                return ["No lists. Create one: vanorb lists new departure --usual"]
            }
            var table = Table([("list", .left), ("left", .right), ("of", .right)])
            for list in result.lists { table.add([list.name, "\(list.left)", "\(list.tasks.count)"]) }
            return table.lines
        }
    }

    /// `vanorb lists show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a checklist.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The list.") var list: [String]

        func run() async throws {
            try await global.run { client, output in
                let arguments = ListShowArguments(list: list.sentence)
                try output.show(try await client.call(ListShowCall.self, arguments), Self.lines)
            }
        }

        static func lines(_ list: ChecklistRow) -> [String] {
            guard !list.tasks.isEmpty else { return ["The \(list.name) list is empty."] }
            var table = Table([("no", .right), ("", .left), (list.name, .left)])
            for task in list.tasks { table.add(["\(task.id)", task.done ? "[x]" : "[ ]", task.text]) }
            return table.lines + ["", "\(list.left) of \(list.tasks.count) left"]
        }
    }

    /// `vanorb lists add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a task.",
            discussion: """
                A list of several words needs quotes.
                Examples:
                  vanorb lists add shopping oat milk
                  vanorb lists add "to do" look at the gas bottle
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The list.") var list: String
        @Argument(help: "The task.") var task: [String]
        @Flag(help: "Create the list if it does not exist.") var yes = false

        func run() async throws {
            try await global.acknowledge(
                ListChangeCall.self, ListChangeArguments(.add, list: list, task: task.sentence, confirmed: yes))
        }
    }

    /// `vanorb lists tick`
    struct Tick: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Tick a task off.")
        @OptionGroup var global: GlobalOptions
        @OptionGroup var task: TaskOptions

        func run() async throws {
            try await global.acknowledge(ListChangeCall.self, task.change(.tick))
        }
    }

    /// `vanorb lists untick`
    struct Untick: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Untick a task.")
        @OptionGroup var global: GlobalOptions
        @OptionGroup var task: TaskOptions

        func run() async throws {
            try await global.acknowledge(ListChangeCall.self, task.change(.untick))
        }
    }

    /// `vanorb lists remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a task, or with --all every task of a list.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The task: its number, its text, or words of it.") var task: [String] = []
        @Option(help: "The list that it is on.") var list: String?
        @Flag(help: "All tasks of --list.") var all = false
        @Flag(help: "Do not ask for confirmation.") var yes = false

        func validate() throws {
            if all {
                guard list != nil, task.isEmpty else {
                    throw ValidationError("Use --all with --list and without a task.")
                }
            } else if task.isEmpty {
                throw ValidationError("Give a task, or --all with --list.")
            }
        }

        func run() async throws {
            try await global.acknowledge(
                ListChangeCall.self,
                ListChangeArguments(.remove, list: list, task: all ? nil : task.sentence, confirmed: yes))
        }
    }

    /// `vanorb lists reset`
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Untick all tasks of a list.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The list.") var list: [String]

        func run() async throws {
            try await global.acknowledge(ListChangeCall.self, ListChangeArguments(.reset, list: list.sentence))
        }
    }

    /// `vanorb lists new`
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a list.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its name.") var list: [String]
        @Flag(help: "Add the usual tasks (lists departure and arrival).") var usual = false

        func run() async throws {
            try await global.acknowledge(
                ListChangeCall.self, ListChangeArguments(usual ? .usual : .new, list: list.sentence))
        }
    }

    /// `vanorb lists delete`
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a list with its tasks.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The list.") var list: [String]
        @Flag(help: "Delete it even if it has tasks.") var yes = false

        func run() async throws {
            try await global.acknowledge(
                ListChangeCall.self, ListChangeArguments(.delete, list: list.sentence, confirmed: yes))
        }
    }

    /// Which task is meant.
    struct TaskOptions: ParsableArguments {
        @Argument(help: "The task: its number, its text, or words of it.") var task: [String]
        @Option(help: "The list that it is on.") var list: String?

        func change(_ action: ListChangeArguments.Action) -> ListChangeArguments {
            ListChangeArguments(action, list: list, task: task.sentence)
        }
    }
}

extension [String] {
    /// Words of the command line as one text, so that nobody needs quotes.
    var sentence: String { joined(separator: " ") }
}
