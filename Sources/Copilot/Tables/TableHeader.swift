/// The columns of a file: which of them are known, and which are not used.
struct TableHeader<Column: Hashable & CaseIterable & Sendable>: Sendable {
    /// The known columns' places.
    let places: [Column: Int]
    /// The columns as the file names them.
    let names: [String]
    /// The file's line of the names.
    let line: Int

    /// The names that nobody knows.
    var unused: [String] {
        let used = Set(places.values)
        return names.indices.filter { !used.contains($0) && !names[$0].isEmpty }.map { names[$0] }
    }

    /// Reads the names; `words` are what each column may be called, lower case, letters and single spaces only.
    /// - Throws: `TableRefusal` when a column stands there twice.
    init(_ record: CSVRecord, words: [Column: [String]]) throws {
        names = record.cells.map(CSVCell.trimmed)
        line = record.line
        var columns: [String: Column] = [:]
        for (column, names) in words {
            for name in names { columns[name] = column }
        }
        var places: [Column: Int] = [:]
        for (place, name) in names.enumerated() {
            guard let column = columns[Self.plain(name)] else { continue }
            if let other = places[column] {
                throw TableRefusal(
                    "Line \(line): the columns “\(names[other])” and “\(name)” mean the same. Remove one of them.")
            }
            places[column] = place
        }
        self.places = places
    }

    /// How many known columns a header would have.
    static func known(_ record: CSVRecord, words: [Column: [String]]) -> Int {
        let all = Set(words.values.joined())
        return record.cells.count { all.contains(plain($0)) }
    }

    /// A name without its case, and with a space for everything that is no letter.
    static func plain(_ name: String) -> String {
        name.lowercased().split(whereSeparator: { !$0.isLetter }).joined(separator: " ")
    }

    /// The column's cell in a record, without spaces around it; nil where the file has no such column, or nothing in it.
    func cell(_ column: Column, of record: CSVRecord) -> String? {
        guard let place = places[column], place < record.cells.count else { return nil }
        let cell = record.cells[place]
        guard let first = cell.utf8.first else { return nil }
        guard first <= 32 || first >= 128 || (cell.utf8.last ?? 0) <= 32 else { return cell }
        let trimmed = CSVCell.trimmed(cell)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The column as the file names it.
    func name(_ column: Column) -> String { places[column].map { names[$0] } ?? "" }
}

/// Finds out what parts the cells of a file.
enum TableSeparator {
    private static let candidates: [UInt8] = [44, 59, 9, 124]

    /// The reader, behind a line such as `sep=;` that Excel writes, with the separator by which most columns are known.
    /// - Returns: the header and a reader that stands behind it.
    /// - Throws: `TableRefusal` where the file is empty or no column is known.
    static func open<Column: Hashable & CaseIterable & Sendable>(
        _ bytes: [UInt8], words: [Column: [String]], expected: String
    ) throws -> (header: TableHeader<Column>, reader: CSVReader) {
        var best: (known: Int, record: CSVRecord, reader: CSVReader)?
        var first: CSVRecord?
        for separator in candidates {
            var reader = CSVReader(bytes, separator: separator)
            guard var record = reader.next() else { throw TableRefusal("The file is empty. \(expected)") }
            if record.cells.count <= 2, record.cells[0].lowercased().hasPrefix("sep=") {
                guard let next = reader.next() else { throw TableRefusal("The file is empty. \(expected)") }
                record = next
            }
            first = first ?? record
            let known = TableHeader<Column>.known(record, words: words)
            if known > best?.known ?? 0 { best = (known, record, reader) }
        }
        guard let best else {
            let found = (first?.cells ?? []).prefix(8).joined(separator: ", ").prefix(100)
            throw TableRefusal(
                "Line \(first?.line ?? 1): the names of the columns are expected here, not “\(found)”. \(expected)")
        }
        return (try TableHeader(best.record, words: words), best.reader)
    }
}
