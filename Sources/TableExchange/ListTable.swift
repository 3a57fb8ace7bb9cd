import Domain
import Foundation

/// The lists as a CSV table.
package enum ListColumn: String, TableColumn {
    case list, task, done

    package static let table = "lists"
    package static func expected(_ name: (ListColumn) -> String) -> String {
        "Expected are columns named in the first line: \(name(.list)), \(name(.task)), and where you have it "
            + "\(name(.done)); “vanorb export lists” shows a table as VanOrb writes it."
    }
    package static let numbers: [ListColumn] = [], dates: [ListColumn] = []
}

/// Writes and reads the lists as CSV, and finds out what of a file is new.
public enum ListTable {
    /// The line that names the columns.
    public static func header(_ words: TableWords) -> String {
        CSVCell.line(ListColumn.allCases.map { $0.written(words) })
    }

    /// The lines of a list: one for each task, or one without where it has none.
    public static func lines(_ list: String, _ tasks: [ChecklistTask], _ words: TableWords) -> [String] {
        guard !tasks.isEmpty else { return [CSVCell.line([CSVCell.guarded(list), "", ""])] }
        return tasks.map { task in
            CSVCell.line([
                CSVCell.guarded(list), CSVCell.guarded(task.text),
                (task.isDone ? words.ticks.yes : words.ticks.no).first ?? "",
            ])
        }
    }

    /// What is to be done with rows of a file: a task of no text stands for its list. A task is there already if its
    /// list has one of its words, ticked or not.
    package static func plan(
        _ rows: [TableRow<ChecklistTask>], lists: [String], _ stored: [ChecklistTask]
    ) -> TablePlan<ChecklistTask> {
        func key(_ task: ChecklistTask) -> String { "\(task.list.lowercased())\u{0}\(text(task))" }
        func text(_ task: ChecklistTask) -> String { (CSVCell.text(task.text) ?? "").lowercased() }
        var plan = TablePlan<ChecklistTask>(), otherTicks = 0
        var names = Dictionary(lists.map { ($0.lowercased(), $0) }) { first, _ in first }
        var matcher = TableMatcher(stored, number: \.id, key: key) { _, _ in true }
        for row in rows {
            var task = row.value
            let known = names[task.list.lowercased()]
            task.list = known ?? task.list
            names[task.list.lowercased()] = task.list
            if task.text.isEmpty {
                if known == nil { plan.new.append(task) } else { plan.present.append(row.line) }
            } else if case .present = matcher.find(TableRow(line: row.line, value: task)) {
                plan.present.append(row.line)
                if !matcher.like(task).contains(where: { $0.isDone == task.isDone }) { otherTicks += 1 }
            } else {
                plan.new.append(task)
            }
        }
        if otherTicks > 0 {
            plan.notes.append(
                otherTicks == 1
                    ? "a task that is there is ticked otherwise than in the file; it stays as it is"
                    : "\(otherTicks) tasks that are there are ticked otherwise than in the file; they stay as they are")
        }
        return plan
    }
}

/// Reads lists from CSV.
public struct ListTableReader: TableReading {
    private var scan: TableScan<ListColumn>

    /// What is worth saying of the file.
    public var notes: [String] { scan.notes }
    /// How far the present go has come, and where it ends, in bytes.
    public var progress: (done: Int, of: Int) { scan.progress }

    /// Opens a table.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(_ file: Data, _ options: TableOptions) throws {
        scan = try TableScan(file, options)
        try scan.require(.list)
    }

    /// Looks at the next `limit` lines.
    /// - Returns: true while there are more.
    public mutating func survey(_ limit: Int) throws -> Bool { try scan.survey(limit) }

    /// Reads the next `limit` lines; nil at the end.
    public mutating func next(_ limit: Int) -> (rows: [TableRow<ChecklistTask>], problems: [TableProblem])? {
        scan.next(limit) { line in
            let list = line.read(.list) { cell in
                guard let list = try TableCells.text(cell), list.contains(where: \.isLetter) else {
                    throw BadCell("a list’s name")
                }
                return list.lowercased().split(separator: " ").joined(separator: " ")
            }
            let text = line.read(.task, TableCells.text)
            let isDone = line.tick(.done)
            guard let list, let text, let isDone else { return nil }
            return TableRow(
                line: line.number, value: ChecklistTask(list: list, text: text ?? "", isDone: text != nil && isDone))
        }
    }
}
