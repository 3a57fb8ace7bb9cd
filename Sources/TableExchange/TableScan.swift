import Domain
import Foundation

/// The columns of a kind of table; a column's raw value is its key in `TableWords`.
package protocol TableColumn: Hashable, CaseIterable, Sendable, RawRepresentable<String> {
    /// The table's key in `TableWords`.
    static var table: String { get }
    /// What a file should have, in a sentence.
    /// - Parameter name: a column as it is written.
    static func expected(_ name: (Self) -> String) -> String
    /// The columns of numbers, and of dates: how a file writes them is found out from all of its lines.
    static var numbers: [Self] { get }
    static var dates: [Self] { get }
    /// The columns of text that a file may have several of; they are read as one.
    static var joined: Set<Self> { get }
    /// Whether a column of numbers may have this behind its name, in brackets.
    static func isUnit(_ unit: String) -> Bool
    /// Whether a line of these columns names enough of them to be looked for below what stands above it.
    static func isHeader(_ columns: Set<Self>) -> Bool
}

extension TableColumn {
    /// What a file should have, in a sentence.
    static func expected(_ words: TableWords) -> String { expected { $0.written(words) } }
    /// The column's name as it is written.
    package func written(_ words: TableWords) -> String { words.columns(Self.table).written(rawValue) }
    package static var joined: Set<Self> { [] }
    package static func isUnit(_ unit: String) -> Bool { false }
    package static func isHeader(_ columns: Set<Self>) -> Bool { false }
}

/// How an owner's tables are read.
public struct TableOptions: Sendable {
    /// The words of the owner's language.
    package let words: TableWords
    /// Its zone is that of dates that name none.
    package let calendar: Calendar
    /// How dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    package let monthFirst: Bool?
    /// From when on nothing can have happened; nil where nobody knows.
    package let future: Date?

    /// Options of these values.
    public init(words: TableWords, calendar: Calendar, monthFirst: Bool? = nil, future: Date? = nil) {
        (self.words, self.calendar) = (words, calendar)
        (self.monthFirst, self.future) = (monthFirst, future)
    }
}

/// What reads a table in two goes over the file: `survey` finds out how numbers and dates are written, `next` reads the
/// rows. Both work on so many lines at a time, so that whoever calls can let others have their turn.
public protocol TableReading: Sendable {
    associatedtype Row: Sendable
    /// What is worth saying of the file before anything is done; whole when the survey has ended.
    var notes: [String] { get }
    /// How far the present go has come, and where it ends, in bytes.
    var progress: (done: Int, of: Int) { get }
    /// Looks at the next `limit` lines.
    /// - Returns: true while there are more.
    /// - Throws: `TableRefusal` where numbers are written in two ways.
    mutating func survey(_ limit: Int) throws -> Bool
    /// Reads the next `limit` lines; nil at the end.
    mutating func next(_ limit: Int) -> (rows: [Row], problems: [TableProblem])?
}

/// The lines of a file with their columns.
struct TableScan<Column: TableColumn>: Sendable {
    /// What is worth saying of the file, and of its dates.
    private(set) var notes: [String] = [], dateNotes: [String] = []
    /// How many lines there are; known when the survey has ended.
    private(set) var count = 0
    let header: TableHeader<Column>
    let words: TableWords
    private(set) var numbers: TableNumber
    private var dates: TableDate
    private var reader: CSVReader
    private let start: CSVReader

    var progress: (done: Int, of: Int) { (reader.offset, reader.length) }

    /// Opens a table.
    /// - Throws: `TableRefusal` where it is no such table.
    init(_ file: Data, _ options: TableOptions) throws {
        words = options.words
        let text = try TableText(file)
        if let note = text.note { notes.append(note) }
        let found = try TableSeparator.open(text.bytes, as: Column.self, words)
        (header, reader, start) = (found.header, found.reader, found.reader)
        numbers = TableNumber(separator: found.reader.separator)
        dates = TableDate(
            zone: options.calendar.timeZone, words: words.dates,
            wanted: options.monthFirst.map { $0 ? .month : .day })
        if found.isBelow {
            notes.append("line \(found.header.line) names the columns; what stands above it is left out")
        }
        if !header.unused.isEmpty { notes.append("columns not used: \(Self.some(of: header.unused))") }
    }

    /// The first names, and how many there are beside them: a note is to be read, and to be sent.
    private static func some(of names: [String]) -> String {
        let named = names.prefix(20).map { String($0.prefix(60)) }.joined(separator: ", ")
        return names.count > 20 ? "\(named) and \(names.count - 20) more" : named
    }

    /// Refuses a table without a column.
    /// - Throws: `TableRefusal`.
    func require(_ column: Column) throws {
        guard header.places[column] == nil else { return }
        throw TableRefusal("Line \(header.line) names no column “\(column.written(words))”. \(Column.expected(words))")
    }

    /// Looks at the next lines, and shows each to `look`.
    /// - Returns: true while there are more.
    /// - Throws: `TableRefusal` where numbers are written in two ways.
    mutating func survey(_ limit: Int, _ look: (TableLine<Column>) -> Void = { _ in }) throws -> Bool {
        for _ in 0..<limit {
            guard let record = reader.next() else {
                try conclude()
                reader = start
                return false
            }
            if Self.isEmpty(record) { continue }
            count += 1
            for column in Column.dates {
                if let date = header.cell(column, of: record) { dates.look(at: date, line: record.line) }
            }
            for column in Column.numbers {
                guard let number = header.cell(column, of: record) else { continue }
                numbers.look(at: number, line: record.line, column: header.name(column))
            }
            look(TableLine(record, header, dates, words))
        }
        return true
    }

    private mutating func conclude() throws {
        if let point = numbers.point, let comma = numbers.comma {
            throw TableRefusal(
                "Line \(point.line) writes decimals with a point, and line \(comma.line) with a comma: "
                    + "“\(point.cell)” in column “\(point.column)”, “\(comma.cell)” in column “\(comma.column)”. Write "
                    + "all of them one way.")
        }
        if dates.openLine != nil, dates.dayLine == nil, dates.monthLine == nil, dates.wanted == nil {
            dateNotes = [
                "dates such as 03/04/2026 are read with the day first: 3 April (--month-first reads 4 March)"
            ]
        }
    }

    /// Reads the next lines; nil at the end.
    mutating func next<Row>(
        _ limit: Int, _ read: (inout TableLine<Column>) -> Row?
    ) -> (rows: [Row], problems: [TableProblem])? {
        var rows: [Row] = [], problems: [TableProblem] = [], isEnd = false
        rows.reserveCapacity(limit)
        for _ in 0..<limit {
            guard let record = reader.next() else {
                isEnd = true
                break
            }
            if Self.isEmpty(record) { continue }
            var line = TableLine(record, header, dates, words)
            line.check()
            let row = line.problems.isEmpty ? read(&line) : nil
            dates = line.dates
            problems += line.problems
            if line.problems.isEmpty, let row { rows.append(row) }
        }
        return isEnd && rows.isEmpty && problems.isEmpty ? nil : (rows, problems)
    }

    private static func isEmpty(_ record: CSVRecord) -> Bool {
        record.problem == nil && record.cells.allSatisfy { $0.utf8.allSatisfy { $0 <= 32 } }
    }
}

/// A line of a table, and what is wrong with it.
struct TableLine<Column: TableColumn> {
    private(set) var problems: [TableProblem] = []
    var dates: TableDate
    private let record: CSVRecord
    private let header: TableHeader<Column>
    private let words: TableWords

    /// Its number in the file, from 1.
    var number: Int { record.line }

    init(_ record: CSVRecord, _ header: TableHeader<Column>, _ dates: TableDate, _ words: TableWords) {
        self.words = words
        self.record = record
        self.header = header
        self.dates = dates
    }

    func cell(_ column: Column) -> String? { header.cell(column, of: record) }

    /// A cell's value, or nil where it has none; then the problem is taken down.
    mutating func read<Value>(_ column: Column, _ body: (String?) throws -> Value) -> Value? {
        do { return try body(cell(column)) } catch {
            complain(column, (error as? BadCell)?.expected ?? "\(error)")
            return nil
        }
    }

    /// What all columns that mean this one say, each text once; nil for empty cells.
    mutating func texts(_ column: Column) -> String?? {
        guard header.others[column] != nil else { return read(column, TableCells.text) }
        let cells = header.cells(column, of: record)
        return read(column) { _ in
            var texts: [String] = []
            for cell in cells {
                guard let text = try TableCells.text(cell), !texts.contains(text) else { continue }
                texts.append(text)
            }
            return texts.isEmpty ? nil : texts.joined(separator: ", ")
        }
    }

    /// Whether a cell is ticked; an empty one is not.
    mutating func tick(_ column: Column) -> Bool? {
        let ticks = words.ticks
        return read(column) { cell in
            guard let cell = cell?.lowercased(), !ticks.no.contains(cell) else { return false }
            guard ticks.yes.contains(cell) else { throw BadCell("\(ticks.yes.first ?? "") or nothing") }
            return true
        }
    }

    /// A date, or nil for an empty cell.
    mutating func date(_ column: Column) -> (milliseconds: Int64, grain: TableDate.Grain)?? {
        var dates = dates
        let date = read(column) { try $0.map { try dates.date($0) } }
        self.dates = dates
        return date
    }

    /// Takes down what is wrong with a cell.
    mutating func complain(_ column: Column, _ expected: String) {
        let name = header.places[column] == nil ? column.written(words) : header.name(column)
        let found = String((cell(column) ?? "").prefix(60))
        problems.append(TableProblem(line: number, column: name, found: found, expected: expected))
    }

    /// Takes down what is wrong with the whole line.
    mutating func complain(ofLine expected: String, found: String = "") {
        problems.append(TableProblem(line: number, found: found, expected: expected))
    }

    /// The quotes, and the number of cells.
    fileprivate mutating func check() {
        if let problem = record.problem { return complain(ofLine: problem) }
        guard record.cells.count > header.names.count,
            record.cells[header.names.count...].contains(where: { !$0.isEmpty })
        else { return }
        complain(
            ofLine:
                "at most \(header.names.count), as the first line names; text with a separator in it stands in quotes",
            found: "\(record.cells.count) cells")
    }
}
