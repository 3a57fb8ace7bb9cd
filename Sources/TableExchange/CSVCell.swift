/// Cells as they are written and read, so that no spreadsheet takes an owner's text for a formula.
public enum CSVCell {
    /// What a spreadsheet takes for the beginning of a formula
    /// (https://owasp.org/www-community/attacks/CSV_Injection).
    private static let openings: Set<Character> = ["=", "+", "-", "@", "\t", "\r"]

    private static func isGuarded(_ text: String) -> Bool {
        guard let first = text.first(where: { $0 != "'" }) else { return false }
        return openings.contains(first)
    }

    /// A line of cells, quoted where they have to be, with its end.
    public static func line(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }

    /// Text of the owner's: an apostrophe goes before what a spreadsheet would calculate.
    public static func guarded(_ text: String) -> String { isGuarded(text) ? "'" + text : text }

    /// Text as it was before `guarded`, without spaces around it, and on one line unless it `keepsLines`; nil where
    /// nothing is left.
    public static func text(_ cell: String, keepsLines: Bool = false) -> String? {
        var text = keepsLines ? cell.replacing("\r\n", with: "\n") : cell
        if text.utf8.contains(where: { $0 < 32 }) {
            text = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { $0.value < 32 && !(keepsLines && $0 == "\n") ? " " : $0 }))
        }
        if text.utf8.first.map({ $0 <= 32 }) == true || text.utf8.last.map({ $0 <= 32 }) == true {
            text = trimmed(text)
        }
        if text.utf8.first == 39, isGuarded(text) { text.removeFirst() }
        return text.isEmpty ? nil : text
    }

    package static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    private static func quoted(_ cell: String) -> String {
        let needs = cell.utf8.contains { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 || $0 == 59 || $0 == 9 }
        guard needs || cell.first == " " || cell.last == " " else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }
}
