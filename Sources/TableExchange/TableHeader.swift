import Domain

/// Which columns the names in a file mean.
struct TableNames<Column: TableColumn>: Sendable {
    private var columns: [String: Column] = [:]
    private var lesserColumns: [String: Column] = [:]

    init(_ words: TableWords) {
        let known = words.columns(Column.table)
        for column in Column.allCases {
            for name in known.names[column.rawValue] ?? [] { columns[Self.plain(name)] = column }
            for name in known.lesser[column.rawValue] ?? [] { lesserColumns[Self.plain(name)] = column }
        }
    }

    /// A name without its case, and with a space for everything that is no letter.
    static func plain(_ name: String) -> String {
        name.lowercased().split(whereSeparator: { !$0.isLetter }).joined(separator: " ")
    }

    /// A name such as “Amount (GBP)”, parted from what stands in brackets behind it; nil where there are none.
    static func parted(_ name: String) -> (name: Substring, unit: Substring)? {
        guard name.last == ")" || name.last == "]", let open = name.lastIndex(where: { $0 == "(" || $0 == "[" }) else {
            return nil
        }
        return (name[..<open], name[name.index(after: open)...].dropLast())
    }

    /// The column that a name means in any case.
    func column(_ name: String) -> Column? { columns[Self.plain(name)] }

    /// The column that a name means where no other does.
    package func lesser(_ name: String) -> Column? {
        let plain = Self.plain(name)
        guard columns[plain] == nil else { return nil }
        if let column = lesserColumns[plain] { return column }
        guard let parted = Self.parted(name), Column.isUnit(String(parted.unit)) else { return nil }
        return columns[Self.plain(String(parted.name))].flatMap { Column.numbers.contains($0) ? $0 : nil }
    }

    /// The columns that a header would have.
    func known(_ record: CSVRecord) -> Set<Column> {
        Set(record.cells.map(CSVCell.trimmed).compactMap { column($0) ?? lesser($0) })
    }
}

/// The columns of a file: which of them are known, and which are not used.
struct TableHeader<Column: TableColumn>: Sendable {
    /// The known columns' places.
    let places: [Column: Int]
    /// The further places of columns that a file may have several of.
    let others: [Column: [Int]]
    /// The columns as the file names them.
    let names: [String]
    /// The file's line of the names.
    let line: Int

    /// More columns than any table of a bank or a spreadsheet has; what has more is some other file.
    static var mostColumns: Int { 1_000 }

    /// The names that nobody knows.
    var unused: [String] {
        let used = Set(places.values).union(others.values.joined())
        return names.indices.filter { !used.contains($0) && !names[$0].isEmpty }.map { names[$0] }
    }

    /// Reads the names.
    /// - Throws: `TableRefusal` when a column stands there twice that may stand there once only, or when there are too
    ///   many.
    init(_ record: CSVRecord, _ meanings: TableNames<Column>) throws {
        guard record.cells.count <= Self.mostColumns else {
            throw TableRefusal(
                "Line \(record.line) names \(record.cells.count) columns; at most \(Self.mostColumns) are read. Remove "
                    + "those that are not needed.")
        }
        let names = record.cells.map(CSVCell.trimmed)
        var places: [Column: Int] = [:], others: [Column: [Int]] = [:]
        for isLesser in [false, true] {
            let before = places
            for (place, name) in names.enumerated() {
                guard let column = isLesser ? meanings.lesser(name) : meanings.column(name) else { continue }
                if isLesser, before[column] != nil { continue }
                if let other = places[column] {
                    guard Column.joined.contains(column) else {
                        throw TableRefusal(
                            "Line \(record.line): the columns “\(names[other])” and “\(name)” mean the same. Remove one "
                                + "of them.")
                    }
                    others[column, default: []].append(place)
                } else {
                    places[column] = place
                }
            }
        }
        self.names = names
        line = record.line
        self.places = places
        self.others = others
    }

    /// The column's cell in a record, without spaces around it; nil where the file has no such column, or nothing in
    /// it.
    func cell(_ column: Column, of record: CSVRecord) -> String? {
        guard let place = places[column] else { return nil }
        return Self.cell(at: place, of: record)
    }

    /// The cells of all columns that mean this one, without those that are empty.
    func cells(_ column: Column, of record: CSVRecord) -> [String] {
        guard let first = places[column] else { return [] }
        return ([first] + (others[column] ?? [])).compactMap { Self.cell(at: $0, of: record) }
    }

    private static func cell(at place: Int, of record: CSVRecord) -> String? {
        guard place < record.cells.count else { return nil }
        let cell = record.cells[place]
        guard let first = cell.utf8.first else { return nil }
        guard first <= 32 || first >= 128 || (cell.utf8.last ?? 0) <= 32 else { return cell }
        let trimmed = CSVCell.trimmed(cell)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The column as the file names it.
    func name(_ column: Column) -> String { places[column].map { names[$0] } ?? "" }
}

/// Finds out what parts the cells of a file, and where it names its columns.
enum TableSeparator {
    private static let candidates: [UInt8] = [44, 59, 9, 124]
    /// Up to this line the names are looked for: banks write the account and its balance above them.
    private static let lastLine = 20

    /// The reader, behind a line such as `sep=;` that Excel writes, with the separator by which most columns are known.
    /// - Returns: the header, a reader that stands behind it, and whether lines stand above it that are no part of it.
    /// - Throws: `TableRefusal` where the file is empty or no column is known.
    static func open<Column: TableColumn>(
        _ bytes: [UInt8], as column: Column.Type, _ words: TableWords
    ) throws -> (header: TableHeader<Column>, reader: CSVReader, isBelow: Bool) {
        typealias Find = (known: Int, record: CSVRecord, reader: CSVReader, isBelow: Bool)
        let names = TableNames<Column>(words)
        // A line that names all that is needed, wherever it stands, goes before a first line that names something.
        var whole: Find?, part: Find?, first: CSVRecord?
        for separator in candidates {
            var reader = CSVReader(bytes, separator: separator)
            guard var record = reader.next() else { throw TableRefusal("The file is empty. \(Column.expected(words))") }
            if record.cells.count <= 2, record.cells[0].lowercased().hasPrefix("sep=") {
                guard let next = reader.next() else {
                    throw TableRefusal("The file is empty. \(Column.expected(words))")
                }
                record = next
            }
            first = first ?? record
            let top = record.line
            while record.line <= max(top, lastLine) {
                let known = names.known(record), isBelow = record.line > top
                if Column.isHeader(known) {
                    if known.count > whole?.known ?? 0 { whole = (known.count, record, reader, isBelow) }
                    break
                }
                if !isBelow, known.count > part?.known ?? 0 { part = (known.count, record, reader, isBelow) }
                guard let next = reader.next() else { break }
                record = next
            }
        }
        guard let best = whole ?? part else {
            let found = (first?.cells ?? []).prefix(8).joined(separator: ", ").prefix(100)
            throw TableRefusal(
                "Line \(first?.line ?? 1): the names of the columns are expected here, not “\(found)”. \(Column.expected(words))"
            )
        }
        return (try TableHeader(best.record, names), best.reader, best.isBelow)
    }
}
