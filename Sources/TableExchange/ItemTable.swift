import Domain
import Foundation

/// The manifest as a CSV table.
package enum ItemColumn: String, TableColumn {
    case number, name, quantity, weight, place, category, aliases, notes

    package static let table = "items"
    package static func expected(_ name: (ItemColumn) -> String) -> String {
        let others = [ItemColumn.quantity, .weight, .place, .category, .aliases, .notes].map(name)
        return "Expected are columns named in the first line: \(name(.name)), and where you have them "
            + "\(others.joined(separator: ", ")); “vanorb export items” shows a table as VanOrb writes it."
    }
    package static let numbers: [ItemColumn] = [.quantity, .weight]
    package static let dates: [ItemColumn] = []
}

/// Writes and reads the manifest as CSV, and finds out what of a file is new.
public enum ItemTable {
    /// The line that names the columns.
    public static func header(_ words: TableWords) -> String {
        CSVCell.line(ItemColumn.allCases.map { $0.written(words) })
    }

    /// An item's line.
    public static func line(_ item: Item) -> String {
        CSVCell.line([
            "\(item.id)", CSVCell.guarded(item.name), "\(item.quantity)", item.unitGrams.map(kilograms) ?? "",
            CSVCell.guarded(item.place ?? ""), CSVCell.guarded(item.category ?? ""),
            CSVCell.guarded(TableCells.joined(item.aliases)), CSVCell.guarded(item.notes ?? ""),
        ])
    }

    /// Such as 1.5 and 0.25.
    private static func kilograms(_ grams: Int) -> String {
        let text = TableCells.decimal(Int64(grams), places: 3).reversed().drop { $0 == "0" }
        return String((text.first == "." ? text.dropFirst() : text).reversed())
    }

    /// What is to be done with rows of a file.
    /// - Parameter stored: all items there are.
    package static func plan(
        _ rows: [TableRow<Item>], _ stored: [Item], _ words: TableWords
    ) -> TablePlan<Item> {
        func place(_ item: Item) -> String { item.place?.lowercased() ?? "" }
        func key(_ item: Item) -> String { "\(item.name.lowercased())\u{0}\(place(item))" }
        var plan = TablePlan<Item>(), lines: [String: Int] = [:]
        var matcher = TableMatcher(stored, number: \.id, key: key) { row, item in
            row.quantity == item.quantity && row.unitGrams == item.unitGrams && key(row) == key(item)
                && row.category == item.category?.lowercased() && row.notes == item.notes.flatMap(Self.notes)
                && row.aliases.map { $0.lowercased() } == item.aliases.map { $0.lowercased() }
        }
        for row in rows {
            let item = row.value
            func refuse(_ column: ItemColumn, _ found: String, _ expected: String) {
                plan.problems.append(
                    TableProblem(line: row.line, column: column.written(words), found: found, expected: expected))
            }
            switch matcher.find(row) {
            case .present: plan.present.append(row.line)
            case .taken(let other):
                refuse(
                    .number, "\(item.id)",
                    "a number that is free: this one is another item’s (\(other.name)). Leave it empty to add a new one"
                )
            case .twice(let line): refuse(.number, "\(item.id)", "another number: line \(line) has this one")
            case .new:
                if let other = matcher.like(item).first {
                    refuse(
                        .name, item.name,
                        "what is not there yet: number \(other.id) has the name and place, but is not the same. Change "
                            + "it with “vanorb items set \(other.id)”, or leave the line out")
                } else if item.id == 0, let line = lines[key(item)] {
                    refuse(.name, item.name, "a name once for each place: line \(line) has it, too")
                } else {
                    plan.new.append(item)
                }
            }
            lines[key(item)] = lines[key(item)] ?? row.line
        }
        return plan
    }

    fileprivate static func notes(_ notes: String) -> String? { CSVCell.text(notes, keepsLines: true) }
}

/// Reads the manifest from CSV.
public struct ItemTableReader: TableReading {
    private var scan: TableScan<ItemColumn>
    private let articles: Set<String>

    /// What is worth saying of the file.
    public var notes: [String] { scan.notes }
    /// How far the present go has come, and where it ends, in bytes.
    public var progress: (done: Int, of: Int) { scan.progress }

    /// Opens a table.
    /// - Parameters:
    ///   - options: how the owner's tables are read.
    ///   - articles: words that may stand before a name and are not a part of it, lower case.
    /// - Throws: `TableRefusal` where it is no such table.
    package init(_ file: Data, _ options: TableOptions, articles: Set<String>) throws {
        scan = try TableScan(file, options)
        self.articles = articles
        try scan.require(.name)
    }

    /// Looks at the next `limit` lines.
    /// - Returns: true while there are more.
    /// - Throws: `TableRefusal` where numbers are written in two ways.
    public mutating func survey(_ limit: Int) throws -> Bool { try scan.survey(limit) }

    /// Reads the next `limit` lines; nil at the end.
    public mutating func next(_ limit: Int) -> (rows: [TableRow<Item>], problems: [TableProblem])? {
        let numbers = scan.numbers, units = scan.words.units, articles = articles
        return scan.next(limit) { line in
            let number = line.read(.number) { try TableCells.number($0, "items") }
            let name = line.read(.name) { cell in
                guard let name = try TableCells.text(cell), name.contains(where: \.isLetter) else {
                    throw BadCell("an item’s name")
                }
                return Self.cleaned(name, articles)
            }
            let quantity = line.read(.quantity) { try Self.quantity($0, numbers) }
            let grams = line.read(.weight) { try Self.grams($0, numbers, units) }
            let place = line.read(.place, TableCells.text)
            let category = line.read(.category, TableCells.text)
            let aliases = line.read(.aliases) { cell in
                try TableCells.text(cell).map(TableCells.parted) ?? []
            }
            let notes = line.read(.notes) { try TableCells.text($0, keepsLines: true) }
            guard let number, let name, let quantity, let grams, let place, let category, let aliases, let notes
            else { return nil }
            var others: [String] = []
            for alias in aliases.map({ Self.cleaned($0, articles) }) where alias != name && !others.contains(alias) {
                others.append(alias)
            }
            return TableRow(
                line: line.number,
                value: Item(
                    id: number, name: name, quantity: quantity, unitGrams: grams, place: place, aliases: others,
                    category: category?.lowercased(), notes: notes))
        }
    }

    private static func cleaned(_ name: String, _ articles: Set<String>) -> String {
        var words = name.lowercased().split(separator: " ")
        if words.count > 1, articles.contains(String(words[0])) { words.removeFirst() }
        return words.joined(separator: " ")
    }

    private static func quantity(_ cell: String?, _ numbers: TableNumber) throws -> Int {
        guard let cell else { return 1 }
        guard !cell.contains(where: { ".,".contains($0) }) else { throw BadCell("a whole number") }
        let value = try TableNumber.scaled(try numbers.digits(cell[...]), places: 0, what: "a whole number")
        guard (0...100_000).contains(value) else { throw BadCell("0 to 100000") }
        return Int(value)
    }

    /// Grams of what is written with its unit or, without one, in kilograms.
    private static func grams(
        _ cell: String?, _ numbers: TableNumber, _ units: TableWords.Units
    ) throws -> Int? {
        guard let cell else { return nil }
        let body = cell.prefix { !$0.isLetter }, unit = cell.dropFirst(body.count).lowercased()
        let grams: Int64, number = CSVCell.trimmed(String(body))[...]
        if unit.isEmpty || units.kilograms.contains(unit) {
            grams = try TableNumber.scaled(try numbers.measure(number), places: 3, what: "kilograms")
        } else if units.grams.contains(unit) {
            grams = try TableNumber.scaled(try numbers.measure(number, isWhole: true), places: 0, what: "whole grams")
        } else {
            throw BadCell("what one weighs, in kilograms or with kg or g behind it")
        }
        guard (0...5_000_000).contains(grams) else { throw BadCell("a gram to five tonnes, or nothing") }
        return Int(grams)
    }
}
