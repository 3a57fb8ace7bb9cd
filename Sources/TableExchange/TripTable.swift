import Domain
import Foundation

/// The trips as a CSV table. What is counted from the ledger and the odometer is written behind these columns, and not
/// read: it belongs to them.
enum TripColumn: String, TableColumn {
    case number, destination, start, end

    static let table = "trips"
    static func expected(_ name: (TripColumn) -> String) -> String {
        "Expected are columns named in the first line: \(name(.destination)), \(name(.start)), and \(name(.end)); "
            + "“vanorb export trips” shows a table as VanOrb writes it."
    }
    static let numbers: [TripColumn] = []
    static let dates: [TripColumn] = [.start, .end]
}

/// A trip of a file.
public struct TripTableRow: Sendable, Equatable {
    /// The trip; its number is the file's, 0 where it has none.
    public var trip: Trip
    /// When it may have begun and ended, since the file tells no more exactly: within a second, a minute or a day.
    package var starts: Range<Date>
    package var ends: Range<Date>?
}

/// Writes the trips as CSV, and finds out what of a file is new.
public struct TripTable: Sendable {
    private var dates: TableDate
    private let words: TableWords
    private let isMiles: Bool

    /// A writer of the columns of `words`, and of dates in the zone of `calendar`.
    public init(words: TableWords, calendar: Calendar, isMiles: Bool) {
        self.words = words
        dates = TableDate(zone: calendar.timeZone, words: words.dates)
        self.isMiles = isMiles
    }

    /// The line that names the columns.
    public var header: String {
        let keys = TripColumn.allCases.map(\.rawValue) + ["nights", isMiles ? "miles" : "kilometres", "spent"]
        return CSVCell.line(keys.map(words.columns(TripColumn.table).written))
    }

    /// A trip's line.
    public mutating func line(_ facts: TripFacts) -> String {
        let trip = facts.trip
        let distance = facts.metres.map { metres in
            let tenths = Double(metres) / (isMiles ? 160.934_4 : 100)
            return TableCells.decimal(Int64(tenths.rounded()), places: 1)
        }
        let spent = facts.spent.map { money in
            TableCells.decimal(money.minorUnits, places: Money.exponent(of: money.currency)) + " \(money.currency)"
        }
        return CSVCell.line([
            "\(trip.id)", CSVCell.guarded(trip.destination), text(trip.start), trip.end.map { text($0) } ?? "",
            "\(facts.nights)", distance ?? "", TableCells.joined(spent),
        ])
    }

    private mutating func text(_ date: Date) -> String {
        dates.text(Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }

    /// What is to be done with rows of a file.
    package static func plan(
        _ rows: [TableRow<TripTableRow>], _ stored: [Trip], _ words: TableWords
    ) -> TablePlan<Trip> {
        func key(_ row: TripTableRow) -> String { (CSVCell.text(row.trip.destination) ?? "").lowercased() }
        var plan = TablePlan<Trip>()
        let rest = stored.map { TripTableRow(trip: $0, starts: $0.start..<$0.start) }
        var matcher = TableMatcher(rest, number: \.trip.id, key: key) { row, other in
            guard key(row) == key(other), row.starts.contains(other.trip.start) else { return false }
            guard let ends = row.ends, let end = other.trip.end else {
                return row.ends == nil && other.trip.end == nil
            }
            return ends.contains(end)
        }
        var underWay = stored.first { $0.end == nil }.map { "the trip to \($0.destination)" }
        for row in rows {
            func refuse(_ column: TripColumn, _ found: String, _ expected: String) {
                plan.problems.append(
                    TableProblem(line: row.line, column: column.written(words), found: found, expected: expected))
            }
            let trip = row.value.trip
            switch matcher.find(row) {
            case .present: plan.present.append(row.line)
            case .taken(let other):
                refuse(
                    .number, "\(trip.id)",
                    "a number that is free: this one is another trip’s (\(other.trip.destination)). Leave it empty to "
                        + "add a new one")
            case .twice(let line): refuse(.number, "\(trip.id)", "another number: line \(line) has this one")
            case .new:
                if trip.end == nil, let underWay {
                    refuse(.end, "", "a date: \(underWay) is under way, and only one can be")
                } else {
                    plan.new.append(trip)
                    if trip.end == nil { underWay = "the one of line \(row.line)" }
                }
            }
        }
        return plan
    }
}

/// Reads trips from CSV.
public struct TripTableReader: TableReading {
    private var scan: TableScan<TripColumn>
    private let calendar: Calendar
    private let future: Date?

    /// What is worth saying of the file.
    public var notes: [String] { scan.notes + scan.dateNotes }
    /// How far the present go has come, and where it ends, in bytes.
    public var progress: (done: Int, of: Int) { scan.progress }

    /// Opens a table.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(_ file: Data, _ options: TableOptions) throws {
        scan = try TableScan(file, options)
        calendar = options.calendar
        future = options.future
        try scan.require(.destination)
        try scan.require(.start)
    }

    /// Looks at the next `limit` lines.
    /// - Returns: true while there are more.
    public mutating func survey(_ limit: Int) throws -> Bool { try scan.survey(limit) }

    /// Reads the next `limit` lines; nil at the end.
    public mutating func next(_ limit: Int) -> (rows: [TableRow<TripTableRow>], problems: [TableProblem])? {
        let calendar = calendar, future = future
        return scan.next(limit) { line in
            let number = line.read(.number) { try TableCells.number($0, "trips") }
            let destination = line.read(.destination) { cell in
                guard let text = try TableCells.text(cell) else { throw BadCell("where to") }
                return text
            }
            let start = line.date(.start), end = line.date(.end)
            if case .some(.none) = start { line.complain(.start, "a date") }
            guard let number, let destination, let start = start ?? nil, let end else { return nil }
            let starts = Self.range(start, calendar), ends = end.map { Self.range($0, calendar) }
            let began = starts.lowerBound
            if let future, began >= future {
                line.complain(.start, TableDate.noFuture)
                return nil
            }
            // A day at which a trip ended belongs to it.
            let ended = ends.map { end?.grain == .day ? $0.upperBound.addingTimeInterval(-1) : $0.lowerBound }
            if let ended, ended < began {
                line.complain(.end, "a date behind the start")
                return nil
            }
            let trip = Trip(id: number, destination: destination, start: began, end: ended)
            return TableRow(line: line.number, value: TripTableRow(trip: trip, starts: starts, ends: ends))
        }
    }

    /// The time that a date may mean.
    private static func range(
        _ written: (milliseconds: Int64, grain: TableDate.Grain), _ calendar: Calendar
    ) -> Range<Date> {
        let start = Date(timeIntervalSince1970: Double(written.milliseconds) / 1_000)
        let next = written.grain == .day ? calendar.date(byAdding: .day, value: 1, to: start) : nil
        return start..<(next ?? start.addingTimeInterval(Double(written.grain.rawValue) / 1_000))
    }
}
