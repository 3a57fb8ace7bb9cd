/// Text broken into lines.
public enum TextFlow {
    /// A line: where it stands in the text, counted in characters, and its words.
    public struct Line: Sendable, Equatable {
        /// The line's characters, without the space at which it was broken.
        public let text: String
        /// The first character's place in the whole text.
        public let start: Int
    }

    /// Breaks `text` between words, and a word only where it alone is wider than a line.
    /// - Parameter width: columns of a line, at least 1.
    public static func lines(_ text: String, width: Int) -> [Line] {
        let width = max(1, width)
        let characters = text.map { $0.isNewline ? " " : $0 }
        var lines: [Line] = []
        var start = 0
        while start < characters.count {
            var end = start, used = 0, lastSpace: Int?
            while end < characters.count, used + DisplayWidth.of(characters[end]) <= width {
                if characters[end] == " " { lastSpace = end }
                used += DisplayWidth.of(characters[end])
                end += 1
            }
            if end < characters.count {
                // A space just behind the line is as good a place as one in it.
                if characters[end] == " " { lastSpace = end }
                if let lastSpace, lastSpace > start { end = lastSpace }
                // One column is too narrow for a wide character; it is shown cut rather than never.
                if end == start { end += 1 }
            }
            lines.append(Line(text: String(characters[start..<end]), start: start))
            start = end
            while start < characters.count, characters[start] == " " { start += 1 }
        }
        return lines
    }

    /// `text`, or its beginning with “…” where it is wider than `width`.
    public static func shortened(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 1 else { return width == 1 ? "…" : "" }
        var kept = "", used = 0
        for character in text {
            guard used + DisplayWidth.of(character) <= width - 1 else { break }
            kept.append(character)
            used += DisplayWidth.of(character)
        }
        return kept + "…"
    }
}
