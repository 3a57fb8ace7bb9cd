/// Owner's data that travels as CSV.
public enum TableKind: String, Codable, Sendable, CaseIterable {
    /// Expenses and income.
    case ledger
    /// What is aboard.
    case items
    /// The lists with their tasks.
    case lists
    /// The trips.
    case trips

    /// So many of its rows, such as `1 entry` and `12 items`.
    public func counted(_ count: Int) -> String {
        let (one, many) =
            switch self {
            case .ledger: ("entry", "entries")
            case .items: ("item", "items")
            case .lists: ("line", "lines")
            case .trips: ("trip", "trips")
            }
        return "\(count) \(count == 1 ? one : many)"
    }
}

/// A table that was sent by `upload.begin` and `upload.data`.
public struct ImportArguments: Codable, Sendable, Equatable {
    /// What it holds.
    public var table: TableKind
    /// As `upload.begin` answered.
    public var upload: Int
    /// True to say what would happen, and to leave everything as it is.
    public var dryRun: Bool
    /// Whether 03/04/2026 is 4 March; nil as the file shows, else 3 April.
    public var monthFirst: Bool?

    /// A table to import.
    public init(table: TableKind, upload: Int, dryRun: Bool = false, monthFirst: Bool? = nil) {
        self.table = table
        self.upload = upload
        self.dryRun = dryRun
        self.monthFirst = monthFirst
    }
}

/// A line or a cell of a table that cannot be taken.
public struct BadLine: Codable, Sendable, Equatable {
    /// The line of the file, from 1.
    public var line: Int
    /// The column as the file names it; empty for the whole line.
    public var column: String
    /// What the cell holds.
    public var found: String
    /// What is expected, or wrong.
    public var expected: String

    /// A bad line.
    public init(line: Int, column: String, found: String, expected: String) {
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
    }
}

/// How an import ended.
public struct ImportReport: Codable, Sendable, Equatable {
    /// What it was.
    public var table: TableKind
    /// True where nothing was to be changed.
    public var dryRun: Bool
    /// Rows that were stored, or would be.
    public var added = 0
    /// Rows that were there already and were passed over, and the first of their lines.
    public var present = 0, presentLines: [Int] = []
    /// How much is bad; nothing is stored then.
    public var badCount = 0
    /// The first of them, by line.
    public var bad: [BadLine] = []
    /// What is worth saying of the file.
    public var notes: [String] = []
    /// How long it took.
    public var seconds = 0.0

    /// A report of an import that has done nothing yet.
    public init(table: TableKind, dryRun: Bool) {
        self.table = table
        self.dryRun = dryRun
    }
}

/// How far an import is; the last one has the report.
public struct ImportEvent: Codable, Sendable, Equatable {
    /// What is being done, such as `reading`.
    public var phase: String
    /// How much of it is done, 0 to 1.
    public var share: Double
    /// How it ended; nil while it goes on.
    public var report: ImportReport?

    /// Progress, or the end.
    public init(phase: String, share: Double, report: ImportReport? = nil) {
        self.phase = phase
        self.share = share
        self.report = report
    }
}

/// Which table is wanted.
public struct ExportArguments: Codable, Sendable, Equatable {
    /// What it holds.
    public var table: TableKind

    /// A table to export.
    public init(table: TableKind) { self.table = table }
}

/// A piece of a table.
public struct ExportPiece: Codable, Sendable, Equatable {
    /// The CSV's next lines; at most about 96 KiB.
    public var text: String
    /// Rows up to here, and about how many there are in all.
    public var rows: Int, of: Int

    /// A piece.
    public init(text: String, rows: Int, of: Int) {
        self.text = text
        self.rows = rows
        self.of = of
    }
}
