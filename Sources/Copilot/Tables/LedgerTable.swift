import Foundation

/// The ledger as a CSV table.
public enum LedgerColumn: String, CaseIterable, Sendable {
    case number = "no", date, kind, amount, out, into, currency, category, merchant, note, account, litres
    case uncertain = "time uncertain"

    /// What a column may be called; the first name is the one that is written.
    static let words: [LedgerColumn: [String]] = [
        .number: ["no", "entry", "entry no"],
        .date: ["date", "day", "when", "transaction date", "booking date", "date and time", "time"],
        .kind: ["kind", "type", "expense or income", "direction"],
        .amount: ["amount", "value", "sum", "price", "cost", "total"],
        .out: [
            "paid out", "money out", "debit", "debit amount", "withdrawal", "withdrawals", "out", "expense", "spent",
        ],
        .into: ["paid in", "money in", "credit", "credit amount", "deposit", "deposits", "in", "income", "received"],
        .currency: ["currency"], .category: ["category"],
        .merchant: ["merchant", "payee", "shop", "where", "place", "counterparty", "name", "paid to"],
        .note: ["note", "notes", "description", "memo", "details", "comment", "what"],
        .account: ["account", "paid with", "card"],
        .litres: ["litres", "liters", "litre", "l"],
        .uncertain: ["time uncertain"],
    ]

    static let written: [LedgerColumn] = [
        .number, .date, .kind, .amount, .currency, .category, .merchant, .note, .account, .litres, .uncertain,
    ]

    static let expected =
        "Expected are columns named in the first line: date and amount, and where you have them kind, currency, "
        + "category, merchant, note, account, litres; “vanorb export ledger” shows a table as VanOrb writes it."
}

/// Writes the ledger as CSV.
public struct LedgerTableWriter: Sendable {
    private var dates: TableDate

    /// A writer of dates in the zone of `calendar`.
    public init(calendar: Calendar) { dates = TableDate(zone: calendar.timeZone) }

    /// The line that names the columns.
    public static var header: String { CSVCell.line(LedgerColumn.written.map(\.rawValue)) }

    /// An entry's line.
    public mutating func line(_ entry: LedgerEntry) -> String {
        CSVCell.line([
            "\(entry.id)", dates.text(Int64((entry.date.timeIntervalSince1970 * 1_000).rounded())),
            entry.kind.rawValue,
            Self.decimal(entry.amount.minorUnits, places: Money.exponent(of: entry.amount.currency)),
            entry.amount.currency, CSVCell.guarded(entry.category ?? ""), CSVCell.guarded(entry.merchant ?? ""),
            CSVCell.guarded(entry.note ?? ""), CSVCell.guarded(entry.account ?? ""),
            entry.millilitres.map { Self.decimal($0, places: 3) } ?? "", entry.timeUncertain ? "yes" : "",
        ])
    }

    /// Such as 12.50, without thousands.
    static func decimal(_ value: Int64, places: Int) -> String {
        guard places > 0 else { return "\(value)" }
        let digits = "\(value.magnitude)"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(value < 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}

/// A line of a table that can be stored.
public struct LedgerTableRow: Sendable, Equatable {
    /// The line of the file.
    public var line: Int
    /// The entry; its number is the one that the file has, 0 where it has none.
    public var entry: LedgerEntry
    /// How many milliseconds behind its date the entry may lie, since the file tells no more exactly: a second, a
    /// minute or a day.
    public var span: Int64
    /// The how-manieth line of just this content it is, from 1.
    public var copy: Int

    /// A line.
    public init(line: Int, entry: LedgerEntry, span: Int64, copy: Int) {
        self.line = line
        self.entry = entry
        self.span = span
        self.copy = copy
    }
}

/// Reads a ledger from CSV, in two goes over the file: `survey` finds out how numbers and dates are written, `next`
/// reads the rows. Both work on so many lines at a time, so that whoever calls can let others have their turn.
public struct LedgerTableReader: Sendable {
    /// What is worth saying of the file before anything is done.
    public private(set) var notes: [String] = []
    /// How many lines there are; known when the survey has ended.
    public private(set) var count = 0
    /// How far the present go has come, and where it ends, in bytes.
    public var progress: (done: Int, of: Int) { (reader.offset, reader.length) }

    private let header: TableHeader<LedgerColumn>
    private var reader: CSVReader
    private let start: CSVReader
    private let home: String
    private let categories: [String: String]
    private var numbers = TableNumber()
    private var dates: TableDate
    private var hasNegative = false
    private var copies: [Int: Int] = [:]

    /// Opens a table.
    /// - Parameters:
    ///   - home: the currency of amounts that name none.
    ///   - calendar: its zone is that of dates that name none.
    ///   - categories: what the words for categories stand for, lower case.
    ///   - monthFirst: how dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(
        _ file: Data, home: String, calendar: Calendar, categories: [String: String] = [:], monthFirst: Bool? = nil
    ) throws {
        let text = try TableText(file)
        if let note = text.note { notes.append(note) }
        (header, reader) = try TableSeparator.open(
            text.bytes, words: LedgerColumn.words, expected: LedgerColumn.expected)
        let hasAmount = header.places[.amount] != nil
        let hasSides = header.places[.out] != nil || header.places[.into] != nil
        guard header.places[.date] != nil, hasAmount || hasSides else {
            let missing = header.places[.date] == nil ? "date" : "amount"
            throw TableRefusal("Line \(header.line) names no column “\(missing)”. \(LedgerColumn.expected)")
        }
        if hasAmount && hasSides {
            let side = header.name(header.places[.out] != nil ? .out : .into)
            throw TableRefusal(
                "Line \(header.line) names both “\(header.name(.amount))” and “\(side)”. Remove one of them.")
        }
        start = reader
        self.home = home
        self.categories = categories
        dates = TableDate(zone: calendar.timeZone, wanted: monthFirst.map { $0 ? .month : .day })
        if !header.unused.isEmpty { notes.append("columns not used: \(header.unused.joined(separator: ", "))") }
    }

    /// Looks at the next `limit` lines.
    /// - Returns: true while there are more.
    /// - Throws: `TableRefusal` where numbers are written in two ways.
    public mutating func survey(_ limit: Int) throws -> Bool {
        for _ in 0..<limit {
            guard let record = reader.next() else {
                try conclude()
                reader = start
                return false
            }
            if Self.isEmpty(record) { continue }
            count += 1
            if let date = header.cell(.date, of: record) { dates.look(at: date, line: record.line) }
            for column in [LedgerColumn.amount, .out, .into, .litres] {
                guard let cell = header.cell(column, of: record) else { continue }
                numbers.look(at: cell, line: record.line)
                if column == .amount, !hasNegative {
                    hasNegative = cell.utf8.contains(45) || cell.utf8.first == 40 || cell.contains("\u{2212}")
                }
            }
        }
        return true
    }

    private mutating func conclude() throws {
        if let point = numbers.pointLine, let comma = numbers.commaLine {
            throw TableRefusal(
                "Line \(point) writes decimals with a point, and line \(comma) with a comma. Write all of them one way."
            )
        }
        if header.places[.kind] == nil, header.places[.amount] != nil {
            notes.append(
                hasNegative
                    ? "there is no column “kind”: amounts below zero are expenses, the others income"
                    : "there is no column “kind”: all entries are expenses")
        }
        if header.places[.currency] == nil {
            notes.append("there is no column “currency”: \(home) where none is named")
        }
        if dates.openLine != nil, dates.dayLine == nil, dates.monthLine == nil, dates.wanted == nil {
            notes.append("dates such as 03/04/2026 are read with the day first: 3 April (--month-first reads 4 March)")
        }
    }

    /// Reads the next `limit` lines; nil at the end.
    public mutating func next(_ limit: Int) -> (rows: [LedgerTableRow], problems: [TableProblem])? {
        var rows: [LedgerTableRow] = [], problems: [TableProblem] = [], isEnd = false
        rows.reserveCapacity(limit)
        for _ in 0..<limit {
            guard let record = reader.next() else {
                isEnd = true
                break
            }
            if Self.isEmpty(record) { continue }
            let before = problems.count
            let row = row(record, &problems)
            if problems.count == before, let row { rows.append(row) }
        }
        return isEnd && rows.isEmpty && problems.isEmpty ? nil : (rows, problems)
    }

    private static func isEmpty(_ record: CSVRecord) -> Bool {
        record.problem == nil && record.cells.allSatisfy { $0.utf8.allSatisfy { $0 <= 32 } }
    }

    // MARK: a row

    private mutating func row(_ record: CSVRecord, _ problems: inout [TableProblem]) -> LedgerTableRow? {
        if let problem = record.problem {
            problems.append(TableProblem(line: record.line, expected: problem))
            return nil
        }
        if record.cells.count > header.names.count,
            record.cells[header.names.count...].contains(where: { !$0.isEmpty })
        {
            problems.append(
                TableProblem(
                    line: record.line, found: "\(record.cells.count) cells",
                    expected: "at most \(header.names.count), as the first line names; text with a separator in it "
                        + "stands in quotes"))
            return nil
        }
        func read<Value>(_ column: LedgerColumn, _ body: (String?) throws -> Value) -> Value? {
            let cell = header.cell(column, of: record)
            do { return try body(cell) } catch {
                problems.append(
                    TableProblem(
                        line: record.line, column: header.places[column] == nil ? column.rawValue : header.name(column),
                        found: String((cell ?? "").prefix(60)), expected: (error as? BadCell)?.expected ?? "\(error)"))
                return nil
            }
        }
        let numbers = numbers, home = home
        var dates = dates
        let number = read(.number) { try Self.number($0) }
        let date = read(.date) { cell in
            guard let cell else { throw BadCell("a date") }
            return try dates.date(cell)
        }
        self.dates = dates
        let kind = read(.kind) { try Self.kind($0) }
        let currency = read(.currency) { try $0.map(Self.currency) }
        var amount: (money: Money, isNegative: Bool)??
        var side: LedgerEntry.Kind?
        if header.places[.amount] != nil {
            amount = read(.amount) { cell in
                guard let cell else { throw BadCell("an amount such as 12.50") }
                return try Self.amount(cell, numbers, currency ?? nil, home)
            }
        } else {
            let paid = read(.out) {
                try $0.map { try Self.amount($0, numbers, currency ?? nil, home, isZeroNone: true) } ?? nil
            }
            let got = read(.into) {
                try $0.map { try Self.amount($0, numbers, currency ?? nil, home, isZeroNone: true) } ?? nil
            }
            if case .some(.some(let paid)) = paid, case .some(.none) = got { (amount, side) = (paid, .expense) }
            if case .some(.some(let got)) = got, case .some(.none) = paid { (amount, side) = (got, .income) }
            if amount == nil, let paid, let got, (paid == nil) == (got == nil) {
                problems.append(
                    TableProblem(line: record.line, expected: "either an amount paid or one received, and not both"))
            }
        }
        let litres = read(.litres) { try Self.litres($0, numbers) }
        let uncertain = read(.uncertain) { try Self.isUncertain($0) }
        let texts = [LedgerColumn.category, .merchant, .note, .account].map { column in read(column, Self.text) }
        guard let number, let date, let kind, let amount = amount ?? nil, let litres, let uncertain,
            let category = texts[0], let merchant = texts[1], let note = texts[2], let account = texts[3]
        else { return nil }
        if amount.isNegative, kind == .income {
            problems.append(
                TableProblem(
                    line: record.line, column: header.name(.amount), found: header.cell(.amount, of: record) ?? "",
                    expected: "an amount above zero, as this is income"))
            return nil
        }
        let sign: LedgerEntry.Kind = hasNegative && !amount.isNegative ? .income : .expense
        let known = category.map { categories[$0.lowercased()] ?? $0.lowercased() }
        let entry = LedgerEntry(
            id: number, kind: kind ?? side ?? sign, amount: amount.money, category: known, merchant: merchant,
            note: note, account: account, millilitres: litres,
            date: Date(timeIntervalSince1970: Double(date.milliseconds) / 1_000), timeUncertain: uncertain)
        return LedgerTableRow(
            line: record.line, entry: entry, span: date.grain.rawValue, copy: copy(entry, date.milliseconds))
    }

    /// Counts the rows of one content: two coffees on one day are two, however often the file is imported.
    private mutating func copy(_ entry: LedgerEntry, _ date: Int64) -> Int {
        var hasher = Hasher()
        hasher.combine(entry.kind)
        hasher.combine(entry.amount)
        hasher.combine(entry.category)
        hasher.combine(entry.merchant)
        hasher.combine(entry.note)
        hasher.combine(entry.account)
        hasher.combine(entry.millilitres)
        hasher.combine(date)
        let key = hasher.finalize()
        let count = copies[key, default: 0] + 1
        copies[key] = count
        return count
    }
}
