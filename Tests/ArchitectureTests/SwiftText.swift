/// Swift's text without what is not code.
enum SwiftText {
    /// Comments, strings and regular expressions are blanked, lines stay.
    static func withoutLiterals(_ text: String) -> String {
        var scanner = LiteralScanner(text: Array(text.unicodeScalars))
        return scanner.blanked()
    }
}

private struct LiteralScanner {
    let text: [Unicode.Scalar]
    private var place = 0
    private var result = String.UnicodeScalarView()
    /// The last sign of code, by which a `/` is a division or begins a regular expression.
    private var previous: Unicode.Scalar = "\n"

    init(text: [Unicode.Scalar]) { self.text = text }

    private func starts(with sign: String) -> Bool {
        var index = place
        for scalar in sign.unicodeScalars {
            guard index < text.count, text[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    mutating func blanked() -> String {
        while place < text.count { step() }
        return String(result)
    }

    private mutating func step() {
        if starts(with: "//") {
            skip { $0.text[$0.place] == "\n" }
        } else if starts(with: "/*") {
            skip { $0.starts(with: "*/") }
            skip(2)
        } else if starts(with: "\"\"\"") {
            string(delimiter: "\"\"\"", hashes: "")
        } else if starts(with: "\"") {
            string(delimiter: "\"", hashes: "")
        } else if starts(with: "#\"") {
            string(delimiter: "\"", hashes: "#")
        } else if starts(with: "#/") {
            skip(2)
            skip { $0.starts(with: "/#") }
            skip(2)
        } else if startsRegex {
            skip(1)
            skip { $0.text[$0.place] == "/" && $0.text[$0.place - 1] != "\\" }
            skip(1)
            previous = "x"
        } else {
            if !text[place].properties.isWhitespace { previous = text[place] }
            result.append(text[place])
            place += 1
        }
    }

    private var startsRegex: Bool {
        guard text[place] == "/", place + 1 < text.count, !text[place + 1].properties.isWhitespace else { return false }
        return "(,=:[{!&|?~\n".unicodeScalars.contains(previous)
    }

    /// Skips a string with its interpolations, which may hold strings themselves.
    private mutating func string(delimiter: String, hashes: String) {
        let escape = "\\" + hashes
        skip(delimiter.count + hashes.count)
        while place < text.count, !starts(with: delimiter + hashes) {
            if starts(with: escape + "(") {
                skip(escape.count + 1)
                interpolation()
            } else {
                skip(hashes.isEmpty && starts(with: "\\") ? 2 : 1)
            }
        }
        skip(delimiter.count + hashes.count)
        previous = "\""
    }

    private mutating func interpolation() {
        var depth = 1
        while place < text.count, depth > 0 {
            if starts(with: "\"") {
                string(delimiter: "\"", hashes: "")
                continue
            }
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            skip(1)
        }
    }

    private mutating func skip(_ count: Int) {
        for _ in 0..<count where place < text.count {
            result.append(text[place] == "\n" ? "\n" : " ")
            place += 1
        }
    }

    private mutating func skip(until isEnd: (Self) -> Bool) {
        while place < text.count, !isEnd(self) { skip(1) }
    }
}
