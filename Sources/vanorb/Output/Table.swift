/// Columns of text, each as wide as its widest cell.
struct Table {
    /// Where a column's text stands.
    enum Alignment {
        case left
        case right
    }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// A table with a title and an alignment for each column.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        titles = columns.map(\.title)
        alignments = columns.map(\.alignment)
    }

    /// Adds a row; as many cells as there are columns.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The lines, the titles first.
    var lines: [String] {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return alignments[column] == .left ? row[column] + space : space + row[column]
            }
            let line = cells.joined(separator: "  ")
            // Trailing spaces would wrap on a phone.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
