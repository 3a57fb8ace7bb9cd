/// A cell, or a whole line, that cannot be taken.
public struct TableProblem: Sendable, Equatable {
    /// The line of the file, from 1.
    public var line: Int
    /// The column as the file names it; empty for the whole line.
    public var column: String
    /// What the cell holds.
    public var found: String
    /// What is wrong, or what is expected instead.
    public var expected: String

    /// A problem of a cell.
    public init(line: Int, column: String = "", found: String = "", expected: String) {
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
    }
}

/// What a cell cannot be taken for.
struct BadCell: Error, Equatable {
    let expected: String

    init(_ expected: String) { self.expected = expected }
}
