import Foundation

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
