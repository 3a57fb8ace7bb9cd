import Foundation
import TerminalNCurses

/// Columns of text, each as wide as its widest cell is on a terminal. What does not fit the terminal goes on the line
/// below.
struct Table {
    /// Where a column's text stands.
    enum Alignment {
        case left
        case right
    }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// What stands between two columns, and before those that go on below.
    private static let gap = 2, indent = 4
    /// A text is broken into lines of no less than this.
    private static let leastText = 16

    /// A table with a title and an alignment for each column.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        titles = columns.map(\.title)
        alignments = columns.map(\.alignment)
    }

    /// Adds a row; as many cells as there are columns.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The lines, the titles first, for the terminal at hand.
    var lines: [String] { lines(fitting: Self.terminalColumns) }

    /// The lines, the titles first, in so many columns.
    func lines(fitting space: Int) -> [String] {
        let all = [titles] + rows
        var widths = titles.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        let groups = groups(&widths, space)
        return all.flatMap { row in
            groups.flatMap { group in
                let lines = lines(of: row, group, widths)
                // A line of nothing but empty cells says nothing.
                return group.lowerBound > 0 && lines.allSatisfy(\.isEmpty) ? [] : lines
            }
        }
    }

    /// Which columns stand on one line. The last column's text may be narrowed to fit, and is broken then.
    private func groups(_ widths: inout [Int], _ space: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = [], start = 0, used = 0
        for column in widths.indices {
            let offset = column == start ? used : used + Self.gap
            let isText = column == widths.count - 1 && alignments[column] == .left
            if offset + widths[column] > space, column > start, !(isText && offset + Self.leastText <= space) {
                groups.append(start..<column)
                start = column
                used = Self.indent
            } else {
                used = offset
            }
            if isText, used + widths[column] > space { widths[column] = max(Self.leastText, space - used) }
            used += widths[column]
        }
        return groups + [start..<widths.count]
    }

    private func lines(of row: [String], _ group: Range<Int>, _ widths: [Int]) -> [String] {
        let parts = group.map { Self.broken(row[$0], widths[$0]) }
        return (0..<(parts.map(\.count).max() ?? 1)).map { number in
            let cells = group.map { column in
                let part = parts[column - group.lowerBound], text = number < part.count ? part[number] : ""
                let space = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(text)))
                return alignments[column] == .left ? text + space : space + text
            }
            let line =
                String(repeating: " ", count: group.lowerBound > 0 ? Self.indent : 0)
                + cells.joined(separator: String(repeating: " ", count: Self.gap))
            // Trailing spaces would wrap on a phone.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// A text in lines of at most `width` of the terminal's columns, broken between words; a longer word stays whole.
    private static func broken(_ text: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(text) > width else { return [text] }
        var lines: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(word) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    /// The terminal's columns; without bounds where the output is none. COLUMNS overrides it.
    private static let terminalColumns: Int = {
        if let set = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init), set > 0 { return set }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max / 2 }
        return Int(size.ws_col)
    }()
}
