/// Text for mdoc(7), the macros of manual pages.
enum Mdoc {
    /// Lines of running text: each sentence on lines of its own, of at most 78 characters, as the renderers want them.
    static func prose(_ text: String) -> [String] { sentences(text).flatMap(broken).map(line) }

    private static func broken(_ sentence: String) -> [String] {
        sentence.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= 78 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }

    /// A line of running text. Nothing in it is taken for a macro or an escape.
    static func line(_ text: String) -> String { guarded(escaped(text)) }

    /// A line that is shown as it is typed: quotes and dashes can be copied from the page.
    static func literal(_ text: String) -> String {
        guarded(escaped(text).replacing("'", with: "\\(aq").replacing("-", with: "\\-"))
    }

    /// Words as arguments of a macro; none of them is a macro itself.
    static func words(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let safe = escaped(String(word)).replacing("\"", with: "\\(dq")
            return isMacro(word) || word.allSatisfy(\.isPunctuation) ? "\\&\(safe)" : safe
        }.joined(separator: " ")
    }

    /// Text without its last full stop and with a small first letter, as names of pages are explained.
    static func phrase(_ sentence: String) -> String {
        let body = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        guard let first = body.split(separator: " ").first, !first.dropFirst().contains(where: \.isUppercase) else {
            return escaped(body)
        }
        return escaped(body.prefix(1).lowercased() + body.dropFirst())
    }

    /// The sentences of a text. One ends with its mark, a space, and a capital letter or a quote behind it.
    static func sentences(_ text: String) -> [String] {
        var found: [String] = [], current: [Substring] = []
        let words = text.split(whereSeparator: \.isWhitespace)
        for (place, word) in words.enumerated() {
            current.append(word)
            let next = place + 1 < words.count ? words[place + 1].first : nil
            let isEnd = word.last.map { ".?!".contains($0) } == true && word.count > 2
            if isEnd, next.map({ $0.isUppercase || $0 == "“" || $0 == "-" }) != false {
                found.append(current.joined(separator: " "))
                current = []
            }
        }
        return current.isEmpty ? found : found + [current.joined(separator: " ")]
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
            .replacing("`", with: "\\(ga")
    }

    private static func guarded(_ line: String) -> String {
        line.first == "." || line.first == "'" ? "\\&\(line)" : line
    }

    /// All macros are a capital letter with one or two letters behind it.
    private static func isMacro(_ word: Substring) -> Bool {
        (2...3).contains(word.count) && word.first?.isUppercase == true && word.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
