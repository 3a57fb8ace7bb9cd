import Domain
import Foundation

/// The ledger as a CSV table.
public enum LedgerColumn: String, CaseIterable, Sendable, TableColumn {
    case number, date, kind, amount, out, into, currency, category, merchant, note, account, litres
    /// Ticked where the clock was not set when the entry was made.
    case uncertain
    /// Of banks that say whether a payment was made.
    case state

    package static let table = "ledger"
    package static let joined: Set<LedgerColumn> = [.note]

    package static func isUnit(_ unit: String) -> Bool { LedgerTableReader.currency(inBrackets: unit) != nil }

    package static func isHeader(_ columns: Set<LedgerColumn>) -> Bool {
        columns.contains(.date) && !columns.isDisjoint(with: amounts)
    }

    /// The columns of money.
    package static let amounts: [LedgerColumn] = [.amount, .out, .into]
    package static let numbers: [LedgerColumn] = [.amount, .out, .into, .litres]
    package static let dates: [LedgerColumn] = [.date]

    package static let written: [LedgerColumn] = [
        .number, .date, .kind, .amount, .currency, .category, .merchant, .note, .account, .litres, .uncertain,
    ]

    package static func expected(_ name: (LedgerColumn) -> String) -> String {
        let others = [LedgerColumn.kind, .currency, .category, .merchant, .note, .account, .litres].map(name)
        return "Expected are columns named in the first line, or in one of the first twenty: \(name(.date)) and "
            + "\(name(.amount)), and where you have them \(others.joined(separator: ", ")); “vanorb export ledger” shows "
            + "a table as VanOrb writes it."
    }
}

/// Writes the ledger as CSV.
public struct LedgerTableWriter: Sendable {
    private var dates: TableDate

    private let words: TableWords

    /// A writer of the columns of `words`, and of dates in the zone of `calendar`.
    public init(words: TableWords, calendar: Calendar) {
        self.words = words
        dates = TableDate(zone: calendar.timeZone, words: words.dates)
    }

    /// The line that names the columns.
    public var header: String { CSVCell.line(LedgerColumn.written.map { $0.written(words) }) }

    /// An entry's line.
    public mutating func line(_ entry: LedgerEntry) -> String {
        CSVCell.line([
            "\(entry.id)", dates.text(Int64((entry.date.timeIntervalSince1970 * 1_000).rounded())),
            (entry.kind == .income ? words.ledger.income : words.ledger.expense).first ?? entry.kind.rawValue,
            TableCells.decimal(entry.amount.minorUnits, places: Money.exponent(of: entry.amount.currency)),
            entry.amount.currency, CSVCell.guarded(entry.category ?? ""), CSVCell.guarded(entry.merchant ?? ""),
            CSVCell.guarded(entry.note ?? ""), CSVCell.guarded(entry.account ?? ""),
            entry.millilitres.map { TableCells.decimal($0, places: 3) } ?? "",
            entry.timeUncertain ? words.ticks.yes.first ?? "" : "",
        ])
    }
}

/// Reads a ledger from CSV.
public struct LedgerTableReader: TableReading {
    private var scan: TableScan<LedgerColumn>
    private let home: String
    private let categories: [String: String]
    private let future: Int64?
    /// The currencies that the names of the columns tell.
    private let units: [LedgerColumn: String]
    private var seen = Seen()
    private var ignoresKind = false
    private var copies: [Int: Int] = [:]
    private var ownNotes: [String] = []

    /// What the lines show together.
    private struct Seen: Sendable {
        /// Whether an amount is below zero.
        var hasNegative = false
        /// Whether a column of types has any of our kinds, and anything else.
        var hasKind = false, hasOther = false
        /// How many lines there are of each state, lower case.
        var states: [String: Int] = [:]
    }

    /// What is worth saying of the file before anything is done.
    public var notes: [String] { scan.notes + ownNotes + scan.dateNotes }
    /// How many lines there are; known when the survey has ended.
    public var count: Int { scan.count }
    /// How far the present go has come, and where it ends, in bytes.
    public var progress: (done: Int, of: Int) { scan.progress }

    /// Opens a table.
    /// - Parameters:
    ///   - options: how the owner's tables are read.
    ///   - home: the currency of amounts that name none.
    ///   - categories: what the words for categories stand for, lower case.
    /// - Throws: `TableRefusal` where it is no such table.
    package init(
        _ file: Data, _ options: TableOptions, home: String, categories: [String: String] = [:]
    ) throws {
        scan = try TableScan(file, options)
        self.home = home
        self.categories = categories
        future = options.future.map { Int64($0.timeIntervalSince1970 * 1_000) }
        let header = scan.header, hasSides = header.places[.out] != nil || header.places[.into] != nil
        var units: [LedgerColumn: String] = [:]
        for column in LedgerColumn.amounts {
            let unit = TableNames<LedgerColumn>.parted(header.name(column))?.unit
            units[column] = unit.flatMap { Self.currency(inBrackets: String($0)) }
        }
        self.units = units
        try scan.require(.date)
        if !hasSides { try scan.require(.amount) }
        if hasSides, header.places[.amount] != nil {
            let side = header.name(header.places[.out] != nil ? .out : .into)
            throw TableRefusal(
                "Line \(header.line) names both “\(header.name(.amount))” and “\(side)”. Remove one of them.")
        }
    }

    /// Looks at the next `limit` lines.
    /// - Returns: true while there are more.
    /// - Throws: `TableRefusal` where numbers are written in two ways.
    public mutating func survey(_ limit: Int) throws -> Bool {
        var seen = seen
        let hasTypes = hasTypes, words = scan.words.ledger
        let goesOn = try scan.survey(limit) { line in
            if let state = line.cell(.state)?.lowercased(), seen.states.count < 100 || seen.states[state] != nil {
                seen.states[state, default: 0] += 1
            }
            if hasTypes, let type = line.cell(.kind) {
                if (try? Self.kind(type, words)) == nil { seen.hasOther = true } else { seen.hasKind = true }
            }
            guard !seen.hasNegative, let amount = line.cell(.amount) else { return }
            seen.hasNegative = amount.utf8.contains(45) || amount.utf8.first == 40 || amount.contains("\u{2212}")
        }
        self.seen = seen
        if !goesOn { conclude() }
        return goesOn
    }

    /// Whether the column of the kinds is one that banks have for the sort of a transaction, too.
    private var hasTypes: Bool {
        scan.words.ledger.types.contains(TableNames<LedgerColumn>.plain(scan.header.name(.kind)))
    }

    private func isUndone(_ state: String) -> Bool {
        let words = scan.words.ledger, state = state.lowercased()
        // In a file that has completed payments, no other is one.
        let hasCompleted = !words.completed.isDisjoint(with: seen.states.keys)
        return hasCompleted ? !words.completed.contains(state) : words.undone.contains(state)
    }

    private mutating func conclude() {
        let places = scan.header.places
        // Where columns or signs tell which way the money went, types such as CARD PAYMENT and DEPOSIT need not.
        let isTold = places[.amount] == nil || seen.hasNegative
        ignoresKind = hasTypes && (isTold || seen.hasOther && !seen.hasKind)
        if ignoresKind, seen.hasOther || seen.hasKind {
            ownNotes.append(
                "the column “\(scan.header.name(.kind))” is left out: "
                    + (seen.hasOther
                        ? "it holds more than expense and income" : "other columns tell which way money went"))
        }
        let undone = seen.states.filter { isUndone($0.key) }
        if !undone.isEmpty {
            let count = undone.values.reduce(0, +), names = undone.keys.sorted().prefix(5).joined(separator: ", ")
            ownNotes.append(
                "\(count) \(count == 1 ? "line is" : "lines are") left out, whose “\(scan.header.name(.state))” is "
                    + "not completed (\(names))")
        }
        func missing(_ column: LedgerColumn) -> String { "there is no column “\(column.written(scan.words))”: " }
        if places[.kind] == nil || ignoresKind, places[.amount] != nil {
            ownNotes.append(
                missing(.kind)
                    + (seen.hasNegative
                        ? "amounts below zero are expenses, the others income" : "all entries are expenses"))
        }
        if places[.currency] == nil, LedgerColumn.amounts.contains(where: { places[$0] != nil && units[$0] == nil }) {
            ownNotes.append(missing(.currency) + "\(home) where none is named")
        }
    }

    /// Reads the next `limit` lines; nil at the end.
    public mutating func next(_ limit: Int) -> (rows: [LedgerTableRow], problems: [TableProblem])? {
        var copies = copies
        // Not held twice while it grows.
        self.copies = [:]
        defer { self.copies = copies }
        let context = self
        return scan.next(limit) { line in context.row(&line, &copies) }
    }

    // MARK: a row

    private func row(_ line: inout TableLine<LedgerColumn>, _ copies: inout [Int: Int]) -> LedgerTableRow? {
        if let state = line.cell(.state), isUndone(state) { return nil }
        let numbers = scan.numbers, home = home, units = units, words = scan.words
        let number = line.read(.number) { try TableCells.number($0, "ledger") }
        let date = line.date(.date)
        if case .some(.none) = date { line.complain(.date, "a date") }
        let kind: LedgerEntry.Kind?? = ignoresKind ? .some(nil) : line.read(.kind) { try Self.kind($0, words.ledger) }
        let written: String?? = line.read(.currency) { try $0.map { try Self.currency($0) } }
        func currency(_ column: LedgerColumn) -> String? { (written ?? nil) ?? units[column] }
        var amount: (money: Money, isNegative: Bool)??
        var side: LedgerEntry.Kind?
        if scan.header.places[.amount] != nil {
            amount = line.read(.amount) { cell in
                guard let cell else { throw BadCell("an amount such as 12.50") }
                return try Self.amount(cell, numbers, currency(.amount), home)
            }
        } else {
            let paid = line.read(.out) {
                try $0.map { try Self.amount($0, numbers, currency(.out), home, isZeroNone: true) } ?? nil
            }
            let got = line.read(.into) {
                try $0.map { try Self.amount($0, numbers, currency(.into), home, isZeroNone: true) } ?? nil
            }
            if case .some(.some(let paid)) = paid, case .some(.none) = got { (amount, side) = (paid, .expense) }
            if case .some(.some(let got)) = got, case .some(.none) = paid { (amount, side) = (got, .income) }
            if amount == nil, let paid, let got, (paid == nil) == (got == nil) {
                line.complain(ofLine: "either an amount paid or one received, and not both")
            }
        }
        let litres = line.read(.litres) { try Self.litres($0, numbers, words.units) }
        let uncertain = line.tick(.uncertain)
        // What an unset clock has dated comes back out of an export as it is.
        if let future, let moment = date ?? nil, moment.milliseconds >= future, uncertain != true {
            line.complain(.date, TableDate.noFuture)
        }
        let texts = [LedgerColumn.category, .merchant, .note, .account].map { line.texts($0) }
        guard let number, let date = date ?? nil, let kind, let amount = amount ?? nil, let litres, let uncertain,
            let category = texts[0], let merchant = texts[1], let note = texts[2], let account = texts[3]
        else { return nil }
        if amount.isNegative, kind == .income {
            line.complain(.amount, "an amount above zero, as this is income")
            return nil
        }
        let sign: LedgerEntry.Kind = seen.hasNegative && !amount.isNegative ? .income : .expense
        let known = category.map { categories[$0.lowercased()] ?? $0.lowercased() }
        let entry = LedgerEntry(
            id: number, kind: kind ?? side ?? sign, amount: amount.money, category: known, merchant: merchant,
            note: note, account: account, millilitres: litres,
            date: Date(timeIntervalSince1970: Double(date.milliseconds) / 1_000), timeUncertain: uncertain)
        return LedgerTableRow(
            line: line.number, entry: entry, span: date.grain.rawValue,
            copy: Self.copy(entry, date.milliseconds, &copies))
    }

    /// Counts the rows of one content: two coffees on one day are two, however often the file is imported.
    private static func copy(_ entry: LedgerEntry, _ date: Int64, _ copies: inout [Int: Int]) -> Int {
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
