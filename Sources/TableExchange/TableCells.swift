/// Cells that mean the same in every table.
enum TableCells {
    /// A row's number, 0 for none.
    static func number(_ cell: String?, _ table: String) throws -> Int64 {
        guard let cell else { return 0 }
        guard let number = Int64(cell), number > 0 else {
            throw BadCell("a number as “vanorb export \(table)” writes it, or nothing")
        }
        return number
    }

    static func text(_ cell: String?) throws -> String? { try text(cell, keepsLines: false) }

    static func text(_ cell: String?, keepsLines: Bool) throws -> String? {
        guard let cell, let text = CSVCell.text(cell, keepsLines: keepsLines) else { return nil }
        guard text.utf8.count <= 2_000 else { throw BadCell("at most 2000 characters") }
        return text
    }

    /// Such as 12.50, without thousands.
    static func decimal(_ value: Int64, places: Int) -> String {
        guard places > 0 else { return "\(value)" }
        let digits = "\(value.magnitude)"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(value < 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
    }

    /// Several texts in one cell, with semicolons between them.
    static func joined(_ texts: [String]) -> String {
        texts.map { $0.replacing("\\", with: "\\\\").replacing(";", with: "\\;") }.joined(separator: "; ")
    }

    /// The texts of a cell; a semicolon behind a backslash parts nothing.
    static func parted(_ cell: String) -> [String] {
        var texts = [""], isEscaped = false
        for character in cell {
            if isEscaped || (character != "\\" && character != ";") {
                texts[texts.count - 1].append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                texts.append("")
            }
        }
        return texts.map(CSVCell.trimmed).filter { !$0.isEmpty }
    }
}
